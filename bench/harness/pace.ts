// Whether the machine is ours: how fast it reads from its nearest cache just now. On shared processors a neighbour on the
// other half of a core takes half of that for seconds, and nothing else tells: the load is ours alone, calculating on
// registers goes on as before, and all of a question's rounds slow down alike (seen: Gram matrices at 5 or 12 GFLOP/s).

import { setFlagsFromString } from 'node:v8';
import { bytesOf, instantiate, type Run, readingOf, readKernel } from '../limits/kernels.js';
import { consume, median } from './measure.js';
import type { Told } from './results.js';

const READING = readingOf(2 ** 14, 1, 8);
const COUNT = 2 ** 12; // about a millisecond
const TRIES = 9;

/** A question below this share of the machine's best was disturbed. */
const DISTURBED = 0.75;

let kernel: Run | undefined;

/** GB/s at this moment, the median of some milliseconds; undefined where there is no SIMD to ask. */
export function paceNow(): number | undefined {
  if (!kernel) {
    setFlagsFromString('--no-liftoff'); // or the first calls would be slow
    kernel = instantiate(readKernel(READING), new WebAssembly.Memory({ initial: 1 }));
    if (!kernel) return undefined;
    consume(kernel(COUNT));
  }
  const run = kernel;
  const times = Array.from({ length: TRIES }, () => {
    const started = performance.now();
    consume(run(COUNT));
    return performance.now() - started;
  });
  return (COUNT * bytesOf(READING)) / median(times) / 1e6;
}

/** The questions that were disturbed: before or after them the machine was far from the best it was in this run. */
export function disturbed(questions: readonly Pick<Told, 'name' | 'pace'>[]): { name: string; share: number }[] {
  const best = Math.max(...questions.flatMap(({ pace = [] }) => pace));
  const slowest = new Map<string, number>();
  for (const { name, pace = [] } of questions) {
    if (pace.length > 0) slowest.set(name, Math.min(...pace, slowest.get(name) ?? Infinity));
  }
  return [...slowest].map(([name, pace]) => ({ name, share: pace / best })).filter(({ share }) => share < DISTURBED);
}
