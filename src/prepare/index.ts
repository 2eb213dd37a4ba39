// `perceptron-wasm/prepare`: named re-exports, no logic.

export type { TextTokens } from '../encode/settings.js';
export { Pipeline } from '../index.js';
export { type LoadModelOptions, loadModel } from './load.js';
export { TextVectorizer, type TextVectorizerJSON, type TextVectorizerOptions } from './textvectorizer.js';
