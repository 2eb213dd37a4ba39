import { checkLabels, countEqual, type Label, type Labels, orderClasses } from '../data/labels.js';
import { type Rows, rowsOfPart, sourceOf } from '../data/rows.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions } from '../errors.js';
import { isNoRoom } from '../memory/arena.js';
import { expectLength } from '../model/json.js';
import { type HardSample, hardestOf, type PredictOptions } from '../model/model.js';
import type { History, StopReason } from '../model/report.js';
import type { ModelState, Supports } from '../model/state.js';
import { get } from '../own.js';
import { count as atLeastOne, sampleWeights, scaling } from '../train/checks.js';
import type { EpochDone, Training } from '../train/loop.js';
import type { FitOptions, PartialFitOptions } from '../train/options.js';
import { type PartRequest, PartsTraining } from '../train/parts.js';
import type { FitRequest } from '../train/problem.js';
import { classWeights, type NumericSettings, type Settings } from '../train/settings.js';
import { Fitting } from './fitting.js';
import { type Blocks, blockClasses, type FitStreamOptions, inBlocks, streamOptions } from './stream.js';

/** @typeParam S the state that its models keep */
export abstract class Trainer<L extends Label, S extends ModelState<L>> extends Fitting<L, S> {
  /** How often each row was a mistake. @internal */
  protected abstract updateCountsOf(state: S): Iterable<readonly [index: number, updates: number]>;
  /** The class of each row. No rows: an empty array. */
  abstract predict(X: Rows, options?: PredictOptions): L[];

  /** Trains one epoch on these rows, from the model's present state on. */
  partialFit(X: Rows, y: Labels<L>, options: PartialFitOptions<L> = {}): this {
    options = expectOptions(options, ['classes', 'sampleWeight'], 'partialFit');
    this.expectBlocks('partialFit');
    const classes = this.#classesOfBlocks(options.classes, this.state, 'partialFit');
    const request = this.wholeRequest(weightsIn(options));
    return this.fitNow(X, y, { ...request, from: this.state, classes, maxEpochs: 1, isBlock: true });
  }

  /**
   * Trains one epoch on blocks of rows as they arrive, bit-identical to `fit` with one epoch on all rows.
   * Starts afresh unless `warmStart`. The model changes after every block: if the stream fails or is aborted, the model
   * has the blocks before.
   * @throws RangeError for an order that needs all rows at once, for the pocket, and for unknown classes
   */
  async fitStream(blocks: Blocks<L>, options: FitStreamOptions<L> = {}): Promise<this> {
    const { classes: given, epochs, signal, onBlock } = streamOptions(options, blocks);
    this.expectStream();
    let from = this.settings.warmStart ? this.state : undefined;
    const classes = this.#classesOfBlocks(given, from, 'fitStream');
    signal?.throwIfAborted();
    const started = performance.now();
    for (let epoch = 1; epoch <= epochs; epoch++) {
      const before = from?.history.mistakes ?? 0;
      let loss = 0;
      for await (const { block, X, y, sampleWeight: given } of inBlocks(blocks)) {
        signal?.throwIfAborted();
        const mistakes = from?.history.mistakes ?? 0;
        try {
          const sampleWeight = given === undefined ? undefined : sampleWeights(given, true);
          loss += this.fitPart(X, y, { from, classes, counts: undefined, goesOn: block.isLater, sampleWeight });
        } catch (error) {
          throw block.failed(error);
        }
        from = this.fitted('fitStream');
        onBlock?.({ block: block.number, rows: block.rows, mistakes: from.history.mistakes - mistakes });
      }
      const outcome = this.#endOfEpoch(from as S, before, loss, started);
      from = this.fitted('fitStream');
      if (outcome !== 'max-epochs') break;
    }
    return this;
  }

  /** Trains on one block of an epoch; returns the loss of its mistakes. `concluded` sets the stop reason. @internal */
  fitPart(X: Rows, y: Labels<L>, part: PartRequest<L, S>): number {
    let loss = 0;
    const addLoss = (epoch: EpochDone) => {
      loss += epoch.loss;
      return undefined;
    };
    this.fitNow(X, y, { ...part, maxEpochs: 1, isBlock: true, precomputed: undefined }, addLoss, 'aborted');
    return loss;
  }

