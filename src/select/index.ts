/**
 * Is it any good? Metrics, splits, cross-validation, search over options, and probabilities.
 *
 * @module perceptron-wasm/select
 */

export { type CalibrateOptions, calibrate } from './calibrate.js';
export { Calibrated, type CalibratedJSON, type CalibratedModel } from './calibrated.js';
export type { Changes, Selectable } from './clone.js';
export type { ClassTable, PerRow } from './coding.js';
/** @internal For the command line alone. */
export { compareModels } from './compare.js';
export type { Averages, ClassScores } from './confusion.js';
export { type CrossValidateOptions, type CrossValidation, crossValidate } from './crossvalidate.js';
export type { ReliabilityBin } from './curves.js';
/** @internal For the command line alone. */
export { RECOMMENDED_EPOCHS, SPARSE_INTERCEPT } from './defaults.js';
/** @internal For the command line alone. */
export type { Fold } from './folds.js';
export type { Grid } from './grid.js';
/** @internal For perceptron-wasm/cluster alone. */
export {
  crossValidationOf,
  evaluationOf,
  expectMetric,
  metricIn,
  type Plan,
  planOf,
  pointsOf,
  runJob,
  type Scored,
  scoredOf,
  searchWith,
} from './internals.js';
export type { Scores } from './jobs.js';
/** @internal For the command line alone. */
export { predictionsOf } from './jobs.js';
export { loadModel } from './load.js';
export type { CalibrationMethod, ProbabilityMapJSON } from './maps.js';
export type { Metric, Spreads } from './means.js';
export { type EvaluateOptions, type Evaluation, evaluate } from './metrics.js';
export type { FoldDone, FoldOptions } from './plan.js';
/** @internal For the command line alone. */
export { rankingOf } from './ranking.js';
export { type Recommendation, type RecommendedTrainer, recommended } from './recommended.js';
export { type Search, type SearchOptions, type SearchResult, search } from './search.js';
export { type Part, type Split, type SplitOptions, split } from './split.js';
