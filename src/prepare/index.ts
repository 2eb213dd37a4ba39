// `perceptron-wasm/prepare`: named re-exports, no logic.

export type { TextTokens } from '../encode/settings.js';
export { TextVectorizer, type TextVectorizerJSON, type TextVectorizerOptions } from './textvectorizer.js';
