// What could anybody's code do at best on this machine, with one thread and 128-bit lanes? Reading, from blocks that
// fit one cache or the next, or none; and multiplying and adding in registers, not fused, as WebAssembly SIMD has it.
// Of each several variants are timed, and the best one is the limit: what one does not reach may be its own fault.

import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { consume, contestInRounds } from '../harness/measure.js';
import { byMode, expectSame, type Findings, tell } from '../harness/question.js';
import type { Limits } from '../harness/results.js';
import {
  bytesOf,
  flopsOf,
  instantiate,
  peakKernel,
  peakTwin,
  type Run,
  readingOf,
  readKernel,
  readTwin,
} from '../limits/kernels.js';

// Compiled well from the first call on: otherwise V8 does so beside us, and on a busy machine not in time.
setFlagsFromString('--no-liftoff');

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const PAGE = 64 * KIB;

/** Many short turns rather than a few long ones: on a busy machine most of them are left alone. */
const ROUNDS = byMode({ smoke: 3, quick: 11, full: 11 });
/** Far larger than caches, but no more than an eighth of what the machine has. */
const FAR = Math.min(
  byMode({ smoke: 2 * MIB, quick: 256 * MIB, full: 1024 * MIB }),
  2 ** Math.floor(Math.log2(totalmem() / 8)),
);
const CACHED = byMode({
  smoke: [16 * KIB],
  quick: [16 * KIB, 256 * KIB, 4 * MIB, 16 * MIB, 32 * MIB, 64 * MIB],
  full: [16 * KIB, 256 * KIB, 4 * MIB, 16 * MIB, 32 * MIB, 64 * MIB],
});
/** Read in one turn, at least, and calculated: a millisecond or so, beside which looking at the clock is nothing. */
const TURN_BYTES = byMode({ smoke: 8 * MIB, quick: 64 * MIB, full: 128 * MIB });
const TURN_FLOPS = byMode({ smoke: 4e6, quick: 1e7, full: 2e7 });

/** Streams, and 16-byte loads of each at a time. */
const READERS: readonly [streams: number, loads: number][] = [
  [1, 8],
  [4, 2],
  [8, 1],
  [8, 4],
  [12, 4],
];
/** Too many do not all stay in registers, too few wait for each other. */
const ACCUMULATORS = [6, 8, 10, 12, 13];

interface Contender {
  name: string;
  run: Run;
  /** The argument of a turn. */
  count: number;
  /** Bytes, or flops, in a turn. */
  work: number;
}

/** Whole numbers all over the block, so that it is there: a page that was never written is not. */
function filled(bytes: number): { memory: WebAssembly.Memory; halves: Uint32Array } {
  const memory = new WebAssembly.Memory({ initial: bytes / PAGE });
  const halves = new Uint32Array(memory.buffer);
  const first = PAGE / 4;
  for (let i = 0; i < first; i += 2) halves[i] = i % 251; // the low half of a 64-bit number
  for (let there = first; there < halves.length; there *= 2) halves.copyWithin(there, 0, there);
  return { memory, halves };
}

function readersOf(bytes: number, memory: WebAssembly.Memory, halves: Uint32Array): Contender[] {
  // From far away few streams are never the fastest, and each takes its time.
  const readers = bytes === FAR ? READERS.slice(2) : READERS;
  return readers.map(([streams, loads]) => {
    const reading = readingOf(bytes, streams, loads);
    const run = instantiate(readKernel(reading), memory) as Run;
    const count = Math.max(1, Math.round(TURN_BYTES / bytes));
    const name = `${sizeText(bytes)}, ${streams === 1 ? '1 stream' : `${streams} streams`}`;
    expectSame([run(count)], [count * readTwin(halves, reading)], `sums of ${name}`);
    return { name, run, count, work: count * bytesOf(reading) };
  });
}

function calculators(memory: WebAssembly.Memory): Contender[] {
  const some = 1000;
  return ACCUMULATORS.map((accumulators) => {
    const run = instantiate(peakKernel(accumulators), memory) as Run;
    const name = `${accumulators} accumulators`;
    expectSame([run(some)], [peakTwin(accumulators, some)], `sums of ${name}`);
    const count = Math.ceil(TURN_FLOPS / flopsOf(accumulators));
    return { name, run, count, work: count * flopsOf(accumulators) };
  });
}

interface Speed {
  name: string;
  /** Billions a second: the best round, as it is a limit, and the worst. */
  speed: number;
  low: number;
}

/** The fastest of each group; all take turns. */
function race(groups: readonly (readonly Contender[])[]): Speed[] {
  const all = groups.flat();
  const timings = contestInRounds(
    all.map(({ name, run, count }) => ({
      name,
      measure: () => {
        const started = performance.now();
        consume(run(count));
        return performance.now() - started;
      },
    })),
    ROUNDS,
  );
  const speeds = all.map(({ name, work }, i): Speed => {
    const rounds = (timings[i]?.rounds ?? []).map((ms) => work / ms / 1e6);
    return { name, speed: Math.max(...rounds), low: Math.min(...rounds) };
  });
  return groups.map((group) => {
    const own = speeds.filter((_, i) => group.includes(all[i] as Contender));
    return own.reduce((a, b) => (b.speed > a.speed ? b : a));
  });
}

const sizeText = (bytes: number): string =>
  bytes >= 1024 * MIB ? `${bytes / 1024 / MIB} GiB` : bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;

const digits = (x: number): string => (x >= 20 ? x.toFixed(0) : x.toFixed(1));

function limits(): Findings {
  if (!WebAssembly.validate(peakKernel(1))) return { answers: [], notes: ['skipped: no WebAssembly SIMD here'] };
  const blocks = [...CACHED, FAR];
  const { memory, halves } = filled(FAR);
  const readers = blocks.map((bytes) => readersOf(bytes, memory, halves));
  const speeds = race([...readers, calculators(memory)]);
  const peak = speeds.pop() as Speed;
  const found: Limits = {
    read: speeds.map(({ speed, low }, i) => ({ bytes: blocks[i] as number, gigabytesPerSecond: speed, low })),
    peak: { gigaflops: peak.speed, low: peak.low },
  };
  return { answers: [], limits: found, notes: notesOf(speeds, peak) };
}

function notesOf(reading: readonly Speed[], peak: Speed): string[] {
  const range = ({ low }: Speed): string => `(in the worst round ${digits(low)})`;
  const [memory, cache] = [reading.at(-1) as Speed, reading[0] as Speed];
  return [
    `reads ${digits(memory.speed)} GB/s from memory, ${digits(cache.speed)} GB/s from the nearest cache; ${digits(peak.speed)} GFLOP/s at most`,
    ...reading.map((speed) => `${speed.name}: ${digits(speed.speed)} GB/s ${range(speed)}`),
    `multiplying and adding, ${peak.name}: ${digits(peak.speed)} GFLOP/s ${range(peak)}`,
    'one thread, 128-bit lanes, multiplication and addition not fused; the best of several variants of each',
  ];
}

tell('What could this machine do at best? (one thread, 128-bit lanes)', limits);
