// Model files: the format is detected from the content.

import { type AnyModel, Pipeline, Scaler } from '../index.js';
import {
  DataError,
  fromLiblinear,
  fromSklearn,
  jsonChunks,
  readModelFile,
  toLiblinear,
  toOnnx,
  toSklearn,
} from '../io/index.js';
import { loadModel, TableEncoder } from '../prepare/index.js';
import type { Context } from './context.js';
import type { DataMemory } from './data.js';
import { CommandError, inOneLine } from './errors.js';
import { type Input, sizeOf } from './source.js';

type ModelFormat = 'json' | 'liblinear' | 'sklearn';
export type ExportFormat = ModelFormat | 'onnx';
export type Trained = Exclude<AnyModel, Pipeline>;

/** What train saves with the model, under "data": the label column, and the diagnosis on the training rows. */
export interface ModelMemory extends DataMemory {
  readonly format?: string;
  readonly delimiter?: string;
  /** false: the columns of the table have no names but x1, x2, … */
  readonly header?: false;
  readonly rows?: number;
  readonly margin?: { readonly lower: number; readonly upper: number | null };
  readonly mistakeBound?: number | null;
  readonly accuracy?: number;
}

export interface SavedModel {
  readonly model: AnyModel;
  readonly format: ModelFormat;
  readonly memory: ModelMemory;
  readonly cols: number;
}

/** The model without the steps before it. */
export const innerOf = (model: AnyModel): Trained => (model instanceof Pipeline ? model.model : model);

/** What a model does with its input before it sees rows. */
export const stepsOf = (model: AnyModel): readonly unknown[] => (model instanceof Pipeline ? model.steps : []);

export const scalerOf = (model: AnyModel): Scaler | undefined =>
  stepsOf(model).find((step): step is Scaler => step instanceof Scaler);

/** The encoder of a model of tables. */
export function encoderOf(model: AnyModel): TableEncoder | undefined {
  const [first] = stepsOf(model);
  return first instanceof TableEncoder ? first : undefined;
}

/** The names of the columns of the model's rows, if it has them; an encoder or a vectorizer gives them their names. */
export function namesOf(model: AnyModel): readonly string[] | undefined {
  const maker = stepsOf(model)
    .filter((step) => !(step instanceof Scaler))
    .at(-1);
  const { featureNames } = (maker as { featureNames?: unknown } | undefined) ?? innerOf(model).packed().options;
  return Array.isArray(featureNames) ? featureNames : undefined;
}

/** The options of the model, as its file has them. */
export const optionsOf = (model: Trained): Record<string, unknown> =>
  JSON.parse([...jsonChunks(model.packed().options)].join(''));

/** The number of columns of the model's rows. */
function colsOf(model: AnyModel): number {
  const json = innerOf(model).packed();
  return 'cols' in json ? json.cols : (json.weights as Float64Array).length;
}

/** The most columns of a model without weights in its file; the readers' default of "maxCols". */
const MOST_COLS = 2 ** 24;

/** The most bytes of a model from a stream, and from a file that is compressed. */
const MOST_BYTES = 2 ** 30;

/** Reads a model file. @throws CommandError naming the file and what is wrong in it; the signal's reason */
export async function readModel(input: Input, maxCols = MOST_COLS, context?: Context): Promise<SavedModel> {
  const { source, name } = input;
  const signal = context?.interrupt.signal;
  // A file that is there is read whatever its size: a number of two bytes takes eight in memory.
  const maxBytes = Math.max(MOST_BYTES, 4 * (await sizeOf(source)));
  try {
    const file = await readModelFile(source, { name, maxBytes, ...(signal && { signal }) }, true);
    const saved = modelIn(file);
    expectCols(saved, maxCols);
    return saved;
  } catch (error) {
    signal?.throwIfAborted();
    throw new CommandError(whyNot(error, name), { cause: error });
  }
}

