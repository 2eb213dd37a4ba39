// A coverage-guided fuzzer. Inputs that reach code no input has reached before join the corpus, and later inputs are made from it.
//
// V8's precise coverage says what was reached. Asking it takes milliseconds, so inputs run in batches: only if a batch reached
// something new is it run again, one input at a time, to find which one did. jazzer.js would do the same, but its binaries need a
// newer glibc than Debian 12 has.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { Random } from '../../src/random.js';
import { mutated } from './mutate.js';

export interface Target {
  readonly name: string;
  /** Inputs to begin with, beside those of the kept corpus. */
  readonly seeds: readonly Uint8Array[];
  /** Tries one input. @throws if the library did what it must not do */
  run(input: Uint8Array): void | Promise<void>;
}

export interface Effort {
  readonly seed: number;
  /** Inputs to try. */
  readonly runs: number;
  /** Or how long to go on, for a long search by hand. */
  readonly minutes?: number;
  /** Whether inputs that reach something new are written to the kept corpus. */
  readonly keeps?: boolean;
}

export interface Found {
  readonly runs: number;
  readonly corpus: number;
  /** Functions of src/ that were reached, and the characters of source in them that were not. */
  readonly functions: number;
  readonly missed: number;
}

const BATCH = 100;
const corpusFolder = new URL('./corpus/', import.meta.url);

/** The inputs that an earlier search has kept for a target. */
export function keptInputs(target: string): Uint8Array[] {
  const names = readdirSync(corpusFolder).filter((name) => name.startsWith(`${target}-`));
  return names.sort().map((name) => new Uint8Array(readFileSync(new URL(name, corpusFolder))));
}

function keep(target: string, input: Uint8Array): void {
  const name = `${target}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  mkdirSync(corpusFolder, { recursive: true });
  writeFileSync(new URL(name, corpusFolder), input);
}

type Range = readonly [from: number, to: number];

/** The parts that two ascending lists of ranges have in common. */
function common(a: readonly Range[], b: readonly Range[]): Range[] {
  const both: Range[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i] as Range, b[j] as Range];
    const [from, to] = [Math.max(x[0], y[0]), Math.min(x[1], y[1])];
    if (from < to) both.push([from, to]);
    if (x[1] < y[1]) i++;
    else j++;
  }
  return both;
}

const lengthOf = (ranges: readonly Range[]) => ranges.reduce((sum, [from, to]) => sum + to - from, 0);

/** The functions of src/ that were called since the last look, each with the ranges that were not reached in it. */
type Looked = Map<string, Range[]>;

/** What all inputs so far have reached. */
class Coverage {
  readonly #session = new Session();
  readonly #missed: Looked = new Map();

  async begin(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  async look(): Promise<Looked> {
    const looked: Looked = new Map();
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    for (const { url, functions } of result) {
      if (!url.includes('/src/')) continue;
      for (const { ranges } of functions) {
        const [whole, ...parts] = ranges;
        if (!whole || whole.count === 0) continue;
        const missed = parts.filter(({ count }) => count === 0).map((r): Range => [r.startOffset, r.endOffset]);
        looked.set(`${url} ${whole.startOffset}`, missed);
      }
    }
    return looked;
  }

  /** Whether a look has something that no input has reached before; with `add`, it counts as reached from now on. */
  isNew(looked: Looked, add: boolean): boolean {
    let found = false;
    for (const [place, missed] of looked) {
      const before = this.#missed.get(place);
      const left = before ? common(before, missed) : missed;
      if (before && lengthOf(left) === lengthOf(before)) continue;
      found = true;
      if (add) this.#missed.set(place, left);
    }
    return found;
  }

  /** Functions that were reached, and the characters of source in them that were not. */
  get figures(): { functions: number; missed: number } {
    let missed = 0;
    for (const ranges of this.#missed.values()) missed += lengthOf(ranges);
    return { functions: this.#missed.size, missed };
  }

  end(): void {
    this.#session.disconnect();
  }
}

/** An input that failed, as text that can be pasted into a test. */
function failure(target: Target, input: Uint8Array, cause: unknown): Error {
  const text = Buffer.from(input).toString('base64');
  return new Error(`${target.name}: failed with Buffer.from('${text}', 'base64'): ${cause}`, { cause });
}

/** Searches for inputs that make a target fail. @throws an Error with the input that did */
export async function fuzz(target: Target, { seed, runs, minutes, keeps = false }: Effort): Promise<Found> {
  const random = Random.seeded(seed);
  const coverage = new Coverage();
  const corpus: Uint8Array[] = [];
  let tried = 0;
  const attempt = async (input: Uint8Array): Promise<void> => {
    tried++;
    try {
      await target.run(input);
    } catch (error) {
      throw failure(target, input, error);
    }
  };
  await coverage.begin();
  try {
    for (const input of [...target.seeds, ...keptInputs(target.name)]) {
      await attempt(input);
      coverage.isNew(await coverage.look(), true);
      corpus.push(input);
    }
    const end = minutes === undefined ? undefined : Date.now() + 60_000 * minutes;
    while (end === undefined ? tried < runs : Date.now() < end) {
      const batch = Array.from({ length: BATCH }, () => mutated(corpus, random));
      for (const input of batch) await attempt(input);
      if (!coverage.isNew(await coverage.look(), false)) continue;
      for (const input of batch) {
        await attempt(input);
        if (!coverage.isNew(await coverage.look(), true)) continue;
        corpus.push(input);
        if (keeps) keep(target.name, input);
      }
    }
  } finally {
    coverage.end();
  }
  return { runs: tried, corpus: corpus.length, ...coverage.figures };
}
