// MulticlassPerceptron: two or more classes (SPEC §11), one-vs-rest or multinomial, with weights or with a kernel.

import type { ArenaRows } from '../data/arenarows.js';
import type { DenseMatrix } from '../data/dense.js';
import { encode, type Label, type Labels, listed, signsFor } from '../data/labels.js';
import { oneRow, type Row } from '../data/row.js';
import { isEmpty, isSparse, type Rows, sourceOf } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions, show } from '../errors.js';
import type { Kernel } from '../gram/kernel.js';
import { type Diagnosis, diagnosisOf, kernelDiagnosisOf } from '../model/diagnosis.js';
import { type Expansion, type Expansions, supportContributions } from '../model/dual.js';
import { fieldsOf, openModel, optionsFrom, optionsJSON, type Packed, plain } from '../model/json.js';
import { lossOf, scoreOfOne, scoresInParts, withRows } from '../model/linear.js';
import {
  type Contribution,
  contributionsOf,
  type ExplainOptions,
  type Model,
  type MulticlassDiagnosis,
  type MulticlassModel,
  type PredictOptions,
  type ScoreTable,
} from '../model/model.js';
import {
  bestOf,
  combined,
  errorsOf,
  marginsOf,
  multinomialDiagnosis,
  type Predictor,
  predictorOf,
  tableOf,
} from '../model/multi.js';
import { type MulticlassPerceptronJSON, multiFromJSON, multiToJSON } from '../model/multi-json.js';
import type { StopReason } from '../model/report.js';
import type { MultiState, Plane } from '../model/state.js';
import { has, own } from '../own.js';
import type { Training } from '../train/loop.js';
import { multiclassTraining, planFor } from '../train/multiclass.js';
import {
  FIT_ASYNC_KEYS,
  type FitAsyncOptions,
  type FitOptions,
  type MulticlassPerceptronOptions,
} from '../train/options.js';
import type { FitRequest, Problem } from '../train/problem.js';
import { type GramSettings, MULTICLASS, type MulticlassSettings, resolve } from '../train/settings.js';
import { proofOf, wantsLast, wantsTop } from './binary.js';
import type { AnyFitAsyncOptions, Fitted } from './fitted.js';
import { addProof, wantsProof } from './proving.js';
import { conclude, fitWeights, keptCounts, supportCounts, Trainer, weightsIn } from './trainer.js';

/**
 * The perceptron for two or more classes: each class has a score. The largest score is predicted; of equal scores, the first in
 * class order.
 *
 * @example
 * const model = new MulticlassPerceptron().fit([[0, 0], [5, 0], [0, 5]], ['low', 'right', 'up']);
 * console.log(model.predict([[4, 1], [1, 6]])); // → [ 'right', 'up' ]
 */
