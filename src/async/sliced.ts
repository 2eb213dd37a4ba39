// Work that can be put down and taken up again. The same generators do it in one go (`fit`, `gram`) and a slice at a time
// (`fitAsync`, `gramAsync`): only the pace differs, never the order of additions.

import type { Threads } from '../worker/threads.js';

/** What such work yields: nothing, when others may have their turn; or a promise that it cannot go on before. */
export type Pause = void | PromiseLike<unknown>;

export type Sliced<T> = Generator<Pause, T, void>;

/** How to go about it. */
export interface Pace {
  /** Whether it is time to let others have their turn. */
  due(): boolean;
  /** Samples to look at in one call of a kernel; as many as take some milliseconds, if nobody says. */
  readonly rows?: number;
  /** Threads that may take part; promises are yielded only where there are any. */
  readonly threads?: Threads | undefined;
}

/** Values that plain JavaScript goes through before it asks whether a slice is over; and those that are only copied or compared. */
export const PIECE = 2 ** 14;
export const LARGE_PIECE = 2 ** 17;

/** Without a pause, on the caller's thread. */
export const inOneGo: Pace = Object.freeze({ due: () => false });

/** What is there already, as work. */
// biome-ignore lint/correctness/useYield: there is nothing to do
export function* done<T>(value: T): Sliced<T> {
  return value;
}

/** Does all of it now. */
export function finish<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (value) throw new Error('work that was to be done now waits for threads');
  }
}
