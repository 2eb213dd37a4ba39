// DualPerceptron: the trainer in dual form, with kernels (Aizerman, Braverman & Rozonoer 1964; SPEC §7, §8).

import type { ArenaRows } from '../data/arenarows.js';
import type { DenseMatrix } from '../data/dense.js';
import type { Label, Labels } from '../data/labels.js';
import { oneRow, type Row } from '../data/row.js';
import { type Rows, sourceOf } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions } from '../errors.js';
import { Gram, planGram } from '../gram/gramrows.js';
import { type KernelFunction, kernelFor } from '../gram/kernel.js';
import { type DiagnoseOptions, type Diagnosis, diagnosisOf, kernelDiagnosisOf } from '../model/diagnosis.js';
import {
  type Expansion,
  type Expansions,
  expansionOf,
  kernelScores,
  kernelsWith,
  lastExpansion,
  planeOf,
  supportContributions,
} from '../model/dual.js';
import { type DualPerceptronJSON, dualFromJSON, dualToJSON } from '../model/dual-json.js';
import { fieldsOf, openModel, optionsFrom, optionsJSON, type Packed, plain } from '../model/json.js';
import { checkedScore, labelOf, scoreOfRow, scoresOf, signsOf, withRows } from '../model/linear.js';
import {
  type Contribution,
  contributionsOf,
  type ExplainOptions,
  type Model,
  type PredictOptions,
} from '../model/model.js';
import type { Dual, DualState, Plane } from '../model/state.js';
import { DualLearner } from '../train/dual.js';
import type { Training } from '../train/loop.js';
import { type DualPerceptronOptions, FIT_ASYNC_KEYS, type FitAsyncOptions, type FitOptions } from '../train/options.js';
import type { FitRequest, Problem } from '../train/problem.js';
import { DUAL, type DualSettings, type GramSettings, resolve } from '../train/settings.js';
import { BinaryTrainer, proofOf, wantsLast, wantsTop } from './binary.js';
import type { AnyFitAsyncOptions, Fitted } from './fitted.js';
import { addProof, wantsProof } from './proving.js';
import { referencePlane } from './reference.js';
import { supportCounts, weightsIn } from './trainer.js';

/** Options of `DualPerceptron.fit`. */
export interface DualFitOptions extends FitOptions {
  /** The Gram matrix of X with the same kernel, from `gram`: fit does not compute it again. */
  precomputed?: DenseMatrix;
}

/** What prediction needs, derived once from a state. */
interface Derived {
  expansion: Expansion;
  kernel: KernelFunction;
  /** w and b, if the kernel is linear. */
  plane: Plane | undefined;
}

/**
 * The perceptron in dual form: it counts how often each row was a mistake, and uses rows only in inner products or kernels.
 * Choose it for fewer rows than columns, for many epochs, or for classes that no plane separates.
 *
 * @example
 * const xor = new DualPerceptron({ kernel: { type: 'rbf', gamma: 1 } });
 * xor.fit([[0, 0], [1, 1], [0, 1], [1, 0]], [-1, -1, 1, 1]);
 * console.log(xor.predict([[0, 1], [1, 1]])); // → [ 1, -1 ]
 */
export class DualPerceptron<L extends Label = Label> extends BinaryTrainer<L, Dual> implements Model<L> {
  /** Survives minification: consoles and messages show it. */
  static override readonly name: string = 'DualPerceptron';
  /** @internal */
  protected settings: DualSettings<L>;

  /** @throws TypeError or RangeError naming the option, what it must be and what it was */
  constructor(options: DualPerceptronOptions<L> = {}) {
    super();
    this.settings = resolve(DUAL, options);
  }

  /**
   * Trains on X (rows) and y (one label a row). Before it reports `converged`, it computes the scores of all rows again and finds
   * no mistake. Bad input throws and leaves the model as it was.
   */
  fit<const Y extends Labels<L>, F = Fitted<this, DualPerceptron, DualPerceptron<Y[number]>>>(
    X: Rows,
    y: Y,
    options?: DualFitOptions,
  ): NoInfer<F>;
  fit(X: Rows, y: Labels<L>, options?: DualFitOptions): this;
  fit(X: Rows, y: Labels<L>, options: DualFitOptions = {}): this {
    options = expectOptions(options, ['sampleWeight', 'precomputed'], 'fit');
    return this.fitNow(X, y, { ...this.wholeRequest(weightsIn(options)), precomputed: options.precomputed });
  }

