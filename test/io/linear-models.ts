// Linear models of every trainer, for the suites of other programs' model files.

import fc from 'fast-check';
import {
  type AnyModel,
  DualPerceptron,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  type TrainerOptions,
} from '../../src/index.js';
import { integer, real } from '../samples.js';

export interface Sample {
  readonly X: number[][];
  readonly model: AnyModel<number>;
}

type Options = Omit<TrainerOptions<number>, 'onEpoch'>;
type Maker = (options: Options) => Exclude<AnyModel<number>, { scaler: unknown }>;

/** Whole numbers stay whole with these. */
const ofTwo: Maker[] = [
  (options) => new Perceptron<number>(options),
  (options) => new PocketPerceptron<number>(options),
  (options) => new DualPerceptron<number>(options),
];
const ofMany: Maker[] = [
  (options) => new MulticlassPerceptron<number>(options),
  (options) => new MulticlassPerceptron<number>({ ...options, strategy: 'multinomial' }),
  (options) => new MulticlassPerceptron<number>({ ...options, kernel: 'linear' }),
];
const meanOfTwo: Maker = (options) => new Perceptron<number>({ ...options, average: true });
const meanOfMany: Maker = (options) => new MulticlassPerceptron<number>({ ...options, average: true });

/** Rows of such values, and a model with all the classes named that was trained on them for a pass or three. */
const trained = (value: fc.Arbitrary<number>, makers: Maker[], classes: number): fc.Arbitrary<Sample> =>
  fc
    .record({
      labels: fc.uniqueArray(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), {
        minLength: classes,
        maxLength: classes,
      }),
      make: fc.constantFrom(...makers),
      options: fc.record({ maxEpochs: fc.integer({ min: 1, max: 3 }), fitIntercept: fc.boolean() }),
      cols: fc.integer({ min: 1, max: 9 }),
      rows: fc.integer({ min: classes, max: 20 }),
    })
    .chain(({ cols, rows, make, options, labels }) =>
      fc.array(fc.array(value, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }).map((X) => {
        const y = X.map((_, i) => labels[i % classes] as number);
        return { X, model: make(options).fit(X, y) };
      }),
    );

export const exactPairs: fc.Arbitrary<Sample> = trained(integer, ofTwo, 2);
export const pairs: fc.Arbitrary<Sample> = trained(real, [...ofTwo, meanOfTwo], 2);
export const exactMany: fc.Arbitrary<Sample> = trained(integer, ofMany, 4);
export const many: fc.Arbitrary<Sample> = trained(real, [...ofMany, meanOfMany], 4);
/** Two classes, and a plane for each. */
export const exactTwins: fc.Arbitrary<Sample> = trained(integer, ofMany, 2);

/** Scores of either form. */
export const scoresOf = (model: AnyModel<number>, X: number[][]): Float64Array => {
  const found = model.decisionFunction(X);
  return 'data' in found ? found.data : found;
};
