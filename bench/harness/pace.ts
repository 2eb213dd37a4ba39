// Whether the machine is ours: how fast it multiplies and adds just now. On shared processors a neighbour may take half
// of a core for seconds, and nothing else tells: the load is ours alone, and all of a question's rounds slow down alike.

import { setFlagsFromString } from 'node:v8';
import { flopsOf, instantiate, peakKernel, type Run } from '../limits/kernels.js';
import { consume } from './measure.js';
import type { Told } from './results.js';

const ACCUMULATORS = 8;
const COUNT = Math.ceil(1e7 / flopsOf(ACCUMULATORS)); // about a millisecond
const TRIES = 9;

/** A question below this share of the machine's best was disturbed. */
export const DISTURBED = 0.7;

let kernel: Run | undefined;

/** GFLOP/s at this moment, the median of some milliseconds; undefined where there is no SIMD to ask. */
export function paceNow(): number | undefined {
  if (!kernel) {
    setFlagsFromString('--no-liftoff'); // or the first calls would be slow
    kernel = instantiate(peakKernel(ACCUMULATORS), new WebAssembly.Memory({ initial: 1 }));
    if (!kernel) return undefined;
    consume(kernel(COUNT));
  }
  const run = kernel;
  const times = Array.from({ length: TRIES }, () => {
    const started = performance.now();
    consume(run(COUNT));
    return performance.now() - started;
  });
  times.sort((a, b) => a - b);
  return (COUNT * flopsOf(ACCUMULATORS)) / (times[TRIES >> 1] as number) / 1e6;
}

/** The questions that were disturbed: at their beginning or end the machine was far from the best it was in this run. */
export function disturbed(questions: readonly Pick<Told, 'name' | 'pace'>[]): { name: string; share: number }[] {
  const paces = questions.flatMap(({ pace = [] }) => pace);
  const best = Math.max(...paces);
  const slowest = new Map<string, number>();
  for (const { name, pace = [] } of questions) {
    if (pace.length > 0) slowest.set(name, Math.min(...pace, slowest.get(name) ?? Infinity));
  }
  return [...slowest].map(([name, pace]) => ({ name, share: pace / best })).filter(({ share }) => share < DISTURBED);
}
