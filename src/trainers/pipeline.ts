// Pipeline: steps and a model as one. The steps make rows of what comes in, such as text or unscaled rows, before the model sees
// them; one file contains all of them.

import { firstTurn, inTurns, orAborted, SliceClock } from '../async/turns.js';
import type { DenseMatrix } from '../data/dense.js';
import type { Label, Labels } from '../data/labels.js';
import type { Row } from '../data/row.js';
import type { Rows } from '../data/rows.js';
import type { SparseMatrix } from '../data/sparse.js';
import { expectSignal, NotFittedError, show } from '../errors.js';
import type { DiagnoseOptions, Diagnosis } from '../model/diagnosis.js';
import { type Packed, plain } from '../model/json.js';
import type {
  Contribution,
  ExplainOptions,
  Model,
  MulticlassModel,
  PredictOptions,
  ScoreTable,
} from '../model/model.js';
import type { FitReport } from '../model/report.js';
import { Scaler, type ScalerJSON } from '../model/scaler.js';
import { own as ownOf } from '../own.js';
import type { FitAsyncOptions, FitOptions, PartialFitOptions } from '../train/options.js';
import type { AnyFitAsyncOptions, Fitted } from './fitted.js';
import { blocksThrough, Draft, onRows, rowThrough } from './passage.js';
import { type PipelineJSON, pipelineParts, type StepReaders } from './pipelinejson.js';
import type { OneOf, PipelineBlocks, Step } from './step.js';
import { type Blocks, type FitStreamOptions, streamOptions } from './stream.js';
import type { AnyTrainer, FittedTrainer } from './trainers.js';

/** What a pipeline needs of its model: every trainer of this package has it. */
interface Trainable<L extends Label = Label> {
  fit(X: Rows, y: Labels<L>, options?: FitOptions): unknown;
  fitAsync(X: Rows, y: Labels<L>, options?: object): Promise<unknown>;
  partialFit(X: Rows, y: Labels<L>, options?: PartialFitOptions<L>): unknown;
  fitStream(blocks: Blocks<L>, options?: FitStreamOptions<L>): Promise<unknown>;
  predict(X: Rows, options?: PredictOptions): L[];
  predictOne(x: Row, options?: PredictOptions): L;
  decisionFunction(X: Rows, options?: PredictOptions): Float64Array | ScoreTable;
  score(X: Rows, y: Labels<L>, options?: PredictOptions): number;
  loss(X: Rows, y: Labels<L>): number;
  diagnose(X: Rows, y: Labels<L>, options?: DiagnoseOptions): Diagnosis;
  explain(x: Row, options?: ExplainOptions): Contribution[];
  readonly classes: readonly L[];
  readonly report: FitReport;
  toJSON(): PipelineJSON['model'];
  /** @internal */
  packed(): Packed<PipelineJSON['model']>;
  /** @internal */
  useInterceptScaling(value: number): () => void;
}

/** The type of `snapshot()` while a model M is fitted. */
type Snapshot<M, L extends Label> = M extends { readonly biases: unknown } ? MulticlassModel<L> : Model<L>;

/**
 * Steps and a model as one: each step makes rows for the next, the model learns from those of the last. `fit` fits all, and all
 * stay yours; if they are fitted already, the pipeline predicts at once.
 *
 * With a 'unit-ball' Scaler as its last step, `fit` trains the model with the scaler's `interceptScaling` instead of its own: the
 * constant feature must shrink with the rows (SPEC §4). Other steps do not change the model's own.
 *
 * @typeParam In what the first step takes
 * @example
 * const pipeline = new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron<string>());
 * pipeline.fit([[1012, 3.1], [1015, 2.9], [1011, 7.2], [1014, 6.8]], ['low', 'low', 'high', 'high']);
 * console.log(pipeline.report.epochs, pipeline.predictOne([1013, 3])); // → 2 low
 */
export class Pipeline<L extends Label = Label, M extends Trainable<L> = AnyTrainer<L>, In = Rows> {
  /** Survives minification: consoles and messages show it. */
  static readonly name = 'Pipeline';
  /** All but the model, in order. */
  readonly steps: readonly [Step<In>, ...Step[]];
  /** The trainer at the end: its weights, report and options. */
  readonly model: M;
  /** Settles when all calls of fitAsync and fitStream so far are over. */
  #underWay: Promise<void> | undefined;

  /** @throws TypeError if the arguments are not steps and then a perceptron */
  constructor(...parts: [first: Step<In>, model: M & Trainable<L>]);
  constructor(...parts: [first: Step<In>, ...others: Step<DenseMatrix | SparseMatrix>[], model: M & Trainable<L>]);
  constructor(...parts: [first: Step<In>, ...others: Step<DenseMatrix | SparseMatrix>[], model: M & Trainable<L>]) {
    const steps = parts.slice(0, -1) as [Step<In>, ...Step[]];
    const model = parts.at(-1) as M | undefined;
    const isStep = (step: Partial<Step> | undefined, k: number) =>
      step?.fit && step.transform && step.toJSON && steps.indexOf(step as Step<In>) === k;
    if (steps.length === 0 || !steps.every(isStep) || !model?.useInterceptScaling) {
      throw new TypeError(
        `Pipeline takes one or more steps, each with fit, transform and toJSON and each once, then a perceptron; got ${(parts as unknown[]).map(partName).join(', ') || 'nothing'}`,
      );
    }
    this.steps = Object.freeze(steps);
    this.model = model;
  }

