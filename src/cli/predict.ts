// perceptron-wasm predict: writes one class a line.

import { shellWord, visible } from '../escape.js';
import type { Label } from '../index.js';
import { predictionLines } from '../io/index.js';
import type { TableEncoder } from '../prepare/index.js';
import type { ValuesOf } from './arguments.js';
import type { Context, Run } from './context.js';
import { type Data, expectColumns, expectHeader, ignoredIn, labelIn, loadData, warnOfUnknown } from './data.js';
import { EXIT, UsageError } from './errors.js';
import { expectNotRead, expectWritable, writeOutput } from './files.js';
import { encoderOf, namesOf, readModel, type SavedModel } from './models.js';
import type { PREDICT } from './options.js';
import { note, printJSON, label as shown } from './output.js';
import { progress } from './progress.js';
import type { RawTable } from './rawtable.js';
import { type Accuracy, accuracyOf, predictAll, type Scores, scoreAll } from './scoring.js';
import { type Input, looksLikeModel, openInput } from './source.js';
import { accuracyLine } from './story.js';
import { loadTableFor, warnOfCategories } from './tablefor.js';

type PredictValues = ValuesOf<typeof PREDICT.options>;

export const predict: Run<typeof PREDICT.options> = async ({ values, operands }, context) => {
  const [modelPath, dataPath] = operands as [string, string];
  if (modelPath === '-' && dataPath === '-') throw new UsageError('standard input (-) can be read only once');
  const { voice } = context;
  const { output } = values;
  if (voice.json && output === '-') throw new UsageError('--json and -o - both write to standard output');
  await expectNotRead(output, [modelPath, dataPath, values.labels]);
  await expectWritable(output);
  const input = await openInput(modelPath, context);
  if (await areSwapped(input, dataPath, context)) {
    throw new UsageError(`the model comes first: predict ${[dataPath, modelPath].map(operand).join(' ')}`);
  }
  const saved = await readModel(input, values['max-cols'], context);
  const { model } = saved;
  const paths = { modelPath, dataPath };
  const data = encoderOf(model)
    ? await loadTableOf(saved, paths, values, context)
    : await loadFor(saved, paths, values, context);
  const rows = 'table' in data ? data.table : data.X;
  const predictions = await predictAll(model, rows, progress(voice, 'predicting'), context);
  const scores = values.scores ? await scoreAll(model, rows, progress(voice, 'scoring'), context) : undefined;
  const accuracy = judge(predictions, data, saved, context);
  if (output !== undefined || !voice.json) {
    context.interrupt.signal.throwIfAborted();
    await writeOutput(
      output ?? '-',
      scores
        ? predictionLines(predictions, scores, model.classes)
        : plainLines(predictions, output === undefined && process.stdout.isTTY),
      context.interrupt.signal,
    );
  }
  if (voice.json) await printJSON(asJSON(predictions, scores, accuracy, { saved, data, values, modelPath, context }));
  else if (accuracy) note(voice, `accuracy ${accuracyLine(accuracy)}`);
  return EXIT.done;
};

/** Whether the arguments are swapped: the second file is a model, the first is not. */
async function areSwapped(first: Input, second: string, context: Context): Promise<boolean> {
  if (!first.head || looksLikeModel(first.head) || second === '-') return false;
  return looksLikeModel((await openInput(second, context)).head);
}

/** An operand to type: a name that begins as an option does is no option. */
const operand = (path: string): string => shellWord(/^-./.test(path) ? `./${path}` : path);

function* plainLines(predictions: readonly Label[], isSeen: boolean): Generator<string> {
  for (const label of predictions) yield `${isSeen ? visible(String(label)) : label}\n`;
}

interface Paths {
  readonly modelPath: string;
  readonly dataPath: string;
}

