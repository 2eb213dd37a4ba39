// The messages between the caller's thread and its workers. A worker has the kernels over the same memory and nothing else of this
// library. A task names kernels and their arguments; the answer is the value that the last kernel returned.

/** The kernels that a task may call; a task names a kernel by its index here. */
export const KERNELS = [
  'run',
  'runDual',
  'scan',
  'scanDual',
  'runMany',
  'pairPanel',
  'transform',
  'mirror',
  'pairRow',
  'pairSparse',
] as const;

export type KernelName = (typeof KERNELS)[number];

/** A call of a kernel: the name of the module's export, and the arguments. */
export type Call = readonly [kernel: KernelName, ...numbers: number[]];

/** The first message to a worker: its module and memory. */
export interface Open {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
}

/** Calls in sequence: the index of a kernel, its arguments, the index of the next kernel, and so on. */
export type Task = readonly number[];

/** Encodes calls as a task. */
export function taskOf(calls: readonly Call[]): Task {
  const task: number[] = [];
  for (const [kernel, ...numbers] of calls) task.push(KERNELS.indexOf(kernel), ...numbers);
  return task;
}
