// Progress bars: only on a terminal, on standard error, and for work that takes a while.

import type { SingleBar } from 'cli-progress';
import type { ReadProgress } from '../io/index.js';
import { bytes, counted, duration, type Voice } from './output.js';

/** Work shorter than this shows no bar. */
const PATIENCE_MS = 400;

/** Progress over a shorter time does not tell how long the rest takes: code gets faster while it runs. */
const KNOWN_MS = 1000;

export interface Progress {
  /** Sets the progress; `detail`, such as a rate, follows the bar if there is one. */
  update(done: number, total: number, detail: () => string): void;
  /** Removes the bar. */
  end(): void;
}

// The bar turns line wrapping off: a second Ctrl-C must turn it on again.
let shown: SingleBar | undefined;
/** Loaded for the first bar that may be shown. */
let library: typeof import('cli-progress') | undefined;
process.on('exit', () => shown?.stop());

/** For work without its own bar. */
export const NO_BAR: Progress = { update() {}, end() {} };

const isWatched = (voice: Voice): boolean =>
  !voice.quiet && process.stderr.isTTY === true && process.env.TERM !== 'dumb';

/** A bar called `title`, one at a time; `isUpTo`: the total is an upper limit. */
export function progress(voice: Voice, title: string, { isUpTo = false } = {}): Progress {
  if (!isWatched(voice)) return NO_BAR;
  void load();
  const started = performance.now();
  let first: { readonly done: number; readonly at: number } | undefined;
  return {
    update(done, total, detail) {
      const now = performance.now();
      if (done > 0) first ??= { done, at: now };
      if (now - started < PATIENCE_MS || !library) return;
      const left = first ? remaining(done - first.done, total - done, now - first.at, isUpTo) : '';
      const payload = { detail: detail(), left };
      if (!shown) {
        shown = makeBar(library, title);
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

/** onProgress of the readers: bytes, rows and a rate beside the bar. */
export function readingOn(bar: Progress): (progress: ReadProgress) => void {
  const started = performance.now();
  return ({ bytes: done, totalBytes, rows }) =>
    bar.update(done, totalBytes ?? Infinity, () => {
      const rate = bytes(Math.round((done * 1000) / (performance.now() - started)));
      const size = totalBytes === undefined ? bytes(done) : `${bytes(done)} of ${bytes(totalBytes)}`;
      return `${size} | ${counted(rows, 'row')} | ${rate}/s`;
    });
}

/** The time left in words; nothing before it can be known. @param done in `elapsedMs`, since progress was first told */
export function remaining(done: number, open: number, elapsedMs: number, isUpTo: boolean): string {
  if (!(done > 0) || elapsedMs < KNOWN_MS || !Number.isFinite(open)) return '';
  const left = duration(Math.max(1000, (elapsedMs * open) / done)).replace(/\.\d+/, '');
  return ` | ${isUpTo ? 'at most ' : ''}${left} left`;
}

async function load(): Promise<void> {
  library ??= (await import('cli-progress')).default; // CommonJS
}

const makeBar = ({ SingleBar }: typeof import('cli-progress'), title: string): SingleBar =>
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
