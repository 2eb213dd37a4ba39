// Perceptron: the primal trainer (Rosenblatt 1958; SPEC §1 to §4, §9).

import { type Classes, checkLabels, countEqual, type Label, type Labels, orderClasses } from '../data/labels.js';
import { isEmpty, type Rows, shapeOf } from '../data/rows.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions, NotFittedError, show } from '../errors.js';
import { type DiagnoseOptions, type Diagnosis, diagnosisOf } from '../model/diagnosis.js';
import {
  exact,
  exactList,
  exactNumber,
  expectLength,
  type OptionsJSON,
  openModel,
  optionsFromJSON,
  type PerceptronJSON,
  stateFromJSON,
  stateToJSON,
} from '../model/json.js';
import { checkRow, labelOf, lossOf, scoreOfOne, scoresOf, signsOf, withRows } from '../model/linear.js';
import type { Contribution, Model } from '../model/model.js';
import type { FitReport, StopReason } from '../model/report.js';
import type { LinearState, Plane } from '../model/state.js';
import { noSlices, runInSlices, runToEnd, TimeSlices } from './drive.js';
import { beginFit, blockClasses, type Draft, type Session } from './fit.js';
import {
  boolean,
  callback,
  classWeights,
  type Epoch,
  finite,
  type PerceptronOptions,
  resolveOptions,
  type Settings,
  vector,
} from './options.js';

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

/** What a method must say of a session; the rest has defaults. */
type Request<L extends Label> = Pick<Session<L>, 'X' | 'y' | 'from' | 'classes' | 'maxEpochs' | 'isBlock'> &
  Partial<Session<L>>;

/** onEpoch at a human rate. */
const EPOCH_INTERVAL_MS = 50;

const NO_TIME = Object.freeze({ copyMs: 0, gramMs: 0, trainMs: 0 });

/**
 * The perceptron: finds a plane w·x + b = 0 between two classes, if there is one, and says what it proved.
 *
 * @example
 * const model = new Perceptron().fit([[3, 3], [4, 3], [1, 1]], ['yes', 'yes', 'no']);
 * console.log(model.predictOne([4, 4])); // → yes
 */
export class Perceptron<L extends Label = Label> implements Model<L> {
  /** Kept through minification: consoles and messages show it. */
  static readonly name = 'Perceptron';
  readonly #settings: Settings<L>;
  #state: LinearState<L> | undefined;
  #report: FitReport | undefined;
  /** The caller's copies: writing to them does not change the model. */
  #weights: Float64Array | undefined;

  /** @throws TypeError or RangeError naming the option, what it must be and what it was */
  constructor(options: PerceptronOptions<L> = {}) {
    this.#settings = resolveOptions(options, 'Perceptron');
  }

  /**
   * Trains on X (rows) and y (one label a row), in one go. Not separating the classes is an outcome, told by
   * `report`, not an error; bad input is an error, and leaves the model as it was.
   */
  fit(X: Rows, y: Labels<L>): this {
    return this.#train({ X, y, ...this.#wholeFit() });
  }

