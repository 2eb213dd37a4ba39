// Work that can pause: a generator that yields undefined to let others have their turn, or a promise to wait for. `fit` and `gram`
// run it at once (finish), `fitAsync` and `gramAsync` in slices (drive, turns.ts). Both do the same work in the same order.
// Only the training loop, Gram matrices and the recomputation of scores pause.

import type { BoundEngine } from '../engine/contract.js';

/** What the work yields: a promise to wait for, or undefined. */
type Pause = PromiseLike<unknown> | undefined;

export type Pausing<T> = Generator<Pause, T, void>;

/** Says when work should pause. */
export interface Clock {
  due(): boolean;
  /** The most samples for one call of a kernel; default: as many as take some milliseconds. */
  readonly rows: number | undefined;
}

/** The clock of work that does not pause. */
export const NEVER: Clock = Object.freeze({ due: () => false, rows: undefined });

/** Runs all of the work now. */
export function finish<T>(work: Pausing<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (value) throw new Error('synchronous work cannot wait for threads');
  }
}

/** Waits for a value that may be a promise. */
export function* waitFor<T>(value: T | Promise<T>): Pausing<T> {
  if (!(value instanceof Promise)) return value;
  let result: T | undefined;
  yield value.then((resolved) => {
    result = resolved;
  });
  return result as T;
}

/** Runs calls of kernels, one after another. */
export function* runCalls(
  engine: BoundEngine,
  calls: readonly (readonly [kernel: string, ...numbers: number[]])[],
  clock: Clock,
): Pausing<void> {
  const kernels = engine.kernels() as unknown as Record<string, (...numbers: number[]) => void>;
  for (const [kernel, ...numbers] of calls) {
    (kernels[kernel] as (...numbers: number[]) => void)(...numbers);
    if (clock.due()) yield;
  }
}
