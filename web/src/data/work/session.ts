// Data that was read and models that were trained, by number: the page asks for those that it shows, and says when it needs no
// others. So a broken file costs nobody their data, a fit that fails nobody their model, and an answer that came too late counts
// for nothing.

import { type AnyModel, type Diagnosis, type Label, Pipeline } from 'perceptron-wasm';
import { TableEncoder } from 'perceptron-wasm/prepare';
import { type Calibrated, calibrate, split } from 'perceptron-wasm/select';
import { type Choice, isLinear, suited } from '../choice.js';
import type { Answer, Cell, HardRow, Predicted, ReadRequest, Results, Summary } from '../types.js';
import { majorityOf } from './classes.js';
import { type Context, looking, pause } from './context.js';
import { type Frame, formOf, frameOf } from './frame.js';
import { linesOf, textOf } from './lines.js';
import { judge, type Looked, lookAt, marginsOf, planesOf, valuesOf } from './looking.js';
import { modelText } from './modelfile.js';
import { predictFile } from './predicting.js';
import { type Data, readFile } from './reading.js';
import { isTable, release, takeRows } from './rows.js';
import { storyOf } from './story.js';
import { fit, innerOf, makeModel } from './training.js';
import { answerFor } from './using.js';
import { columnWeights, viewOf } from './view.js';

interface Model {
  readonly model: AnyModel;
  readonly choice: Choice;
  readonly diagnosis: Diagnosis | undefined;
  readonly frame: Frame;
  readonly nameOfPart: (index: number) => string;
  readonly known: Pick<Data, 'summary' | 'featureNames' | 'memory'> & { readonly kinds: Data['kinds'] | undefined };
  readonly cols: number;
  calibrated?: Calibrated<Label, never>;
}

const MOST_HARD = 10;
/** Columns that “Try a row” has fields for. */
const MOST_FIELDS = 12;
/** With fewer rows, those held out would tell next to nothing. */
const LEAST_ROWS = 20;

/** A model's answers for rows that it has not seen. */
interface Trial {
  readonly model: AnyModel;
  readonly looked: Looked;
  readonly y: readonly Label[];
  readonly baseline: Label;
}

export class Session {
  readonly #data = new Map<number, Data>();
  readonly #models = new Map<number, Model>();
  #next = 1;
  readonly #workerUrl: string | undefined;

  constructor(workerUrl?: string) {
    this.#workerUrl = workerUrl;
  }