/** Why a file is not read as a model. */
function whyNot(error: unknown, name: string): string {
  const message = inOneLine(error);
  if (!(error instanceof DataError)) return `${name} is not a valid model: ${message}`;
  const reason = message
    .slice(name.length + 2)
    .replace(/, and "maxBytes" .*/, ': decompress it, or save it as a file first');
  if (reason.startsWith('cannot be')) return `cannot read ${name}: it ${reason}`;
  const isText = reason.startsWith('byte ');
  return `${name} is not a valid model: ${isText ? `it is not JSON, or only a part of it (${reason})` : reason}`;
}

/** Limits "cols" of models with support vectors: a short file with sparse rows can claim any number, and memory grows with it. */
function expectCols({ model, cols }: SavedModel, maxCols: number): void {
  if (!('supports' in innerOf(model).packed()) || cols <= maxCols) return;
  throw new RangeError(`it is for rows of ${cols} columns, and --max-cols allows ${maxCols}`);
}

/** The model in a file: LIBLINEAR's text, or an object of JSON. */
function modelIn(file: unknown): SavedModel {
  if (typeof file === 'string' && /^\s*solver_type\b/.test(file)) {
    return described(loadModel(fromLiblinear(file).toJSON()), 'liblinear', undefined);
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file) || ArrayBuffer.isView(file)) {
    throw new Error("expected perceptron-wasm's JSON, scikit-learn's coef_ as JSON, or LIBLINEAR's text");
  }
  const json = file as Fields;
  if ('coef_' in json) return described(loadModel(fromSklearn(json).toJSON()), 'sklearn', undefined);
  return described(loadModel(json), 'json', json.data);
}

const described = (model: AnyModel, format: ModelFormat, data: unknown): SavedModel => ({
  model,
  format,
  memory: memoryFrom(data),
  cols: colsOf(model),
});

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
const numberIn = (value: unknown): value is number => typeof value === 'number';

const isColumns = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) && value.every((column) => typeof column === 'string' || Number.isInteger(column));

/** Reads "data" leniently: it does not change predictions, so fields of another form are left out. */
function memoryFrom(data: unknown): ModelMemory {
  const { format, delimiter, rows, mistakeBound, accuracy, ...rest } = fieldsOf(data);
  const { index, name } = fieldsOf(rest.label);
  const { lower, upper } = fieldsOf(rest.margin);
  return {
    ...(typeof format === 'string' && { format }),
    ...(typeof delimiter === 'string' && { delimiter }),
    ...(rest.header === false && { header: rest.header }),
    ...(numberIn(rows) && { rows }),
    ...(numberIn(index) && { label: { index, ...(typeof name === 'string' && { name }) } }),
    ...(isColumns(rest.ignored) && { ignored: rest.ignored }),
    ...(numberIn(lower) && { margin: { lower, upper: numberIn(upper) ? upper : null } }),
    ...((numberIn(mistakeBound) || mistakeBound === null) && { mistakeBound }),
    ...(numberIn(accuracy) && { accuracy }),
  };
}

/** What a user of the library can do about a step that a format lacks. */
const GIVE_PART = /; give pipeline\.model.*/;

/** A model file, in chunks. @throws CommandError if the format cannot hold the model */
export function* modelChunks(
  model: AnyModel,
  format: ExportFormat,
  memory: ModelMemory,
): Generator<string | Uint8Array> {
  if (format === 'json') {
    yield* jsonChunks({ ...model.packed(), data: memory });
    yield '\n';
    return;
  }
  try {
    yield format === 'onnx'
      ? toOnnx(model)
      : format === 'liblinear'
        ? toLiblinear(model)
        : `${JSON.stringify(toSklearn(model))}\n`;
  } catch (error) {
    throw new CommandError(`the model cannot be saved --as ${format}: ${inOneLine(error).replace(GIVE_PART, '')}`, {
      cause: error,
    });
  }
}
