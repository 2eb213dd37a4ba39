// What every runtime runs: the cases of test/digest over the built package (bundle.ts puts it in the place of the sources), and a hash
// of all their hashes for each way of running them.

import '../../src/scalar.js';
import { DualPerceptron, stopThreads } from '../../src/index.js';
import { cases, type How } from '../../test/digest/cases.js';
import committed from '../../test/digest/digest.json';

export interface Way {
  readonly how: How;
  /** Trainings that were run. */
  readonly runs: number;
  /** The hash of the hashes of all cases; undefined if the engine is not available. */
  readonly hash?: string;
  /** Cases whose hash is not the committed one. */
  readonly wrong: readonly string[];
  /** Why the engine is not available. */
  readonly reason?: string;
}

export interface Outcome {
  /** The threads that a fit with `threads: 3` used, and why, if it used one. */
  readonly threads: number;
  readonly threadsReason?: string | undefined;
  /** The engine that 'auto' names, and why it is not the fastest. */
  readonly engine: string;
  readonly engineReason?: string | undefined;
  readonly ways: readonly Way[];
}

const WAYS: readonly How[] = [
  { engine: 'wasm-simd', threads: 0 },
  { engine: 'wasm-simd', threads: 3 },
  { engine: 'wasm-scalar', threads: 0 },
  { engine: 'js', threads: 0 },
];

async function hashOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function run(how: How, every: number): Promise<Way> {
  try {
    new DualPerceptron({ engine: how.engine });
  } catch (error) {
    return { how, runs: 0, wrong: [], reason: messageOf(error) };
  }
  const chosen = cases.filter((_, i) => i % every === 0);
  const wrong: string[] = [];
  let all = '';
  for (const { name, run } of chosen) {
    const hash = await hashOf(await run(how));
    if (hash !== (committed as Record<string, string>)[name]) wrong.push(name);
    all += `${name}: ${hash}\n`;
  }
  return { how, runs: chosen.length, hash: await hashOf(all), wrong };
}

/** Runs every case, or one of `every`, in each way. */
export async function digest(every = 1): Promise<Outcome> {
  const X = { data: Float64Array.from({ length: 40_000 }, (_, i) => Math.sin(i * i)), rows: 400, cols: 100 };
  const y = Array.from({ length: 400 }, (_, i) => i % 2);
  const { report } = await new DualPerceptron<number>({ maxEpochs: 2 }).fitAsync(X, y, { threads: 3 });
  const ways: Way[] = [];
  for (const how of WAYS) ways.push(await run(how, every));
  await stopThreads();
  const { threads, threadsReason, engine, engineReason } = report;
  return { threads, threadsReason, engine, engineReason, ways };
}

/** What `digest` must give on each engine: the hash of the committed hashes. */
export const expectedHash = (every = 1): Promise<string> =>
  hashOf(
    cases
      .filter((_, i) => i % every === 0)
      .map(({ name }) => `${name}: ${(committed as Record<string, string>)[name]}\n`)
      .join(''),
  );
