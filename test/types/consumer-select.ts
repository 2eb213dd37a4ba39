// A consumer's code of `perceptron-wasm/select`: every public export once, with no library but es2022's. Compiled by
// test/package.long.test.ts against the packed package, and by `npm run typecheck`; never run.

import { type DenseMatrix, DualPerceptron, MulticlassPerceptron, Perceptron, Pipeline, Scaler } from 'perceptron-wasm';
import { TextVectorizer } from 'perceptron-wasm/prepare';
import {
  type Averages,
  Calibrated,
  type CalibratedJSON,
  type CalibratedModel,
  type CalibrateOptions,
  type CalibrationMethod,
  type Changes,
  type ClassScores,
  type ClassTable,
  type CrossValidateOptions,
  type CrossValidation,
  calibrate,
  crossValidate,
  type EvaluateOptions,
  type Evaluation,
  evaluate,
  type FoldDone,
  type FoldOptions,
  type Grid,
  loadModel,
  type Metric,
  type Part,
  type PerRow,
  type ProbabilityMapJSON,
  type Recommendation,
  type RecommendedTrainer,
  type ReliabilityBin,
  recommended,
  type Scores,
  type Search,
  type SearchOptions,
  type SearchResult,
  type Selectable,
  type Split,
  type SplitOptions,
  type Spreads,
  search,
  split,
} from 'perceptron-wasm/select';

declare const X: DenseMatrix;
declare const y: ('no' | 'yes')[];
export type Names = [
  Changes,
  EvaluateOptions,
  FoldDone,
  FoldOptions,
  Metric,
  Selectable,
  Spreads,
  Averages,
  ClassScores,
  CalibratedJSON,
  CalibratedModel,
  CalibrationMethod,
  ClassTable,
  PerRow,
  ProbabilityMapJSON,
  ReliabilityBin,
];

const advised: Recommendation<Pipeline<'no' | 'yes', RecommendedTrainer<'no' | 'yes'>>> = recommended(X, y);
const calibrating: CalibrateOptions = { method: 'isotonic', folds: 3 };
export async function probabilities() {
  const model = await calibrate(advised.model, X, y, calibrating);
  const again = Calibrated.fromJSON(JSON.parse(JSON.stringify(model)));
  return [model.predictProbability(X), again.classes, loadModel(JSON.parse(JSON.stringify(model)))];
}

const splitting: SplitOptions = { test: 0.2, stratify: false, seed: 1, groups: [1, 2] };
const parts: Split<DenseMatrix, 'no' | 'yes'> = split(X, y, splitting);
export const train: Part<DenseMatrix, 'no' | 'yes'> = parts.train;
export const indices: Uint32Array = parts.test.indices;

const options: CrossValidateOptions<'no' | 'yes'> = {
  folds: 3,
  onFold: ({ fold, evaluation }) => void [fold, evaluation],
};
export async function validated(): Promise<Evaluation<'no' | 'yes'>[]> {
  const found: CrossValidation<'no' | 'yes'> = await crossValidate(new Perceptron(), X, y, options);
  const scores: Scores = found.scores;
  const mean: number | undefined = found.mean.accuracy ?? found.deviation['macro.f1'];
  const [label]: ('no' | 'yes')[] = found.predictions;
  void [scores, mean, label];
  const texts = new Pipeline(new TextVectorizer(), new MulticlassPerceptron());
  await crossValidate(texts, ['a text', 'another'], ['a', 'b']);
  // @ts-expect-error: a pipeline of texts does not take a matrix
  await crossValidate(texts, X, y);
  return [...found.folds, evaluate(y, found.predictions)];
}

export async function searched(): Promise<DualPerceptron> {
  const grid: Grid = { average: [true, false], kernel: ['rbf'] };
  const how: SearchOptions<'no' | 'yes'> = { metric: 'balancedAccuracy' };
  const found: Search<DualPerceptron> = await search(new DualPerceptron(), grid, X, y, how);
  const results: readonly SearchResult[] = found.results;
  const best: number = found.best.score + (results[0]?.mean ?? 0);
  void best;
  const pipeline = new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron());
  await search(pipeline, { 'steps.0.kind': ['centre'] }, X, y);
  return found.model;
}
