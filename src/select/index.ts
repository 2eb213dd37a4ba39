// perceptron-wasm/select: is it any good? Splits, cross-validation and search. Named re-exports, no logic.

/** @internal For the command line alone. */
export { atOnce } from './atonce.js';
export type { Changes, Selectable } from './clone.js';
export type { Averages, ClassScores } from './confusion.js';
export { type CrossValidateOptions, type CrossValidation, crossValidate } from './crossvalidate.js';
/** @internal For the command line alone. */
export { type Fold, stratified } from './folds.js';
export type { Grid } from './grid.js';
export type { Scores } from './jobs.js';
export type { Metric, Spreads } from './means.js';
export { type EvaluateOptions, type Evaluation, evaluate } from './metrics.js';
export type { FoldDone, FoldOptions } from './plan.js';
/** @internal For the command line alone. */
export {
  RECOMMENDED_EPOCHS,
  type Recommendation,
  type RecommendedTrainer,
  recommended,
  SPARSE_INTERCEPT,
} from './recommended.js';
export { type Search, type SearchOptions, type SearchResult, search } from './search.js';
export { type Part, type Split, type SplitOptions, split } from './split.js';