  /** The first Scaler. @throws TypeError if no step is one */
  get scaler(): Scaler {
    for (const step of this.steps as readonly unknown[]) if (step instanceof Scaler) return step;
    throw new TypeError('this pipeline has no Scaler: see its steps');
  }

  /** Fits each step to what the steps before it make of X, all rows alike, then the model, which gets the options. Bad input throws and leaves all as they were. */
  fit<
    const Y extends Labels<L>,
    F = Fitted<this, Pipeline<Label, M, In>, Pipeline<Y[number], FittedTrainer<M, Y[number]>, In>>,
  >(X: In, y: Y, options?: Parameters<M['fit']>[2]): NoInfer<F>;
  fit(X: In, y: Labels<L>, options?: Parameters<M['fit']>[2]): this;
  fit(X: In, y: Labels<L>, options?: Parameters<M['fit']>[2]): this {
    const draft = new Draft(X);
    let undo = () => {};
    try {
      for (const stage of draft.fitting(this.steps)) stage.piece(0, stage.count);
      undo = this.#useScalingOf(draft.steps);
      this.model.fit(draft.rows as Rows, y, options);
      draft.adopt(this.steps);
    } catch (error) {
      undo();
      throw error;
    } finally {
      draft.dispose();
    }
    return this;
  }

