// perceptron-wasm/predict: predictions of a saved model. Plain JavaScript, no training, no WebAssembly.

export type { Label } from '../data/labels.js';
export type { SparseParts } from '../data/parts.js';
export { loadPredictor, type Predictor, type ScoreTable } from './load.js';
export type { FlatRows, Row, Rows, SparseRow } from './rows.js';
