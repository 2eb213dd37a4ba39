// CSV and TSV (RFC 4180) into a dense matrix.

import type { DenseRows } from './block.js';
import { type BlockOptions, readRows } from './blocks.js';
import { CsvParser, featuresOf } from './csvparser.js';
import { LabelList, withLabelsOf } from './labels.js';
import { detectLayout, type Layout } from './layout.js';
import { type Dataset, type ReadOptions, refuseLabels, resolveOptions } from './options.js';
import { DensePieces } from './pieces.js';
import { reading } from './reading.js';
import type { Source } from './source.js';
import { expectText } from './text.js';
import type { ByteWindow } from './window.js';

/**
 * Reads CSV or TSV into a dense matrix. Detects the delimiter, the header and the label column; `label.reason` says why it chose that column.
 * @throws DataError naming source, line and column; TypeError or RangeError naming the option
 *
 * @example
 * const text = new TextEncoder().encode('height,weight,kind\n3,4,cat\n9,8,dog\n'); // a path, a URL or a File works, too
 * const { X, y, featureNames } = await readCsv(text, { label: 'kind' });
 * console.log(X.rows, y, featureNames); // → 2 [ 'cat', 'dog' ] [ 'height', 'weight' ]
 */
export async function readCsv(source: Source, options: ReadOptions = {}): Promise<Dataset> {
  const settings = resolveOptions(options, 'readCsv');
  return reading(source, settings, readCsvFrom);
}

/** `readCsv` from a window. */
export async function readCsvFrom(window: ByteWindow, blocks?: BlockOptions): Promise<Dataset> {
  refuseLabels(window.settings, 'CSV', 'in a column ("label")');
  await expectText(window);
  const layout = await detectLayout(window);
  expectColumns(window, layout);
  const { columns, delimiter, names, label, ignored, notes } = layout;
  const rows = new DensePieces(Number.isFinite(columns) ? featuresOf(layout) : 1, 'float64');
  const list = new LabelList(window);
  const parser = new CsvParser(window, layout, rows, list, names !== undefined);
  const merge = ({ values, texts, codes }: DenseRows) => {
    if (!list.addAll(texts, codes)) return false;
    rows.add(values);
    return true;
  };
  await readRows(window, { layout, parser, merge }, blocks);
  if (window.rows === 0) throw window.fault('there are no rows in it: only a header');
  const featureNames = names?.filter((_, j) => j !== label?.index && !ignored.has(j));
  const labels = list.finish(); // checked before X is made, which the caller would have to dispose
  return withLabelsOf(
    {
      X: rows.finish(),
      ...(featureNames && { featureNames }),
      ...(label && { label }),
      format: 'csv',
      delimiter,
      ...(notes.length > 0 && { notes }),
    },
    labels,
  );
}

/** Checks the number of features: at least one, and as many as the model has. @throws DataError */
function expectColumns(window: ByteWindow, layout: Layout): void {
  const { cols } = window.settings;
  const { columns, label, names, ignored } = layout;
  const features = featuresOf(layout);
  if (features === 0) {
    const left = ignored.size > 0 ? ' that is not ignored' : '';
    const what = label ? `one column only${left}, the label: expected features beside it` : `no column${left}`;
    throw window.fault(`there is ${what}`);
  }
  if (cols === undefined || features === cols || columns === Infinity) return;
  const taken = label && `field ${label.index + 1}${names ? ` (${JSON.stringify(label.name)})` : ''} as the label`;
  throw window.fault(
    `expected ${cols} columns of features, got ${features}${taken ? `, with ${taken}` : ', and no label'}`,
  );
}
