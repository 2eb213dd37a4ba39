// perceptron-wasm inspect: describes a data file or a model.

import { visible } from '../escape.js';
import type { Run } from './context.js';
import { warnOfManyClasses } from './data.js';
import { EXIT } from './errors.js';
import { inspectModel } from './inspectmodel.js';
import { inspectTable } from './inspecttable.js';
import { loadEither } from './loading.js';
import { type ColumnSize, type Measures, measure, SCALE_RATIO } from './measure.js';
import { readModel } from './models.js';
import type { INSPECT } from './options.js';
import { count, counted, percent, print, printJSON, short } from './output.js';
import { readTableFile } from './rawtable.js';
import { classCounts, isSparse, type Matrix } from './rows.js';
import { looksLikeModel, openInput } from './source.js';
import { classLine, columnNames, shapeLine } from './story.js';
import { sheet } from './tables.js';

export const inspect: Run<typeof INSPECT.options> = async ({ values, operands }, context) => {
  const path = operands[0] as string;
  const { voice, version } = context;
  const input = await openInput(path, context);
  if (looksLikeModel(input.head)) {
    await inspectModel(await readModel(input, values['max-cols'], context), input.name, values.top ?? 10, context);
    return EXIT.done;
  }
  const data = await loadEither(path, values, context, (file) => readTableFile(file, values, context), input);
  if ('problems' in data) {
    await inspectTable(data, values, context);
    return EXIT.done;
  }
  const { X, y, format, featureNames } = data;
  const classes = classCounts(y);
  warnOfManyClasses(data, classes);
  const measures = measure(X);
  if (voice.json) {
    const sparsity = isSparse(X) ? { nonZeros: X.nonZeros, density: X.nonZeros / (X.rows * X.cols) } : {};
    const { name: file, label, delimiter, notes } = data;
    const shape = { file, format, rows: X.rows, cols: X.cols, ...sparsity };
    await printJSON({
      command: 'inspect',
      version,
      kind: 'data',
      ...shape,
      delimiter,
      label,
      featureNames,
      classes,
      ...measures,
      ...(notes && { notes }),
    });
    return EXIT.done;
  }
  const { norms } = measures;
  await print(
    `${sheet([
      ['data', `${visible(data.name)}: ${shapeLine(data)}`],
      ...(isSparse(X) ? [['sparsity', sparsityLine(X)] as const] : []),
      ['classes', classes.length > 0 ? classLine(classes) : 'no labels'],
      ['values', `from ${short(measures.values.min)} to ${short(measures.values.max)}`],
      ['lengths', lengthLine(norms)],
      ['columns', columnLine(measures, columnNames(format, featureNames))],
      ['advice', adviceFor(X, measures, classes.length)],
    ])}\n`,
  );
  return EXIT.done;
};

function sparsityLine(X: Matrix & { nonZeros: number }): string {
  const dense = X.rows * X.cols;
  return `${percent(1 - X.nonZeros / dense, 1)} of the values are 0; ${short(X.nonZeros / X.rows)} others in a row on average`;
}

function lengthLine({ min, median, max }: Measures['norms']): string {
  if (short(min) === short(max)) return `all rows are ${short(max)} long`;
  return `rows are ${short(min)} to ${short(max)} long, half of them up to ${short(median)}`;
}

function columnLine({ columns: { empty, smallest, largest } }: Measures, nameOf: (index: number) => string): string {
  if (largest.index < 0) return 'all values are 0';
  const named = ({ index, size }: ColumnSize) => `${short(size)} (${visible(nameOf(index))})`;
  const none = empty > 0 ? `; ${counted(empty, 'column')} with nothing but 0` : '';
  return `mean size from ${named(smallest)} to ${named(largest)}${none}`;
}

function adviceFor(X: Matrix, { columns: { smallest, largest } }: Measures, classes: number): string {
  const tips: string[] = [];
  const ratio = largest.size / smallest.size;
  // Sparse columns are small because few values are not 0, not because of their unit.
  if (ratio > SCALE_RATIO && !isSparse(X)) {
    tips.push(`columns differ in size by a factor of ${count(Math.round(ratio))}: train with --scale standardize`);
  }
  if (classes > 2) tips.push(`${classes} classes: train takes --trainer multiclass; try --strategy multinomial, too`);
  if (classes === 1) tips.push('one class only: a classifier needs two');
  return tips.length > 0 ? tips.join('; ') : 'none';
}
