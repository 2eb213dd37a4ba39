// What all trainers have: fit in one go, block by block or in slices; predict, score and report. A trainer adds what it
// learns and how that scores rows.

import { type Classes, checkLabels, countEqual, type Label, type Labels, orderClasses } from '../data/labels.js';
import { type ArenaRows, isEmpty, type Rows, shapeOf } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions, NotFittedError, show } from '../errors.js';
import type { Proof } from '../model/diagnosis.js';
import { expectLength } from '../model/json.js';
import { labelOf, lossOf, signsOf, withRows } from '../model/linear.js';
import type { FitReport, StopReason, Timings } from '../model/report.js';
import type { TrainingState } from '../model/state.js';
import { noSlices, runInSlices, runToEnd, TimeSlices } from './drive.js';
import { beginFit, blockClasses, type Draft, type Session } from './fit.js';
import { boolean, callback, classWeights, type Epoch, type Settings } from './options.js';

export interface FitAsyncOptions<L extends Label = Label> {
  /** Ends the fit with the signal's reason; the model stays as it was, unless `keepPartial`. */
  signal?: AbortSignal;
  /** As the trainer's own onEpoch, which is called at every pass beside it; this one at most 20 times a second. */
  onEpoch?: (epoch: Epoch<L>) => void | boolean;
  /** How many threads may help; in this release one does all the work. Default 'auto'. */
  threads?: number | 'auto';
  /** On abort, keep the model as far as it got (stopReason 'aborted') and resolve. Default false. */
  keepPartial?: boolean;
  /** Reserved: where worker threads will load their script from, on pages that forbid inlined ones. */
  workerUrl?: string | URL;
}

export const FIT_ASYNC_KEYS = ['signal', 'onEpoch', 'threads', 'keepPartial', 'workerUrl'] as const;

/** What a method must say of a session; the rest has defaults. */
export type Request<L extends Label, Learned> = Pick<
  Session<L, Learned>,
  'X' | 'y' | 'from' | 'classes' | 'maxEpochs' | 'isBlock'
> &
  Partial<Session<L, Learned>>;

/** onEpoch at a human rate. */
const EPOCH_INTERVAL_MS = 50;

const NO_TIME = Object.freeze({ copyMs: 0, gramMs: 0, trainMs: 0 });

/** @typeParam Learned what it learns, beside what every state has */
export abstract class Trainer<L extends Label, Learned> {
  /** @internal */
  protected abstract readonly settings: Settings<L>;
  #state: (TrainingState<L> & Learned) | undefined;
  #report: FitReport | undefined;

  /** What trains on rows that were brought in; `session` says what to go on from. @internal */
  protected abstract learnerFor(session: Request<L, Learned>): Session<L, Learned>['learnerFor'];
  /** The score of each row. @internal */
  protected abstract scoresOf(state: TrainingState<L> & Learned, rows: ArenaRows, engine: BoundEngine): Float64Array;
  /** Another trainer with these settings, not fitted. @internal */
  protected abstract another(): Trainer<L, Learned> & ReturnType<Epoch<L>['snapshot']>;

