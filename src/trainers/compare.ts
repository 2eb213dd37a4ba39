// compare: the same fit in both forms and on every engine. It checks that the results are equal, then times each fit.

import type { SparseStore } from '../data/csr.js';
import { DenseMatrix } from '../data/dense.js';
import type { Label, Labels } from '../data/labels.js';
import { copyIn, isSparse, type Rows, type SparseRows } from '../data/rows.js';
import { SparseMatrix } from '../data/sparse.js';
import type { EngineKind } from '../engine/contract.js';
import { defaultArena, registeredEngines } from '../engine/engine.js';
import { expectOptions, grouped, show } from '../errors.js';
import type { Diagnosis } from '../model/diagnosis.js';
import type { StopReason } from '../model/report.js';
import { own } from '../own.js';
import { notNegative } from '../train/checks.js';
import type { PerceptronOptions } from '../train/options.js';
import { keysOf, MAX_GRAM_BYTES, PRIMAL } from '../train/settings.js';
import { DualPerceptron } from './dualperceptron.js';
import { Perceptron } from './perceptron.js';

/** `Perceptron` is the primal form, `DualPerceptron` the dual one. */
export type PerceptronForm = 'primal' | 'dual';

/** Options of `compare`: those of `Perceptron`, and which forms and engines take part. */
export interface CompareOptions<L extends Label = Label>
  extends Omit<PerceptronOptions<L>, 'engine' | 'onUpdate' | 'onEpoch' | 'warmStart'> {
  /**
   * The forms; default both. The dual form is left out if initial weights are given (it starts from zero), or if its Gram
   * matrix would take more than 1 GiB. Every fit runs to its end at least twice.
   */
  forms?: readonly PerceptronForm[];
  /** The engines; default: all that work here, and 'wasm-scalar' only if `perceptron-wasm/scalar` is imported. */
  engines?: readonly EngineKind[];
  /** How long to repeat each fit, in milliseconds; the fastest fit counts. Default 200. */
  budgetMs?: number;
}

/** The result of one form on one engine. */
export interface ComparisonRow {
  form: PerceptronForm;
  engine: EngineKind;
  /** The fastest fit, with X in the kernels' memory already; includes the Gram matrix of the dual form. */
  fitMs: number;
  /** The part of fitMs for the Gram matrix. */
  gramMs: number;
  /** Time of the 'js' engine divided by this time, in the same form; 1 for 'js', null if 'js' did not run. */
  speedup: number | null;
  epochs: number;
  mistakes: number;
  stopReason: StopReason;
  accuracy: number;
  margin: Diagnosis['margin'];
  mistakeBound: number | null;
}

/** What `compare` found: one row for each form on each engine. */
export interface Comparison {
  rows: number;
  cols: number;
  results: ComparisonRow[];
  /** The forms and engines that were left out, with the reason. */
  absent: { form?: PerceptronForm; engine?: EngineKind; reason: string }[];
  /**
   * Whether both forms made the same number of mistakes in every epoch. In exact arithmetic they do (SPEC §7); with rounding
   * they may differ at a sample on the plane. Null if only one form ran.
   */
  formsAgree: boolean | null;
}

type AnyTrainer<L extends Label> = Perceptron<L> | DualPerceptron<L>;

interface Contestant<L extends Label> {
  form: PerceptronForm;
  model: AnyTrainer<L>;
}

/** Options of Perceptron that compare does not have: every fit starts afresh, on each engine, without callbacks. */
const NOT_COMPARED: readonly string[] = ['engine', 'onUpdate', 'onEpoch', 'warmStart'];

const FORMS: readonly PerceptronForm[] = ['primal', 'dual'];

/** Sparse rows in the memory that the engines share. */
const sparseIn = (X: SparseRows): SparseStore => copyIn(X, defaultArena, 'X').store as SparseStore;

/**
 * Trains in each form on each engine, checks that they agree, and times them.
 * @throws TypeError or RangeError naming the argument; Error if two engines are not bit-identical in one form
 *
 * @example
 * const { results } = compare([[3, 3], [4, 3], [1, 1]], [1, 1, -1], { engines: ['js'], budgetMs: 1 });
 * console.log(results.map(({ form, mistakes }) => `${form}: ${mistakes}`)); // → [ 'primal: 7', 'dual: 7' ]
 */