  /**
   * As `fit`, with the model's `fitAsync`; `snapshot()` is of the model alone and takes the rows that the steps make. A call waits
   * for earlier calls, so that steps and model always belong together.
   */
  fitAsync<
    const Y extends Labels<L>,
    F = Fitted<this, Pipeline<Label, M, In>, Pipeline<Y[number], FittedTrainer<M, Y[number]>, In>>,
  >(X: In, y: Y, options?: FitAsyncOptions<L, Snapshot<M, L>>): Promise<NoInfer<F>>;
  fitAsync(X: In, y: Labels<L>, options?: AnyFitAsyncOptions<L>): Promise<this>;
  async fitAsync(X: In, y: Labels<L>, options?: FitAsyncOptions<L, Snapshot<M, L>>): Promise<this> {
    return this.#queued(options, async (signal) => {
      const clock = new SliceClock(signal);
      const draft = new Draft(X);
      let undo = () => {};
      let hasBegun = false;
      try {
        for (const stage of draft.fitting(this.steps)) {
          if (!hasBegun) {
            hasBegun = true;
            await firstTurn();
            signal?.throwIfAborted();
            clock.begin();
          }
          await inTurns(stage, clock, signal);
        }
        undo = this.#useScalingOf(draft.steps);
        await this.model.fitAsync(draft.rows as Rows, y, options);
        draft.adopt(this.steps);
      } catch (error) {
        undo();
        throw error;
      } finally {
        draft.dispose();
      }
    });
  }

  /** Trains the model one epoch on what the steps make of X. The steps stay as they are: each must be fitted, or need no fit. */
  partialFit(X: In, y: Labels<L>, options?: PartialFitOptions<L>): this {
    this.#expectReady('partialFit');
    return onRows(this.steps, X, (rows) => {
      const undo = this.#useScalingOf(this.steps);
      try {
        this.model.partialFit(rows, y, options);
      } catch (error) {
        undo();
        throw error;
      }
      return this;
    });
  }

  /** The model's `fitStream` on what the steps make of each block. The steps stay as they are: each must be fitted, or need no fit. */
  async fitStream(blocks: PipelineBlocks<In, L>, options?: FitStreamOptions<L>): Promise<this> {
    streamOptions(options ?? {}, blocks as Blocks<L>);
    return this.#queued(options, async () => {
      this.#expectReady('fitStream');
      const { steps, model } = this;
      const before = reportOf(model);
      const undo = this.#useScalingOf(steps);
      try {
        await model.fitStream(() => blocksThrough(steps, blocks), options);
      } catch (error) {
        if (reportOf(model) === before) undo(); // else the model has blocks that were trained on with it
        throw error;
      }
    });
  }

  /** The class of each row. No rows: an empty array. */
  predict(X: In, options?: PredictOptions): L[] {
    return onRows(this.steps, X, (rows) => this.model.predict(rows, options));
  }

  /** The class of one row, text or record. */
  predictOne(x: OneOf<In>, options?: PredictOptions): L {
    return this.model.predictOne(rowThrough(this.steps, x), options);
  }

  /** The model's scores of the rows that the steps make. */
  decisionFunction(X: In, options?: PredictOptions): ReturnType<M['decisionFunction']> {
    const scores = onRows(this.steps, X, (rows) => this.model.decisionFunction(rows, options));
    return scores as ReturnType<M['decisionFunction']>; // the model's own type
  }

  /** The share of rows that are predicted correctly. */
  score(X: In, y: Labels<L>, options?: PredictOptions): number {
    return onRows(this.steps, X, (rows) => this.model.score(rows, y, options));
  }

  /** The model's loss on the rows that the steps make. */
  loss(X: In, y: Labels<L>): number {
    return onRows(this.steps, X, (rows) => this.model.loss(rows, y));
  }

  /** What is proven about the model on its training rows, in the space of the rows that the steps make. */
  diagnose(X: In, y: Labels<L>, options?: Parameters<M['diagnose']>[2]): ReturnType<M['diagnose']> {
    const diagnosis = onRows(this.steps, X, (rows) => this.model.diagnose(rows, y, options));
    return diagnosis as ReturnType<M['diagnose']>; // the model's own type
  }

  /** The contributions of the features that the steps make of x to its score: the model's `explain`, with words and columns as names. */
  explain(x: OneOf<In>, options?: Parameters<M['explain']>[1]): Contribution[] {
    const { steps, model } = this;
    const parts = model.explain(rowThrough(steps, x), options);
    // Scalers keep columns; support vectors, of other kernels than the linear one, have none.
    let at = steps.length - 1;
    while ((steps[at] as unknown) instanceof Scaler) at--;
    const { kernel } = model.packed().options as { kernel?: { type: string } };
    const names =
      (kernel?.type ?? 'linear') === 'linear' && steps[at]?.namesIn?.(at > 0 ? rowThrough(steps.slice(0, at), x) : x);
    if (!names) return parts;
    return parts.map((part) => {
      const name = part.name ?? names(part.index);
      return name === undefined ? part : { ...part, name };
    });
  }

  /** The classes in order; of two, the second is +1. */
  get classes(): readonly L[] {
    return this.model.classes;
  }

  /** How training went. */
  get report(): FitReport {
    return this.model.report;
  }

  /** Steps and model as plain data, exact to the bit. */
  toJSON(): PipelineJSON {
    return plain<PipelineJSON>(this.packed());
  }

  /** The JSON with the own arrays of steps and model. @internal */
  packed(): Packed<PipelineJSON> {
    const [first, ...others] = this.steps.map((step) => step.packed?.() ?? step.toJSON());
    const isScaler = others.length === 0 && (this.steps[0] as unknown) instanceof Scaler;
    const content = isScaler ? { scaler: first as Packed<ScalerJSON> } : { steps: [first as object, ...others] };
    return { type: 'pipeline', version: 1, ...content, model: this.model.packed() };
  }

  /** A pipeline of Scalers from `toJSON`. @throws TypeError or RangeError naming the wrong field */
  static fromJSON<L extends Label = Label>(json: unknown): Pipeline<L>;
  /** With readers of other steps. @internal */
  static fromJSON<L extends Label = Label>(json: unknown, readers: StepReaders | undefined): Pipeline<L>;
  static fromJSON<L extends Label = Label>(json: unknown, readers?: StepReaders): Pipeline<L> {
    return new Pipeline<L>(...pipelineParts<L>(json, readers));
  }

  /** Runs work after that of earlier calls. */
  async #queued(
    options: { signal?: AbortSignal | undefined } | undefined,
    work: (signal: AbortSignal | undefined) => Promise<void>,
  ): Promise<this> {
    const { signal } = ownOf(options ?? {});
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
      await work(signal);
      return this;
    } finally {
      end();
      if (this.#underWay === all) this.#underWay = undefined;
    }
  }

  /** Gives the model the constant feature that goes with the last of `steps`; returns how to take that back. */
  #useScalingOf(steps: readonly unknown[]): () => void {
    const last = steps.at(-1);
    if (!(last instanceof Scaler) || last.kind !== 'unit-ball') return () => {};
    const { interceptScaling: scaling } = last;
    if (scaling * scaling === Infinity) {
      throw new RangeError(
        `X is too small for kind 'unit-ball': its longest row has length ${1 / scaling}; scale X up`,
      );
    }
    return this.model.useInterceptScaling(scaling);
  }

  #expectReady(method: string): void {
    const k = this.steps.findIndex((step) => step.isReady === false);
    if (k >= 0) {
      const { name } = (this.steps[k] as object).constructor;
      throw new NotFittedError(
        `${method} trains the model alone: fit steps[${k}] (${name}) first, by itself or with fit of the pipeline`,
      );
    }
  }
}

/** The class of a part; of a list, which is not one, those of its items. */
function partName(part: unknown): string {
  if (Array.isArray(part)) return `[${part.map(partName)}]`;
  const { name = 'Object' } = Object(part).constructor ?? {};
  return name === 'Object' ? show(part) : name;
}

/** The report of a fitted model. */
function reportOf(model: Trainable): FitReport | undefined {
  try {
    return model.report;
  } catch {
    return undefined;
  }
}
