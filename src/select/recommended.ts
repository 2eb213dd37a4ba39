// recommended: settings that usually work, for rows that are as they come.

import { columnsIn, isRecord } from '../encode/tables.js';
import {
  type Label,
  type Labels,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  type Rows,
  Scaler,
  type SparseParts,
} from '../index.js';
import { has } from '../own.js';
import { type Table, TableEncoder, TextVectorizer } from '../prepare/index.js';
import { RECOMMENDED_EPOCHS, SPARSE_INTERCEPT } from './defaults.js';
import { classify } from './labels.js';
import { inputOf } from './rows.js';

/** The trainers that `recommended` chooses from. */
export type RecommendedTrainer<L extends Label = Label> = Perceptron<L> | MulticlassPerceptron<L>;

/** What `recommended` answers: a model that is not fitted yet, and why it looks so. */
export interface Recommendation<M> {
  /** Not fitted yet. */
  readonly model: M;
  /** Why: a sentence for each setting. */
  readonly reasons: readonly string[];
}

/**
 * A trainer or a pipeline for these rows, not fitted yet: shuffled and averaged; numbers standardised; text and tables encoded;
 * more than two classes trained against each other. It looks only at the kind of X and at the classes of y.
 * @throws TypeError or RangeError as `fit` does, for X and y that no model can be fitted on
 *
 * @example
 * const { model, reasons } = recommended([[1012, 3], [1015, 2], [1011, 7], [1014, 6]], ['low', 'low', 'high', 'high']);
 * console.log(reasons.length, model.fit([[1012, 3], [1015, 2], [1011, 7], [1014, 6]], ['low', 'low', 'high', 'high']).predictOne([1013, 8])); // → 3 high
 */
export function recommended<const Y extends Labels>(
  X: SparseParts | (Rows & { readonly nonZeros: number }),
  y: Y,
): Recommendation<RecommendedTrainer<Y[number]>>;
export function recommended<const Y extends Labels>(
  X: readonly string[],
  y: Y,
): Recommendation<Pipeline<Y[number], RecommendedTrainer<Y[number]>, Iterable<string>>>;
export function recommended<const Y extends Labels>(
  X: Rows,
  y: Y,
): Recommendation<Pipeline<Y[number], RecommendedTrainer<Y[number]>>>;
export function recommended<const Y extends Labels>(
  X: Table,
  y: Y,
): Recommendation<Pipeline<Y[number], RecommendedTrainer<Y[number]>, Table>>;
export function recommended(X: unknown, y: Labels): Recommendation<unknown> {
  const { rows, whole } = inputOf(X);
  const { classes } = classify(y, rows);
  const kind = kindOf(whole);
  const reasons = [
    "order: 'shuffle', average: true: the mean over shuffled epochs hardly depends on the order of the rows or on where training stops",
  ];
  const isShort = kind === 'sparse' || kind === 'texts';
  if (isShort) {
    reasons.push(
      `interceptScaling: ${SPARSE_INTERCEPT}: rows that are mostly zeros are short, and a constant feature of 1 would drown them`,
    );
  }
  const trainer = trainerFor(classes.length, isShort, reasons);
  reasons.push(`maxEpochs: ${RECOMMENDED_EPOCHS}: the mean hardly changes after that`);
  if (kind === 'sparse') return { model: trainer, reasons };
  const [step, why] = STEPS[kind]();
  return { model: new Pipeline(step as Scaler, trainer), reasons: [why, ...reasons] };
}

function trainerFor(classes: number, isShort: boolean, reasons: string[]): RecommendedTrainer {
  const options = {
    order: 'shuffle',
    average: true,
    maxEpochs: RECOMMENDED_EPOCHS,
    ...(isShort && { interceptScaling: SPARSE_INTERCEPT }),
  } as const;
  if (classes === 2) return new Perceptron(options);
  reasons.push(
    `strategy: 'multinomial': ${classes} classes trained against each other, so that a class may lie between others`,
  );
  return new MulticlassPerceptron({ ...options, strategy: 'multinomial' });
}

type Kind = 'numbers' | 'sparse' | 'texts' | 'table';

const STEPS: Record<Exclude<Kind, 'sparse'>, () => readonly [step: object, why: string]> = {
  numbers: () => [new Scaler({ kind: 'standardize' }), 'columns are standardised: large ones would drown small ones'],
  texts: () => [new TextVectorizer(), 'texts become counts of hashed words, each text of length 1'],
  table: () => [
    new TableEncoder({ missing: 'median' }),
    'numbers of a table are standardised, categories and words become features, gaps the median',
  ],
};

/** What the rows are, by their form or the first of them. */
function kindOf(X: unknown): Kind {
  const [first] = Array.isArray(X) ? X : [];
  if (typeof first === 'string') return 'texts';
  if (isRecord(first) || columnsIn(X) || (isRecord(X) && has(X, 'numRows'))) {
    const isList = isRecord(first) && (has(first, 'length') || has(first, 'indices'));
    return isList ? 'numbers' : 'table';
  }
  return isRecord(X) && (has(X, 'nonZeros') || has(X, 'indptr')) ? 'sparse' : 'numbers';
}
