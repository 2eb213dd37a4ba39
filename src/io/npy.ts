// NumPy .npy: a matrix of rows, and its labels in another file or an array.

import { show } from '../errors.js';
import { DenseMatrix, type Dtype, type Label, type Labels } from '../index.js';
import { withLabelsOf } from './labels.js';
import { NPY_MAGIC, type NpyHeader, readHeader } from './npyheader.js';
import { readValues } from './npyvalues.js';
import { NumberLists } from './numberlist.js';
import { type Dataset, type ReadOptions, refuseIgnore, resolveOptions, type Settings } from './options.js';
import { DensePieces, type Values } from './pieces.js';
import { reading } from './reading.js';
import { isBytes, isSource, nameOf, type Source } from './source.js';
import { beginsWith } from './text.js';
import { readTextLabels } from './textlabels.js';
import type { ByteWindow } from './window.js';

/**
 * Reads a NumPy matrix; f4, u1, i1 and i2 stay as they are, all others become float64. `labels` is the source of its labels.
 * @throws DataError naming the source, and the row and column of a wrong value; TypeError or RangeError naming the option
 *
 * @example
 * const header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }".padEnd(117);
 * const file = new TextEncoder().encode(`_NUMPY__v_${header}\nabcdef`); // np.save writes such a file
 * file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]);
 * const { X, y } = await readNpy(file, { labels: ['yes', 'no'] });
 * console.log(X.rows, X.cols, y); // → 2 3 [ 'yes', 'no' ]
 */
export async function readNpy(source: Source, options: ReadOptions = {}): Promise<Dataset> {
  const settings = resolveOptions(options, 'readNpy');
  const { labels } = settings;
  if (labels !== undefined && !isSource(labels) && !isList(labels)) {
    throw new TypeError(`"labels" must be a source or an array of labels, got ${show(labels)}`);
  }
  return withLabels(await reading(source, settings, readMatrix), settings);
}

const isList = (value: unknown): value is Labels =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'length') === 'number';

/** What a matrix stores as it is; all else becomes float64. */
const DTYPES: Readonly<Record<string, Dtype>> = { f4: 'float32', u1: 'uint8', i1: 'int8', i2: 'int16' };

/** Reads a matrix from a window. */
export async function readMatrix(window: ByteWindow): Promise<DenseMatrix<Dtype>> {
  const { cols: expected, maxCols } = window.settings;
  refuseIgnore(window.settings, '.npy');
  const header = await readHeader(window);
  const [rows = 0, cols = 0] = header.shape;
  if (header.shape.length !== 2) {
    const hint = header.shape.length === 1 ? ': save X.reshape(-1, 1) if it is a column' : '';
    throw window.fault(`expected an array of two dimensions, got ${header.shape.length}${hint}`);
  }
  if (rows === 0 || cols === 0) throw window.fault(`there is nothing in it: its shape is ${rows} × ${cols}`);
  if (cols > maxCols) throw window.fault(`it has ${cols} columns, and "maxCols" allows ${maxCols}`);
  if (expected !== undefined && cols !== expected) throw window.fault(`expected ${expected} columns, got ${cols}`);
  expectBytes(window, header);
  window.expectRows(rows);
  const dtype = DTYPES[header.element.kind + header.element.bytes] ?? 'float64';
  // If the size of the source agrees with the header, the matrix is allocated at once; else memory grows with the bytes read.
  const isSure = window.size !== undefined;
  let matrix: DenseMatrix<Dtype> | undefined = isSure ? DenseMatrix.allocate(rows, cols, { dtype }) : undefined;
  // In column order the length of a column is not trusted.
  const pieces = new DensePieces(header.isByColumns ? 1 : cols, dtype);
  const placeOf = header.isByColumns
    ? (at: number) => `[${at % rows}][${Math.floor(at / rows)}]`
    : (at: number) => `[${Math.floor(at / cols)}][${at % cols}]`;
  let count = 0;
  try {
    await readValues(window, header.element, rows * cols, placeOf, (values) => {
      if (matrix) place(matrix, values, count, header.isByColumns);
      else pieces.add(values);
      count += values.length;
      if (!header.isByColumns) window.rows = Math.floor(count / cols);
    });
    window.rows = rows;
    if (matrix) return matrix;
    if (!header.isByColumns) return pieces.finish();
    const turned = DenseMatrix.allocate(rows, cols, { dtype });
    matrix = turned;
    pieces.drain((values, at) => place(turned, values, at, true));
    return turned;
  } catch (error) {
    matrix?.dispose();
    throw error;
  }
}