  /** One pass over these rows, going on from where the model stands. */
  partialFit(X: Rows, y: Labels<L>, options: { classes?: readonly L[] } = {}): this {
    expectOptions(options, ['classes'], 'partialFit');
    if (this.#settings.classWeight === 'balanced') {
      throw new RangeError('partialFit cannot balance classes it has not seen; give classWeight as numbers');
    }
    const given = options.classes === undefined ? this.#settings.classes : orderClasses(options.classes, 'classes');
    const classes = blockClasses(this.#state?.classes, given);
    return this.#train({ X, y, from: this.#state, classes, maxEpochs: 1, isBlock: true });
  }

  /** As `fit`, a slice at a time: timers, input and painting go on in between. */
  async fitAsync(X: Rows, y: Labels<L>, options: FitAsyncOptions<L> = {}): Promise<this> {
    expectOptions(options, ['signal', 'onEpoch', 'threads', 'keepPartial', 'workerUrl'], 'fitAsync');
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
    const own = this.#settings.onEpoch;
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
    const draft = this.#begin({
      X,
      y,
      ...this.#wholeFit(),
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

  /** The class of each row: the second class where w·x + b ≥ 0 (SPEC §1); none for no rows. */
  predict(X: Rows): L[] {
    const { classes } = this.#fitted('predict');
    return Array.from(this.decisionFunction(X), (score) => labelOf(score, classes));
  }

  /** The class of one row. */
  predictOne(x: ArrayLike<number>): L {
    const { plane, classes } = this.#fitted('predictOne');
    return labelOf(scoreOfOne(plane, x), classes);
  }

  /** w·x + b of each row. */
  decisionFunction(X: Rows): Float64Array {
    const { plane } = this.#fitted('decisionFunction');
    if (isEmpty(X)) return new Float64Array();
    const engine = resolveEngine(this.#settings.engine);
    return withRows(X, plane.weights.length, engine, (rows) => scoresOf(plane, rows, engine));
  }

  /** The share of rows predicted rightly; a label the model does not know is simply not right. */
  score(X: Rows, y: Labels<L>): number {
    const predicted = this.predict(X);
    shapeOf(X, 'X'); // the accuracy on no rows is no number
    return countEqual(predicted, checkLabels(y, predicted.length)) / predicted.length;
  }

  /** L(w, b) of SPEC §2: −Σ y·s over the rows on the wrong side. */
  loss(X: Rows, y: Labels<L>): number {
    const { classes } = this.#fitted('loss');
    shapeOf(X, 'X');
    const scores = this.decisionFunction(X);
    return lossOf(scores, signsOf(y, scores.length, classes));
  }

  /** What is proven about this model on its training rows: margin bracket, mistake bound (SPEC §4). */
  diagnose(X: Rows, y: Labels<L>, options: DiagnoseOptions = {}): Diagnosis {
    expectOptions(options, ['reference', 'referenceBias'], 'diagnose');
    const state = this.#fitted('diagnose');
    const settings = this.#settings;
    const engine = resolveEngine(settings.engine);
    const cols = state.plane.weights.length;
    const reference = referencePlane(options, cols);
    if (reference?.bias && !settings.fitIntercept) {
      throw new RangeError('"referenceBias" must be 0 without an intercept (fitIntercept: false)');
    }
    return withRows(X, cols, engine, (rows) =>
      diagnosisOf(
        {
          plane: state.plane,
          last: state.last,
          start: { weights: settings.initialWeights ?? new Float64Array(cols), bias: settings.initialBias },
          scaling: settings.fitIntercept ? settings.interceptScaling : 0,
          learningRate: settings.learningRate,
          mu: settings.margin,
          sigma: state.sigma,
          classWeightRange: state.classWeightRange,
          mistakes: state.history.mistakes,
          isBatch: settings.order === 'batch',
        },
        rows,
        signsOf(y, rows.rows, state.classes),
        engine,
        reference,
      ),
    );
  }

  /** What each feature adds to the score of x, the weightiest first. */
  explain(x: ArrayLike<number>): Contribution[] {
    const { plane } = this.#fitted('explain');
    checkRow(x, plane.weights.length);
    const { featureNames } = this.#settings;
    return Array.from(plane.weights, (w, index) => ({
      index,
      ...(featureNames && { name: featureNames[index] as string }),
      contribution: w * (x[index] as number),
    })).sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || a.index - b.index);
  }

  /** w: the mean where averaging is on, else the last. Your copy. */
  get weights(): Float64Array {
    this.#weights ??= this.#fitted('weights').plane.weights.slice();
    return this.#weights;
  }

  /** b, of the same plane. */
  get bias(): number {
    return this.#fitted('bias').plane.bias;
  }

  /** The two classes in order: the second is +1. */
  get classes(): readonly L[] {
    return this.#fitted('classes').classes;
  }

  /** How training went. */
  get report(): FitReport {
    this.#fitted('report');
    return this.#report as FitReport;
  }

  /** The whole model as plain data, exact to the bit; training can go on from it. */
  toJSON(): PerceptronJSON {
    return stateToJSON(this.#fitted('toJSON'), optionsJSON(this.#settings));
  }

  /** A model from `toJSON`. @throws TypeError or RangeError naming the field that is wrong */
  static fromJSON<L extends Label = Label>(json: unknown): Perceptron<L> {
    const fields = openModel(json, ['perceptron']);
    const model = new Perceptron<L>(optionsOfJSON<L>(optionsFromJSON(fields)));
    const state = stateFromJSON<L>(fields, model.#settings.average);
    const { initialWeights, featureNames, classes } = model.#settings;
    const cols = state.plane.weights.length;
    if (initialWeights) expectLength(initialWeights, cols, 'options.initialWeights');
    if (featureNames) expectLength(featureNames, cols, 'options.featureNames');
    if (classes) blockClasses(state.classes, classes);
    classWeights(model.#settings, state.classes, 1, 1);
    model.#adopt(state, NO_TIME);
    return model;
  }

  // ---- inside ---------------------------------------------------------------------------------------

  #fitted(what: string): LinearState<L> {
    if (!this.#state) throw new NotFittedError(`this Perceptron is not fitted yet: call fit before ${what}`);
    return this.#state;
  }

  /** What `fit` and `fitAsync` ask of a session. */
  #wholeFit(): Pick<Session<L>, 'from' | 'classes' | 'maxEpochs' | 'isBlock'> {
    const from = this.#settings.warmStart ? this.#state : undefined;
    const classes: Classes<L> | undefined = from?.classes ?? this.#settings.classes;
    return { from, classes, maxEpochs: this.#settings.maxEpochs, isBlock: false };
  }

  #begin(session: Request<L>): Draft<L> {
    const settings = this.#settings;
    return beginFit({
      settings,
      engine: resolveEngine(settings.engine),
      sliceFor: noSlices,
      onEpoch: settings.onEpoch,
      modelOf: (state) => this.#withState(state),
      ...session,
    });
  }

  #train(session: Request<L>): this {
    const draft = this.#begin(session);
    try {
      const started = performance.now();
      this.#publish(draft, runToEnd(draft.steps), performance.now() - started);
    } finally {
      draft.release();
    }
    return this;
  }

  #publish(draft: Draft<L>, reason: StopReason, trainMs: number): void {
    this.#adopt(draft.state(reason), { copyMs: draft.copyMs, gramMs: 0, trainMs });
  }

  #adopt(state: LinearState<L>, timings: FitReport['timings']): void {
    const engine = resolveEngine(this.#settings.engine);
    this.#state = state;
    this.#weights = undefined;
    this.#report = Object.freeze({
      ...state.history,
      engine: engine.kind,
      ...(engine.reason !== undefined && { engineReason: engine.reason }),
      threads: 1,
      timings: Object.freeze(timings),
    });
  }