export function compare<L extends Label>(X: Rows, y: Labels<L>, options: CompareOptions<L> = {}): Comparison {
  const known = ['forms', 'engines', 'budgetMs', ...keysOf(PRIMAL).filter((key) => !NOT_COMPARED.includes(key))];
  options = expectOptions(options, known, 'compare');
  const { forms = FORMS, engines = registeredEngines(), budgetMs = 200, ...others } = options;
  const rest = own(others);
  if (!Array.isArray(engines)) throw new TypeError(`"engines" must be an array of engine names, got ${show(engines)}`);
  if (!Array.isArray(forms)) throw new TypeError(`"forms" must be an array of 'primal' and 'dual', got ${show(forms)}`);
  forms.forEach((form, k) => {
    if (!FORMS.includes(form)) throw new RangeError(`forms[${k}] must be 'primal' or 'dual', got ${show(form)}`);
  });
  notNegative(budgetMs, 'budgetMs');
  const absent: Comparison['absent'] = [];
  const matrix = isSparse(X) ? new SparseMatrix(sparseIn(X)) : DenseMatrix.from(X);
  const { rows, cols } = matrix;
  try {
    const asked = FORMS.filter((form) => forms.includes(form));
    const fits = asked.flatMap((form) => fitEach(form, matrix, y, rest, engines, absent));
    for (const form of asked) checkEqual(fits.filter((fit) => fit.form === form));
    const timed = fits.map((fit) => ({ ...fit, ...fastest(fit.model, matrix, y, budgetMs) }));
    return {
      rows,
      cols,
      absent,
      formsAgree: agreement(fits),
      results: timed.map(({ form, model, fitMs, gramMs }): ComparisonRow => {
        const { engine, epochs, mistakes, stopReason } = model.report;
        const { margin, mistakeBound, accuracy } = model.diagnose(matrix, y);
        const js = timed.find((t) => t.form === form && t.model.report.engine === 'js')?.fitMs;
        const speedup = js === undefined ? null : js / fitMs;
        return { form, engine, fitMs, gramMs, speedup, epochs, mistakes, stopReason, accuracy, margin, mistakeBound };
      }),
    };
  } finally {
    matrix.dispose();
  }
}

function trainerOf<L extends Label>(
  form: PerceptronForm,
  options: PerceptronOptions<L>,
  engine: EngineKind,
): AnyTrainer<L> {
  if (form === 'primal') return new Perceptron<L>({ ...options, engine });
  const { initialWeights: _weights, initialBias: _bias, ...shared } = options;
  return new DualPerceptron<L>({ ...shared, engine });
}

function fitEach<L extends Label>(
  form: PerceptronForm,
  matrix: DenseMatrix | SparseMatrix,
  y: Labels<L>,
  options: PerceptronOptions<L>,
  engines: readonly EngineKind[],
  absent: Comparison['absent'],
): Contestant<L>[] {
  if (form === 'dual' && (options.initialWeights !== undefined || options.initialBias !== undefined)) {
    absent.push({ form, reason: 'the dual form starts from zero, and initial weights were given' });
    return [];
  }
  const bytes = 8 * matrix.rows * matrix.rows;
  if (form === 'dual' && bytes > MAX_GRAM_BYTES) {
    absent.push({ form, reason: `its Gram matrix would take ${grouped(bytes)} bytes` });
    return [];
  }
  const fits: Contestant<L>[] = [];
  for (const engine of engines) {
    let model: AnyTrainer<L>;
    try {
      model = trainerOf(form, options, engine);
    } catch (error) {
      // An engine that does not work here is left out. Bad options fail on 'js' too, and are thrown there.
      if (engine === 'js' || !(error instanceof Error) || error instanceof RangeError || error instanceof TypeError)
        throw error;
      absent.push({ form, engine, reason: error.message });
      continue;
    }
    fits.push({ form, model: model.fit(matrix, y) });
  }
  return fits;
}

function checkEqual<L extends Label>(fits: readonly Contestant<L>[]): void {
  const [first, ...others] = fits.map(({ model }) => ({ engine: model.report.engine, json: JSON.stringify(model) }));
  for (const other of others) {
    if (other.json !== first?.json)
      throw new Error(`engines ${first?.engine} and ${other.engine} disagree on this data`);
  }
}

function agreement<L extends Label>(fits: readonly Contestant<L>[]): boolean | null {
  const [primal, dual] = FORMS.map((form) => fits.find((fit) => fit.form === form)?.model.report.mistakesByEpoch);
  if (!primal || !dual) return null;
  return primal.length === dual.length && primal.every((mistakes, epoch) => mistakes === dual[epoch]);
}

/** The fastest of repeated fits within the budget, at least two. An earlier fit has warmed the code up. */
function fastest<L extends Label>(
  model: AnyTrainer<L>,
  matrix: DenseMatrix | SparseMatrix,
  y: Labels<L>,
  budgetMs: number,
): { fitMs: number; gramMs: number } {
  let fitMs = Infinity;
  let gramMs = 0;
  const end = performance.now() + budgetMs;
  for (let i = 0; i < 2 || performance.now() < end; i++) {
    const started = performance.now();
    model.fit(matrix, y);
    const elapsed = performance.now() - started;
    if (elapsed < fitMs) {
      fitMs = elapsed;
      gramMs = model.report.timings.gramMs;
    }
  }
  return { fitMs, gramMs };
}