/** Reads the table that a model of tables takes. */
async function loadTableOf(
  { model, memory }: SavedModel,
  { modelPath, dataPath }: Paths,
  values: PredictValues,
  context: Context,
): Promise<RawTable> {
  const encoder = encoderOf(model) as TableEncoder;
  const input = await openInput(dataPath, context);
  const { label, ignored, header } = memory;
  const known = { encoder, name: modelPath, label: label?.name, ignored, isNameless: header === false };
  // What is wrong in the file is missing: the model knows what to do then.
  const table = await loadTableFor(input, known, { ...values, missing: 'median' }, context);
  warnOfCategories(table, encoder);
  return table;
}

/** Reads rows with the columns of the model, and with its label column if the file has it. */
async function loadFor(saved: SavedModel, paths: Paths, values: PredictValues, context: Context): Promise<Data> {
  const data = await loadRowsFor(saved, paths, values, context);
  expectColumns(data, saved.cols, namesOf(saved.model), paths.modelPath);
  return data;
}

async function loadRowsFor(
  { model, cols, memory }: SavedModel,
  { modelPath, dataPath: path }: Paths,
  values: PredictValues,
  context: Context,
): Promise<Data> {
  const input = await openInput(path, context);
  const columns = { name: modelPath, cols, names: namesOf(model) };
  const layout = { header: values.header, ignore: values.ignore ?? ignoredIn(input, memory, cols) };
  if (values.label !== undefined) {
    if (typeof values.label === 'string') expectHeader(input, columns, values.label, layout);
    return loadData(path, { ...values, ...layout, cols }, context, input);
  }
  const mayBeCsv = (values.format ?? 'csv') === 'csv' && values.labels === undefined;
  const label = mayBeCsv ? await labelIn(input, columns, memory, layout) : null;
  const because = label === undefined ? undefined : 'as in training';
  return loadData(path, { ...values, ...layout, cols, label, because }, context, input);
}

function judge(
  predictions: readonly Label[],
  data: Pick<Data, 'y' | 'name'> & Pick<RawTable, 'labelled'>,
  { model }: SavedModel,
  { voice }: Context,
): Accuracy | undefined {
  const { y, name, labelled } = data;
  if (y.length === 0) return undefined;
  const classes = model.classes.map(String);
  if (!y.some((label) => classes.includes(String(label)))) {
    note(
      voice,
      `no accuracy: the labels of ${name}, such as ${shown(y[0] ?? '')}, are none of the model's (${model.classes.slice(0, 5).map(shown).join(', ')})`,
    );
    return undefined;
  }
  warnOfUnknown(data, model.classes);
  return accuracyOf(labelled ? Array.from(labelled, (i) => predictions[i] as Label) : predictions, y);
}

interface Told {
  saved: SavedModel;
  data: Data | RawTable;
  values: PredictValues;
  modelPath: string;
  context: Context;
}

function asJSON(
  predictions: readonly Label[],
  scores: Scores | undefined,
  accuracy: Accuracy | undefined,
  { saved, data, values, modelPath, context }: Told,
) {
  const { output } = values;
  return {
    command: 'predict',
    version: context.version,
    model: modelPath,
    data: { file: data.name, format: data.format, ...shapeOf(data) },
    classes: saved.model.classes,
    accuracy: accuracy?.share ?? null,
    ...(accuracy && { right: accuracy.right }),
    output: output ?? null,
    ...(output === undefined && { predictions, ...(scores && { scores: scoreRows(scores) }) }),
  };
}

const shapeOf = (data: Data | RawTable) =>
  'table' in data
    ? { rows: data.table.rows, cols: data.columns.length, ignored: 0 }
    : { rows: data.X.rows, cols: data.X.cols, ignored: data.ignored ?? 0 };

const scoreRows = (scores: Scores): number[] | number[][] =>
  scores instanceof Float64Array
    ? [...scores]
    : Array.from({ length: scores.rows }, (_, i) => [...scores.data.subarray(i * scores.cols, (i + 1) * scores.cols)]);
