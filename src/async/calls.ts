// Calls in slices that are under way. They share one memory: one that finds no room waits for another to end.

import { isNoRoom } from '../memory/arena.js';
import { drive, nextTurn, type TimeSlices } from './drive.js';
import { onAbort } from './signals.js';
import type { Pause, Sliced } from './sliced.js';

/** For the first steps of a call, which do not wait for a turn: enough for small data … */
const FIRST_MS = 2;
/** … and for those of all calls that are made at once: the others do what they must. */
const ALL_FIRST_MS = 12;

/** What is left of that, until the event loop goes round. */
let firstLeft = ALL_FIRST_MS;

/** Does the first steps of a call. */
function begun<T>(work: Sliced<T>, slices: TimeSlices): IteratorResult<Pause, T> {
  if (firstLeft === ALL_FIRST_MS) {
    nextTurn().then(() => {
      firstLeft = ALL_FIRST_MS;
    });
  }
  const started = performance.now();
  slices.begin(Math.max(0, Math.min(FIRST_MS, firstLeft)));
  try {
    return work.next();
  } finally {
    firstLeft -= Math.max(0.01, performance.now() - started); // less than all, whatever the clock says
  }
}

/** Calls that may hold memory. */
let running = 0;
/** How often one has given its memory back. */
let ends = 0;
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
    const before = ends;
    let isOver = true;
    let isAlone = false;
    try {
      return await call();
    } catch (error) {
      isAlone = running === 1;
      // Another may have given its memory back after there was no room for this one.
      isOver = (isAlone && ends === before) || !isNoRoom(error) || !mayRepeat();
      if (isOver) throw error;
    } finally {
      running--;
      ends++;
      if (isOver) for (const go of [...waiting]) go();
    }
    // It holds nothing by now: whoever is left can go on, and the last one has all there is.
    if (!isAlone) await nextEnd(signal);
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
    const first = begun(work, slices);
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
