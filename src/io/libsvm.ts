// LIBSVM (SVMlight) text into a sparse matrix.

import { SparseBuilder } from '../index.js';
import type { SparseRows } from './block.js';
import { type BlockOptions, readRows } from './blocks.js';
import { withLabelsOf } from './labels.js';
import { LibsvmParser } from './libsvmparser.js';
import { type Dataset, type ReadOptions, refuseIgnore, refuseLabels, resolveOptions } from './options.js';
import { reading } from './reading.js';
import type { Source } from './source.js';
import { expectText } from './text.js';
import type { ByteWindow } from './window.js';

/**
 * Reads LIBSVM text into a sparse matrix. It needs little more memory than the matrix.
 * @throws DataError naming source, line and column; TypeError or RangeError naming the option
 *
 * @example
 * const { X, y } = await readLibsvm(new TextEncoder().encode('+1 3:1 7:2\n-1 4:1\n'), { cols: 10 });
 * console.log(X.rows, X.cols, y); // → 2 10 [ 1, -1 ]
 */
export async function readLibsvm(source: Source, options: ReadOptions = {}): Promise<Dataset<number>> {
  const settings = resolveOptions(options, 'readLibsvm');
  return reading(source, settings, readLibsvmFrom);
}

/** `readLibsvm` from a window. */
export async function readLibsvmFrom(window: ByteWindow, blocks?: BlockOptions): Promise<Dataset<number>> {
  const { cols } = window.settings;
  refuseLabels(window.settings, 'LIBSVM text', 'at the beginning of each line');
  refuseIgnore(window.settings, 'LIBSVM text');
  const builder = new SparseBuilder();
  try {
    await expectText(window);
    const parser = new LibsvmParser(window, builder);
    const { labels } = parser;
    const merge = (rows: SparseRows) => {
      addRows(builder, rows);
      for (const label of rows.labels) labels.add(label);
      parser.ignored += rows.ignored;
      return true;
    };
    await readRows(window, { parser, merge }, blocks);
    if (labels.length === 0) throw window.fault('there are no rows in it: only comments and blank lines');
    const X = builder.finish(cols === undefined ? {} : { cols });
    const rest = { X, format: 'libsvm' as const, ...(cols !== undefined && { ignored: parser.ignored }) };
    return withLabelsOf<number>(rest, () => [...labels.current]);
  } catch (error) {
    builder.dispose();
    throw error;
  }
}

/** Adds the rows that a worker read. */
function addRows(builder: SparseBuilder, { lengths, columns, values }: SparseRows): void {
  let at = 0;
  for (const length of lengths) {
    const end = at + length;
    builder.add(columns.subarray(at, end), values.subarray(at, end));
    at = end;
  }
}
