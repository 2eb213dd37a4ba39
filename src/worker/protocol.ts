// What is said between the caller's thread and its workers. A worker has the kernels over the same memory and nothing else of this
// library: it is told which kernels to call with which numbers, and answers with what the last of them returned.

/** The kernels that an order may name, by number. */
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

/** A call of a kernel, by the name the module exports it under. */
export type Call = readonly [kernel: KernelName, ...numbers: number[]];

/** The first message to a worker: what it works with. */
export interface Open {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
}

/** Calls one after the other: the number of a kernel, its arguments, the number of the next kernel, and so on. */
export type Order = readonly number[];

/** The answer to `Open` is the worker's version, the answer to an order what its last call returned. */
export type Answer = { readonly value: number | string } | { readonly error: string };

/** Calls as an order. */
export function orderOf(calls: readonly Call[]): Order {
  const order: number[] = [];
  for (const [kernel, ...numbers] of calls) order.push(KERNELS.indexOf(kernel), ...numbers);
  return order;
}
