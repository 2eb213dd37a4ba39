// Calls in slices that are under way. They share one memory: one that finds no room waits for another to end.

import { isNoRoom } from '../memory/arena.js';
import { drive, type TimeSlices } from './drive.js';
import { onAbort } from './signals.js';
import type { Sliced } from './sliced.js';

/** For the first steps of a call, which do not wait for a turn: enough for small data, little where many are made at once. */
const FIRST_MS = 2;

/** Calls that may hold memory. */
let running = 0;
/** Told when one of them ends. */
const waiting = new Set<() => void>();

/** Until a call ends, or `signal` says so. */
function nextEnd(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      waiting.delete(go);
      forget();
      resolve();
    };
    const forget = onAbort(signal, go);
    waiting.add(go);
  });
}

/**
 * Makes a call. Where it finds no room while others are under way, it is made again when one of them has ended.
 * @param mayRepeat whether nobody would notice
 */
export async function whereRoom<T>(
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
  mayRepeat = () => true,
): Promise<T> {
  for (;;) {
    running++;
    let isOver = true;
    try {
      return await call();
    } catch (error) {
      isOver = running === 1 || !isNoRoom(error) || !mayRepeat();
      if (isOver) throw error;
    } finally {
      running--;
      if (isOver) for (const go of [...waiting]) go();
    }
    // It holds nothing by now: whoever is left can go on, and the last one has all there is.
    await nextEnd(signal);
    signal?.throwIfAborted();
  }
}

/**
 * Does sliced work to its end. The first steps are done now: rows that lie in our memory are held before the caller goes on.
 * @param instead what to do with work that `signal` has broken off, if anything
 * @throws the reason of `signal`; whatever the work holds is given back
 */
export async function inSlices<T>(
  work: Sliced<T>,
  slices: TimeSlices,
  signal?: AbortSignal,
  afterSlice?: () => void,
  instead?: () => Sliced<T> | undefined,
): Promise<T> {
  try {
    slices.begin(FIRST_MS);
    const first = work.next();
    if (first.done) return first.value;
    const end = await drive(work, slices, signal, afterSlice, first.value);
    if (end) return end.value;
    await slices.threads?.settled(); // what they came to is part of the rest
    const rest = instead?.();
    if (rest) return ((await drive(rest, slices)) as { value: T }).value;
    throw signal?.reason;
  } finally {
    await slices.threads?.leave(); // they may still be at work on what is given back now
    work.return(undefined as T);
  }
}
