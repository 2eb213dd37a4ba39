/**
 * Predictions of a saved model in plain JavaScript, without training and without WebAssembly.
 *
 * @module perceptron-wasm/predict
 */

export type { Label } from '../data/labels.js';
export type { SparseParts } from '../data/parts.js';
export type { Row, SparseRow } from '../data/row.js';
export type { Table } from '../encode/tables.js';
export {
  type Input,
  loadPredictor,
  type One,
  type Predictor,
  type PredictorOptions,
  type ScoreTable,
} from './load.js';
export type { FlatRows, Rows } from './rows.js';
