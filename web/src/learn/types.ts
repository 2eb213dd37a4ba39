// What Learn is about: points in the plane, how they are learned from, and every step of it.

import type { Diagnosis, FitReport } from 'perceptron-wasm';

/** 1: blue circles; −1: orange triangles. */
export type Class = 1 | -1;

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly label: Class;
}

/** The part of the plane that is shown, in the points' own units. */
export interface Window {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

export type PresetName = 'example' | 'separable' | 'noisy' | 'xor' | 'moons' | 'circles';

/** All that decides what is learned: the same setup gives the same steps, to the bit. */
export interface Setup {
  readonly points: readonly Point[];
  readonly trainer: 'perceptron' | 'pocket';
  readonly kernel: 'linear' | 'rbf' | 'polynomial';
  /** Of the kernels. */
  readonly gamma: number;
  readonly degree: number;
  readonly learningRate: number;
  /** A mistake is y·s ≤ margin. */
  readonly margin: number;
  readonly order: 'cyclic' | 'shuffle' | 'random';
  readonly seed: number;
  readonly maxEpochs: number;
}

/** s = w₁x₁ + w₂x₂ + b. */
export interface Plane {
  readonly w: readonly [number, number];
  readonly b: number;
}

/** One sample looked at, or, where only mistakes are known (orders 'shuffle' and 'random'), one mistake. */
export interface Step {
  /** From 1. */
  readonly epoch: number;
  /** Which point. */
  readonly index: number;
  /** Its score, just before. */
  readonly score: number;
  readonly isMistake: boolean;
  /** So far, this one included. */
  readonly mistakes: number;
  /** Before and after; undefined with a kernel that bends lines. */
  readonly before: Plane | undefined;
  readonly after: Plane | undefined;
  /** After it: b alone, which every form has. */
  readonly bias: number;
  /** The pocket: the best plane so far, and how many points it gets wrong; undefined without a pocket. */
  readonly pocket: { readonly plane: Plane; readonly errors: number; readonly isNew: boolean } | undefined;
}

/** What is known after an epoch. */
export interface EpochFacts {
  /** From 1. */
  readonly epoch: number;
  /** Number of steps, and of mistakes, made by its end. */
  readonly steps: number;
  readonly totalMistakes: number;
  readonly mistakes: number;
  readonly loss: number;
  /** The bracket of the best margin, and the bound on mistakes; as `Diagnosis` has them. */
  readonly margin: Diagnosis['margin'];
  readonly mistakeBound: number | null;
}

/** Everything that happens from an empty start to the end, as the library did it. */
export interface Trace {
  readonly setup: Setup;
  readonly steps: readonly Step[];
  /** Whether steps are samples (true), or mistakes alone. */
  readonly hasSamples: boolean;
  readonly epochs: readonly EpochFacts[];
  readonly report: FitReport;
  /** How often each point was a mistake in the first `steps` steps: n_i of the dual form. */
  counts(steps: number): Uint32Array;
  /** The score of any place after so many steps: what regions are drawn from. */
  scoreAt(steps: number, x: number, y: number): number;
}
