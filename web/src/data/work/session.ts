// Data that was read and models that were trained, by number: the page asks for those that it shows, and says when it needs no
// others. So a broken file costs nobody their data, a fit that fails nobody their model, and an answer that came too late counts
// for nothing.

import type { AnyModel, Diagnosis, Label } from 'perceptron-wasm';
import { type Dataset, readData } from 'perceptron-wasm/io';
import { type Choice, isLinear, suited } from '../choice.js';
import type { HardRow, Progress, ReadRequest, Results, Summary } from '../types.js';
import { classCounts, split } from './classes.js';
import { linesOf, textOf } from './lines.js';
import { accuracyOf, confusionOf, lookAt, marginsOf, planesOf, valuesOf } from './looking.js';
import { modelText } from './modelfile.js';
import { isSparse, type Matrix, takeRows } from './rows.js';
import { storyOf } from './story.js';
import { fit, innerOf, makeModel } from './training.js';

export interface Context {
  /** Ends it; a fit then keeps what it has. */
  readonly signal?: AbortSignal;
  /** Nobody wants the answer any more. */
  readonly dropped?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Lets messages in. */
const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

interface Data extends Dataset {
  readonly summary: Summary;
  readonly file: File;
}

interface Model {
  readonly model: AnyModel;
  readonly summary: Summary;
  readonly rows: number;
  readonly diagnosis: Diagnosis | undefined;
}

const MOST_HARD = 10;

export class Session {
  readonly #data = new Map<number, Data>();
  readonly #models = new Map<number, Model>();
  #next = 1;
  readonly #workerUrl: string | undefined;

  constructor(workerUrl?: string) {
    this.#workerUrl = workerUrl;
  }

  /** Reads a file. @throws DataError naming the place */
  async read(request: ReadRequest, { signal, onProgress }: Context = {}): Promise<Summary> {
    const { file, labels, label, header, ignore } = request;
    const started = performance.now();
    const dataset = await readData(file, {
      name: file.name,
      ...(signal && { signal }),
      ...(labels && { labels }),
      ...(label !== undefined && { label }),
      ...(header !== undefined && { header }),
      ...(ignore.length > 0 && { ignore }),
      onProgress: ({ bytes, totalBytes, rows }) => onProgress?.({ kind: 'reading', bytes, totalBytes, rows }),
    });
    const summary = summaryOf(this.#next++, dataset, request, performance.now() - started);
    this.#data.set(summary.data, { ...dataset, summary, file });
    return summary;
  }

  /** Trains on the data. @throws the signal's reason where there is nothing to keep yet */
  async train(number: number, asked: Choice, context: Context = {}): Promise<Results> {
    const { signal, dropped, onProgress } = context;
    const data = this.#data.get(number);
    if (!data) throw new Error('there is no such data');
    const { X, y, summary, featureNames } = data;
    const choice = suited(asked, summary.classes.length, isSparse(X));
    const parts = choice.heldout > 0 ? split(y, choice.heldout, choice.seed) : undefined;
    const rowsOf = (rows: Uint32Array) => ({ X: takeRows(X, rows), y: Array.from(rows, (row) => y[row] as Label) });
    const train = parts ? rowsOf(parts.train) : { X, y };
    const heldOut = parts && parts.heldOut.length > 0 ? rowsOf(parts.heldOut) : undefined;
    try {
      const model = makeModel(choice, summary.classes.length, featureNames, isSparse(X));
      const started = performance.now();
      await fit(model, train.X, train.y, {
        ...(signal && { signal }),
        workerUrl: this.#workerUrl,
        ...(onProgress && { onProgress }),
      });
      const fitMs = performance.now() - started;
      onProgress?.({ kind: 'looking' });
      await pause();
      dropped?.throwIfAborted();
      const isPartial = model.report.stopReason === 'aborted';
      const diagnosis = isPartial ? undefined : model.diagnose(train.X, train.y);
      const rows = train.X.rows + (heldOut?.X.rows ?? 0);
      const after = (before: number) => async (done: number) => {
        onProgress?.({ kind: 'looking', done: before + done, rows });
        await pause();
        dropped?.throwIfAborted();
      };
      const known = await lookAt(model, train.X, train.y, isLinear(choice), after(0));
      const judged = heldOut ? await lookAt(model, heldOut.X, heldOut.y, isLinear(choice), after(train.X.rows)) : known;
      const judgedLabels = heldOut?.y ?? train.y;
      const saved = this.#next++;
      this.#models.set(saved, { model, summary, rows: train.X.rows, diagnosis });
      const nameOf = columnNames(summary, featureNames);
      return {
        model: saved,
        summary,
        choice,
        story: storyOf(model.report, diagnosis, choice.trainer === 'averaged'),
        report: model.report,
        diagnosis,
        classes: model.classes.map(String),
        training: accuracyOf(known.predictions, train.y),
        heldOut: heldOut && accuracyOf(judged.predictions, heldOut.y),
        confusion: confusionOf(model.classes, judged.predictions, judgedLabels),
        margins: marginsOf(model, judged, judgedLabels, isLinear(choice)),
        planes: isLinear(choice) ? planesOf(model, nameOf) : [],
        hardest: await this.#hardest(data, model, train.X, known.predictions, parts?.train),
        fitMs,
      };
    } finally {
      if (train.X !== X) train.X.dispose();
      heldOut?.X.dispose();
    }
  }

  /** The rows that were the mistake most often, and where they stand in the file. */
  async #hardest(
    { y, X, summary, featureNames, file }: Data,
    model: AnyModel,
    trained: Matrix,
    predictions: readonly Label[],
    rows: Uint32Array | undefined,
  ): Promise<HardRow[]> {
    const hard = innerOf(model)
      .hardest(MOST_HARD)
      .map(({ index, updates }) => ({ row: rows?.[index] ?? index, index, updates }));
    const wanted = hard.map(({ row }) => row);
    // The file may have changed, or gone, since it was read: then the rows are known, and their lines are not.
    const lines = await linesIn(file, summary, wanted).catch(() => undefined);
    const nameOf = columnNames(summary, featureNames);
    return hard.map(({ row, index, updates }) => {
      const line = lines?.get(row);
      return {
        row: row + 1,
        ...(line !== undefined && { line }),
        updates,
        label: String(y[row]),
        predicted: String(predictions[index]),
        values: valuesOf(trained === X ? X : trained, index, nameOf),
      };
    });
  }

