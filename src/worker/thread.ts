// The script of a worker. scripts/build-worker.ts bundles it; the bundle runs in a page and in Node, from a string or from a file.

import { serve } from './port.js';
import { KERNELS, type Open, type Task } from './protocol.js';

/** scripts/build-worker.ts defines it. */
declare const VERSION: string;

type Kernels = Record<string, (...numbers: number[]) => number>;
let kernels: Kernels = {};

function open({ module, memory }: Open): string {
  kernels = new WebAssembly.Instance(module, { env: { memory } }).exports as Kernels;
  return VERSION;
}

function runTask(task: Task): number {
  let value = 0;
  for (let k = 0; k < task.length; ) {
    const kernel = kernels[KERNELS[task[k] as number] as string] as Kernels[string];
    const end = k + 1 + kernel.length;
    value = kernel(...task.slice(k + 1, end));
    k = end;
  }
  return value;
}

serve((message: Open | Task) => ('module' in message ? open(message) : runTask(message)));
