// Progress bars: only on a terminal, on standard error, and for work that takes a while.

import { SingleBar } from 'cli-progress';
import { duration, type Voice } from './output.js';

/** Work shorter than this shows no bar. */
const PATIENCE_MS = 400;

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
  return {
    update(done, total, detail) {
      const elapsedMs = performance.now() - started;
      if (elapsedMs < PATIENCE_MS) return;
      const payload = { detail, left: remaining(done, total, elapsedMs, isUpTo) };
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

function remaining(done: number, total: number, elapsedMs: number, isUpTo: boolean): string {
  if (!(done > 0) || !Number.isFinite(total)) return '';
  const left = duration(Math.max(1000, (elapsedMs * (total - done)) / done)).replace(/\.\d+/, '');
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