  /**
   * As `fit`, bit-identical, in slices or, for large work, on worker threads: timers, input and painting are not blocked
   * (docs/threads.md). Do not change X and y until the promise settles. Of two concurrent fits, the one that ends last remains.
   */
  fitAsync<const Y extends Labels<L>, F = Fitted<this, DualPerceptron, DualPerceptron<Y[number]>>>(
    X: Rows,
    y: Y,
    options?: FitAsyncOptions<L> & DualFitOptions,
  ): Promise<NoInfer<F>>;
  fitAsync(X: Rows, y: Labels<L>, options?: AnyFitAsyncOptions<L>): Promise<this>;
  async fitAsync(X: Rows, y: Labels<L>, options: FitAsyncOptions<L> & DualFitOptions = {}): Promise<this> {
    options = expectOptions(options, [...FIT_ASYNC_KEYS, 'precomputed'], 'fitAsync');
    const request = { ...this.wholeRequest(weightsIn(options)), precomputed: options.precomputed };
    return this.fitInTurns(X, y, request, options);
  }

  /** The class of one row. */
  predictOne(x: Row, options: PredictOptions = {}): L {
    const state = this.fitted('predictOne');
    const { classes, cols, supports } = state;
    const parts = this.#parts; // before the caller's getters run, which may train this model
    const { kernel } = parts;
    const { plane, expansion } = wantsLast(options) ? this.#partsOf(state, lastExpansion(state)) : parts;
    if (plane) return labelOf(scoreOfRow(plane, x, cols), classes);
    const { coefficients, bias } = expansion;
    const values = kernelsWith(supports, oneRow(x, cols), kernel, resolveEngine(this.settings.engine));
    const sum = coefficients.reduce((s, by, i) => s + by * (values[i] as number), 0);
    return labelOf(checkedScore(sum + bias), classes);
  }

  /** What is proven about this model on its training rows: margin bracket and mistake bound (SPEC §4), in the kernel's space. */
  diagnose(X: Rows, y: Labels<L>, options: DiagnoseOptions = {}): Diagnosis {
    options = expectOptions(options, ['reference', 'referenceBias', 'prove'], 'diagnose');
    const state = this.fitted('diagnose');
    const { settings } = this;
    const { expansion, kernel, plane } = this.#parts;
    const engine = resolveEngine(settings.engine);
    if (!plane && options.reference !== undefined) {
      throw new RangeError(
        `"reference" needs the linear kernel: a plane over columns has no meaning with '${settings.kernel.type}'`,
      );
    }
    const proves = wantsProof(options, plane ? undefined : `the linear kernel, got '${settings.kernel.type}'`);
    const reference = referencePlane(options, state.cols, settings.fitIntercept);
    const { supports, cols, classes } = state;
    const last = lastExpansion(state);
    return withRows(X, cols, engine, (rows) => {
      const signs = signsOf(y, rows.rows, classes);
      const proof = proofOf(this.settings, state);
      if (!plane) return kernelDiagnosisOf(proof, { expansion, last, supports, kernel }, rows, signs, engine);
      const planes = { plane, last: planeOf(last, supports, cols), start: undefined };
      const diagnosis = diagnosisOf(proof, planes, rows, signs, engine, reference);
      if (!proves) return diagnosis;
      return addProof(diagnosis, rows, signs, settings.fitIntercept, [plane, planes.last], classes[1] as L);
    });
  }

  /** The contributions of features (linear kernel) or of support vectors to the score of x, the largest first. */
  explain(x: Row, options: ExplainOptions = {}): Contribution[] {
    const { supports, cols } = this.fitted('explain');
    const { expansion, kernel, plane } = this.#parts;
    const [row, top] = [oneRow(x, cols), wantsTop(options)];
    if (plane) return contributionsOf(plane, row, top, this.settings.featureNames);
    return supportContributions(expansion, supports, row, kernel, resolveEngine(this.settings.engine), top);
  }

  /** A new copy of α_i for each sample: the sum of its steps, η n_i without class weights. Not the mean nor the pocket's. */
  get alphas(): Float64Array {
    const { supports, samples } = this.fitted('alphas');
    return spread(supports.alphas, supports.indices, new Float64Array(samples));
  }

  /** A new copy of n_i for each sample: how often it was a mistake. Hard samples have the largest. */
  get updateCounts(): Uint32Array {
    const { supports, samples } = this.fitted('updateCounts');
    return spread(supports.counts, supports.indices, new Uint32Array(samples));
  }

  /** A new copy of the indices of the support vectors (n_i > 0), ascending. */
  get supportIndices(): Uint32Array {
    const { supports } = this.fitted('supportIndices');
    return supports.indices.slice();
  }

  /** A new copy of w = Σ α_i y_i x_i; the mean with `average`, the pocket's with `pocket`. @throws RangeError if the kernel is not linear */
  get weights(): Float64Array {
    this.fitted('weights');
    const { plane } = this.#parts;
    if (!plane) {
      const { type } = this.settings.kernel;
      throw new RangeError(
        `a model with the '${type}' kernel has no weights: its plane lies in the kernel's space; see alphas and supportIndices`,
      );
    }
    return plane.weights.slice();
  }

