// TableEncoder: records, columns or an Arrow table → rows of numbers. Kinds of columns are guessed where they are not said;
// what is learned in `fit` is applied by TableEncoding (src/encode/table.ts), which serving uses, too.

import { RowBuffer } from '../data/entries.js';
import type { Stage } from '../data/stages.js';
import { type TableEncoding, widthOf } from '../encode/table.js';
import { expectOptions } from '../errors.js';
import { DenseMatrix, NotFittedError, SparseBuilder, type SparseMatrix } from '../index.js';
import { type Packed, plain } from '../model/json.js';
import type { ColumnKind } from './infer.js';
import { namesInRecord } from './names.js';
import { type FittedTable, fittingTable, rowsInPiece } from './tablefit.js';
import { fittedFrom, packedTable, type TableEncoderJSON } from './tablejson.js';
import { resolveTable, type TableEncoderOptions, type TableSettings } from './tableoptions.js';
import { recordOf, type Table, tableOf } from './tables.js';

/** What a fitted encoder does with a column. */
export interface EncodedColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Why it is of this kind, in words. */
  readonly reason: string;
  /** How many columns of the result it becomes. */
  readonly features: number;
}

/**
 * Turns tables into rows of numbers: number columns are standardised, category columns become one column for each value (1 in
 * that of the row's value), text columns the features of a TextVectorizer. Say in `columns` what a column is; else it is guessed from
 * its values, and `encoder.columns` says what was guessed. Use 'ignore' for the column of labels, and for columns that give them away.
 *
 * Columns of tables are found by name, in any order; those that were not in `fit` are ignored.
 *
 * @example
 * const encoder = new TableEncoder({ missing: 'median' });
 * const X = encoder.fitTransform([{ age: 20, sex: 'F' }, { age: null, sex: 'M' }, { age: 40, sex: 'F' }]);
 * console.log(encoder.featureNames, X.cols); // → [ 'age', 'sex=F', 'sex=M' ] 3
 */
export class TableEncoder {
  /** Survives minification: consoles and messages show it. */
  static readonly name = 'TableEncoder';
  #settings: TableSettings;
  /** The caller's; undefined if it came from a file. */
  #options: TableEncoderOptions | undefined;
  #fitted: FittedTable | undefined;
  /** The buffer for one row; undefined while a row is being read, when a getter of the caller may ask for another. */
  #row: RowBuffer | undefined;

  /** @throws TypeError or RangeError naming the wrong option */
  constructor(options: TableEncoderOptions = {}) {
    this.#settings = resolveTable(options);
    this.#options = { ...options };
  }

  /**
   * Learns kinds, means, deviations, categories and words from a table. On an error the encoder stays as it was.
   * @throws TypeError or RangeError naming row and column
   */
  fit(table: Table): this {
    this.#fit(table);
    return this;
  }