  /** Another trainer with these settings and this state. */
  #withState(state: LinearState<L>): Perceptron<L> {
    const { engine } = this.#settings;
    const model = new Perceptron<L>({ ...optionsOfJSON<L>(optionsJSON(this.#settings)), engine });
    model.#adopt(state, NO_TIME);
    return model;
  }
}

function referencePlane(options: DiagnoseOptions, cols: number): Plane | undefined {
  const { reference } = options;
  const referenceBias = finite(options.referenceBias ?? 0, 'referenceBias');
  if (reference === undefined) {
    if (options.referenceBias !== undefined) throw new RangeError('"referenceBias" needs a "reference"');
    return undefined;
  }
  const weights = vector(reference, 'reference');
  if (weights.length !== cols)
    throw new RangeError(`"reference" has ${weights.length} values, the model was fitted on ${cols} columns`);
  if (weights.every((w) => w === 0)) throw new RangeError('"reference" must not be all zeros: it has no direction');
  return { weights, bias: referenceBias };
}

/** Settings that are part of the model, as they are saved. */
function optionsJSON<L extends Label>(settings: Settings<L>): OptionsJSON {
  const { engine: _engine, onUpdate: _onUpdate, onEpoch: _onEpoch, ...saved } = settings;
  const json: OptionsJSON = {};
  for (const [key, value] of Object.entries(saved)) {
    if (value === undefined || (key === 'patience' && settings.validationFraction === 0)) continue;
    json[key] =
      typeof value === 'number' ? exact(value) : ArrayBuffer.isView(value) ? exactList(value) : structuredClone(value);
  }
  return json;
}

/** And back: numbers that JSON could not hold, and nothing that a file may not decide. */
function optionsOfJSON<L extends Label>(json: OptionsJSON): PerceptronOptions<L> {
  const options: OptionsJSON = { ...json };
  for (const key of ['engine', 'onUpdate', 'onEpoch']) {
    if (key in options) throw new RangeError(`model JSON: options.${key} cannot come from a file`);
  }
  if (options.initialBias === '-0') options.initialBias = -0;
  if (Array.isArray(options.initialWeights)) {
    options.initialWeights = options.initialWeights.map((w, i) => exactNumber(w, `options.initialWeights[${i}]`));
  }
  return options as PerceptronOptions<L>;
}