  /** One pass over these rows, going on from where the model stands. */
  partialFit(X: Rows, y: Labels<L>, options: { classes?: readonly L[] } = {}): this {
    expectOptions(options, ['classes'], 'partialFit');
    if (this.settings.classWeight === 'balanced') {
      throw new RangeError('partialFit cannot balance classes it has not seen; give classWeight as numbers');
    }
    const given = options.classes === undefined ? this.settings.classes : orderClasses(options.classes, 'classes');
    const classes = blockClasses(this.#state?.classes, given);
    return this.train({ X, y, from: this.#state, classes, maxEpochs: 1, isBlock: true });
  }

  /** The class of each row: the second class where the score is ≥ 0 (SPEC §1); none for no rows. */
  predict(X: Rows): L[] {
    const { classes } = this.fitted('predict');
    return Array.from(this.decisionFunction(X), (score) => labelOf(score, classes));
  }

  /** The score of each row: w·x + b, or Σ α_i y_i K(x_i, x) + b. */
  decisionFunction(X: Rows): Float64Array {
    const state = this.fitted('decisionFunction');
    if (isEmpty(X)) return new Float64Array();
    const engine = resolveEngine(this.settings.engine);
    return withRows(X, state.cols, engine, (rows) => this.scoresOf(state, rows, engine));
  }

  /** The share of rows predicted rightly; a label the model does not know is simply not right. */
  score(X: Rows, y: Labels<L>): number {
    const predicted = this.predict(X);
    shapeOf(X, 'X'); // the accuracy on no rows is no number
    return countEqual(predicted, checkLabels(y, predicted.length)) / predicted.length;
  }

  /** L of SPEC §2: −Σ y·s over the rows on the wrong side. */
  loss(X: Rows, y: Labels<L>): number {
    const { classes } = this.fitted('loss');
    shapeOf(X, 'X');
    const scores = this.decisionFunction(X);
    return lossOf(scores, signsOf(y, scores.length, classes));
  }

  /** The two classes in order: the second is +1. */
  get classes(): readonly L[] {
    return this.fitted('classes').classes;
  }

  /** How training went. */
  get report(): FitReport {
    this.fitted('report');
    return this.#report as FitReport;
  }

  // ---- for trainers ---------------------------------------------------------------------------------

  /** @internal */
  protected fitted(what: string): TrainingState<L> & Learned {
    if (!this.#state) {
      throw new NotFittedError(`this ${this.constructor.name} is not fitted yet: call fit before ${what}`);
    }
    return this.#state;
  }

  /** What `fit` and `fitAsync` ask of a session. @internal */
  protected wholeFit(X: Rows, y: Labels<L>): Request<L, Learned> {
    const from = this.settings.warmStart ? this.#state : undefined;
    const classes: Classes<L> | undefined = from?.classes ?? this.settings.classes;
    return { X, y, from, classes, maxEpochs: this.settings.maxEpochs, isBlock: false };
  }

  /** Checks everything and is ready to run. @internal */
  protected begin(session: Request<L, Learned>): Draft<TrainingState<L> & Learned> {
    const { settings } = this;
    return beginFit({
      settings,
      engine: resolveEngine(settings.engine),
      sliceFor: noSlices,
      onEpoch: settings.onEpoch,
      modelOf: (state) => {
        const model = this.another();
        model.adopt(state);
        return model;
      },
      ...session,
      learnerFor: session.learnerFor ?? this.learnerFor(session),
    });
  }

  /** Trains in one go. @internal */
  protected train(session: Request<L, Learned>): this {
    const draft = this.begin(session);
    try {
      const started = performance.now();
      this.#publish(draft, runToEnd(draft.steps), performance.now() - started);
    } finally {
      draft.release();
    }
    return this;
  }

  /** Trains a slice at a time: timers, input and painting go on in between. @internal */
  protected async trainInSlices(session: Request<L, Learned>, options: FitAsyncOptions<L>): Promise<this> {
    const { signal, onEpoch, threads = 'auto' } = options;
    if (onEpoch !== undefined) callback(onEpoch, 'onEpoch');
    const keepPartial = options.keepPartial !== undefined && boolean(options.keepPartial, 'keepPartial');
    if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
      throw new TypeError(`"signal" must be an AbortSignal, got ${show(signal)}`);
    }
    if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
      throw new RangeError(`"threads" must be 'auto' or an integer of at least 1, got ${show(threads)}`);
    }
    signal?.throwIfAborted();
    const own = this.settings.onEpoch;
    let told = -Infinity;
    const both = (epoch: Epoch<L>): boolean => {
      let goOn = own?.(epoch) !== false;
      if (onEpoch && epoch.elapsedMs - told >= EPOCH_INTERVAL_MS) {
        told = epoch.elapsedMs;
        goOn = onEpoch(epoch) !== false && goOn;
      }
      return goOn;
    };
    const slices = new TimeSlices();
    const draft = this.begin({
      ...session,
      onEpoch: own || onEpoch ? both : undefined,
      sliceFor: slices.sliceFor,
    });
    try {
      const started = performance.now();
      const reason = await runInSlices(draft.steps, slices, signal);
      if (!keepPartial) signal?.throwIfAborted();
      this.#publish(draft, reason, performance.now() - started);
    } finally {
      draft.release();
    }
    return this;
  }

  #publish(draft: Draft<TrainingState<L> & Learned>, reason: StopReason, elapsedMs: number): void {
    const gramMs = draft.gramMs();
    const timings = { copyMs: draft.copyMs, gramMs, trainMs: elapsedMs - gramMs };
    this.adopt(draft.state(reason), timings, draft.gramMode);
  }

  /** Takes a state as its own. @internal */
  protected adopt(state: TrainingState<L> & Learned, timings: Timings = NO_TIME, gram?: FitReport['gram']): void {
    const engine = resolveEngine(this.settings.engine);
    this.#state = state;
    this.#report = Object.freeze({
      ...state.history,
      engine: engine.kind,
      ...(engine.reason !== undefined && { engineReason: engine.reason }),
      threads: 1,
      ...(gram !== undefined && { gram }),
      timings: Object.freeze(timings),
    });
  }

  /** Takes a state that came from a file, if it suits the options that came with it. @internal */
  protected load(state: TrainingState<L> & Learned): void {
    const { featureNames, classes } = this.settings;
    if (featureNames) expectLength(featureNames, state.cols, 'options.featureNames');
    if (classes) blockClasses(state.classes, classes);
    classWeights(this.settings, state.classes, 1, 1);
    this.adopt(state);
  }

  /** What a proof needs to know of how this model came about. @internal */
  protected proofOf(state: TrainingState<L>): Proof {
    const { settings } = this;
    return {
      scaling: settings.fitIntercept ? settings.interceptScaling : 0,
      learningRate: settings.learningRate,
      mu: settings.margin,
      sigma: state.sigma,
      classWeightRange: state.classWeightRange,
      mistakes: state.history.mistakes,
      isBatch: settings.order === 'batch',
    };
  }
}
