// Pipeline: a scaler and a model as one. It scales rows before the model sees them; one file contains both.

import { firstTurn, inTurns, orAborted, SliceClock } from '../async/turns.js';
import type { Label, Labels } from '../data/labels.js';
import { oneRow, type Row } from '../data/row.js';
import { isEmpty, type Rows } from '../data/rows.js';
import { expectSignal, show } from '../errors.js';
import type { Diagnosis } from '../model/diagnosis.js';
import type { DualPerceptronJSON } from '../model/dual-json.js';
import { expectLength, fieldsOf, openModel, type Packed, plain } from '../model/json.js';
import type { PerceptronJSON } from '../model/linear-json.js';
import type {
  Contribution,
  ExplainOptions,
  Model,
  MulticlassModel,
  PredictOptions,
  ScoreTable,
} from '../model/model.js';
import type { MulticlassPerceptronJSON } from '../model/multi-json.js';
import type { FitReport } from '../model/report.js';
import { Scaler, type ScalerJSON } from '../model/scaler.js';
import { has, own as ownOf } from '../own.js';
import type { FitAsyncOptions } from '../train/options.js';
import type { AnyFitAsyncOptions, Fitted } from './fitted.js';
import { type AnyTrainer, type FittedTrainer, loadTrainer } from './trainers.js';

export interface PipelineJSON {
  type: 'pipeline';
  version: 1;
  scaler: ScalerJSON;
  model: PerceptronJSON | DualPerceptronJSON | MulticlassPerceptronJSON;
}

/** What a pipeline needs of its model: every trainer of this package has it. */
interface Trainable<L extends Label = Label> {
  fit(X: Rows, y: Labels<L>, ...nothing: []): unknown;
  fitAsync(X: Rows, y: Labels<L>, options?: object): Promise<unknown>;
  predict(X: Rows, options?: PredictOptions): L[];
  decisionFunction(X: Rows, options?: PredictOptions): Float64Array | ScoreTable;
  score(X: Rows, y: Labels<L>, options?: PredictOptions): number;
  loss(X: Rows, y: Labels<L>): number;
  diagnose(X: Rows, y: Labels<L>): Diagnosis;
  explain(x: Row, options?: ExplainOptions): Contribution[];
  readonly classes: readonly L[];
  readonly report: FitReport;
  toJSON(): PipelineJSON['model'];
  /** @internal */
  packed(): Packed<PipelineJSON['model']>;
  /** @internal */
  useInterceptScaling(value: number): number;
}

/** The type of `snapshot()` while a model M is fitted. */
type Snapshot<M, L extends Label> = M extends { readonly biases: unknown } ? MulticlassModel<L> : Model<L>;

/**
 * A scaler and a model as one. `fit` fits both, and both stay yours; if they are fitted already, the pipeline predicts at once.
 *
 * With a 'unit-ball' scaler, `fit` trains the model with the scaler's `interceptScaling` instead of its own: the
 * constant feature must shrink with the rows (SPEC §4). Other scalers do not change the model's own.
 *
 * @example
 * const pipeline = new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron<string>());
 * pipeline.fit([[1012, 3.1], [1015, 2.9], [1011, 7.2], [1014, 6.8]], ['low', 'low', 'high', 'high']);
 * console.log(pipeline.report.epochs, pipeline.predictOne([1013, 3])); // → 2 low
 */
export class Pipeline<L extends Label = Label, M extends Trainable<L> = AnyTrainer<L>> {
  /** Survives minification: consoles and messages show it. */
  static readonly name = 'Pipeline';
  readonly scaler: Scaler;
  readonly model: M;
  /** Settles when all calls of fitAsync so far are over. */
  #underWay: Promise<void> | undefined;

  /** @throws TypeError if the arguments are not a Scaler and a perceptron */
  constructor(scaler: Scaler, model: M & Trainable<L>) {
    if (!scaler?.transform || !model?.useInterceptScaling) {
      throw new TypeError(`Pipeline takes a Scaler and a perceptron, got ${show(scaler)} and ${show(model)}`);
    }
    this.scaler = scaler;
    this.model = model;
  }

