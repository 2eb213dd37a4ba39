// The model that train fits, with the steps that make its rows, not fitted: what cross-validation copies for each fold.

import { Pipeline, Scaler } from '../index.js';
import { TableEncoder } from '../prepare/index.js';
import type { Selectable } from '../select/index.js';
import type { Data } from './data.js';
import { CommandError } from './errors.js';
import { isSparse, type Matrix } from './rows.js';
import type { TableRows } from './tablerows.js';
import { makeTrainer, type TrainerName, type TrainValues } from './trainers.js';

/** What is trained on, and how. */
export interface Trial {
  readonly data: Pick<Data, 'X' | 'y' | 'raw'>;
  readonly name: TrainerName;
  readonly values: TrainValues;
}

/** What the prototype takes: the rows, or the table that they were made of. */
export const inputOf = ({ X, raw }: Trial['data']): Matrix | TableRows => raw?.table ?? X;

/** @throws CommandError if these rows cannot be scaled so */
export function prototypeOf({ data: { X, raw }, name, values }: Trial): Selectable {
  const { scale = 'none', 'intercept-scaling': scaling = 1 } = values;
  const steps = [
    // The encoder learns from the rows of its fold alone: values to fill in, words, categories.
    ...(raw ? [new TableEncoder({ columns: raw.kinds, missing: raw.missing })] : []),
    ...(scale === 'none' ? [] : [scalerOf(expectScale(scale, X), scaling)]),
  ];
  const trainer = makeTrainer(name, values);
  if (steps.length === 0) return trainer as Selectable;
  return new (Pipeline as unknown as new (...parts: unknown[]) => Selectable)(...steps, trainer);
}

type ScaleKind = Exclude<NonNullable<TrainValues['scale']>, 'none'>;

/** @throws CommandError if X is sparse and would not be afterwards */
export function expectScale(kind: ScaleKind, X: Matrix): ScaleKind {
  if (kind === 'unit-ball' || !isSparse(X)) return kind;
  throw new CommandError(`--scale ${kind} would fill every zero of sparse data: use --scale unit-ball`);
}

const scalerOf = (kind: ScaleKind, factor: number): Scaler =>
  factor === 1 ? new Scaler({ kind }) : new WeighedScaler(kind, factor);

/** Times --intercept-scaling, where a pipeline would use the scaler's alone. */
class WeighedScaler extends Scaler {
  readonly #factor: number;

  constructor(kind: ScaleKind, factor: number) {
    super({ kind });
    this.#factor = factor;
  }

  override get interceptScaling(): number {
    return super.interceptScaling * this.#factor;
  }

  override unfitted(): WeighedScaler {
    return new WeighedScaler(this.kind, this.#factor);
  }
}
