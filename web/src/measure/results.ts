// What a measurement finds, as plain data: the JSON that can be copied is this.

export const FORMAT = 'perceptron-wasm page measurement 1';

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface Timing {
  readonly name: string;
  /** Of one call: the median of the rounds. */
  readonly ms: number;
  /** How many times as fast as the first of its finding, by the rounds. */
  readonly ratio: Spread;
}

export type Topic = 'train' | 'gram' | 'small' | 'shape' | 'threads-gram' | 'threads-fit';

/** The same work, done in several ways. */
export interface Finding {
  readonly topic: Topic;
  readonly what: string;
  /** Such as "800 × 400, 20 epochs". */
  readonly size: string;
  /** The first is what the others are compared with. */
  readonly timings: readonly Timing[];
  /** Whether all of them gave the same answer was asked before any of them was timed: without it there is no finding. */
  readonly checked: string;
}

export interface Machine {
  readonly browser: string;
  readonly processors: number;
  readonly isIsolated: boolean;
}

export interface Measurement {
  readonly format: typeof FORMAT;
  readonly library: string;
  /** ISO 8601. */
  readonly date: string;
  readonly size: string;
  readonly rounds: number;
  readonly machine: Machine;
  /** Engines that work here, fastest first. */
  readonly engines: readonly string[];
  /** What could not be measured, and why. */
  readonly absent: readonly { readonly what: string; readonly reason: string }[];
  /** The page lay in the background for a while, where browsers slow it down. */
  readonly wasHidden: boolean;
  readonly findings: readonly Finding[];
}
