// Whether the machine is as fast as it can be: how fast it reads from its nearest cache just now. On shared processors a
// neighbour on the other half of a core takes half of that for seconds, and little else tells: the load is ours alone,
// calculating on registers goes on as before, and all of a question's rounds slow down alike (seen: Gram matrices at 5 or
// 12 GFLOP/s). Who it was is not known from that; where the system counts the time that its host gave to others, that is.

import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { bytesOf, instantiate, type Run, readingOf, readKernel } from '../limits/kernels.js';
import { consume, median, quantile } from './measure.js';
import type { Told } from './results.js';

const READING = readingOf(2 ** 14, 1, 8);
const COUNT = 2 ** 12; // about a millisecond
const TRIES = 9;

/** A question below this share of the machine's best was disturbed. */
const DISTURBED = 0.75;
/** Its best: what one in ten looks at it was above. The very best may be of a moment in which the clock ran faster. */
const BEST = 0.9;

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

/** Seconds of processors that the host of this machine gave to others, since it started; undefined where nobody counts. */
export function stolenSeconds(read = () => readFileSync('/proc/stat', 'utf8')): number | undefined {
  try {
    // cpu user nice system idle iowait irq softirq steal …, in hundredths of a second
    const steal = Number(/^cpu +(?:\d+ ){7}(\d+)/.exec(read())?.[1]);
    return Number.isNaN(steal) ? undefined : steal / 100;
  } catch {
    return undefined;
  }
}

/** The questions that were disturbed: before or after them the machine was far from the best it was in this run. */
export function disturbed(questions: readonly Pick<Told, 'name' | 'pace'>[]): { name: string; share: number }[] {
  const all = new Map(questions.map(({ name, pace = [] }) => [name, pace])); // a question may have told several things
  const looks = [...all.values()].flat();
  if (looks.length === 0) return [];
  const best = quantile(looks, BEST);
  const slowest = new Map<string, number>();
  for (const { name, pace = [] } of questions) {
    if (pace.length > 0) slowest.set(name, Math.min(...pace, slowest.get(name) ?? Infinity));
  }
  return [...slowest].map(([name, pace]) => ({ name, share: pace / best })).filter(({ share }) => share < DISTURBED);
}
