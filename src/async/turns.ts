// Runs long work in slices of some milliseconds, so that timers, input and painting have their turn. Calls that run at the same
// time take turns.

import type { Stage } from '../data/stages.js';
import { nextTurn } from '../turn.js';
import type { Clock, Pausing } from './pausing.js';

/** A page should answer within 50 ms; other work needs a part of that. */
const SLICE_MS = 12;

/** The clock of work in slices. An abort ends a slice. */
export class SliceClock implements Clock {
  readonly rows = undefined;
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

/** All waits for a signal: they share one listener, since Node warns of a leak if a signal has more than ten. */
interface Waits {
  readonly stops: Set<() => void>;
  readonly onAbort: () => void;
}

const waits = new WeakMap<AbortSignal, Waits>();

function waitsFor(signal: AbortSignal): Waits {
  const known = waits.get(signal);
  if (known) return known;
  const stops = new Set<() => void>();
  const onAbort = () => {
    for (const stop of stops) stop();
  };
  waits.set(signal, { stops, onAbort });
  signal.addEventListener('abort', onAbort, { once: true });
  return { stops, onAbort };
}

/** Waits for a promise, or until `signal` is aborted. */
export async function orAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return work;
  if (signal.aborted) return;
  const { stops, onAbort } = waitsFor(signal);
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    stops.add(stop);
  });
  await Promise.race([work, aborted]);
  stops.delete(stop);
  if (stops.size > 0) return;
  waits.delete(signal);
  signal.removeEventListener('abort', onAbort);
}

/**
 * Waits for the next turn: first come, first served; the event loop goes round between two turns. An aborted call does not wait
 * for the turns of all others: it has nothing more to do.
 */
function myTurn(signal?: AbortSignal): Promise<void> {
  latest = latest.then(nextTurn);
  return orAborted(latest, signal);
}

/** Whether a call has begun since the event loop last went round. */
let hasBegun = false;

/** The first turn of a call: at once, unless another call has just begun. So small work ends before timers have their turn. */
export function firstTurn(): Promise<void> | undefined {
  if (hasBegun) return myTurn();
  hasBegun = true;
  nextTurn().then(() => {
    hasBegun = false;
  });
  return undefined;
}

/**
 * Runs work in slices; the first slice has begun. Only a turn begins another slice: a promise may resolve before the event loop
 * goes round, and then work that waits for nothing else would block the loop. Returns undefined once `signal` is aborted; the
 * work then stays where it paused.
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
      await myTurn(signal);
      clock.begin();
    }
  }
}

/** Runs a stage piece by piece, in the slice that has begun and further ones. @throws the reason of `signal` */
export async function inTurns(stage: Stage | undefined, clock: SliceClock, signal?: AbortSignal): Promise<void> {
  if (!stage) return;
  const { count, size } = stage;
  for (let from = 0; from < count; from += size) {
    if (clock.due()) {
      await myTurn(signal);
      signal?.throwIfAborted();
      clock.begin();
    }
    stage.piece(from, Math.min(count, from + size));
  }
}
