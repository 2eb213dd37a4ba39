// calibrate: how sure is a model of one row? Learns probabilities from scores of rows that the model had not seen.

import { expectOptions, word } from '../errors.js';
import type { Label, Labels } from '../index.js';
import { Calibrated, type CalibratedModel } from './calibrated.js';
import { cloneOf, type Selectable } from './clone.js';
import { Coder, weightsOrOnes } from './coding.js';
import { crossValidate } from './crossvalidate.js';
import { levelsOf, type ReliabilityBin, reliabilityOf } from './curves.js';
import { fitIsotonic } from './isotonic.js';
import type { Scores } from './jobs.js';
import { bestOf, type CalibrationMethod, type ProbabilityMap, probabilitiesOf, scoreOfTwo } from './maps.js';
import { FOLD_KEYS, type FoldOptions } from './plan.js';
import { fitSigmoid } from './sigmoid.js';

/** Options of `calibrate`. */
export interface CalibrateOptions extends FoldOptions {
  /**
   * 'sigmoid' (Platt): two numbers are learned, which is right for few rows; 'isotonic': any ascending steps, which need a thousand
   * rows or more. Default: 'sigmoid'.
   */
  method?: CalibrationMethod;
}

const methodOf = /* @__PURE__ */ word<CalibrationMethod>('sigmoid', 'isotonic');

/**
 * Makes a model that knows probabilities. The scores come from cross-validation: each row is scored by a copy of the model that was
 * fitted without it. Then a copy is fitted on all rows. Your model stays as it is. As scikit-learn's
 * CalibratedClassifierCV(ensemble=False).
 * @throws TypeError or RangeError naming what is wrong, before anything is fitted
 *
 * @example
 * import { calibrate } from 'perceptron-wasm/select';
 * const X = [[0], [1], [2], [4], [3], [5], [6], [7]];
 * const y = ['no', 'no', 'no', 'no', 'yes', 'yes', 'yes', 'yes'];
 * const model = await calibrate(new Perceptron({ average: true, maxEpochs: 20 }), X, y, { folds: 2 });
 * const [low = 1, high = 0] = model.predictProbability([[0], [9]]) as Float64Array;
 * console.log(low < 0.5 && high > 0.5); // → true
 */
export async function calibrate<In, const Y extends Labels>(
  model: Selectable<In>,
  X: NoInfer<In>,
  y: Y,
  options: CalibrateOptions = {},
): Promise<Calibrated<Y[number], In>> {
  const { method: given = 'sigmoid', ...rest } = expectOptions(options, [...FOLD_KEYS, 'method'], 'calibrate');
  const method = methodOf(given, 'method');
  const { scores } = await crossValidate<In, Y>(model, X, y, rest);
  const { threads, signal, sampleWeight } = rest;
  const fitted = cloneOf(model) as unknown as CalibratedModel<Y[number], In> & Fittable;
  await fitted.fitAsync(X, y, {
    ...(threads !== undefined && { threads }),
    ...(signal && { signal }),
    ...(sampleWeight && { sampleWeight }),
  });
  const learned = learnMaps(method, scores, y, fitted.classes, weightsOrOnes(sampleWeight, y.length));
  return new Calibrated<Y[number], In>({ model: fitted, method, ...learned });
}

interface Fittable {
  fitAsync(X: unknown, y: Labels, options: object): Promise<unknown>;
}

/** Learns one map for two classes, else one for each class against the rest; and how reliable they are. */
export function learnMaps<L extends Label>(
  method: CalibrationMethod,
  scores: Scores,
  y: Labels<L>,
  classes: readonly L[],
  weights: Float64Array,
): { maps: ProbabilityMap[]; reliability: ReliabilityBin[] } {
  const truth = new Coder<L>(classes).codes(y, 'y');
  const [data, cols] = scores instanceof Float64Array ? [scores, 1] : [scores.data, scores.cols];
  const fit = method === 'sigmoid' ? fitSigmoid : fitIsotonic;
  const learn = (column: Float64Array, k: number) => fit(levelsOf(column, (i) => truth[i] === k, weights));
  const rowsOf = (value: (i: number) => number) => Float64Array.from({ length: truth.length }, (_, i) => value(i));
  if (classes.length === 2) {
    const maps = [
      learn(
        rowsOf((i) => scoreOfTwo(data, cols, i)),
        1,
      ),
    ];
    const p = probabilitiesOf(maps, data, cols);
    return { maps, reliability: reliabilityOf(p, (i) => truth[i] === 1, weights) };
  }
  const maps = classes.map((_, k) =>
    learn(
      rowsOf((i) => data[i * cols + k] as number),
      k,
    ),
  );
  const table = probabilitiesOf(maps, data, cols);
  const best = rowsOf((i) => bestOf(table, cols, i));
  const p = rowsOf((i) => table[i * cols + (best[i] as number)] as number);
  return { maps, reliability: reliabilityOf(p, (i) => truth[i] === best[i], weights) };
}
