// Perceptron: the primal trainer (Rosenblatt 1958; SPEC §1 to §4, §9).

import type { ArenaRows } from '../data/arenarows.js';
import type { Label, Labels } from '../data/labels.js';
import { oneRow, type Row } from '../data/row.js';
import type { Rows } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions } from '../errors.js';
import { type DiagnoseOptions, type Diagnosis, diagnosisOf } from '../model/diagnosis.js';
import {
  exactNumber,
  expectLength,
  type Fields,
  openModel,
  optionsFrom,
  optionsJSON,
  type Packed,
  plain,
} from '../model/json.js';
import { labelOf, scoreOfRow, scoresOf, signsOf, withRows } from '../model/linear.js';
import { linearFromJSON, linearToJSON, type PerceptronJSON } from '../model/linear-json.js';
import {
  type Contribution,
  contributionsOf,
  type ExplainOptions,
  type Model,
  type PredictOptions,
} from '../model/model.js';
import type { Linear, LinearState } from '../model/state.js';
import { own } from '../own.js';
import type { Training } from '../train/loop.js';
import { FIT_ASYNC_KEYS, type FitAsyncOptions, type FitOptions, type PerceptronOptions } from '../train/options.js';
import { PrimalLearner, type PrimalStart } from '../train/primal.js';
import type { FitRequest, Problem } from '../train/problem.js';
import { PRIMAL, type PrimalSettings, resolve } from '../train/settings.js';
import { BinaryTrainer, proofOf, wantsLast, wantsTop } from './binary.js';
import type { AnyFitAsyncOptions, Fitted } from './fitted.js';
import { addProof, wantsProof } from './proving.js';
import { referencePlane } from './reference.js';
import { fitWeights, keptCounts, weightsIn } from './trainer.js';

/**
 * The perceptron: finds a plane w·x + b = 0 between two classes, if there is one, and what can be proven about it.
 *
 * @example
 * const model = new Perceptron().fit([[3, 3], [4, 3], [1, 1]], ['yes', 'yes', 'no']);
 * console.log(model.predictOne([4, 4])); // → yes
 */
export class Perceptron<L extends Label = Label> extends BinaryTrainer<L, Linear> implements Model<L> {
  /** Survives minification: consoles and messages show it. */
  static override readonly name: string = 'Perceptron';
  /** @internal */
  declare protected settings: PrimalSettings<L>;

  /** @throws TypeError or RangeError naming the option, what it must be and what it was */
  constructor(options: PerceptronOptions<L> = {}) {
    super();
    this.settings = resolve(PRIMAL, options);
  }

  /**
   * Trains on X (rows) and y (one label a row). Classes that are not separated are a result, in `report`, not an error. Bad input
   * throws and leaves the model as it was.
   */
  fit<const Y extends Labels<L>, F = Fitted<this, Perceptron, Perceptron<Y[number]>>>(
    X: Rows,
    y: Y,
    options?: FitOptions,
  ): NoInfer<F>;
  fit(X: Rows, y: Labels<L>, options?: FitOptions): this;
  fit(X: Rows, y: Labels<L>, options?: FitOptions): this {
    return this.fitNow(X, y, this.wholeRequest(options === undefined ? undefined : fitWeights(options)));
  }

  /**
   * As `fit`, bit-identical, in slices or, for large work, on worker threads: timers, input and painting are not blocked
   * (docs/threads.md). Do not change X and y until the promise settles. Of two concurrent fits, the one that ends last remains.
   *
   * @example
   * const stop = new AbortController();
   * const model = new Perceptron<string>({ maxEpochs: 1e9 });
   * const onEpoch = ({ epoch }: { epoch: number }) => { if (epoch >= 10) stop.abort(); };
   * await model.fitAsync([[0], [1], [0]], ['no', 'yes', 'yes'], { signal: stop.signal, onEpoch, keepPartial: true });
   * console.log(model.report.stopReason); // → aborted
   */
  fitAsync<const Y extends Labels<L>, F = Fitted<this, Perceptron, Perceptron<Y[number]>>>(
    X: Rows,
    y: Y,
    options?: FitAsyncOptions<L>,
  ): Promise<NoInfer<F>>;
  fitAsync(X: Rows, y: Labels<L>, options?: AnyFitAsyncOptions<L>): Promise<this>;
  async fitAsync(X: Rows, y: Labels<L>, options: FitAsyncOptions<L> = {}): Promise<this> {
    options = expectOptions(options, FIT_ASYNC_KEYS, 'fitAsync');
    return this.fitInTurns(X, y, this.wholeRequest(weightsIn(options)), options);
  }

  /** The class of one row. */
  predictOne(x: Row, options: PredictOptions = {}): L {
    const { plane, last, classes, cols } = this.fitted('predictOne');
    return labelOf(scoreOfRow(wantsLast(options) ? last : plane, x, cols), classes);
  }

