// How long things take by our own doing. What the machine's host, or other programs, take from us is not counted: this
// is what makes a limit in milliseconds a statement about our code, on a machine that is shared with others.

import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { vi } from 'vitest';

/** The file's text; where the platform has no such file, nothing. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Of this process's first thread, in milliseconds: what it ran, and what it waited for a processor. */
function scheduled(): { ran: number; waited: number } | undefined {
  const [ran, waited] = textOf('/proc/self/schedstat').split(' ').map(Number);
  // Some systems have the file and keep no book.
  return ran && waited !== undefined ? { ran: ran / 1e6, waited: waited / 1e6 } : undefined;
}

/** Milliseconds that the host kept this machine's processors from running what wanted to run. */
export function stolen(): number {
  const [, , , , , , , , ticks] = textOf('/proc/stat').split('\n', 1)[0]!.split(/\s+/);
  return 10 * Number(ticks ?? 0);
}

/** A watch that stands still while this thread has no processor. */
export const now = (): number => performance.now() - (scheduled()?.waited ?? 0) - stolen();

/** Milliseconds by the clock, and those that this thread ran: the latter is what holds everything else up. */
function times(): readonly [clock: number, work: number] {
  const { user, system } = process.cpuUsage();
  return [performance.now(), scheduled()?.ran ?? (user + system) / 1000];
}

/**
 * The longest stretch in which nothing else could run on this thread, while something was under way; what is done before
 * there is a promise is a part of it. The thread may not wait for another one either, which takes no processor.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const wait = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    throw new Error('the thread that asked was made to wait for another');
  });
  let longest = 0;
  let isOver = false;
  let last = times();
  const look = () => {
    const next = times();
    longest = Math.max(longest, Math.min(next[0] - last[0], next[1] - last[1]));
    last = next;
    if (!isOver) setTimeout(look, 1);
  };
  try {
    const promise = work();
    look();
    await promise;
    look();
  } finally {
    isOver = true;
    wait.mockRestore();
  }
  return longest;
}

/** Measures; once more if the machine was busy with something else. */
export async function leastOfTwo(limit: number, measure: () => Promise<number>): Promise<number> {
  const first = await measure();
  return first < limit ? first : Math.min(first, await measure());
}

/** Has the garbage of what came before collected, so that it does not fall into what is measured. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
