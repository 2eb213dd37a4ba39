// Tables as rows of numbers: fits a TableEncoder, a piece at a time, so that a progress bar can move and Ctrl-C works.

import { TableEncoder } from '../prepare/index.js';
import { breathe, type Context } from './context.js';
import { type Data, expectLabels } from './data.js';
import { CommandError } from './errors.js';
import { counted, note } from './output.js';
import { NO_BAR, type Progress, progress } from './progress.js';
import { type RawTable, sayTable } from './rawtable.js';
import type { Matrix } from './rows.js';
import type { TableRows } from './tablerows.js';
import type { TrainValues } from './trainers.js';

/** How long to work before Ctrl-C is looked for, in milliseconds. */
const SLICE_MS = 50;

export interface Encoded {
  readonly encoder: TableEncoder;
  readonly X: Matrix;
}

const MOST_NAMES = 10;

type Stages = ReturnType<TableEncoder['fitting']>['stages'];

/** Fits an encoder to a table and encodes its rows; `rows`: some rows of the table, as in a fold. */
export async function encodeTable(
  { kinds, missing }: Pick<RawTable, 'kinds' | 'missing'>,
  rows: TableRows,
  context: Context,
  bar: Progress = NO_BAR,
): Promise<Encoded> {
  const encoder = new TableEncoder({ columns: kinds, missing });
  try {
    const fitting = encoder.fitting(rows, true);
    try {
      await runStages(fitting.stages, rows.rows, context, bar);
      fitting.adopt();
    } finally {
      fitting.release();
    }
    const transforming = fitting.transforming();
    try {
      await runStages(transforming.stages, rows.rows, context, bar);
      return { encoder, X: transforming.matrix() };
    } catch (error) {
      transforming.dispose();
      throw error;
    }
  } finally {
    bar.end();
  }
}

async function runStages(stages: Stages, rows: number, context: Context, bar: Progress): Promise<void> {
  let began = performance.now();
  for (const stage of stages) {
    const { count, size } = stage;
    for (let from = 0; from < count; from += size) {
      stage.piece(from, Math.min(count, from + size));
      if (performance.now() - began < SLICE_MS) continue;
      bar.update(from, count, () => counted(rows, 'row'));
      await breathe(context);
      began = performance.now();
    }
  }
}

/** A table as rows to learn from; says what each column was taken for. @throws CommandError if it has no labels or no features */
export async function dataOf(raw: RawTable, context: Context): Promise<Data> {
  expectLabelOf(raw);
  sayTable(raw, context);
  const { name, columns, table, format, delimiter, label, readMs, y } = raw;
  if (columns.every(({ kind }) => kind === 'ignore')) {
    const why = columns.length === 0 ? 'there is one column only, the label' : 'every column is left out';
    throw new CommandError(
      `${name} has no features to learn from: ${why} (say what a column is with --category or --text)`,
    );
  }
  const started = performance.now();
  const encoded = await encodeTable(raw, table, context, progress(context.voice, 'encoding'));
  const encodeMs = performance.now() - started;
  return {
    ...encoded,
    y,
    name,
    format,
    readMs,
    encodeMs,
    raw,
    ...(delimiter !== undefined && { delimiter }),
    ...(label && { label }),
  };
}

/** @throws CommandError naming the columns that may be the label */
function expectLabelOf(raw: RawTable): void {
  const likely = raw.columns.filter(({ kind }) => kind === 'category').map(({ name }) => JSON.stringify(name));
  if (raw.label || likely.length === 0) {
    expectLabels(raw);
    return;
  }
  const names = likely.slice(0, MOST_NAMES).join(', ') + (likely.length > MOST_NAMES ? ', …' : '');
  const hold = likely.length === 1 ? 'holds' : 'hold';
  throw new CommandError(`${raw.name}: ${names} ${hold} words: say which one is the label (--label)`);
}

/** --scale for tables: their numbers are standardised already; --scale unit-ball comes after that. @throws CommandError */
export function forTables({ scale, ...values }: TrainValues, { voice }: Context): TrainValues {
  if (scale === undefined || scale === 'unit-ball') return { ...values, ...(scale && { scale }) };
  if (scale === 'standardize') {
    note(voice, '--scale standardize: the numbers of a table are standardised anyway');
    return values;
  }
  throw new CommandError(
    `--scale ${scale} is not for tables, whose numbers are standardised: leave it out, or use --scale unit-ball`,
  );
}