  /**
   * What is proven about this model on its training rows: margin bracket and mistake bound (SPEC §4); with `prove`, whether any
   * plane separates them (docs/proofs.md).
   */
  diagnose(X: Rows, y: Labels<L>, options: DiagnoseOptions = {}): Diagnosis {
    options = expectOptions(options, ['reference', 'referenceBias', 'prove'], 'diagnose');
    const proves = wantsProof(options, undefined);
    const state = this.fitted('diagnose');
    const { settings } = this;
    const engine = resolveEngine(settings.engine);
    const reference = referencePlane(options, state.cols, settings.fitIntercept);
    const { initialWeights: weights = new Float64Array(state.cols), initialBias: bias } = settings;
    const planes = { plane: state.plane, last: state.last, start: { weights, bias } };
    const { plane, last, classes } = state;
    return withRows(X, state.cols, engine, (rows) => {
      const signs = signsOf(y, rows.rows, classes);
      const diagnosis = diagnosisOf(proofOf(settings, state), planes, rows, signs, engine, reference);
      if (!proves) return diagnosis;
      return addProof(diagnosis, rows, signs, settings.fitIntercept, [plane, last], classes[1] as L);
    });
  }

  /** The contributions of features to the score of x, the largest first. */
  explain(x: Row, options: ExplainOptions = {}): Contribution[] {
    const { plane, cols } = this.fitted('explain');
    return contributionsOf(plane, oneRow(x, cols), wantsTop(options), this.settings.featureNames);
  }

  /** A new copy of w (take it once, before a loop over its values): the mean with `average`, the pocket's with a pocket, else the last. */
  get weights(): Float64Array {
    const { plane } = this.fitted('weights');
    return plane.weights.slice();
  }

  /** b of the same plane. */
  get bias(): number {
    return this.fitted('bias').plane.bias;
  }

  /** The whole model as plain data, exact to the bit; training can continue from it. */
  toJSON(): PerceptronJSON {
    return plain<PerceptronJSON>(this.packed());
  }

  /** The JSON with the model's own arrays. @internal */
  packed(): Packed<PerceptronJSON> {
    return linearToJSON('perceptron', this.fitted('toJSON'), optionsJSON(this.settings));
  }

  /** A model from `toJSON`. @throws TypeError or RangeError naming the wrong field */
  static fromJSON<L extends Label = Label>(json: unknown): Perceptron<L> {
    const fields = openModel(json, ['perceptron']);
    const model = new Perceptron<L>(primalOptionsOf<L>(optionsFrom(fields)));
    model.loadLinear(fields);
    return model;
  }

  // ---- internal -------------------------------------------------------------------------------------

  /** Adopts the state in a model's JSON. @internal */
  protected loadLinear(fields: Fields): void {
    const state = linearFromJSON<L>(fields, this.settings);
    const { initialWeights } = this.settings;
    if (initialWeights) expectLength(initialWeights, state.cols, 'options.initialWeights');
    this.load(state);
  }

  /** @internal */
  protected override learnerFor(
    problem: Problem<L>,
    { from }: FitRequest<L, LinearState<L>>,
    engine: BoundEngine,
  ): Training<LinearState<L>> {
    const { settings } = this;
    const { cols } = problem.X;
    const { initialWeights: weights = new Float64Array(cols), initialBias: bias } = settings;
    const start: PrimalStart = from ?? {
      last: { weights, bias },
      plane: undefined,
      sums: undefined,
      seen: 0,
      sigma: 0,
    };
    if (start.last.weights.length !== cols) {
      throw new RangeError(`"initialWeights" has ${start.last.weights.length} values, X has ${cols} columns`);
    }
    const target = { positive: 1, weights: problem.weights, isNamed: false, isOneOfMany: false, random: undefined };
    return new PrimalLearner(engine, problem, settings, target, from, start) as unknown as Training<
      LinearState<L> // its classes are the problem's
    >;
  }

  /** @internal */
  protected override updateCountsOf({ counts }: LinearState<L>): Iterable<[number, number]> {
    return keptCounts(counts);
  }

  /** @internal */
  protected override scoresOf(
    state: LinearState<L>,
    rows: ArenaRows,
    engine: BoundEngine,
    last: boolean,
  ): Float64Array {
    return scoresOf(last ? state.last : state.plane, rows, engine);
  }

  /** @internal */
  protected override another(changes?: object): Perceptron<L> {
    const { engine } = this.settings;
    return new Perceptron<L>({ ...primalOptionsOf<L>(optionsJSON(this.settings)), engine, ...changes });
  }
}

/** Saved options as the constructor takes them, with the numbers that JSON cannot hold. */
export function primalOptionsOf<L extends Label>(json: Fields): PerceptronOptions<L> {
  const options = own(json);
  if (options.initialBias === '-0') options.initialBias = -0;
  if (Array.isArray(options.initialWeights)) {
    options.initialWeights = options.initialWeights.map((w, i) => exactNumber(w, `options.initialWeights[${i}]`));
  }
  return options as PerceptronOptions<L>;
}
