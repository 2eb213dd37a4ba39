// takeIn: makes the problem that a learner trains on: rows in the arena, class numbers, class weights, and rows held out.

import { firstTurn, inTurns, type SliceClock } from '../async/turns.js';
import { type ArenaRows, firstBad } from '../data/arenarows.js';
import type { DenseMatrix } from '../data/dense.js';
import {
  type Classes,
  type ClassLimit,
  type Encoded,
  type Label,
  LabelEncoder,
  type Labels,
  onlyOne,
} from '../data/labels.js';
import { type Arrival, arrivalOf, type Rows } from '../data/rows.js';
import type { Arena } from '../memory/arena.js';
import { type HeldOut, holdOut } from './holdout.js';
import type { Order } from './options.js';
import { classWeights, type Settings } from './settings.js';

/** What a call asks for, beside rows and labels. */
export interface FitRequest<L extends Label, S> {
  /** The state to continue from; undefined: start afresh. */
  readonly from: S | undefined;
  /** The classes, if they are known before y is read. */
  readonly classes: Classes<L> | undefined;
  /** The rows of each class, if these rows are a part of all rows. */
  readonly counts: readonly number[] | undefined;
  readonly maxEpochs: number;
  /** Whether these rows are one block of several: then y may lack a class, and no rows are held out. */
  readonly isBlock: boolean;
  /** Whether this block continues the epoch of the block before. */
  readonly goesOn: boolean;
  /** The Gram matrix of X, if the caller has it. */
  readonly precomputed: DenseMatrix | undefined;
}

export interface Problem<L extends Label = Label> {
  readonly X: ArenaRows;
  readonly classes: Classes<L>;
  /** The class number of each row. */
  readonly codes: Uint32Array;
  /** The weight of each class. */
  readonly weights: readonly number[];
  /** The rows held out, and the rows left to train on. */
  readonly heldOut: HeldOut | undefined;
  readonly isBlock: boolean;
  readonly goesOn: boolean;
  /** The order option; classes that are trained in step share one shuffled order. */
  readonly order: Order;
}

/** The arguments of `takeIn` and `takeInTurns`. */
type TakeInArguments<L extends Label> = [
  X: Rows,
  y: Labels<L>,
  settings: Settings<L>,
  request: FitRequest<L, { readonly cols: number }>,
  limit: ClassLimit,
  arena: Arena,
];

/** Checks rows and labels, and copies the rows into the arena. */
export function takeIn<L extends Label>(...[X, y, settings, request, limit, arena]: TakeInArguments<L>): Problem<L> {
  const arrival = arrivalOf(X, arena, 'X');
  try {
    const labels = labelsFor(arrival, y, settings, request, limit);
    arrival.stage?.piece(0, arrival.rows);
    labels.piece(0, arrival.rows); // after the rows, so that errors in X come first
    return problemOf(arrival, labels.encoded(), settings, request);
  } catch (error) {
    arrival.release();
    throw error;
  }
}

/** The same in turns with other work. @throws the reason of `signal` */
export async function takeInTurns<L extends Label>(
  clock: SliceClock,
  signal: AbortSignal | undefined,
  ...[X, y, settings, request, limit, arena]: TakeInArguments<L>
): Promise<Problem<L>> {
  const arrival = arrivalOf(X, arena, 'X');
  try {
    const labels = labelsFor(arrival, y, settings, request, limit);
    await firstTurn();
    signal?.throwIfAborted();
    clock.begin();
    await inTurns(arrival.stage, clock, signal);
    await inTurns(labels, clock, signal);
    return problemOf(arrival, labels.encoded(), settings, request);
  } catch (error) {
    arrival.release();
    throw error;
  }
}

function problemOf<L extends Label>(
  arrival: Arrival,
  { classes, codes, counts }: Encoded<L>,
  settings: Settings<L>,
  { isBlock, goesOn, counts: allCounts }: FitRequest<L, unknown>,
): Problem<L> {
  if (!isBlock && counts.includes(codes.length)) throw onlyOne(classes[counts.indexOf(codes.length)] as L);
  const weights = classWeights(settings, classes, allCounts ?? counts);
  const heldOut = settings.validationFraction > 0 && !isBlock ? holdOut(settings, codes, counts) : undefined;
  const X = arrival.take();
  // Rows held out are scored rarely and perhaps never: check all values once.
  const bad = heldOut && firstBad(X);
  if (bad) throw bad;
  const { order } = settings;
  return { X, classes, codes, weights, heldOut, isBlock, goesOn, order };
}

/** The stage that encodes y. @throws RangeError if X is not as wide as the model or the names of its columns */
function labelsFor<L extends Label>(
  { rows, cols }: Arrival,
  y: Labels<L>,
  settings: Settings<L>,
  { from, classes }: FitRequest<L, { readonly cols: number }>,
  limit: ClassLimit,
): LabelEncoder<L> {
  if (from && from.cols !== cols) throw new RangeError(`X has ${cols} columns, the model was fitted on ${from.cols}`);
  const { featureNames } = settings;
  if (featureNames && featureNames.length !== cols) {
    throw new RangeError(`"featureNames" has ${featureNames.length} names, X has ${cols} columns`);
  }
  return new LabelEncoder(y, rows, limit, classes);
}
