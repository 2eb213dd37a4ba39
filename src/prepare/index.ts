// `perceptron-wasm/prepare`: named re-exports, no logic.

export { Pipeline } from '../index.js';
export { loadModel } from './load.js';
