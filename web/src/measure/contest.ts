// Time, taken in rounds: in each round every contestant has its turn, so that a browser that slows down in between does so
// for all. Browsers round their clocks (to 0.1 ms, often): a sample repeats the call until it is long enough. Between samples
// the page may answer.

import type { Spread, Timing } from './results.js';

/** One contestant; `run` returns a number made from its result, so that no work can be left out. */
export interface Contestant {
  readonly name: string;
  readonly run: () => number | Promise<number>;
}

export interface Pace {
  readonly rounds: number;
  /** How long a sample takes at least. */
  readonly sampleMs: number;
}

/** Lets the page answer, and throws if the work was called off. */
export async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((done) => setTimeout(done));
  signal.throwIfAborted();
}

let sink = 0;

function consume(value: number): void {
  sink += value;
  if (Number.isNaN(sink)) throw new Error('a contestant answered with NaN');
}

/** A sample is so many times as long as the step of the clock: what it is rounded by is then a few percent at most. */
const STEPS_A_SAMPLE = 20;

/** Clocks that go in longer steps, in ms, would need minutes: some browsers have them, so that nobody can be told by them. */
const LONGEST_STEP = 20;

/** The step of this browser's clock, in milliseconds: the median of some, as other programs may take the processor during one. */
export function clockStep(now: () => number = () => performance.now()): number {
  const steps = Array.from({ length: 9 }, () => {
    const from = now();
    let to = from;
    while (to === from) to = now();
    return to - from;
  });
  return spread(steps).median;
}

/** Long enough for the clock. @throws Error where none is, in words for the page */
export function sampleFor(step: number, wantedMs: number): number {
  if (step <= LONGEST_STEP) return Math.max(wantedMs, STEPS_A_SAMPLE * step);
  throw new Error(
    `this browser's clock goes in steps of ${Math.round(step)} ms, too coarse to measure with (a setting against fingerprinting does that)`,
  );
}

/** Milliseconds of `calls` calls. */
async function timed(run: Contestant['run'], calls: number): Promise<number> {
  const started = performance.now();
  for (let call = 0; call < calls; call++) {
    const value = run();
    consume(typeof value === 'number' ? value : await value);
  }
  return performance.now() - started;
}

/** Warms up, and tells how many calls make a sample. */
async function callsOf({ run }: Contestant, sampleMs: number, signal: AbortSignal): Promise<number> {
  for (let calls = 1; ; calls *= 2) {
    // The shorter of two: a first call takes long because it is the first, and would make samples of too few calls.
    const elapsed = Math.min(await timed(run, calls), await timed(run, calls));
    await pause(signal);
    if (elapsed >= sampleMs / 2) return Math.max(1, Math.round((calls * sampleMs) / elapsed));
  }
}

/** Ratios are against the first contestant. `onStep` hears the share that is done. */
export async function contest(
  contestants: readonly Contestant[],
  pace: Pace,
  signal: AbortSignal,
  onStep: (share: number) => void,
): Promise<Timing[]> {
  const { rounds } = pace;
  const sampleMs = sampleFor(clockStep(), pace.sampleMs);
  const steps = contestants.length * (rounds + 1);
  let done = 0;
  const step = () => onStep(++done / steps);
  const calls: number[] = [];
  for (const contestant of contestants) {
    calls.push(await callsOf(contestant, sampleMs, signal));
    step();
  }
  const times = contestants.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      // Each round begins with another one, so that nobody always comes first.
      const i = (turn + round) % contestants.length;
      const elapsed = await timed((contestants[i] as Contestant).run, calls[i] as number);
      times[i]?.push(elapsed / (calls[i] as number));
      step();
      await pause(signal);
    }
  }
  const [first = []] = times;
  return contestants.map(({ name }, i) => {
    const own = times[i] as number[];
    return { name, ms: spread(own).median, ratio: spread(first.map((ms, round) => ms / (own[round] as number))) };
  });
}

/** The median, and the smallest and the largest. */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
  return { median, low: sorted[0] as number, high: sorted.at(-1) as number };
}
