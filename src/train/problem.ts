// takeIn: makes the problem that a learner trains on: rows in the arena, class numbers, weights, and rows held out.

import { firstTurn, inTurns, type SliceClock } from '../async/turns.js';
import { type ArenaRows, firstBad, firstNotFinite } from '../data/arenarows.js';
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
  /** The weight of each row, copied and checked (SPEC §14). */
  readonly sampleWeight: Float64Array | undefined;
}

export interface Problem<L extends Label = Label> {
  readonly X: ArenaRows;
  readonly classes: Classes<L>;
  /** The class number of each row. */
  readonly codes: Uint32Array;
  /** The weight of each class. */
  readonly weights: readonly number[];
  /** The weight of each row, unless all are 0 or 1. */
  readonly rowWeights: Float64Array | undefined;
  /** The rows that have a weight, ascending; undefined: all. The others are not there (SPEC §14). */
  readonly present: Uint32Array | undefined;
  /** The rows to train on, ascending: those present and not held out; undefined: all. */
  readonly samples: Uint32Array | undefined;
  /** The rows held out. */
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
  { isBlock, goesOn, counts: allCounts, sampleWeight: given }: FitRequest<L, unknown>,
): Problem<L> {
  const present = given?.includes(0) ? presentRows(given) : undefined;
  const total = present ? present.length : codes.length;
  if (!isBlock && counts.includes(total)) throw onlyOne(classes[counts.indexOf(total)] as L);
  const weights = classWeights(settings, classes, allCounts ?? counts);
  const heldOut = settings.validationFraction > 0 && !isBlock ? holdOut(settings, codes, counts, given) : undefined;
  const X = arrival.take();
  // Rows held out are scored rarely and perhaps never: check all values once.
  const bad = heldOut ? firstBad(X) : present && firstBadOf(X, given as Float64Array);
  if (bad) throw bad;
  const rowWeights = given?.some((weight) => weight !== 0 && weight !== 1) ? given : undefined;
  const samples = heldOut ? heldOut.training : present;
  const { order } = settings;
  return { X, classes, codes, weights, rowWeights, present, samples, heldOut, isBlock, goesOn, order };
}

/** The rows that have a weight. */
function presentRows(weights: Float64Array): Uint32Array {
  const rows: number[] = [];
  for (let i = 0; i < weights.length; i++) if (weights[i] !== 0) rows.push(i);
  return Uint32Array.from(rows);
}

/** The error of the first bad value in a row of weight 0: no score shows it. */
function firstBadOf(X: ArenaRows, weights: Float64Array): RangeError | undefined {
  if (X.store) return undefined;
  const [values, { cols, first }] = [X.view(), X];
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] !== 0) continue;
    const bad = firstNotFinite(values.subarray(i * cols, (i + 1) * cols), cols, 'X', first + i);
    if (bad) return bad;
  }
  return undefined;
}

/** The stage that encodes y. @throws RangeError if X is not as wide as the model or the names of its columns */
function labelsFor<L extends Label>(
  { rows, cols }: Arrival,
  y: Labels<L>,
  settings: Settings<L>,
  { from, classes, sampleWeight }: FitRequest<L, { readonly cols: number }>,
  limit: ClassLimit,
): LabelEncoder<L> {
  if (from && from.cols !== cols) throw new RangeError(`X has ${cols} columns, the model was fitted on ${from.cols}`);
  const { featureNames } = settings;
  if (featureNames && featureNames.length !== cols) {
    throw new RangeError(`"featureNames" has ${featureNames.length} names, X has ${cols} columns`);
  }
  if (sampleWeight && sampleWeight.length !== rows) {
    throw new RangeError(`"sampleWeight" has ${sampleWeight.length} weights, X has ${rows} rows`);
  }
  return new LabelEncoder(y, rows, limit, classes, sampleWeight);
}
