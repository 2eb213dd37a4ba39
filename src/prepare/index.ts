// perceptron-wasm/prepare: raw data in. Text, tables, categories and missing values become rows of numbers.

export type { ArrowLikeColumn, ArrowLikeTable, Table } from '../encode/tables.js';
export { type ColumnKind, type InferredColumn, inferColumns } from './infer.js';
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
