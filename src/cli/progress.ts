// Progress bars for people who watch: on a terminal alone, on standard error, and only for work that takes a while.

import { SingleBar } from 'cli-progress';
import { duration, type Voice } from './output.js';

/** Shorter work would only flicker. */
const PATIENCE_MS = 400;

export interface Progress {
  /** How far it is; `detail` follows the bar, such as a rate. */
  update(done: number, total: number, detail: string): void;
  /** Takes the bar away. */
  end(): void;
}

// The bar turns line wrapping off while it is there: a second Ctrl-C must not leave the terminal like that.
let shown: SingleBar | undefined;
process.on('exit', () => shown?.stop());

/** For work that nobody watches by itself. */
export const NO_BAR: Progress = { update() {}, end() {} };

const isWatched = (voice: Voice): boolean =>
  !voice.quiet && process.stderr.isTTY === true && process.env.TERM !== 'dumb';

/** A bar called `title`, one at a time; `isUpTo`: the total is a limit, and the end may come earlier. */
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
    // A process that is killed would leave the terminal without one.
    hideCursor: false,
    fps: 10,
  });
