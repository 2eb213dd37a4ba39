// Every estimator, as the common checks see it. A new trainer or pipeline is one line here; `list.test.ts` fails until it has it.

import {
  DualPerceptron,
  type EngineKind,
  type Label,
  type Labels,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  type Rows,
  Scaler,
} from '../../src/index.js';

type Scores = Float64Array | { data: Float64Array; rows: number; cols: number };

/** What all checks rely on: the methods that every classifier has. */
export interface Classifier {
  fit(X: Rows, y: Labels): this;
  fitAsync(X: Rows, y: Labels, options?: object): Promise<this>;
  partialFit(X: Rows, y: Labels, options?: { classes?: readonly Label[] }): this;
  predict(X: Rows): Label[];
  predictOne(x: ArrayLike<number>): Label;
  decisionFunction(X: Rows): Scores;
  score(X: Rows, y: Labels): number;
  readonly classes: readonly Label[];
  readonly report: object;
  toJSON(): object;
}

/** The options that the checks set. */
interface Common {
  readonly engine?: EngineKind;
  readonly maxEpochs?: number;
  readonly seed?: number;
}

export interface Estimator {
  readonly name: string;
  /** The class that this is one of. */
  readonly type: { readonly name: string };
  make(options?: Common): Classifier;
  fromJSON(json: unknown): Classifier;
  /** Whether it can be trained on three classes. */
  readonly isMulticlass: boolean;
  /** Whether it takes sparse rows. */
  readonly takesSparse: boolean;
  /** Whether it divides: then sums of integers are no longer exact in every order of the columns. */
  readonly divides: boolean;
  /** Whether it scales rows, in the storage that they come in: then float32 rows are rounded once more. */
  readonly scales: boolean;
}

// The checks call estimators by what they have in common; their own types say more.
const as = (model: object) => model as Classifier;
const RBF = { type: 'rbf', gamma: 0.125 } as const;
const CUBIC = { type: 'polynomial', degree: 3, gamma: 0.5, coef0: 1 } as const;
const FULL = { isMulticlass: false, takesSparse: true, divides: false, scales: false };
const MANY = { ...FULL, isMulticlass: true };

const perceptron = (name: string, options: object): Estimator => ({
  name: `Perceptron${name}`,
  type: Perceptron,
  make: (common) => as(new Perceptron({ ...options, ...common })),
  fromJSON: (json) => as(Perceptron.fromJSON(json)),
  ...FULL,
});
const pocket = (name: string, options: object): Estimator => ({
  name: `PocketPerceptron${name}`,
  type: PocketPerceptron,
  make: (common) => as(new PocketPerceptron({ ...options, ...common })),
  fromJSON: (json) => as(PocketPerceptron.fromJSON(json)),
  ...FULL,
});
const dual = (name: string, options: object): Estimator => ({
  name: `DualPerceptron${name}`,
  type: DualPerceptron,
  make: (common) => as(new DualPerceptron({ ...options, ...common })),
  fromJSON: (json) => as(DualPerceptron.fromJSON(json)),
  ...FULL,
});
const multiclass = (name: string, options: object): Estimator => ({
  name: `MulticlassPerceptron${name}`,
  type: MulticlassPerceptron,
  make: (common) => as(new MulticlassPerceptron({ ...options, ...common })),
  fromJSON: (json) => as(MulticlassPerceptron.fromJSON(json)),
  ...MANY,
});
const pipeline = (kind: 'standardize' | 'centre' | 'unit-ball', of: Estimator): Estimator => ({
  name: `Pipeline, ${kind}, ${of.name}`,
  type: Pipeline,
  make: (common) => as(new Pipeline(new Scaler({ kind }), of.make(common) as unknown as Perceptron)),
  fromJSON: (json) => as(Pipeline.fromJSON(json)),
  isMulticlass: of.isMulticlass,
  takesSparse: kind === 'unit-ball',
  divides: true,
  scales: true,
});

const twice = (of: Estimator): Estimator => ({
  ...pipeline('standardize', of),
  name: `Pipeline, standardize, unit-ball, ${of.name}`,
  make: (common) =>
    as(
      new Pipeline(
        new Scaler({ kind: 'standardize' }),
        new Scaler({ kind: 'unit-ball' }),
        of.make(common) as unknown as Perceptron,
      ),
    ),
});

export const estimators: readonly Estimator[] = [
  perceptron('', {}),
  { ...perceptron(', shuffle, average', { order: 'shuffle', average: true }), divides: true },
  perceptron(', random', { order: 'random' }),
  perceptron(', batch', { order: 'batch' }),
  pocket('', {}),
  pocket(', ratchet', { ratchet: true }),
  dual('', {}),
  { ...dual(', rbf, average', { kernel: RBF, average: true }), divides: true },
  dual(', polynomial, rows', { kernel: CUBIC, gram: 'rows' }),
  multiclass(', one-vs-rest', {}),
  multiclass(', multinomial', { strategy: 'multinomial' }),
  multiclass(', one-vs-rest, rbf', { kernel: RBF }),
  multiclass(', multinomial, polynomial', { strategy: 'multinomial', kernel: CUBIC }),
  pipeline('standardize', perceptron('', {})),
  pipeline('centre', dual(', rbf', { kernel: RBF })),
  pipeline('unit-ball', multiclass('', {})),
  twice(perceptron('', {})),
];