export class MulticlassPerceptron<L extends Label = Label>
  extends Trainer<L, MultiState<L>>
  implements MulticlassModel<L>
{
  /** Survives minification: consoles and messages show it. */
  static override readonly name: string = 'MulticlassPerceptron';
  /** @internal */
  declare protected settings: MulticlassSettings<L>;

  /** @throws TypeError or RangeError naming the option, what it must be and what it was */
  constructor(options: MulticlassPerceptronOptions<L> = {}) {
    super('many');
    this.settings = resolve(MULTICLASS, options);
  }

  /**
   * Trains on X (rows) and y (one label a row). Classes that are not separated are a result, in `report`, not an error. Bad input
   * throws and leaves the model as it was.
   */
  fit<const Y extends Labels<L>, F = Fitted<this, MulticlassPerceptron, MulticlassPerceptron<Y[number]>>>(
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
   */
  fitAsync<const Y extends Labels<L>, F = Fitted<this, MulticlassPerceptron, MulticlassPerceptron<Y[number]>>>(
    X: Rows,
    y: Y,
    options?: FitAsyncOptions<L, MulticlassModel<L>>,
  ): Promise<NoInfer<F>>;
  fitAsync(X: Rows, y: Labels<L>, options?: AnyFitAsyncOptions<L>): Promise<this>;
  async fitAsync(X: Rows, y: Labels<L>, options: FitAsyncOptions<L, MulticlassModel<L>> = {}): Promise<this> {
    options = expectOptions(
      options,
      this.settings.kernel ? [...FIT_ASYNC_KEYS, 'precomputed'] : FIT_ASYNC_KEYS,
      'fitAsync',
    );
    // With a kernel, for perceptron-wasm/select.
    const { precomputed } = options as { readonly precomputed?: DenseMatrix };
    const request = { ...this.wholeRequest(weightsIn(options)), precomputed };
    return this.fitInTurns(X, y, request, options as unknown as FitAsyncOptions<L>);
  }

  /** The class of each row: the largest score; of equal scores, the first in class order. No rows: an empty array. */
  override predict(X: Rows, options: PredictOptions = {}): L[] {
    const { classes } = this.fitted('predict');
    const table = this.decisionFunction(X, options);
    return Array.from({ length: table.rows }, (_, i) => classes[bestOf(table, i)] as L);
  }

  /** The class of one row. */
  predictOne(x: Row, options: PredictOptions = {}): L {
    const { cols, classes } = this.fitted('predictOne');
    const { planes } = this.#current; // before the caller's getters run, which may train this model
    const isLast = wantsLast(options);
    const row = oneRow(x, cols);
    if (!planes || isLast) return this.predict(row, options)[0] as L;
    // Not in the kernels' memory: copying all weights there takes longer than using those of one row.
    const data = Float64Array.from(planes, (plane) => scoreOfOne(plane, row));
    return classes[bestOf({ data, rows: 1, cols: planes.length }, 0)] as L;
  }

  /** The score of each row for each class, in class order. */
  decisionFunction(X: Rows, options: PredictOptions = {}): ScoreTable {
    const state = this.fitted('decisionFunction');
    const current = this.#current; // before the caller's getters run, which may train this model
    const predictor = wantsLast(options) ? predictorOf(state, this.settings.kernel, true) : current;
    if (isEmpty(X)) return { data: new Float64Array(), rows: 0, cols: state.classes.length };
    const engine = resolveEngine(this.settings.engine);
    const cols = state.classes.length;
    const data = scoresInParts(X, state.cols, engine, (rows) => tableOf(predictor, rows, engine).data);
    return { data, rows: data.length / cols, cols };
  }

  /** −Σ (s_y − the best other score) over the rows where that is ≤ 0; one-vs-rest: the sum of the losses of all classes. */
  loss(X: Rows, y: Labels<L>): number {
    const { classes } = this.fitted('loss');
    sourceOf(X, 'X'); // throws if X has no rows
    const table = this.decisionFunction(X);
    const { rows } = table;
    const { codes } = encode(y, rows, classes);
    if (this.settings.strategy === 'multinomial') {
      return lossOf(marginsOf(table, codes), new Int8Array(rows).fill(1));
    }
    return classes.reduce((sum, _, k) => {
      const scores = Float64Array.from({ length: rows }, (_, i) => table.data[i * table.cols + k] as number);
      return sum + lossOf(scores, signsFor(codes, k, new Int8Array(rows)));
    }, 0);
  }

  /**
   * What is proven about this model on its training rows (SPEC §4). One-vs-rest: about each class against the rest, and about
   * the smallest of their margins; with `prove`, whether a plane separates each class from the rest (docs/proofs.md).
   * Multinomial: about s_y − the best other score.
   */
  diagnose(X: Rows, y: Labels<L>, options: { prove?: boolean } = {}): MulticlassDiagnosis {
    options = expectOptions(options, ['prove'], 'diagnose');
    const state = this.fitted('diagnose');
    const proves = wantsProof(options, this.#unprovable);
    const { settings } = this;
    const current = this.#current;
    const engine = resolveEngine(settings.engine);
    const diagnosed = (rows: ArenaRows): MulticlassDiagnosis => {
      const { codes } = encode(y, rows.rows, state.classes);
      const last = predictorOf(state, settings.kernel, true);
      if (state.kind === 'multinomial planes' || state.kind === 'multinomial supports') {
        return multinomialDiagnosis(proofOf(settings, state.runs[0]), current, last, rows, codes, engine);
      }
      let radius: number | undefined;
      const byClass = state.runs.map((run, k): Diagnosis => {
        const signs = signsFor(codes, k, new Int8Array(rows.rows));
        const proof = proofOf(settings, run);
        if (current.planes && last.planes) {
          const planes = { plane: current.planes[k] as Plane, last: last.planes[k] as Plane, start: undefined };
          const diagnosis = diagnosisOf(proof, planes, rows, signs, engine, undefined, radius);
          radius = diagnosis.radius;
          const { plane, last: end } = planes;
          if (!proves) return diagnosis;
          return addProof(diagnosis, rows, signs, settings.fitIntercept, [plane, end], state.classes[k] as L);
        }
        if (!current.rows || !last.rows) throw new Error('a predictor has planes or supports');
        const parts = {
          expansion: current.expansions[k] as Expansion,
          last: last.expansions[k] as Expansion,
          supports: current.rows,
          kernel: current.kernel,
        };
        return kernelDiagnosisOf(proof, parts, rows, signs, engine);
      });
      const errors = errorsOf(tableOf(current, rows, engine), codes);
      return { ...combined(byClass, errors), byClass };
    };
    return withRows(X, state.cols, engine, diagnosed);
  }

  /** The contributions of features or support vectors to the score of the predicted class, or of `label`; the largest first. */
  explain(x: Row, options: ExplainOptions & { label?: L } = {}): Contribution[] {
    const { classes, cols } = this.fitted('explain');
    const current = this.#current;
    const [row, top] = [oneRow(x, cols), wantsTop(options, 'label')];
    const { label = this.predict(row)[0] as L } = own(options);
    const k = classes.indexOf(label);
    if (k < 0) throw new RangeError(`"label" is ${show(label)}, which is not one of the classes ${listed(classes)}`);
    const plane = current.planes?.[k];
    if (plane) return contributionsOf(plane, row, top, this.settings.featureNames);
    if (!current.rows) return [];
    const { rows, kernel, expansions } = current;
    return supportContributions(
      expansions[k] as Expansion,
      rows,
      row,
      kernel,
      resolveEngine(this.settings.engine),
      top,
    );
  }

  /** A new copy of w of each class, in class order: take it once, before a loop; the mean with `average`. @throws RangeError if the kernel is not linear */
  get weights(): readonly Float64Array[] {
    this.fitted('weights');
    const { planes } = this.#current;
    if (!planes) {
      throw new RangeError(
        `a model with the '${this.settings.kernel?.type}' kernel has no weights: its planes lie in the kernel's space`,
      );
    }
    return planes.map((plane) => plane.weights.slice());
  }

  /** A new copy of b of each class, in class order. */
  get biases(): Float64Array {
    this.fitted('biases');
    const current = this.#current;
    const parts: readonly { bias: number }[] = current.planes ?? (current.rows ? current.expansions : []);
    return Float64Array.from(parts, ({ bias }) => bias);
  }

  /** The whole model as plain data, exact to the bit. With a kernel it contains the support vectors, which are training data. */
  toJSON(): MulticlassPerceptronJSON {
    return plain<MulticlassPerceptronJSON>(this.packed());
  }

  /** The JSON with the model's own arrays. @internal */
  packed(): Packed<MulticlassPerceptronJSON> {
    return multiToJSON(this.fitted('toJSON'), optionsJSON(this.settings));
  }

  /** A model from `toJSON`. @throws TypeError or RangeError naming the wrong field */
  static fromJSON<L extends Label = Label>(json: unknown): MulticlassPerceptron<L> {
    const fields = openModel(json, ['multiclass-perceptron']);
    const options = optionsFrom(fields);
    if (typeof options.kernel === 'object' && options.kernel !== null) {
      options.kernel = fieldsOf(options.kernel, 'options.kernel');
    }
    const model = new MulticlassPerceptron<L>(options as MulticlassPerceptronOptions<L>);
    model.load(multiFromJSON<L>(fields, model.settings));
    return model;
  }

  // ---- internal -------------------------------------------------------------------------------------

  /** Why `prove` says nothing about this model, if so. */
  get #unprovable(): string | undefined {
    const { strategy, kernel } = this.settings;
    if (strategy === 'multinomial') return "strategy 'one-vs-rest': it is about two classes, got 'multinomial'";
    return this.#current.planes ? undefined : `the linear kernel, got '${kernel?.type}'`;
  }

  get #current(): Predictor {
    return this.derived('predictor', () => predictorOf(this.fitted('predict'), this.settings.kernel, false));
  }

  /** Refuses an impossible Gram matrix before anything is allocated. @internal */
  protected override expectPossible(X: Rows, request: FitRequest<L, MultiState<L>>, engine: BoundEngine): void {
    const { from, precomputed } = request;
    if (this.settings.kernel) planFor(this.settings, sourceOf(X, 'X').rows, isSparse(X), from, engine, precomputed);
  }

  /** @internal */
  protected override learnerFor(
    problem: Problem<L>,
    request: FitRequest<L, MultiState<L>>,
    engine: BoundEngine,
  ): Training<MultiState<L>> {
    return multiclassTraining(engine, problem, this.settings, request);
  }

  /** @internal */
  protected override updateCountsOf(state: MultiState<L>): Iterable<[number, number]> {
    const counts = new Map<number, number>();
    for (const run of state.runs) {
      const own = has(run, 'supports') ? supportCounts(run.supports) : keptCounts(run.counts);
      for (const [index, n] of own) counts.set(index, (counts.get(index) ?? 0) + n);
    }
    return counts;
  }

  /** @internal */
  override concluded(state: MultiState<L>, stopReason: StopReason): MultiState<L> {
    const runs = state.runs.map((run) => ({ ...run, history: conclude(run.history, stopReason) }));
    return { ...super.concluded(state, stopReason), runs } as MultiState<L>;
  }

  /** What its Gram matrix depends on. For perceptron-wasm/select. @internal */
  get gramSettings(): GramSettings {
    return this.settings;
  }

  /** The scores of each class. For perceptron-wasm/select. @internal */
  get expansions(): Expansions | undefined {
    const { planes, rows, expansions } = this.#current as Predictor & { readonly expansions: readonly Expansion[] };
    return planes ? undefined : { indices: rows?.indices as Uint32Array, expansions };
  }

  /** @internal */
  protected override another(changes?: { kernel?: Kernel }): MulticlassPerceptron<L> & Model<L> {
    const { engine, gram, maxGramBytes } = this.settings;
    const saved = optionsJSON(this.settings) as MulticlassPerceptronOptions<L>;
    const { kernel } = { ...this.settings, ...changes };
    const model = new MulticlassPerceptron<L>({ ...saved, engine, ...(kernel && { gram, maxGramBytes }), ...changes });
    return model as unknown as MulticlassPerceptron<L> & Model<L>; // a snapshot is a MulticlassPerceptron
  }
}