  /** b: the mean with `average`, the pocket's with `pocket`. */
  get bias(): number {
    this.fitted('bias');
    return this.#parts.expansion.bias;
  }

  /** The whole model as plain data, exact to the bit. It contains the support vectors, which are training data. */
  toJSON(): DualPerceptronJSON {
    return plain<DualPerceptronJSON>(this.packed());
  }

  /** The JSON with the model's own arrays. @internal */
  packed(): Packed<DualPerceptronJSON> {
    return dualToJSON(this.fitted('toJSON'), optionsJSON(this.settings));
  }

  /** A model from `toJSON`. @throws TypeError or RangeError naming the wrong field */
  static fromJSON<L extends Label = Label>(json: unknown): DualPerceptron<L> {
    const fields = openModel(json, ['dual-perceptron']);
    const options = optionsFrom(fields);
    if (typeof options.kernel === 'object' && options.kernel !== null)
      options.kernel = fieldsOf(options.kernel, 'options.kernel');
    const model = new DualPerceptron<L>(options as DualPerceptronOptions<L>);
    const state = dualFromJSON<L>(fields, model.settings);
    model.load(state);
    return model;
  }

  // ---- internal -------------------------------------------------------------------------------------

  /** Refuses an impossible Gram matrix before anything is allocated. @internal */
  protected override expectPossible(X: Rows, request: FitRequest<L, DualState<L>>, engine: BoundEngine): void {
    planGram(this.settings, sourceOf(X, 'X').rows, engine.arena, request.precomputed);
  }

  /** @internal */
  protected override learnerFor(
    problem: Problem<L>,
    { from, precomputed }: FitRequest<L, DualState<L>>,
    engine: BoundEngine,
  ): Training<DualState<L>> {
    const { settings } = this;
    const { X, weights } = problem;
    const gram = new Gram(engine, X, settings.kernel, planGram(settings, X.rows, engine.arena, precomputed));
    try {
      const target = { positive: 1, weights, isNamed: false, isOneOfMany: false, random: undefined };
      return new DualLearner(engine, problem, settings, target, from, gram) as unknown as Training<
        DualState<L> // its classes are the problem's
      >;
    } catch (error) {
      gram.release();
      throw error;
    }
  }

  /** @internal */
  protected override expectBlocks(method: string): void {
    super.expectBlocks(method);
    if (this.settings.pocket) {
      throw new RangeError(
        `${method} does not go with the pocket: it counts mistakes over all rows after every update`,
      );
    }
  }

  /** What predicts. */
  get #parts(): Derived {
    return this.derived('parts', () => {
      const state = this.fitted('predict');
      return { kernel: kernelFor(this.settings.kernel, state.cols), ...this.#partsOf(state, expansionOf(state)) };
    });
  }

  /** @internal */
  protected override updateCountsOf({ supports }: DualState<L>): Iterable<[number, number]> {
    return supportCounts(supports);
  }

  /** @internal */
  protected override scoresOf(state: DualState<L>, rows: ArenaRows, engine: BoundEngine, last: boolean): Float64Array {
    const { supports, cols } = state;
    // A getter of the caller may have trained this model while the rows were read: then what was derived is of another state.
    const isCurrent = state === this.state && !last;
    const { expansion, plane } = isCurrent
      ? this.#parts
      : this.#partsOf(state, last ? lastExpansion(state) : expansionOf(state));
    const kernel = kernelFor(this.settings.kernel, cols);
    if (plane) return scoresOf(plane, rows, engine);
    return kernelScores([expansion], supports, kernel, rows, engine)[0] as Float64Array;
  }

  #partsOf({ supports, cols }: DualState<L>, expansion: Expansion): Pick<Derived, 'expansion' | 'plane'> {
    const isLinear = this.settings.kernel.type === 'linear';
    return { expansion, plane: isLinear ? planeOf(expansion, supports, cols) : undefined };
  }

  /** What its Gram matrix depends on. For perceptron-wasm/select. @internal */
  get gramSettings(): GramSettings {
    return this.settings;
  }

  /** Its scores. For perceptron-wasm/select. @internal */
  get expansions(): Expansions | undefined {
    const { indices } = this.fitted('expansions').supports;
    const { expansion, plane } = this.#parts;
    return plane ? undefined : { indices, expansions: [expansion] };
  }

  /** @internal */
  protected override another(changes?: object): DualPerceptron<L> {
    const { engine, gram, maxGramBytes } = this.settings;
    const saved = optionsJSON(this.settings) as DualPerceptronOptions<L>;
    return new DualPerceptron<L>({ ...saved, engine, gram, maxGramBytes, ...changes });
  }
}

/** Puts the values of the support vectors at their places among all samples. */
function spread<T extends Float64Array | Uint32Array>(values: T, indices: Uint32Array, into: T): T {
  indices.forEach((index, s) => {
    into[index] = values[s] as number;
  });
  return into;
}
