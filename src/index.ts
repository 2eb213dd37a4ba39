// The public API: named re-exports, no logic.

export { DenseMatrix, type DenseMatrixOptions, type Dtype } from './data/dense.js';
export type { Label, Labels } from './data/labels.js';
export type { FlatRows, Rows } from './data/rows.js';
export type { Engine, EngineKind } from './engine/contract.js';
export { createEngine, type EngineOptions, prepareEngine } from './engine/engine.js';
export { NotFittedError } from './errors.js';
export { describe } from './model/describe.js';
export type { DiagnoseOptions, Diagnosis } from './model/diagnosis.js';
export type { ExactNumber, PerceptronJSON, PlaneJSON } from './model/json.js';
export type { Contribution, Model } from './model/model.js';
export type { Advice, FitReport, StopReason } from './model/report.js';
export { type CompareOptions, type Comparison, type ComparisonRow, compare } from './train/compare.js';
export { type AnyModel, loadModel } from './train/load.js';
export type { Epoch, Order, PerceptronOptions, TrainerOptions, Update } from './train/options.js';
export { type FitAsyncOptions, Perceptron } from './train/perceptron.js';