  /** Reads a file. @throws DataError naming the place */
  async read(request: ReadRequest, context: Context = {}): Promise<Summary> {
    const data = await readFile(this.#next++, request, context);
    this.#data.set(data.summary.data, data);
    return data.summary;
  }

  /** Trains on all rows; and once more without those held out, to be judged by them. @throws the signal's reason where there is nothing to keep yet */
  async train(number: number, asked: Choice, context: Context = {}): Promise<Results> {
    const { dropped, onProgress } = context;
    const data = this.#found(number);
    const { X, y, summary, featureNames } = data;
    const choice = suited(asked, summary);
    const model = makeModel(choice, data);
    const started = performance.now();
    await this.#fit(model, data, context);
    const fitMs = performance.now() - started;
    const isPartial = model.report.stopReason === 'aborted';
    const trial = isPartial ? 'training was stopped' : await this.#holdOut(data, choice, context);
    onProgress?.({ kind: 'looking' });
    await pause();
    dropped?.throwIfAborted();
    const diagnosis = isPartial ? undefined : model.diagnose(X as never, y);
    const known = await lookAt(model, X, y, isLinear(choice), looking(X.rows, context));
    const held = typeof trial === 'string' ? undefined : trial;
    const [judged, labels] = held ? [held.looked, held.y] : [known, y];
    const saved = this.#next++;
    const nameOf = columnNames(summary, featureNames);
    const frame = frameOf(data, nameOf);
    const weights = columnWeights(model, X, frame.columns.length, choice);
    this.#models.set(saved, {
      model,
      choice,
      diagnosis,
      frame,
      nameOfPart: isLinear(choice) ? nameOf : (index) => `row ${index + 1} (${y[index]})`,
      known: { summary, kinds: data.kinds, featureNames, memory: data.memory },
      cols: isTable(X) ? 0 : X.cols,
    });
    return {
      model: saved,
      summary,
      choice,
      story: storyOf(model.report, diagnosis, choice.trainer === 'averaged'),
      report: model.report,
      diagnosis,
      classes: model.classes.map(String),
      training: judge(known, y, model.classes, majorityOf(y) as Label),
      heldOut: held && judge(held.looked, held.y, model.classes, held.baseline),
      notHeldOut: choice.heldout > 0 && typeof trial === 'string' ? trial : undefined,
      margins: marginsOf(held?.model ?? model, judged, labels, isLinear(choice)),
      planes: isLinear(choice) ? planesOf(model, partNames(model, nameOf)) : [],
      hardest: await this.#hardest(data, model, known.predictions),
      form: formOf(frame, shownColumns(frame, weights), data),
      view: viewOf(model, frame, data, weights),
      fitMs,
    };
  }

  #found(number: number): Data {
    const data = this.#data.get(number);
    if (!data) throw new Error('there is no such data');
    return data;
  }

  #fit(model: AnyModel, { X, y }: Pick<Data, 'X' | 'y'>, { signal, onProgress }: Context, isTrial = false) {
    return fit(model, X, y, {
      ...(signal && { signal }),
      workerUrl: this.#workerUrl,
      onProgress: (progress) => onProgress?.(isTrial ? { ...progress, isTrial } : progress),
    });
  }

  /** Trains another model on a part of the rows, and asks it about the others; a sentence where that cannot be. */
  async #holdOut(data: Data, choice: Choice, context: Context): Promise<Trial | string> {
    const { X, y } = data;
    if (choice.heldout === 0) return '';
    if (y.length < LEAST_ROWS) return `there are only ${y.length} rows`;
    let parts: { train: Uint32Array; test: Uint32Array };
    try {
      const { train, test } = split([...y.keys()], y, { test: choice.heldout, seed: choice.seed });
      parts = { train: train.indices, test: test.indices };
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      throw error;
    }
    const part = (rows: Uint32Array) => ({ X: takeRows(X, rows), y: Array.from(rows, (row) => y[row] as Label) });
    const [train, test] = [part(parts.train), part(parts.test)];
    try {
      const model = makeModel(choice, data);
      await this.#fit(model, train, context, true);
      context.signal?.throwIfAborted();
      const looked = await lookAt(model, test.X, test.y, isLinear(choice), looking(test.X.rows, context));
      return { model, looked, y: test.y, baseline: majorityOf(train.y) as Label };
    } catch (error) {
      if (context.signal?.aborted && !context.dropped?.aborted) return 'that was stopped';
      throw error;
    } finally {
      release(train.X);
      release(test.X);
    }
  }

  #asked(number: number): Model {
    const found = this.#models.get(number);
    if (!found) throw new Error('there is no such model');
    return found;
  }

  /** What a model says of one row. @throws RangeError where a cell is none */
  try(number: number, cells: readonly Cell[]): Answer {
    return answerFor(this.#asked(number), cells);
  }

  /** What it says of all rows of a file. @throws RangeError, DataError */
  predict(number: number, file: File, context: Context = {}): Promise<Predicted> {
    const asked = this.#asked(number);
    const known = { ...asked.known, cols: asked.cols, isLinear: isLinear(asked.choice) };
    return predictFile(asked, known, file, context);
  }

  /** Learns probabilities by folds, each judged by a model that has not seen it. @throws RangeError where a class has too few rows */
  async calibrate(number: number, { signal }: Context = {}): Promise<true> {
    const asked = this.#asked(number);
    const data = this.#found(asked.known.summary.data);
    const few = Math.min(...data.summary.classes.map(({ rows }) => rows));
    if (few < 2) throw new RangeError('probabilities need two rows of each class, at least');
    const { choice } = asked;
    const made = await calibrate(makeModel(choice, data) as never, data.X as never, data.y as Label[], {
      folds: Math.min(5, few),
      seed: choice.seed,
      ...(signal && { signal }),
    });
    asked.calibrated = made as unknown as Calibrated<Label, never>;
    return true;
  }

  /** The rows that were the mistake most often, and where they stand in the file. */
  async #hardest(
    { X, y, summary, featureNames, file }: Data,
    model: AnyModel,
    predictions: readonly Label[],
  ): Promise<HardRow[]> {
    const hard = innerOf(model).hardest(MOST_HARD);
    // The file may have changed, or gone, since it was read: then the rows are known, and their lines are not.
    const wanted = hard.map(({ index }) => index);
    const lines = await linesIn(file, summary, wanted).catch(() => undefined);
    const nameOf = columnNames(summary, featureNames);
    return hard.map(({ index, updates }) => {
      const line = lines?.get(index);
      return {
        row: index + 1,
        ...(line !== undefined && { line }),
        updates,
        label: String(y[index]),
        predicted: String(predictions[index]),
        values: valuesOf(X, index, nameOf),
      };
    });
  }

  /** The model as a file. */
  save(number: number): Blob {
    const { model, known, diagnosis } = this.#asked(number);
    return new Blob([modelText(model, known.memory, diagnosis)], { type: 'application/json' });
  }

  /** Gives back the memory of all data but this, and lets go of all models but this; what is not named stays. */
  keep({ data: kept, model }: { readonly data?: number | undefined; readonly model?: number | undefined }): void {
    for (const [number, data] of kept === undefined ? [] : this.#data) {
      if (number === kept) continue;
      release(data.X);
      this.#data.delete(number);
    }
    for (const number of model === undefined ? [] : this.#models.keys()) {
      if (number !== model) this.#models.delete(number);
    }
  }

  dispose(): void {
    this.keep({ data: 0, model: 0 });
  }
}

/** The columns that have a field: all, or the heaviest, or the first; in the order of the file. */
function shownColumns({ columns }: Frame, weights: Float64Array | undefined): number[] {
  const all = [...columns.keys()];
  if (weights) all.sort((a, b) => (weights[b] as number) - (weights[a] as number));
  return all.slice(0, MOST_FIELDS).sort((a, b) => a - b);
}

/** The lines of rows, where the file is text. */
async function linesIn(file: File, { format, hasHeader, delimiter }: Summary, rows: readonly number[]) {
  if ((format !== 'csv' && format !== 'libsvm') || rows.length === 0) return undefined;
  return linesOf(await textOf(file), rows, { format, hasHeader, delimiter });
}

/** What people call a column: by its name, by LIBSVM's index from 1, or by its number from 0 as the command line does. */
function columnNames({ format }: Summary, names: readonly string[] | undefined): (index: number) => string {
  return (index) => {
    const name = names?.[index];
    if (name !== undefined && name.trim() !== '') return name;
    return format === 'libsvm' ? `index ${index + 1}` : `column ${index}`;
  };
}

/** What the columns are called that a model has weights for: those of a table, its categories and words. */
function partNames(model: AnyModel, nameOf: (index: number) => string): (index: number) => string {
  const [step] = model instanceof Pipeline ? (model.steps as readonly unknown[]) : [];
  if (!(step instanceof TableEncoder)) return nameOf;
  const { featureNames } = step;
  return (index) => featureNames[index] ?? nameOf(index);
}
