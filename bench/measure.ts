// Time, taken in rounds: in each round every contestant has its turn, so that a machine that slows down or
// warms up in between does so for all. A ratio is the median of the rounds' ratios; its spread is the
// smallest and the largest of them.

import Benchmark from 'benchmark';

/** One contestant. `run` returns a number made from its result, so that no work can be left out. */
export interface Contestant {
  name: string;
  run: () => number;
}

export interface Timing {
  name: string;
  /** Median of the rounds, in milliseconds. */
  ms: number;
  /** One value a round. */
  rounds: number[];
  /** Margin of error of the mean within a round, in percent (95 %, the worst round); where a round has several samples. */
  marginPercent?: number;
  /** Measurements taken, over all rounds; for short work each is of many calls. */
  samples: number;
}

export interface Ratio {
  ratio: number;
  low: number;
  high: number;
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

/** Short work: each turn is a series of samples by Benchmark.js, `seconds` long. */
export function contest(contestants: readonly Contestant[], rounds = 3, seconds = 0.35): Timing[] {
  const timings = contestants.map(({ name }): Timing => ({ name, ms: 0, rounds: [], marginPercent: 0, samples: 0 }));
  for (let round = 0; round < rounds; round++) {
    contestants.forEach((contestant, i) => {
      const timing = timings[i] as Timing;
      const { stats } = sampled(contestant, seconds);
      timing.rounds.push(stats.mean * 1000);
      timing.marginPercent = Math.max(timing.marginPercent ?? 0, stats.rme);
      timing.samples += stats.sample.length;
    });
  }
  return timings.map((timing) => ({ ...timing, ms: median(timing.rounds) }));
}

function sampled({ name, run }: Contestant, seconds: number): Benchmark {
  let failure: unknown;
  const benchmark = new Benchmark(name, () => consume(run()), { maxTime: seconds, minSamples: 5 });
  // Without a listener Benchmark.js keeps errors to itself.
  benchmark.on('error', () => {
    failure = (benchmark as Benchmark & { error: unknown }).error;
  });
  benchmark.run({ async: false });
  if (failure) throw failure;
  return benchmark;
}

/** Long work: each turn is one call. Each contestant is called once before, to warm up. */
export function contestOfCalls(contestants: readonly Contestant[], rounds = 7): Timing[] {
  for (const { run } of contestants) consume(run());
  return contestInRounds(
    contestants.map(({ name, run }) => ({
      name,
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
  contestants: readonly { name: string; run: () => number | Promise<number> }[],
  rounds = 7,
  calls = 1,
): Promise<Timing[]> {
  for (const { run } of contestants) consume(await run());
  const times = contestants.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { run }] of contestants.entries()) {
      const turn: number[] = [];
      for (let call = 0; call < calls; call++) {
        const started = performance.now();
        consume(await run());
        turn.push(performance.now() - started);
      }
      times[i]?.push(median(turn));
    }
  }
  return contestants.map(({ name }, i) => timingOf(name, times[i] as number[]));
}

/** Work that measures itself: `measure` gives milliseconds. */
export function contestInRounds(
  contestants: readonly { name: string; measure: () => number }[],
  rounds: number,
): Timing[] {
  const times = contestants.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    contestants.forEach(({ measure }, i) => {
      times[i]?.push(measure());
    });
  }
  return contestants.map(({ name }, i) => timingOf(name, times[i] as number[]));
}

const timingOf = (name: string, rounds: number[]): Timing => ({
  name,
  ms: median(rounds),
  rounds,
  samples: rounds.length,
});

/** How many times `one` takes the time of `other`, round by round. */
export function ratioOf(one: Timing, other: Timing): Ratio {
  const ratios = one.rounds.map((ms, round) => ms / (other.rounds[round] as number));
  return { ratio: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}
