// What there is to learn from: rows in the arena, labels as class numbers, class weights, and rows held out.

import { type ArenaRows, firstBad } from '../data/arenarows.js';
import type { DenseMatrix } from '../data/dense.js';
import { type Classes, type ClassLimit, encoding, type Label, type Labels, onlyOne } from '../data/labels.js';
import { type Arrival, arrivalOf, type Rows } from '../data/rows.js';
import { runStages, type Stage } from '../data/stages.js';
import type { Arena } from '../memory/arena.js';
import { type HeldOut, holdOut } from './holdout.js';
import type { Order } from './options.js';
import { classWeights, type Settings } from './settings.js';

/** What a call asks for, beside rows and labels. */
export interface Request<L extends Label, S> {
  /** The state to go on from; undefined: start afresh. */
  readonly from: S | undefined;
  /** The classes, where they are known before y is looked at. */
  readonly classes: Classes<L> | undefined;
  /** The rows of each class, where these rows are a part of all rows. */
  readonly counts?: Uint32Array;
  readonly maxEpochs: number;
  /** Whether these rows are one block of several: then y may lack a class, and no rows are held out. */
  readonly isBlock: boolean;
  /** Whether this block goes on with the epoch of the block before. */
  readonly goesOn: boolean;
  /** The Gram matrix of X, where the caller has it. */
  readonly precomputed?: DenseMatrix | undefined;
}

export interface Problem<L extends Label = Label> {
  readonly X: ArenaRows;
  readonly classes: Classes<L>;
  /** The class number of each row. */
  readonly codes: Uint32Array;
  /** The weight of each class. */
  readonly weights: readonly number[];
  /** Rows to judge by, and the rows that are left to train on. */
  readonly heldOut: HeldOut | undefined;
  readonly isBlock: boolean;
  readonly goesOn: boolean;
  /** The order that was asked for; classes that are trained in step share how they are shuffled. */
  readonly order: Order;
  /** Gives the rows back. */
  release(): void;
}

/** Rows and labels on their way in: run the stages, then take the problem; or give back what was taken. */
export interface Intake<L extends Label> {
  readonly stages: readonly Stage[];
  problem(): Problem<L>;
  release(): void;
}

/** Checks what can be checked at a glance, and takes memory for the rows, or holds them where they are. */
export function intake<L extends Label>(
  X: Rows,
  y: Labels<L>,
  settings: Settings<L>,
  request: Request<L, { readonly cols: number }>,
  limit: ClassLimit,
  arena: Arena,
): Intake<L> {
  const arrival = arrivalOf(X, arena, 'X');
  try {
    const { rows, cols } = arrival.shape;
    checkWidth(settings, request.from, cols);
    const labels = encoding(y, rows, limit, request.classes);
    return {
      stages: [...arrival.stages, ...labels.stages],
      problem: () => problemOf(arrival, labels.encoded(), settings, request),
      release: arrival.release,
    };
  } catch (error) {
    arrival.release();
    throw error;
  }
}

function problemOf<L extends Label>(
  arrival: Arrival,
  { classes, codes, counts }: { classes: Classes<L>; codes: Uint32Array; counts: Uint32Array },
  settings: Settings<L>,
  { isBlock, goesOn, counts: allCounts }: Request<L, unknown>,
): Problem<L> {
  const present = counts.findIndex((count) => count > 0);
  if (!isBlock && counts[present] === codes.length) throw onlyOne(classes[present] as L);
  const weights = classWeights(settings, classes, allCounts ?? counts);
  const heldOut = settings.validationFraction > 0 && !isBlock ? holdOut(settings, codes, counts) : undefined;
  const X = arrival.rows();
  // Rows held out are scored only now and then, and perhaps never: look at all values once.
  const bad = heldOut && firstBad(X);
  if (bad) throw bad;
  const { order } = settings;
  return { X, classes, codes, weights, heldOut, isBlock, goesOn, order, release: X.release };
}

/** Rows and labels in the arena, now. */
export function takeIn<L extends Label>(...given: Parameters<typeof intake<L>>): Problem<L> {
  const arriving = intake(...given);
  try {
    runStages(arriving.stages);
    return arriving.problem();
  } catch (error) {
    arriving.release();
    throw error;
  }
}

function checkWidth<L extends Label>(settings: Settings<L>, from: { cols: number } | undefined, cols: number): void {
  if (from && from.cols !== cols) throw new RangeError(`X has ${cols} columns, the model was fitted on ${from.cols}`);
  const { featureNames } = settings;
  if (featureNames && featureNames.length !== cols) {
    throw new RangeError(`"featureNames" has ${featureNames.length} names, X has ${cols} columns`);
  }
}
