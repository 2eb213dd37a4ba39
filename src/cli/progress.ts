// Progress bars: only on a terminal, on standard error, and for work that takes a while.

import { SingleBar } from 'cli-progress';
import { duration, type Voice } from './output.js';

/** Work shorter than this shows no bar. */
const PATIENCE_MS = 400;

/** Progress over a shorter time does not tell how long the rest takes: code gets faster while it runs. */
const KNOWN_MS = 1000;

export interface Progress {
  /** Sets the progress; `detail`, such as a rate, follows the bar. */
  update(done: number, total: number, detail: string): void;
  /** Removes the bar. */
  end(): void;
}

// The bar turns line wrapping off: a second Ctrl-C must turn it on again.
let shown: SingleBar | undefined;
process.on('exit', () => shown?.stop());

/** For work without its own bar. */
export const NO_BAR: Progress = { update() {}, end() {} };

const isWatched = (voice: Voice): boolean =>
  !voice.quiet && process.stderr.isTTY === true && process.env.TERM !== 'dumb';

/** A bar called `title`, one at a time; `isUpTo`: the total is an upper limit. */
export function progress(voice: Voice, title: string, { isUpTo = false } = {}): Progress {
  if (!isWatched(voice)) return NO_BAR;
  const started = performance.now();
  let first: { readonly done: number; readonly at: number } | undefined;
  return {
    update(done, total, detail) {
      const now = performance.now();
      if (done > 0) first ??= { done, at: now };
      if (now - started < PATIENCE_MS) return;
      const left = first ? remaining(done - first.done, total - done, now - first.at, isUpTo) : '';
      const payload = { detail, left };
      if (!shown) {
        shown = makeBar(title);
        shown.start(total, done, payload);
      }
      shown.setTotal(total);
      shown.update(done, payload);
    },
    end() {
      shown?.stop();
      shown = undefined;
    },
  };
}

/** The time left in words; nothing before it can be known. @param done in `elapsedMs`, since progress was first told */
export function remaining(done: number, open: number, elapsedMs: number, isUpTo: boolean): string {
  if (!(done > 0) || elapsedMs < KNOWN_MS || !Number.isFinite(open)) return '';
  const left = duration(Math.max(1000, (elapsedMs * open) / done)).replace(/\.\d+/, '');
  return ` | ${isUpTo ? 'at most ' : ''}${left} left`;
}

const makeBar = (title: string): SingleBar =>
  new SingleBar({
    stream: process.stderr,
    format: `${title} [{bar}] {percentage} % | {detail}{left}`,
    barsize: 24,
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    clearOnComplete: true,
    // A killed process would leave the terminal without a cursor.
    hideCursor: false,
    fps: 10,
  });
