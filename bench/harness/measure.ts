// Time, taken in rounds: in each round every contestant has its turn, so that a machine that slows down or
// warms up in between does so for all. A ratio is the median of the rounds' ratios; its spread is the
// smallest and the largest of them. The order changes from round to round, so that nobody always comes first, or after
// the same one, whose rows are in the cache.

import Benchmark from 'benchmark';
import type { Ratio, Timing, Work } from './results.js';

/** One contestant. `run` returns a number made from its result, so that no work can be left out. */
export interface Contestant {
  name: string;
  run: () => number;
  work?: Work;
}

let sink = 0;

/** Takes a result in. */
export function consume(value: number): void {
  sink += value;
  if (Number.isNaN(sink)) throw new Error('a contestant answered with NaN');
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Which value has so large a share of the others below it; between two of them on a straight line. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return below + (at - Math.floor(at)) * (above - below);
}

/** Short work: each turn is a series of samples by Benchmark.js, about `seconds` long. */
export function contest(contestants: readonly Contestant[], rounds = 5, seconds = 0.2): Timing[] {
  const samples = contestants.map((): number[][] => []);
  for (let round = 0; round < rounds; round++) {
    for (const i of turnsOf(contestants.length, round)) {
      samples[i]?.push(sampled(contestants[i] as Contestant, seconds));
    }
  }
  return contestants.map((contestant, i) => timingOf(contestant, samples[i] as number[][]));
}

/** Milliseconds of a call, several measurements. */
function sampled({ name, run }: Contestant, seconds: number): number[] {
  let failure: unknown;
  const benchmark = new Benchmark(name, () => consume(run()), {
    maxTime: seconds,
    // Of its own accord each sample takes 50 ms, as if clocks were as coarse as they once were.
    minTime: Math.min(0.05, seconds / 5),
    minSamples: seconds < 0.1 ? 3 : 5,
  });
  // Without a listener Benchmark.js keeps errors to itself.
  benchmark.on('error', () => {
    failure = (benchmark as Benchmark & { error: unknown }).error;
  });
  benchmark.run({ async: false });
  if (failure) throw failure;
  return benchmark.stats.sample.map((s) => s * 1000);
}

/** Long work: each turn is one call. Each contestant is called once before, to warm up. */
export function contestOfCalls(contestants: readonly Contestant[], rounds = 7): Timing[] {
  for (const { run } of contestants) consume(run());
  return contestInRounds(
    contestants.map(({ run, ...contestant }) => ({
      ...contestant,
      measure: () => {
        const started = performance.now();
        consume(run());
        return performance.now() - started;
      },
    })),
    rounds,
  );
}

/** The same of work that may have to be waited for; a turn is the median of `calls`, one after the other. */
export async function contestOfPromises(
  contestants: readonly { name: string; run: () => number | Promise<number>; work?: Work }[],
  rounds = 7,
  calls = 1,
): Promise<Timing[]> {
  for (const { run } of contestants) consume(await run());
  const times = contestants.map((): number[][] => []);
  for (let round = 0; round < rounds; round++) {
    for (const i of turnsOf(contestants.length, round)) {
      const { run } = contestants[i] as (typeof contestants)[number];
      const turn: number[] = [];
      for (let call = 0; call < calls; call++) {
        const started = performance.now();
        consume(await run());
        turn.push(performance.now() - started);
      }
      times[i]?.push([median(turn)]);
    }
  }
  return contestants.map((contestant, i) => timingOf(contestant, times[i] as number[][]));
}

/** Work that measures itself: `measure` gives milliseconds. */
export interface Measured {
  name: string;
  measure: () => number;
  work?: Work;
}

export function contestInRounds(contestants: readonly Measured[], rounds: number): Timing[] {
  const times = contestants.map((): number[][] => []);
  playRounds(contestants, times, rounds);
  return contestants.map((contestant, i) => timingOf(contestant, times[i] as number[][]));
}

interface Until {
  /** So many rounds at a time, and so many altogether at most. */
  rounds: number;
  most: number;
  isSettled: (timings: readonly Timing[]) => boolean;
}

/** The same, `rounds` at a time until the times have settled. A turn of each before that does not count: it warms up. */
export function contestUntil(contestants: readonly Measured[], { rounds, most, isSettled }: Until): Timing[] {
  for (const { measure } of contestants) consume(measure());
  const times = contestants.map((): number[][] => []);
  for (;;) {
    playRounds(contestants, times, rounds);
    const timings = contestants.map((contestant, i) => calm(timingOf(contestant, times[i] as number[][])));
    if (isSettled(timings) || (times[0]?.length ?? most) + rounds > most) return timings;
  }
}

/**
 * With the lower quartile of the rounds for its time. Others on the processor only ever add to a time, and they do so for
 * seconds: of many rounds a quarter was left alone more often than half of them were.
 */
const calm = (timing: Timing): Timing => ({ ...timing, ms: quantile(timing.rounds, 0.25) });

function playRounds(contestants: readonly Measured[], times: readonly number[][][], rounds: number): void {
  const first = times[0]?.length ?? 0;
  for (let round = first; round < first + rounds; round++) {
    for (const i of turnsOf(contestants.length, round)) times[i]?.push([(contestants[i] as Measured).measure()]);
  }
}

/** Who is when in a round, of three: 0, 1, 2; 2, 1, 0; 1, 2, 0; 0, 2, 1; 2, 0, 1; 1, 0, 2. */
export function turnsOf(contestants: number, round: number): number[] {
  const turns = Array.from({ length: contestants }, (_, i) => (i + (round >> 1)) % contestants);
  return round % 2 === 0 ? turns : turns.reverse();
}

/** A timing from its samples, round by round. */
export function timingOf({ name, work }: { name: string; work?: Work }, samples: readonly number[][]): Timing {
  const rounds = samples.map(mean);
  const all = samples.flat();
  return {
    name,
    ms: median(rounds),
    rounds,
    meanMs: mean(all),
    // Samples of one round are alike: what they tell of the mean, the rounds tell honestly.
    marginPercent: marginPercent(rounds.length > 1 ? rounds : all),
    samples: all.length,
    ...(work && { work }),
  };
}

export const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** 97.5 % quantiles of Student's t with 1 to 30 degrees of freedom. */
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
export const student = (degrees: number): number => STUDENT[degrees - 1] ?? 1.96;

/** Half the width of the 95 % interval of the mean, in percent of it, as Benchmark.js has it. */
export function marginPercent(values: readonly number[]): number {
  const n = values.length;
  if (n < 2) return 0;
  const m = mean(values);
  const variance = values.reduce((sum, x) => sum + (x - m) ** 2, 0) / (n - 1);
  return (100 * student(n - 1) * Math.sqrt(variance / n)) / m;
}

/** How many times `one` takes the time of `other`, round by round. */
export function ratioOf(one: Timing, other: Timing): Ratio {
  const ratios = one.rounds.map((ms, round) => ms / (other.rounds[round] as number));
  return spreadOf(ratios);
}

/** The median of values, one a round, and their range. */
export const spreadOf = (values: readonly number[]): Ratio => ({
  ratio: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
  rounds: values.length,
  byRound: [...values],
});

/** A ratio that was measured once. */
export const once = (ratio: number): Ratio => spreadOf([ratio]);
