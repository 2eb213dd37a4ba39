/**
 * The trainers, rows in memory, Gram matrices, engines, and models from JSON.
 *
 * @module perceptron-wasm
 */

import './prove.js'; // Node has the prover; bundlers drop the import (docs/adr/0025)

export { DenseMatrix, type DenseMatrixOptions, type Dtype } from './data/dense.js';
export type { Label, Labels } from './data/labels.js';
export type { SparseParts } from './data/parts.js';
export type { Row, SparseRow } from './data/row.js';
export type { FlatRows, Rows } from './data/rows.js';
export {
  SparseBuilder,
  type SparseBuilderOptions,
  SparseMatrix,
  type SparseMatrixOptions,
} from './data/sparse.js';
export type { Engine, EngineKind } from './engine/contract.js';
export { createEngine, type EngineOptions, prepareEngine } from './engine/engine.js';
/** @internal For `perceptron-wasm/scalar` alone. */
export { registerScalar } from './engine/register.js';
export { NotFittedError } from './errors.js';
export { type GramAsyncOptions, type GramOptions, gram, gramAsync } from './gram/gram.js';
export type { Kernel, PolynomialKernel, RbfKernel } from './gram/kernel.js';
/** @internal For `perceptron-wasm/select` alone. */
export { trustGram } from './gram/trusted.js';
export { describe } from './model/describe.js';
export type { DiagnoseOptions, Diagnosis } from './model/diagnosis.js';
export type { DualPerceptronJSON } from './model/dual-json.js';
export type { ExactNumber, TrainingJSON } from './model/json.js';
export type { PerceptronJSON, PlaneJSON } from './model/linear-json.js';
export type {
  Contribution,
  ExplainOptions,
  HardSample,
  Model,
  MulticlassDiagnosis,
  MulticlassModel,
  PredictOptions,
  ScoreTable,
} from './model/model.js';
export type { ClassPlaneJSON, MulticlassPerceptronJSON } from './model/multi-json.js';
export type { Advice, FitReport, PocketReport, StopReason, Timings } from './model/report.js';
export type { RowJSON } from './model/rows-json.js';
export { Scaler, type ScalerJSON, type ScalerKind, type ScalerOptions } from './model/scaler.js';
export { type SeparabilityProof, verifyProof } from './proof/verify.js';
export type {
  DualPerceptronOptions,
  Epoch,
  FitAsyncOptions,
  FitOptions,
  GramMode,
  MulticlassPerceptronOptions,
  Order,
  PartialFitOptions,
  PerceptronOptions,
  PocketPerceptronOptions,
  Progress,
  Strategy,
  TrainerOptions,
  Update,
} from './train/options.js';
export { type ChooseFormOptions, chooseForm, type FormChoice } from './trainers/chooseform.js';
export {
  type CompareOptions,
  type Comparison,
  type ComparisonRow,
  compare,
  type PerceptronForm,
} from './trainers/compare.js';
export { type DualFitOptions, DualPerceptron } from './trainers/dualperceptron.js';
export { type AnyModel, loadModel } from './trainers/load.js';
export { MulticlassPerceptron } from './trainers/multiclassperceptron.js';
export { Perceptron } from './trainers/perceptron.js';
export { Pipeline } from './trainers/pipeline.js';
export type { PipelineJSON } from './trainers/pipelinejson.js';
export { PocketPerceptron } from './trainers/pocketperceptron.js';
export type { PipelineBlocks, Step } from './trainers/step.js';
export type { Block, Blocks, FitStreamOptions } from './trainers/stream.js';
export { stopThreads } from './worker/threads.js';
