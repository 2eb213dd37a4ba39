// What runs in a worker: it is given the kernels and the memory, then orders, and answers each. Built into a script of its
// own (scripts/build-worker.ts) that starts in a page, in Node, from a string or from a file.

import * as at from '../../assembly/layout.js';
import { Course } from './course.js';
import { advanceGroup } from './group.js';
import { type Answer, KERNELS, type Open, type Order, type Scan, type Sweep, type Swept } from './protocol.js';
import { follow, lead } from './team.js';
import { View, type WorkerKernels } from './view.js';

interface Port {
  postMessage(message: Answer): void;
  on?(event: 'message', listener: (message: Open & Order) => void): void;
}
interface Scope extends Port {
  onmessage: ((event: { data: Open & Order }) => void) | null;
  process?: { getBuiltinModule?(name: string): { parentPort: Port | null } | undefined };
}
const scope = globalThis as unknown as Scope;
const port = scope.process?.getBuiltinModule?.('node:worker_threads')?.parentPort ?? scope;

/** Mistakes in one call of `run`: as many as there are. */
const UNLIMITED = 0xffffffff;

/** Put in by scripts/build-worker.ts. */
declare const VERSION: string;

let kernels: WorkerKernels = {};
let memory: WebAssembly.Memory | undefined;

function open(message: Open): string {
  ({ memory } = message);
  kernels = new WebAssembly.Instance(message.module, { env: { memory } }).exports as WorkerKernels;
  return VERSION;
}

function makeCalls(calls: readonly number[]): void {
  for (let k = 0; k < calls.length; ) {
    const kernel = kernels[KERNELS[calls[k] as number] as string] as WorkerKernels[string];
    const end = k + 1 + kernel.length;
    kernel(...calls.slice(k + 1, end));
    k = end;
  }
}

function sweep(job: Sweep, view: View): Swept {
  const run = kernels[job.form] as WorkerKernels[string];
  const course = new Course(view, job);
  do course.note(run(job.record, job.rows, UNLIMITED, course.passesTogether));
  while (course.goesOn());
  return course.swept;
}

function scan({ scan: form, record, rows, ms }: Scan): number {
  const end = performance.now() + ms;
  for (;;) {
    const status = (kernels[form] as WorkerKernels[string])(record, rows);
    if (status !== at.PAUSED || performance.now() >= end) return status;
  }
}

function carryOut(order: Order): unknown {
  if ('calls' in order) return makeCalls(order.calls);
  if ('scan' in order) return scan(order);
  const view = new View(memory as WebAssembly.Memory);
  if ('group' in order) return advanceGroup(kernels, view, order);
  if ('follow' in order) return follow(kernels, view, order);
  return order.team ? lead(kernels, view, order, order.team) : sweep(order, view);
}

function receive(message: Open & Order): void {
  try {
    port.postMessage({ value: message.module ? open(message) : carryOut(message) });
  } catch (error) {
    port.postMessage({ error: String(error) });
  }
}

if (port.on) port.on('message', receive);
else scope.onmessage = ({ data }) => receive(data);