  /** The model as a file. */
  save(number: number): Blob {
    const found = this.#models.get(number);
    if (!found) throw new Error('there is no such model');
    const { model, summary, rows, diagnosis } = found;
    return new Blob([modelText(model, summary, rows, diagnosis)], { type: 'application/json' });
  }

  /** Gives back the memory of all data but this, and lets go of all models but this; what is not named stays. */
  keep({ data: kept, model }: { readonly data?: number | undefined; readonly model?: number | undefined }): void {
    for (const [number, data] of kept === undefined ? [] : this.#data) {
      if (number === kept) continue;
      data.X.dispose();
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

/** The lines of rows, where the file is text. */
async function linesIn(file: File, { format, hasHeader, delimiter }: Summary, rows: readonly number[]) {
  if (format === 'npy' || rows.length === 0) return undefined;
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

/** All columns of a CSV file in order: the features, and between them the label and those left out. */
function columnsOf({ X, label, featureNames, format }: Dataset, ignore: readonly number[]): (string | undefined)[] {
  if (format !== 'csv') return [];
  const total = X.cols + ignore.length + (label ? 1 : 0);
  const names = featureNames?.values();
  return Array.from({ length: total }, (_, index) => {
    if (index === label?.index) return label.name;
    if (ignore.includes(index)) return undefined; // the reader does not say; whoever left it out may know
    return names?.next().value;
  });
}

function summaryOf(data: number, dataset: Dataset, { file, labels, ignore }: ReadRequest, readMs: number): Summary {
  const { X, y, format, delimiter, label, featureNames, notes } = dataset;
  return {
    data,
    file: file.name,
    bytes: file.size,
    ...(labels && { labelsFile: labels.name }),
    format,
    ...(delimiter !== undefined && { delimiter }),
    rows: X.rows,
    cols: X.cols,
    ...(isSparse(X) && { nonZeros: X.nonZeros }),
    hasHeader: featureNames !== undefined,
    columns: columnsOf(dataset, ignore),
    ignored: ignore,
    ...(label && { label }),
    classes: classCounts(y),
    notes: notes ?? [],
    readMs,
  };
}
