// What a run of the benchmark writes down: bench/results/latest.json, and a copy of each run in bench/results/history/.
// Questions fill it (question.ts), run.ts collects it, bench/report/ draws it, --compare puts two of them side by side.
// Plain numbers, strings and lists: what was computed from them (medians of ratios apart) is computed again by its reader.

import type { Machine } from './machine.js';

/** Changes when an older file can no longer be read as one of these. */
export const FORMAT = 'perceptron-wasm bench 1';

/** JavaScript as one would write it (bench/baseline/), as an answer's `against` and a timing's name. */
export const BASELINE = 'idiomatic JS';

/** The fastest of several sizes, as an answer's `against`. Which of them that is changes from run to run: no such ratio is
 *  compared with one of another run. */
export const BEST_SIZE = 'the best size';

/** smoke: tiny sizes, to see that everything runs; quick: under a minute; full: all questions at full size. */
export const MODES = ['smoke', 'quick', 'full'] as const;
export type Mode = (typeof MODES)[number];

export interface Results {
  format: typeof FORMAT;
  /** Of the package. */
  version: string;
  /** Of the repository, where there is one; `dirty`: with changes that are not committed. */
  commit?: string;
  dirty?: boolean;
  /** When it began, ISO 8601. */
  date: string;
  command: string;
  mode: Mode;
  /** False when only some of the mode's questions were answered. */
  complete: boolean;
  /** True when Ctrl-C ended it. */
  interrupted: boolean;
  seconds: number;
  machine: Machine;
  questions: Told[];
  /** Seconds of processors that the machine's host gave to others meanwhile, where it is told. */
  stolenSeconds?: number;
  /** Questions that ended with an error, and what it was; what they had told by then is there. */
  failed?: { name: string; why: string }[];
}

export interface Told extends Findings {
  /** The file, e.g. 'scan'. */
  name: string;
  question: string;
  seconds: number;
  /** How fast the machine was before and after its file, in GB/s from the nearest cache (pace.ts). */
  pace?: number[];
}

export interface Findings {
  answers: Answer[];
  timings?: Timing[];
  /** Anything else that was found out. */
  notes?: string[];
  /** Numbers to go on computing with, for whoever put the question. */
  facts?: Record<string, number>;
  /** Primal and dual at one place of the grid each: questions/crossover.ts. */
  cells?: Cell[];
  /** questions/peers.ts. */
  tasks?: PeerTask[];
  /** questions/limits.ts. */
  limits?: Limits;
  /** questions/growth.ts. */
  growth?: Growth[];
  /** questions/startup.ts. */
  starts?: Start[];
  /** questions/memory.ts. */
  memory?: MemoryUse[];
}

export interface Ratio {
  /** The median of the rounds' ratios. */
  ratio: number;
  /** The smallest and the largest of them. */
  low: number;
  high: number;
  /** How many rounds; 1 where there is no spread to speak of. */
  rounds: number;
  /** All of them, in order. Files of before 2026-11-17 have none. */
  byRound?: number[];
}

/** At least, or at most, so many times. */
export type Target = { atLeast: number } | { atMost: number };

export interface Answer extends Ratio {
  /** What was done, e.g. 'scoring 1000 × 1000'. */
  what: string;
  /** What the ratio is to, e.g. 'idiomatic JS'. */
  against: string;
  /** Where a ratio below 1 is the better one: times, sizes, deviations. */
  lowerIsBetter?: true;
  /** Which of our engines; undefined: the one a user gets. */
  engine?: string;
  /** 'train' where whole fits by the same algorithm are compared, once for each set of rows: what the headline counts. Not so
   *  the first fit of a process and averaging, whose rows have been counted, the pocket, where ours is a better algorithm,
   *  and tasks of the peers, which have a figure of their own. */
  kind?: 'train';
  target?: Target;
}

export interface Timing {
  name: string;
  /** Median of the rounds, in milliseconds; of a cell their lower quartile (measure.ts says why). */
  ms: number;
  /** One value a round: its mean, or its one call. */
  rounds: number[];
  /** Of all samples, in milliseconds. */
  meanMs: number;
  /** Margin of error of that mean by the rounds' means, in percent (95 %, Student's t); 0 with one sample. */
  marginPercent: number;
  /** Measurements taken, over all rounds; for short work each is of many calls. */
  samples: number;
  /** What one call had to do, where it can be told; then the report has it as a share of the machine's limits. */
  work?: Work;
}

/** The least anybody has to do for one call. */
export interface Work {
  /** Multiplications and additions of float64 numbers. */
  flops: number;
  /** Bytes of rows that are read at least; of a Gram matrix, once. */
  bytes: number;
  /** The size of what is read again and again: which cache, if any, can hold it. */
  resident: number;
}

export interface Cell {
  rows: number;
  cols: number;
  /** 'endless': contradictory rows, so that both forms are busy for as many passes as they are allowed;
   *  'separable': both stop by themselves, after `epochs` passes. */
  data: 'endless' | 'separable';
  /** Of `separable` rows: the distance from the hidden plane. */
  margin?: number;
  epochs: number;
  mistakes: number;
  primal: Timing;
  dual: Timing;
  /** Where chooseForm says that they cross, in passes; null: never. */
  chosen: number | null;
}

export interface PeerTask {
  /** E.g. 'fit 2000 × 1000, dense'. */
  what: string;
  /** When everybody stops, e.g. '20 passes'. */
  rule: string;
  contenders: Contender[];
  skipped: { name: string; why: string }[];
}

export interface Contender {
  /** E.g. 'scikit-learn 1.2.1'; 'perceptron-wasm' is ours. */
  name: string;
  kind: 'ours' | 'javascript' | 'native';
  /** Another algorithm for the same task: not a race, a landmark. */
  otherAlgorithm: boolean;
  timing: Timing;
  /** Which of ours does the same as it; undefined: the first. */
  rival?: string;
  /** What a reader should know, e.g. 'training accuracy 0.93, ours 0.94'. */
  note?: string;
}

export interface Limits {
  /** Reading with 128-bit loads, one thread, from blocks of several sizes; the last is far larger than all caches.
   *  The best round, as it is a limit; `low`: the worst. */
  read: { bytes: number; gigabytesPerSecond: number; low: number }[];
  /** 128-bit multiplications and additions on registers, one thread; the same. */
  peak: { gigaflops: number; low: number };
}

export interface Growth {
  /** What was timed, e.g. 'primal fit, 20 passes'. */
  what: string;
  /** What grew. */
  of: 'N' | 'd' | 'non-zeros' | 'epochs';
  /** What did not, e.g. 'd = 1000'. */
  at: string;
  points: { x: number; timing: Timing }[];
  /** Time grows as x to this power, by least squares on logarithms, and the margin of error of that (95 %). */
  exponent: number;
  margin: number;
  /** What the algorithm says. */
  expected: number;
}

/** One small job in a fresh process; milliseconds, medians. */
export interface Start {
  /** E.g. 'worked example, 3 × 2'. */
  job: string;
  engine: string;
  importMs: number;
  compileMs: number;
  copyMs: number;
  trainMs: number;
  /** All of the process, from the outside. */
  processMs: number;
}

export interface MemoryUse {
  what: string;
  rows: number;
  /** Of the rows themselves, as the caller has them. */
  dataBytes: number;
  /** The process at its largest, less what it was before the rows came. */
  peakBytes: number;
  /** peakBytes a row. */
  bytesPerSample: number;
}