/** Copies values to their places in the matrix; `at` values came before them. */
function place({ data, rows, cols }: DenseMatrix<Dtype>, values: Values, at: number, byColumns: boolean): void {
  if (!byColumns) {
    data.set(values, at);
    return;
  }
  let [i, j] = [at % rows, Math.floor(at / rows)];
  for (let k = 0; k < values.length; k++) {
    data[i * cols + j] = values[k] as number;
    if (++i === rows) [i, j] = [0, j + 1];
  }
}

/** @throws DataError if the header does not agree with the size of the source */
function expectBytes(window: ByteWindow, { element, shape }: NpyHeader): void {
  const bytes = shape.reduce((product, length) => product * length, element.bytes);
  const claim = `its header says ${shape.join(' × ')} values of ${element.name}, ${bytes} bytes`;
  if (!Number.isSafeInteger(bytes)) throw window.fault(`${claim}, which is more than any file has`);
  const there = window.size === undefined ? bytes : window.size - window.start;
  if (there !== bytes) throw window.fault(`${claim}, but ${there} bytes follow`);
}

/** Reads the labels of X. Disposes of X if that fails. */
export async function withLabels(X: DenseMatrix<Dtype>, settings: Settings): Promise<Dataset> {
  try {
    return withLabelsOf({ X, format: 'npy' }, await labelsFor(X.rows, settings));
  } catch (error) {
    X.dispose();
    throw error;
  }
}

async function labelsFor(rows: number, settings: Settings): Promise<() => Label[]> {
  const { labels, maxBytes, signal } = settings;
  if (labels === undefined) return () => [];
  if (isBytes(labels) ? isLabels(labels, rows) : !isSource(labels)) {
    const list = Array.from(labels as Labels);
    if (list.length !== rows) throw new RangeError(`"labels" has ${list.length} labels, X has ${rows} rows`);
    return () => list;
  }
  const source = labels as Source;
  const name = nameOf(source) === '<input>' ? '<labels>' : nameOf(source);
  const own = resolveOptions({ name, maxBytes, ...(signal && { signal }) }, 'labels');
  return reading(source, own, (window) => readLabels(window, rows));
}

/** Whether bytes are the labels, not a file of labels. */
const isLabels = (bytes: Uint8Array, rows: number): boolean =>
  bytes.length === rows && !beginsWith(bytes, NPY_MAGIC) && !beginsWith(bytes, [0x1f, 0x8b]);

async function readLabels(window: ByteWindow, rows: number): Promise<() => Label[]> {
  await window.fill();
  const isNpy = beginsWith(window.bytes.subarray(0, window.end), NPY_MAGIC);
  if (isNpy) return readNpyLabels(window, rows);
  const labels = await readTextLabels(window);
  if (labels.length !== rows) throw window.fault(`expected ${rows} labels, one for each row, got ${labels.length}`);
  return labels.finish();
}

async function readNpyLabels(window: ByteWindow, rows: number): Promise<() => Label[]> {
  const header = await readHeader(window, 'labels that are words can be text: np.savetxt(file, y, fmt="%s")');
  const [count = 0, width = 1, ...more] = header.shape;
  if (header.shape.length === 0 || width !== 1 || more.length > 0) {
    throw window.fault(`expected labels of one dimension, got shape ${header.shape.join(' × ') || '()'}`);
  }
  if (count !== rows) throw window.fault(`expected ${rows} labels, one for each row, got ${count}`);
  expectBytes(window, header);
  const labels = new NumberLists();
  await readValues(
    window,
    header.element,
    count,
    (at) => `[${at}]`,
    (values) => {
      for (const value of values) labels.add(value + 0); // −0 is 0
    },
  );
  return () => Array.from(labels.current, (value) => (header.element.kind === 'b' ? value === 1 : value));
}
