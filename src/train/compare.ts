// The same fit on every engine, side by side: answers checked equal to the bit first, then timed.

import { DenseMatrix } from '../data/dense.js';
import type { Label, Labels } from '../data/labels.js';
import { type Rows, shapeOf } from '../data/rows.js';
import type { EngineKind } from '../engine/contract.js';
import { expectOptions, show } from '../errors.js';
import type { Diagnosis } from '../model/diagnosis.js';
import type { StopReason } from '../model/report.js';
import { notNegative, type PerceptronOptions, PRIMAL_KEYS } from './options.js';
import { Perceptron } from './perceptron.js';

export interface CompareOptions<L extends Label = Label>
  extends Omit<PerceptronOptions<L>, 'engine' | 'onUpdate' | 'onEpoch' | 'warmStart'> {
  /** Which engines; default: all that work here. */
  engines?: readonly EngineKind[];
  /** For how long to repeat each fit, in milliseconds; the fastest counts. Default 200. */
  budgetMs?: number;
}

/** One way of training. */
export interface ComparisonRow {
  form: 'primal';
  engine: EngineKind;
  /** The fastest fit, X already in the kernels' memory. */
  fitMs: number;
  /** Time of the 'js' engine over this one; 1 for 'js' itself, null if it did not run. */
  speedup: number | null;
  epochs: number;
  mistakes: number;
  stopReason: StopReason;
  accuracy: number;
  margin: Diagnosis['margin'];
  mistakeBound: number | null;
}

export interface Comparison {
  rows: number;
  cols: number;
  results: ComparisonRow[];
  /** Engines that do not work here, and why. */
  absent: { engine: EngineKind; reason: string }[];
}

/** Every fit runs afresh, on each engine, undisturbed. */
const NOT_COMPARED: readonly string[] = ['engine', 'onUpdate', 'onEpoch', 'warmStart'];

const ALL: readonly EngineKind[] = ['wasm-simd', 'wasm-scalar', 'js'];

/** Trains on each engine; throws if two of them do not agree to the bit. */
export function compare<L extends Label>(X: Rows, y: Labels<L>, options: CompareOptions<L> = {}): Comparison {
  expectOptions(
    options,
    ['engines', 'budgetMs', ...PRIMAL_KEYS.filter((key) => !NOT_COMPARED.includes(key))],
    'compare',
  );
  const { engines = ALL, budgetMs = 200, ...rest } = options;
  if (!Array.isArray(engines)) throw new TypeError(`"engines" must be an array of engine names, got ${show(engines)}`);
  notNegative(budgetMs, 'budgetMs');
  const { rows, cols } = shapeOf(X, 'X');
  const matrix = DenseMatrix.from(X);
  try {
    const { fits, absent } = fitEach(matrix, y, rest, engines);
    checkEqual(fits);
    const timed = fits.map((model) => ({ model, fitMs: fastest(() => model.fit(matrix, y), budgetMs) }));
    const js = timed.find(({ model }) => model.report.engine === 'js')?.fitMs;
    return {
      rows,
      cols,
      absent,
      results: timed.map(({ model, fitMs }) => {
        const { engine, epochs, mistakes, stopReason } = model.report;
        const { margin, mistakeBound, accuracy } = model.diagnose(matrix, y);
        const speedup = js === undefined ? null : js / fitMs;
        return { form: 'primal', engine, fitMs, speedup, epochs, mistakes, stopReason, accuracy, margin, mistakeBound };
      }),
    };
  } finally {
    matrix.dispose();
  }
}

function fitEach<L extends Label>(
  matrix: DenseMatrix,
  y: Labels<L>,
  options: PerceptronOptions<L>,
  engines: readonly EngineKind[],
): { fits: Perceptron<L>[]; absent: Comparison['absent'] } {
  const fits: Perceptron<L>[] = [];
  const absent: Comparison['absent'] = [];
  for (const engine of engines) {
    let model: Perceptron<L>;
    try {
      model = new Perceptron<L>({ ...options, engine });
    } catch (error) {
      // A named engine that does not work here is one row less; bad options fail on 'js' too and are thrown there.
      if (engine === 'js' || !(error instanceof Error) || error instanceof RangeError || error instanceof TypeError)
        throw error;
      absent.push({ engine, reason: error.message });
      continue;
    }
    fits.push(model.fit(matrix, y));
  }
  return { fits, absent };
}

function checkEqual<L extends Label>(fits: readonly Perceptron<L>[]): void {
  const [first, ...others] = fits.map((model) => ({ engine: model.report.engine, json: JSON.stringify(model) }));
  for (const other of others) {
    if (other.json !== first?.json)
      throw new Error(`engines ${first?.engine} and ${other.engine} disagree on this data`);
  }
}

/** Repeats within the budget, twice at least; the first run has warmed the code up. */
function fastest(run: () => unknown, budgetMs: number): number {
  let best = Infinity;
  const end = performance.now() + budgetMs;
  for (let i = 0; i < 2 || performance.now() < end; i++) {
    const started = performance.now();
    run();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
