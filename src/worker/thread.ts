// What runs in a worker. scripts/build-worker.ts makes one script of it that starts in a page and in Node, from a string or a file.

import { type Answer, KERNELS, type Open, type Order } from './protocol.js';

interface Port {
  postMessage(message: Answer): void;
  on?(event: 'message', listener: (message: Open | Order) => void): void;
}
interface Scope extends Port {
  onmessage: ((event: { data: Open | Order }) => void) | null;
  process?: { getBuiltinModule?(name: string): { parentPort: Port | null } | undefined };
}
const scope = globalThis as unknown as Scope;
const port = scope.process?.getBuiltinModule?.('node:worker_threads')?.parentPort ?? scope;

/** Put in by scripts/build-worker.ts. */
declare const VERSION: string;

type Kernels = Record<string, (...numbers: number[]) => number>;
let kernels: Kernels = {};

function open({ module, memory }: Open): string {
  kernels = new WebAssembly.Instance(module, { env: { memory } }).exports as Kernels;
  return VERSION;
}

function carryOut(order: Order): number {
  let value = 0;
  for (let k = 0; k < order.length; ) {
    const kernel = kernels[KERNELS[order[k] as number] as string] as Kernels[string];
    const end = k + 1 + kernel.length;
    value = kernel(...order.slice(k + 1, end));
    k = end;
  }
  return value;
}

function receive(message: Open | Order): void {
  try {
    port.postMessage({ value: 'module' in message ? open(message) : carryOut(message) });
  } catch (error) {
    port.postMessage({ error: String(error) });
  }
}

if (port.on) port.on('message', receive);
else scope.onmessage = ({ data }) => receive(data);