  #classesOfBlocks(given: readonly L[] | undefined, from: S | undefined, method: string) {
    const named = given === undefined ? this.settings.classes : orderClasses(given, 'classes', this.limit);
    return blockClasses(from?.classes, named, method);
  }

  /** The share of rows that are predicted correctly; a label that the model does not know counts as wrong. */
  score(X: Rows, y: Labels<L>, options: PredictOptions = {}): number {
    const predicted = this.predict(X, options);
    sourceOf(X, 'X'); // throws if X has no rows
    return countEqual(predicted, checkLabels(y, predicted.length)) / predicted.length;
  }

  /**
   * The rows that were a mistake most often: those nearest the plane (SPEC §7), or on the wrong side of any. In dual form, of all
   * rows trained on; with weights, of those of the latest call (a stream is one call), and not after loading: files do not
   * contain the counts.
   */
  hardest(count = 10): HardSample[] {
    atLeastOne(count, 'count');
    return hardestOf(this.updateCountsOf(this.fitted('hardest')), count);
  }

  /** The classes in order; of two, the second is +1. */
  get classes(): readonly L[] {
    return this.fitted('classes').classes;
  }

  /** Sets the constant feature B for training; returns what takes that back, unless it was set again. For pipelines. @internal */
  useInterceptScaling(value: number): () => void {
    const { settings } = this;
    const own = Object.freeze({ ...settings, interceptScaling: scaling(value, 'interceptScaling') });
    this.settings = own;
    return () => {
      if (this.settings === own) this.settings = settings;
    };
  }

  /** A new trainer with the same options and callbacks but for `changes`, not fitted. For perceptron-wasm/select. @internal */
  unfitted(changes?: object): this {
    const { onUpdate, onEpoch } = this.settings;
    return this.another({ onUpdate, onEpoch, ...changes }) as unknown as this; // a trainer of this class
  }

  // ---- for trainers ---------------------------------------------------------------------------------

  /** Checks that the settings allow training block by block. @throws RangeError @internal */
  protected expectBlocks(method: string): void {
    if (this.settings.classWeight === 'balanced') {
      throw new RangeError(`${method} cannot balance classes it has not seen; give classWeight as numbers`);
    }
  }

  /** Checks that the settings allow training on a stream. @throws RangeError @internal */
  protected expectStream(): void {
    const what = needsAllRows(this.settings);
    if (what) {
      throw new RangeError(
        `fitStream trains in order 'cyclic' and does not go with ${what}, which needs all rows at once`,
      );
    }
    this.expectBlocks('fitStream');
  }

  /** The state with this stop reason, after a stream. @internal */
  concluded(state: S, stopReason: StopReason): S {
    return { ...state, history: conclude(state.history, stopReason) };
  }

  // ---- X larger than the memory ---------------------------------------------------------------------

  /** @internal */
  protected override partsFor(X: Rows, y: Labels<L>, request: FitRequest<L, S>, error: unknown): Training<S> {
    if (request.isBlock || !isNoRoom(error)) throw error;
    const { engine, kernel } = this.settings as Settings<L> & { kernel?: unknown };
    // In dual form a part would need the support vectors of all others.
    const rowsPerPart = kernel ? undefined : rowsOfPart(X, resolveEngine(engine).arena);
    if (!rowsPerPart) throw error;
    const what = needsAllRows(this.settings);
    if (what) {
      throw new RangeError(
        `${what} needs all rows in memory, and they do not fit: store X as float32 (dtype 'float32'), or train without it, in order 'cyclic' or with fitStream`,
        { cause: error },
      );
    }
    const draft = this.another() as unknown as Trainer<L, S>; // what is learned from parts is not yet the model's
    draft.settings = this.settings;
    return new PartsTraining(draft, X, y, request, this.limit, rowsPerPart, this.settings);
  }

  /** Ends an epoch over blocks of rows: calls `onEpoch`, and adopts the state with its stop reason. */
  #endOfEpoch(state: S, mistakesBefore: number, loss: number, started: number): StopReason {
    const { onEpoch } = this.settings;
    const { epochs: epoch, mistakes: after } = state.history;
    const mistakes = after - mistakesBefore;
    const isEnd = mistakes === 0;
    const modelState = (stopReason: StopReason) => this.concluded(state, stopReason);
    const hook = onEpoch && this.hookFor({ modelState }, started, onEpoch);
    const stop = hook?.onEpoch({ epoch, mistakes, loss, isEnd });
    const outcome = isEnd ? 'separated' : (stop ?? 'max-epochs');
    this.adopt(this.concluded(state, outcome), this.report.timings, get(this.report, 'gram'));
    return outcome;
  }

  /** Adopts a state from a file, if it fits the options of the file. @internal */
  protected load(state: S): void {
    const { featureNames, classes } = this.settings;
    if (featureNames) expectLength(featureNames, state.cols, 'options.featureNames');
    if (classes) blockClasses(state.classes, classes, 'partialFit');
    classWeights(
      this.settings,
      state.classes,
      state.classes.map(() => 1),
    );
    this.adopt(state);
  }
}

/** The setting for which training needs all rows at once, as an error names it; undefined: blocks of rows will do. */
function needsAllRows({ pocket, validationFraction, tol, order }: NumericSettings): string | undefined {
  if (pocket) return 'the pocket';
  if (validationFraction > 0) return '"validationFraction"';
  // The losses of parts, added up, are rounded differently from part to part: a stop by `tol` would depend on them (SPEC §12).
  if (tol !== undefined) return '"tol"';
  return order === 'cyclic' ? undefined : `order '${order}'`;
}

/** The checked weights among the options of a call; undefined if there are none. @throws TypeError or RangeError */
export function weightsIn({ sampleWeight }: FitOptions): Float64Array | undefined {
  return sampleWeight === undefined ? undefined : sampleWeights(sampleWeight);
}

/** The weights among the options of `fit`, if it has options. @throws TypeError or RangeError naming what is wrong */
export const fitWeights = (options: FitOptions): Float64Array | undefined =>
  weightsIn(expectOptions(options, ['sampleWeight'], 'fit'));

/** A history with this stop reason. */
export const conclude = (history: History, stopReason: StopReason): History =>
  Object.freeze({ ...history, converged: stopReason === 'separated', stopReason });

/** The mistakes of each row. @throws Error if they were not kept */
export function keptCounts(counts: Uint32Array | undefined): Iterable<[number, number]> {
  if (!counts) throw new Error('a loaded model with weights does not contain the mistakes of each row: call fit first');
  return counts.entries();
}

/** The mistakes of each support vector. */
export const supportCounts = ({ indices, counts }: Pick<Supports, 'indices' | 'counts'>): [number, number][] =>
  Array.from(indices, (index, s) => [index, counts[s] as number]);
