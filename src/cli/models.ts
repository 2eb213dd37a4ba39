// Model files: the format is detected from the content.

import { type AnyModel, loadModel, Pipeline } from '../index.js';
import { fromLiblinear, fromSklearn, toLiblinear, toSklearn } from '../io/index.js';
import type { DataMemory } from './data.js';
import { CommandError, inOneLine } from './errors.js';
import { type Input, readText } from './source.js';

export type ModelFormat = 'json' | 'liblinear' | 'sklearn';
export type Trained = Exclude<AnyModel, Pipeline>;

/** What train saves with the model, under "data": the label column, and the diagnosis on the training rows. */
export interface ModelMemory extends DataMemory {
  readonly format?: string;
  readonly delimiter?: string;
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

/** The model without its scaler. */
export const innerOf = (model: AnyModel): Trained => (model instanceof Pipeline ? model.model : model);

/** The names of the columns, if the model has them. */
export function namesOf(model: AnyModel): readonly string[] | undefined {
  const { featureNames } = innerOf(model).toJSON().options;
  return Array.isArray(featureNames) ? featureNames : undefined;
}

/** The number of columns of the model. */
function colsOf(model: AnyModel): number {
  if (model instanceof Pipeline) return model.scaler.means.length;
  const json = model.toJSON();
  return 'cols' in json ? json.cols : json.weights.length;
}

/** The most columns of a model without weights in its file; the readers' default of "maxCols". */
const MOST_COLS = 2 ** 24;

/** Reads a model file. @throws CommandError naming the file and what is wrong in it */
export async function readModel(input: Input, maxCols = MOST_COLS): Promise<SavedModel> {
  const text = await readText(input);
  try {
    const saved = modelIn(text);
    expectCols(saved, maxCols);
    return saved;
  } catch (error) {
    throw new CommandError(`${input.name} is not a valid model: ${inOneLine(error)}`, { cause: error });
  }
}

/** Limits "cols" of models with support vectors: a short file with sparse rows can claim any number, and memory grows with it. */
function expectCols({ model, cols }: SavedModel, maxCols: number): void {
  if (!('supports' in innerOf(model).toJSON()) || cols <= maxCols) return;
  throw new RangeError(`it is for rows of ${cols} columns, and --max-cols allows ${maxCols}`);
}

function modelIn(text: string): SavedModel {
  if (/^\s*solver_type\b/.test(text)) return described(loadModel(fromLiblinear(text).toJSON()), 'liblinear', undefined);
  if (!/^﻿?\s*\{/.test(text)) {
    throw new Error("expected perceptron-wasm's JSON, scikit-learn's coef_ as JSON, or LIBLINEAR's text");
  }
  const json = parsed(text);
  if ('coef_' in json) return described(loadModel(fromSklearn(json).toJSON()), 'sklearn', undefined);
  return described(loadModel(json), 'json', json.data);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text.replace(/^﻿/, ''));
  } catch (error) {
    throw new Error(`it is not JSON, or only a part of it (${inOneLine(error)})`, { cause: error });
  }
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
    ...(numberIn(rows) && { rows }),
    ...(numberIn(index) && { label: { index, ...(typeof name === 'string' && { name }) } }),
    ...(isColumns(rest.ignored) && { ignored: rest.ignored }),
    ...(numberIn(lower) && { margin: { lower, upper: numberIn(upper) ? upper : null } }),
    ...((numberIn(mistakeBound) || mistakeBound === null) && { mistakeBound }),
    ...(numberIn(accuracy) && { accuracy }),
  };
}

/** The text of a model file. @throws CommandError if the format cannot hold the model */
export function modelText(model: AnyModel, format: ModelFormat, memory: ModelMemory): string {
  if (format === 'json') return `${JSON.stringify({ ...model.toJSON(), data: memory })}\n`;
  try {
    return format === 'liblinear' ? toLiblinear(model) : `${JSON.stringify(toSklearn(model))}\n`;
  } catch (error) {
    throw new CommandError(`the model cannot be saved --as ${format}: ${inOneLine(error)}`, { cause: error });
  }
}
