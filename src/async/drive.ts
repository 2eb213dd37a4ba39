// Doing sliced work a slice at a time, in turns with everything else: timers, input, painting, and other calls of ours.

import { afterOthers } from '../turn.js';
import type { Threads } from '../worker/threads.js';
import { onAbort } from './signals.js';
import type { Pace, Pause, Sliced } from './sliced.js';

/** A page should answer within 50 ms; a slice leaves room for what else is waiting. */
const SLICE_MS = 12;

/** Slices by the clock: `begin` starts one. */
export class TimeSlices implements Pace {
  readonly threads: Threads | undefined;
  #end = 0;
  #signal: AbortSignal | undefined;

  constructor(threads?: Threads) {
    this.threads = threads;
  }

  /** `signal` ends it before its time. */
  begin(ms = SLICE_MS, signal?: AbortSignal): void {
    this.#end = performance.now() + ms;
    this.#signal = signal;
  }

  due(): boolean {
    return this.#signal?.aborted || performance.now() >= this.#end;
  }
}

/** Calls that wait for their next slice, first come, first served; and those that come back from threads, mostly to send them on. */
const waiting = new Set<(isMine: boolean) => void>();
const returning = new Set<(isMine: boolean) => void>();
/** Which of the two had the latest one: they take turns. */
let wasReturning = false;
/** Whether one of them has a slice, or had one since the event loop last went round: the next must wait, however many there are. */
let isTaken = false;

/** Waits for a slice of time; not at all if nobody had one just now, and no longer once `signal` says so. Answers whether it is there. */
function mySlice(signal: AbortSignal | undefined, queue: Set<(isMine: boolean) => void>): Promise<boolean> | true {
  if (!isTaken) {
    isTaken = true;
    return true;
  }
  return new Promise((resolve) => {
    const go = (isMine: boolean) => {
      queue.delete(go);
      forget();
      resolve(isMine);
    };
    const forget = onAbort(signal, () => go(false));
    queue.add(go);
  });
}

/** The slice is over: others have their turn, whatever they are, then whoever waits. */
function passOn(): void {
  afterOthers(() => {
    const [here] = waiting;
    const [back] = returning;
    wasReturning = back !== undefined && !(wasReturning && here);
    const first = wasReturning ? back : here;
    isTaken = first !== undefined;
    first?.(true);
  });
}

/** Waits for others to be done; no longer once `signal` says so. */
export async function orAborted(work: PromiseLike<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) {
    await work;
    return;
  }
  let forget = () => {};
  const aborted = new Promise<void>((resolve) => {
    forget = onAbort(signal, resolve);
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}

/**
 * Does sliced work. Answers undefined once `signal` says so: the work is then as far as it got, and the caller's to end, once
 * threads that may still be at it have left. `first`: what it is waiting for, if it was begun.
 */
export async function drive<T>(
  work: Sliced<T>,
  slices: TimeSlices,
  signal?: AbortSignal,
  afterSlice?: () => void,
  first?: Pause,
): Promise<{ readonly value: T } | undefined> {
  for (let pause: Pause = first; ; ) {
    if (pause) {
      try {
        await orAborted(pause, signal);
      } catch (error) {
        work.throw(error); // for what it holds
        throw error;
      }
    }
    const slice = mySlice(signal, pause ? returning : waiting);
    if (slice !== true && !(await slice)) return undefined; // the first slice may be now
    let step: IteratorResult<Pause, T>;
    try {
      if (signal?.aborted) return undefined;
      slices.begin(undefined, signal);
      step = work.next();
    } finally {
      passOn();
    }
    if (step.done) return { value: step.value };
    pause = step.value;
    afterSlice?.();
  }
}
