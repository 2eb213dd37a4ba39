// How a piece of work hears that it shall end, and says how far it is.

import type { Progress } from '../types.js';

export interface Context {
  /** Ends it; a fit then keeps what it has. */
  readonly signal?: AbortSignal;
  /** Nobody wants the answer any more. */
  readonly dropped?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Lets messages in. */
export const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Says how far the look at all rows is, and ends it where nobody wants the answer. */
export const looking =
  (rows: number, { dropped, onProgress }: Context) =>
  async (done: number): Promise<void> => {
    onProgress?.({ kind: 'looking', done, rows });
    await pause();
    dropped?.throwIfAborted();
  };
