// perceptron-wasm/predict: the predictions of a saved model and nothing else. Plain JavaScript, no training, no WebAssembly.

export type { Label } from '../data/labels.js';
export type { SparseParts } from '../data/parts.js';
export type { FlatRows } from '../data/rows.js';
export type { ScoreTable } from '../model/model.js';
export { loadPredictor, type Predictor } from './load.js';
export type { Row, Rows, SparseRow } from './rows.js';