  #fit(table: Table, keepsRows?: boolean): () => Rewriting {
    const { stages, adopt, transforming, release } = this.fitting(table, keepsRows);
    try {
      for (const stage of stages) stage.piece(0, stage.count);
      adopt();
    } finally {
      release();
    }
    return transforming;
  }

  /**
   * `fit` in stages: run them, then call `adopt`; always call `release`. With `keepsRows`, `transforming` then is that of the same
   * table, whose words have been counted: its stages are to be run in order, once. For pipelines. @internal
   */
  fitting(
    table: Table,
    keepsRows = false,
  ): { stages: Stage[]; adopt(): void; transforming(): Rewriting; release(): void } {
    const { stages, fitted, counted, release } = fittingTable(table, this.#settings, keepsRows);
    const adopt = () => {
      this.#fitted = fitted();
    };
    return { stages, adopt, transforming: () => rewriting(table, counted()), release };
  }

  /**
   * The rows of a table as numbers: a SparseMatrix if a text column or more than 50 columns of categories are in it, else a
   * DenseMatrix.
   * @throws TypeError or RangeError naming row and column
   */
  transform(table: Table): DenseMatrix | SparseMatrix {
    return rewritten(this.transforming(table));
  }

  /** `transform` in stages: run them, then call `matrix` or `dispose`. For pipelines. @internal */
  transforming(table: Table): Rewriting {
    return rewriting(table, this.#learned('transform').encoding);
  }

  /** `fit`, then `transform` of the same table; texts are read once. */
  fitTransform(table: Table): DenseMatrix | SparseMatrix {
    return rewritten(this.#fit(table, true)());
  }

  /** The numbers of one record: all, or the stored ones of a sparse row. @internal */
  transformOne(record: unknown): Float64Array | { indices: Uint32Array; values: Float64Array } {
    const { encoding } = this.#learned('predictOne');
    const row = this.#row ?? new RowBuffer();
    this.#row = undefined;
    row.length = 0;
    encoding.encode(recordOf(record, encoding.columns), -1, row);
    this.#row = row;
    const { columns, values, length } = row;
    if (encoding.isSparse) return { indices: columns.slice(0, length), values: values.slice(0, length) };
    const numbers = new Float64Array(encoding.cols);
    for (let k = 0; k < length; k++) numbers[columns[k] as number] = values[k] as number;
    return numbers;
  }

  /** The names of the columns of the result, for `explain`. @internal */
  namesIn(record: unknown): (column: number) => string | undefined {
    return namesInRecord(this.#learned('explain').encoding, record);
  }

  /**
   * The names of the columns of the result: `age`, `sex=F`, `body:word`, `age is missing`. Columns of hashed words have numbers
   * instead of words: `body:#17`.
   */
  get featureNames(): readonly string[] {
    const { encoding, vectorizers } = this.#learned('featureNames');
    return encoding.parts.flatMap((part) => {
      const { name, hasIndicator } = part;
      const names =
        part.kind === 'number'
          ? [name]
          : part.kind === 'category'
            ? part.values.map((value) => `${name}=${value}`)
            : wordsOf(vectorizers.get(name)?.featureNames, widthOf(part)).map((word) => `${name}:${word}`);
      return hasIndicator ? [...names, `${name} is missing`] : names;
    });
  }

  /** The columns of the table that was fitted: what each is, and why. */
  get columns(): readonly EncodedColumn[] {
    const { columns, encoding } = this.#learned('columns');
    const features = new Map(encoding.parts.map((part) => [part.name, widthOf(part) + Number(part.hasIndicator)]));
    return columns.map(({ name, kind, reason }) => ({ name, kind, reason, features: features.get(name) ?? 0 }));
  }

  /** Whether `transform` can be called. @internal */
  get isReady(): boolean {
    return this.#fitted !== undefined;
  }

  /** Columns of the result. @internal */
  get outputCols(): number {
    return this.#learned('outputCols').encoding.cols;
  }

  /** A new encoder with the same options but for `changes`. For pipelines. @internal */
  unfitted(changes?: TableEncoderOptions): TableEncoder {
    if (changes && !this.#options) {
      throw new RangeError('the options of a TableEncoder from a file cannot be changed: make a new one');
    }
    const other = new TableEncoder({ ...(changes && this.#options), ...changes });
    if (!changes) [other.#settings, other.#options] = [this.#settings, this.#options];
    return other;
  }

  /** The caller's options; undefined if it came from a file. For perceptron-wasm/cluster. @internal */
  get givenOptions(): TableEncoderOptions | undefined {
    return this.#options;
  }

  /** Takes over what another encoder has learned. For pipelines. @internal */
  adopt(other: TableEncoder): void {
    this.#fitted = other.#fitted;
  }

  /** Plain data, exact to the bit. It contains the categories and words of the training table. */
  toJSON(): TableEncoderJSON {
    return plain<TableEncoderJSON>(this.packed());
  }

  /** The JSON with the encoder's own arrays. @internal */
  packed(): Packed<TableEncoderJSON> {
    return packedTable(this.#learned('toJSON'), this.#settings);
  }

  /**
   * An encoder from `toJSON`.
   * @param options `allowPatterns`: use regular expressions of text columns; only for files that you trust
   * @throws TypeError or RangeError naming the wrong field
   */
  static fromJSON(json: unknown, options: { allowPatterns?: boolean } = {}): TableEncoder {
    const encoder = new TableEncoder();
    const { fitted, settings } = fittedFrom(json, expectOptions(options, ['allowPatterns'], 'TableEncoder.fromJSON'));
    encoder.#fitted = fitted;
    [encoder.#settings, encoder.#options] = [settings, undefined];
    return encoder;
  }

  #learned(what: string): FittedTable {
    if (!this.#fitted) throw new NotFittedError(`this TableEncoder is not fitted yet: call fit before ${what}`);
    return this.#fitted;
  }
}

const wordsOf = (words: readonly string[] | undefined, width: number): readonly string[] =>
  words ?? Array.from({ length: width }, (_, k) => `#${k}`);

/** A table that becomes rows of numbers. */
interface Rewriting {
  readonly stages: Stage[];
  matrix(): DenseMatrix | SparseMatrix;
  dispose(): void;
}

function rewriting(table: Table, encoding: TableEncoding): Rewriting {
  const { rows, value } = tableOf(table, encoding.columns);
  const { take, matrix, dispose } = encoding.isSparse ? sparseRows(encoding.cols) : denseRows(rows, encoding.cols);
  const row = new RowBuffer();
  let i = 0;
  const valueAt = (k: number) => value(i, k);
  const stage: Stage = {
    count: rows,
    size: rowsInPiece(encoding.columns.length),
    piece(from, to) {
      for (i = from; i < to; i++) {
        row.length = 0;
        encoding.encode(valueAt, i, row);
        take(i, row);
      }
    },
  };
  return { stages: [stage], matrix, dispose };
}

/** All stages at once. */
function rewritten({ stages, matrix, dispose }: Rewriting): DenseMatrix | SparseMatrix {
  try {
    for (const stage of stages) stage.piece(0, stage.count);
    return matrix();
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Rows of a result, taken one after the other. */
interface Result {
  take(i: number, row: RowBuffer): void;
  matrix(): DenseMatrix | SparseMatrix;
  dispose(): void;
}

function denseRows(rows: number, cols: number): Result {
  const matrix = DenseMatrix.allocate(rows, cols);
  const take = (i: number, { columns, values, length }: RowBuffer) => {
    const { data } = matrix;
    for (let k = 0; k < length; k++) data[i * cols + (columns[k] as number)] = values[k] as number;
  };
  return { take, matrix: () => matrix, dispose: () => matrix.dispose() };
}

function sparseRows(cols: number): Result {
  const builder = new SparseBuilder({ cols });
  const take = (_: number, { columns, values, length }: RowBuffer) => void builder.add(columns, values, length);
  return { take, matrix: () => builder.finish(), dispose: () => builder.dispose() };
}
