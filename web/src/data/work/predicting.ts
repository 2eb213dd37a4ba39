// Answers for all rows of a second file: its columns are found by their names, or else by their places.

import { DenseMatrix, type Label } from 'perceptron-wasm';
import { predictionLines, readData, readTable, type TableData } from 'perceptron-wasm/io';
import type { Predicted } from '../types.js';
import { short } from '../words.js';
import { classCounts } from './classes.js';
import { type Context, looking } from './context.js';
import { inSlices } from './looking.js';
import { type Data, readOptions } from './reading.js';
import { type Column, type Input, release } from './rows.js';
import type { Asked } from './using.js';

/** Answers that are shown; the file has all. */
const MOST_SHOWN = 10;

interface Questions {
  readonly X: Input;
  /** Empty where the file does not have the answers. */
  readonly y: readonly (Label | null)[];
  readonly notes: readonly string[];
}

/** What is known of the data that the model was trained on. */
interface Known extends Pick<Data, 'summary' | 'featureNames'> {
  readonly kinds: Data['kinds'] | undefined;
  /** Columns of the rows, where they are numbers. */
  readonly cols: number;
  readonly isLinear: boolean;
}

/** @throws RangeError naming the column or the row that is missing, DataError */
export async function predictFile(
  { model, calibrated }: Asked,
  known: Known,
  file: File,
  context: Context,
): Promise<Predicted> {
  const { X, y, notes } = await questionsIn(file, known, context);
  const answers: Label[] = [];
  const chunks: string[] = [];
  const use = (slice: Input, from: number) => {
    const labels: Label[] = model.predict(slice as never);
    for (const label of labels) answers.push(label);
    const lines = calibrated
      ? predictionLines(labels, tableOf(calibrated.predictProbability(slice as never)), model.classes)
      : predictionLines(labels, model.decisionFunction(slice as never), model.classes);
    const text = [...lines].join('');
    const end = text.indexOf('\n') + 1;
    const head = calibrated ? text.slice(0, end).replaceAll('score_', 'probability_') : text.slice(0, end);
    chunks.push(from === 0 ? head + text.slice(end) : text.slice(end));
  };
  try {
    await inSlices(X, known.isLinear, use, looking(X.rows, context));
  } finally {
    release(X);
  }
  const [head = [], ...first] = (chunks[0] ?? '').split('\n', MOST_SHOWN + 1).map((line) => line.split(','));
  const right = y.filter((label, i) => label !== null && String(label) === String(answers[i])).length;
  const rows = y.filter((label) => label !== null).length;
  return {
    file: file.name,
    rows: answers.length,
    counts: classCounts(answers)
      .map((one) => ({ name: String(one.label), value: one.rows }))
      .sort((a, b) => b.value - a.value),
    head,
    first: first.filter((cells) => cells.length > 1),
    ...(rows > 0 && { right: { right, rows } }),
    notes,
    blob: new Blob(chunks, { type: 'text/csv' }),
  };
}

/** The probability of each class; the library gives that of the second where there are two. */
function tableOf(found: Float64Array | { data: Float64Array; rows: number; cols: number }) {
  if (!(found instanceof Float64Array)) return found;
  const data = Float64Array.from({ length: 2 * found.length }, (_, i) => {
    const second = found[i >> 1] as number;
    return i % 2 === 0 ? 1 - second : second;
  });
  return { data, rows: found.length, cols: 2 };
}

async function questionsIn(file: File, known: Known, context: Context): Promise<Questions> {
  const { format, hasHeader } = known.summary;
  if (format === 'libsvm' || format === 'npy') {
    const { X, y } = await readData(file, { ...readOptions({ file, ignore: [] }, context), cols: known.cols });
    return { X, y, notes: [] };
  }
  const kinds = known.kinds ?? Object.fromEntries((known.featureNames ?? []).map((name) => [name, 'number' as const]));
  const asked = Object.entries(kinds).flatMap(([name, kind]) => (kind === 'ignore' ? [] : [[name, kind] as const]));
  const table = await readTable(file, {
    ...readOptions({ file, ignore: [] }, context),
    label: null,
    kinds: Object.fromEntries(asked),
    ...(format === 'csv' && { header: hasHeader }),
  });
  const names = asked.length > 0 ? asked.map(([name]) => name) : namesByPlace(table, known);
  const columns = Object.fromEntries(names.map((name) => [name, table.columns[name] as Column]));
  const label = known.summary.label?.name;
  const answers = label === undefined || names.includes(label) ? undefined : table.columns[label];
  const y = answers ? Array.from<number | string | null>(answers).map((one) => (Number.isNaN(one) ? null : one)) : [];
  const { problemCount, rows } = table;
  const notes = problemCount > 0 ? [`${problemCount} values could not be read, and count as missing.`] : [];
  return { X: known.kinds ? { columns, rows } : numbersOf(columns, rows), y, notes };
}

/** Without names, columns are those that stand where they stood in training; the label may be missing. */
function namesByPlace({ names }: TableData, { summary, cols }: Known): string[] {
  const { columns, ignored, label } = summary;
  const used = columns.flatMap((_, k) => (ignored.includes(k) || k === label?.index ? [] : [k]));
  if (names.length === columns.length) return used.map((k) => names[k] as string);
  if (names.length === cols) return [...names];
  throw new RangeError(`it has ${names.length} columns, and the model was trained on ${cols}`);
}

/** @throws RangeError naming the first gap */
function numbersOf(columns: Readonly<Record<string, Column>>, rows: number): DenseMatrix {
  const entries = Object.entries(columns);
  const X = DenseMatrix.allocate(rows, entries.length);
  try {
    const { data } = X;
    entries.forEach(([name, column], k) => {
      for (let i = 0; i < rows; i++) {
        const value = column[i];
        if (typeof value !== 'number' || Number.isNaN(value)) {
          throw new RangeError(
            `row ${i + 1} has no number in “${short(name)}”: the model was trained on rows without gaps`,
          );
        }
        data[i * entries.length + k] = value;
      }
    });
    return X;
  } catch (error) {
    X.dispose();
    throw error;
  }
}
