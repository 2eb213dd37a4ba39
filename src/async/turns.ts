// Long work in turns with everything else: timers, input, painting, and other calls of ours. A turn is a slice of some
// milliseconds; calls that are under way at the same time get their turns one after the other.

import type { Stage } from '../data/stages.js';
import { nextTurn } from '../turn.js';
import type { Clock, Pausing } from './pausing.js';

/** A page should answer within 50 ms: a slice leaves time for what else is waiting. */
const SLICE_MS = 12;

/** A clock for work in slices; an abort ends a slice. */
export class SliceClock implements Clock {
  #end = 0;
  readonly #signal: AbortSignal | undefined;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Starts a slice. */
  begin(): void {
    this.#end = performance.now() + SLICE_MS;
  }

  due(): boolean {
    return this.#signal?.aborted === true || performance.now() >= this.#end;
  }
}

let latest: Promise<void> = Promise.resolve();

/** Waits for a turn of one's own: first come, first served, and the event loop goes round between two of them. */
function myTurn(): Promise<void> {
  latest = latest.then(nextTurn);
  return latest;
}

/** Whether a call has begun since the event loop last went round. */
let hasBegun = false;

/** The first turn of a call: now, unless another call has just begun; so small work is done before timers have their turn. */
export function firstTurn(): Promise<void> | undefined {
  if (hasBegun) return myTurn();
  hasBegun = true;
  nextTurn().then(() => {
    hasBegun = false;
  });
  return undefined;
}

/**
 * Does work that pauses, slice by slice, from the slice on that has begun. Only a turn begins another slice: a promise may resolve
 * before the event loop goes round, and work that waits for nothing else would then never let it. Returns undefined once `signal`
 * is aborted: the work then stays where it paused.
 */
export async function drive<T>(
  work: Pausing<T>,
  clock: SliceClock,
  signal?: AbortSignal,
  afterSlice?: () => void,
): Promise<{ readonly value: T } | undefined> {
  for (;;) {
    if (signal?.aborted) return undefined;
    const { done, value } = work.next();
    if (done) return { value };
    afterSlice?.();
    if (value) {
      await value;
    } else {
      await myTurn();
      clock.begin();
    }
  }
}

/** Runs a stage piece by piece in the slice that has begun, and in further ones. @throws the reason of `signal` */
export async function inTurns(stage: Stage | undefined, clock: SliceClock, signal?: AbortSignal): Promise<void> {
  if (!stage) return;
  const { count, size } = stage;
  for (let from = 0; from < count; from += size) {
    if (clock.due()) {
      await myTurn();
      signal?.throwIfAborted();
      clock.begin();
    }
    stage.piece(from, Math.min(count, from + size));
  }
}