  /** Fits the scaler to X, then the model to the scaled rows. Bad input throws and leaves both as they were. */
  fit<
    const Y extends Labels<L>,
    F = Fitted<this, Pipeline<Label, M>, Pipeline<Y[number], FittedTrainer<M, Y[number]>>>,
  >(X: Rows, y: Y, ...nothing: []): NoInfer<F>;
  fit(X: Rows, y: Labels<L>, ...nothing: []): this;
  fit(X: Rows, y: Labels<L>, ...nothing: []): this {
    const scaler = new Scaler({ kind: this.scaler.kind }).fit(X);
    const draft = this.#begin(scaler, scaler.transform(X));
    try {
      this.model.fit(draft.rows, y, ...nothing);
      draft.isKept = true;
    } finally {
      this.#end(draft);
    }
    return this;
  }

  /**
   * As `fit`, with the model's `fitAsync`; `snapshot()` is of the model alone and takes scaled rows. A call waits for earlier
   * calls, so that scaler and model always belong together.
   */
  fitAsync<
    const Y extends Labels<L>,
    F = Fitted<this, Pipeline<Label, M>, Pipeline<Y[number], FittedTrainer<M, Y[number]>>>,
  >(X: Rows, y: Y, options?: FitAsyncOptions<L, Snapshot<M, L>>): Promise<NoInfer<F>>;
  fitAsync(X: Rows, y: Labels<L>, options?: AnyFitAsyncOptions<L>): Promise<this>;
  async fitAsync(X: Rows, y: Labels<L>, options?: FitAsyncOptions<L, Snapshot<M, L>>): Promise<this> {
    const { signal } = ownOf(options ?? {}) as FitAsyncOptions<L>;
    expectSignal(signal);
    signal?.throwIfAborted();
    const earlier = this.#underWay;
    let end = () => {};
    const own = new Promise<void>((resolve) => {
      end = resolve;
    });
    const all = earlier ? earlier.then(() => own) : own;
    this.#underWay = all;
    try {
      if (earlier) await orAborted(earlier, signal);
      signal?.throwIfAborted();
      return await this.#fitNow(X, y, options, signal);
    } finally {
      end();
      if (this.#underWay === all) this.#underWay = undefined;
    }
  }

  async #fitNow(X: Rows, y: Labels<L>, options: object | undefined, signal: AbortSignal | undefined): Promise<this> {
    const scaler = new Scaler({ kind: this.scaler.kind });
    const draft = this.#begin(scaler, await scaled(scaler, X, signal));
    try {
      await this.model.fitAsync(draft.rows, y, options);
      draft.isKept = true;
    } finally {
      this.#end(draft);
    }
    return this;
  }

  /** The class of each row. No rows: an empty array. */
  predict(X: Rows, options?: PredictOptions): L[] {
    return this.#onScaled(X, (rows) => this.model.predict(rows, options));
  }

  /** The class of one row. */
  predictOne(x: Row, options?: PredictOptions): L {
    return this.predict(oneRow(x, this.scaler.means.length), options)[0] as L;
  }

  /** The model's scores of the scaled rows. */
  decisionFunction(X: Rows, options?: PredictOptions): ReturnType<M['decisionFunction']> {
    const scores = this.#onScaled(X, (rows) => this.model.decisionFunction(rows, options));
    return scores as ReturnType<M['decisionFunction']>; // the model's own type
  }

  /** The share of rows that are predicted correctly. */
  score(X: Rows, y: Labels<L>, options?: PredictOptions): number {
    return this.#onScaled(X, (rows) => this.model.score(rows, y, options));
  }

  /** The model's loss on the scaled rows. */
  loss(X: Rows, y: Labels<L>): number {
    return this.#onScaled(X, (rows) => this.model.loss(rows, y));
  }

  /** What is proven about the model on its training rows, in the space of the scaled rows. */
  diagnose(X: Rows, y: Labels<L>): ReturnType<M['diagnose']> {
    const diagnosis = this.#onScaled(X, (rows) => this.model.diagnose(rows, y));
    return diagnosis as ReturnType<M['diagnose']>; // the model's own type
  }

