// What perceptron-wasm/cluster takes of this entry: the plan, a fold, and what folds make together. Named re-exports, no logic.

export { metricIn, type Scored, scoredOf } from './compare.js';
export { crossValidationOf } from './crossvalidate.js';
export { pointsOf } from './grid.js';
export { evaluationOf, runJob } from './jobs.js';
export { type Plan, planOf } from './plan.js';
export { expectMetric, searchWith } from './search.js';
