// Whether a thread stays free for others while something is under way: how often its event loop turned meanwhile. How long
// each turn was depends on the machine, and is the benchmark's to tell.

import { vi } from 'vitest';

/**
 * How often the event loop turned from the call of `work` until its promise settled; at each turn `onTurn` is called with how
 * many there were. Waiting for another thread, which blocks this one, is refused meanwhile. Time goes on by `stepMs` whenever it
 * is asked for, so that a fast machine makes no fewer slices than a slow one; by default every slice is over when the work first
 * looks.
 */
export async function turnsDuring(
  work: () => Promise<unknown>,
  onTurn?: (turns: number) => void,
  stepMs = 20,
): Promise<number> {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += stepMs;
    return now;
  });
  const wait = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    throw new Error('the thread that asked was made to wait for another');
  });
  let turns = 0;
  let next = setImmediate(function turn() {
    turns++;
    onTurn?.(turns);
    next = setImmediate(turn);
  });
  try {
    await work();
  } finally {
    clearImmediate(next);
    wait.mockRestore();
    clock.mockRestore();
  }
  return turns;
}

/** A signal that is aborted once the event loop has turned so many times. */
export function signalAfter(turns: number): AbortSignal {
  const controller = new AbortController();
  const next = (left: number) => {
    if (left === 0) controller.abort();
    else setImmediate(next, left - 1);
  };
  setImmediate(next, turns);
  return controller.signal;
}
