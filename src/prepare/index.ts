/**
 * Raw data in: text, tables, categories and missing values become rows of numbers, inside a `Pipeline`.
 *
 * @module perceptron-wasm/prepare
 */

export type { TextTokens } from '../encode/settings.js';
export { Pipeline } from '../index.js';
export { type ColumnKind, type InferredColumn, inferColumns } from './infer.js';
export { type Input, type LoadedModel, type LoadModelOptions, loadModel } from './load.js';
export { type NumberTable, rowsOf } from './rowsof.js';
export { type EncodedColumn, TableEncoder } from './tableencoder.js';
export type { TableColumnJSON, TableEncoderJSON } from './tablejson.js';
export type {
  CategoryColumnOptions,
  ColumnOptions,
  MissingRule,
  NumberColumnOptions,
  TableEncoderOptions,
  TextColumnOptions,
  UnknownRule,
} from './tableoptions.js';
export type { ArrowLikeColumn, ArrowLikeTable, Table } from './tables.js';
export { TextVectorizer, type TextVectorizerJSON, type TextVectorizerOptions } from './textvectorizer.js';