  /** The contributions of the scaled features of x to its score: the model's `explain`. */
  explain(x: Row, options?: Parameters<M['explain']>[1]): Contribution[] {
    const rows = this.scaler.transform(oneRow(x, this.scaler.means.length));
    try {
      return this.model.explain(rows.row(0), options);
    } finally {
      rows.dispose();
    }
  }

  /** The classes in order; of two, the second is +1. */
  get classes(): readonly L[] {
    return this.model.classes;
  }

  /** How training went. */
  get report(): FitReport {
    return this.model.report;
  }

  /** Scaler and model as plain data, exact to the bit. */
  toJSON(): PipelineJSON {
    return plain<PipelineJSON>(this.packed());
  }

  /** The JSON with the model's own arrays. @internal */
  packed(): Packed<PipelineJSON> {
    return { type: 'pipeline', version: 1, scaler: this.scaler.packed(), model: this.model.packed() };
  }

  /** A pipeline from `toJSON`. @throws TypeError or RangeError naming the wrong field */
  static fromJSON<L extends Label = Label>(json: unknown): Pipeline<L> {
    const fields = openModel(json, ['pipeline']);
    const scaler = nested(fields.scaler, 'scaler', Scaler.fromJSON);
    const model = nested(fields.model, 'model', loadTrainer<L>);
    const learned = model.packed();
    expectLength(
      scaler.means,
      has(learned, 'cols') ? learned.cols : (learned.weights as Float64Array).length,
      'scaler.means',
    );
    return new Pipeline<L>(scaler, model);
  }

  #begin(scaler: Scaler, rows: Draft['rows']): Draft {
    try {
      const isScaled = scaler.kind === 'unit-ball';
      const { interceptScaling: scaling } = scaler;
      if (isScaled && scaling * scaling === Infinity) {
        throw new RangeError(
          `X is too small for kind 'unit-ball': its longest row has length ${1 / scaling}; scale X up`,
        );
      }
      const before = isScaled ? this.model.useInterceptScaling(scaling) : undefined;
      return { scaler, rows, before, isKept: false };
    } catch (error) {
      rows.dispose();
      throw error;
    }
  }

  #end({ scaler, rows, before, isKept }: Draft): void {
    if (isKept) this.scaler.adopt(scaler);
    else if (before !== undefined) this.model.useInterceptScaling(before);
    rows.dispose();
  }

  #onScaled<T>(X: Rows, use: (rows: Rows) => T): T {
    if (isEmpty(X)) return use(X);
    const rows = this.scaler.transform(X);
    try {
      return use(rows);
    } finally {
      rows.dispose();
    }
  }
}

/** Fits a scaler to rows and scales them, in slices. */
async function scaled(scaler: Scaler, X: Rows, signal: AbortSignal | undefined): Promise<Draft['rows']> {
  const clock = new SliceClock(signal);
  const fitting = scaler.fitting(X);
  try {
    await firstTurn();
    signal?.throwIfAborted();
    clock.begin();
    for (const stage of fitting.stages) await inTurns(stage, clock, signal);
    fitting.adopt();
  } finally {
    fitting.release();
  }
  const { stages, matrix, dispose } = scaler.transforming(X);
  try {
    for (const stage of stages) await inTurns(stage, clock, signal);
    return matrix();
  } catch (error) {
    dispose();
    throw error;
  }
}

/** A fit in progress: its scaler, and what to restore if it fails. */
interface Draft {
  readonly scaler: Scaler;
  readonly rows: ReturnType<Scaler['transform']>;
  readonly before: number | undefined;
  isKept: boolean;
}

/** Loads a part of a model's JSON; errors name its path from the top. */
function nested<T>(json: unknown, path: string, load: (json: unknown) => T): T {
  fieldsOf(json, path);
  try {
    return load(json);
  } catch (error) {
    if (error instanceof Error) {
      error.message = error.message.replace(/^model JSON: |^/, (own) => `model JSON: ${path}${own ? '.' : ': '}`);
    }
    throw error;
  }
}
