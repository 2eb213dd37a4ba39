// Work that can pause: a generator that yields when others should have their turn, or a promise that it must wait for. `fit` and
// `gram` run it to the end at once, `fitAsync` and `gramAsync` a slice at a time (turns.ts). Both do the same work in the same
// order. Only the training loop, Gram matrices and the recomputation of scores pause.

/** What such work yields: a promise to wait for, or nothing. */
type Pause = PromiseLike<unknown> | undefined;

export type Pausing<T> = Generator<Pause, T, void>;

/** Tells work whether it is time to pause. */
export interface Clock {
  due(): boolean;
  /** Samples that one call of a kernel may look at; default: as many as take some milliseconds. */
  readonly rows?: number;
}

/** The clock of work that does not pause. */
export const NEVER: Clock = Object.freeze({ due: () => false });

/** Runs all of it now. */
export function finish<T>(work: Pausing<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (value) throw new Error('work that was to be done now waits for threads');
  }
}

/** Waits for a promise, and returns what it resolves to. */
export function* waitFor<T>(promise: Promise<T>): Pausing<T> {
  let result: T | undefined;
  yield promise.then((value) => {
    result = value;
  });
  return result as T;
}
