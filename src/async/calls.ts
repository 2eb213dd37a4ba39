// Calls in slices that are under way. Those that share a memory wait for each other: one that finds no room, for another to end.

import { type Arena, mayFit } from '../memory/arena.js';
import { nextTurn } from '../turn.js';
import { drive, type TimeSlices } from './drive.js';
import { onAbort } from './signals.js';
import type { Pause, Sliced } from './sliced.js';

/** For the first steps of a call, which do not wait for a turn: enough for small data … */
const FIRST_MS = 2;
/** … and for those of all calls that are made at once: the others do what they must. */
const ALL_FIRST_MS = 12;

/** What is left of that, until the event loop goes round. */
let firstLeft = ALL_FIRST_MS;

/** Does the first steps of a call. */
function begun<T>(work: Sliced<T>, slices: TimeSlices, signal: AbortSignal | undefined): IteratorResult<Pause, T> {
  if (firstLeft === ALL_FIRST_MS) {
    nextTurn().then(() => {
      firstLeft = ALL_FIRST_MS;
    });
  }
  const started = performance.now();
  slices.begin(Math.max(0, Math.min(FIRST_MS, firstLeft)), signal);
  try {
    return work.next();
  } finally {
    firstLeft -= Math.max(0.01, performance.now() - started); // less than all, whatever the clock says
  }
}

/** Calls of one memory. */
interface Calls {
  /** Those that may hold some of it. */
  running: number;
  /** How often one has given back what it held. */
  ends: number;
  /** Told when one of them ends. */
  readonly waiting: Set<() => void>;
}
const callsOf = new WeakMap<Arena, Calls>();

/** Until a call ends, or `signal` says so. */
function nextEnd({ waiting }: Calls, signal: AbortSignal | undefined): Promise<void> {
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
 * Makes a call. Where it finds no room while others are under way in this memory, it is made again when one of them has ended.
 * @param mayRepeat whether nobody would notice
 */
export async function whereRoom<T>(
  arena: Arena,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
  mayRepeat = () => true,
): Promise<T> {
  const calls = callsOf.get(arena) ?? { running: 0, ends: 0, waiting: new Set() };
  callsOf.set(arena, calls);
  for (;;) {
    calls.running++;
    const before = calls.ends;
    let isOver = true;
    let isAlone = false;
    try {
      return await call();
    } catch (error) {
      isAlone = calls.running === 1;
      // Another may have given its memory back after there was no room for this one.
      isOver = (isAlone && calls.ends === before) || !mayFit(error) || !mayRepeat();
      if (isOver) throw error;
    } finally {
      calls.running--;
      calls.ends++;
      if (isOver) for (const go of [...calls.waiting]) go();
    }
    // It holds nothing by now: whoever is left can go on, and the last one has all there is.
    if (!isAlone) {
      await nextEnd(calls, signal);
      await nextTurn(); // whoever has what it made may dispose of it first
    }
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
    const first = begun(work, slices, signal);
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
