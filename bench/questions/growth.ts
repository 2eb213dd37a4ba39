// How does time grow? With N, with d, with the stored values: an exponent each, fitted on logarithms over sizes a factor
// of two apart, and what the algorithm says. Overheads make small sizes slower and so the exponent smaller, caches that
// no longer hold the rows make it larger: how far it is off tells how much there is of either.

import { DenseMatrix, DualPerceptron, gram, Perceptron, SparseMatrix } from 'perceptron-wasm';
import { sparseScores } from '../baseline/sparse.js';
import { fillUniform, fillWithMistakes, Random } from '../data/generate.js';
import { generateSparse } from '../data/sparse.js';
import { contestInRounds } from '../harness/measure.js';
import { powerLaw } from '../harness/powerlaw.js';
import { byMode, expectSame, type Findings, tell } from '../harness/question.js';
import type { Growth, Timing, Work } from '../harness/results.js';
import { timed, turnOf } from '../harness/turns.js';
import { grouped, shapeText } from '../harness/words.js';

const ROUNDS = byMode({ smoke: 3, quick: 5, full: 7 });
/** Milliseconds of a turn, at least. */
const TURN = byMode({ smoke: 0.5, quick: 3, full: 20 });
const EPOCHS = 20;

/** Sizes a factor of two apart from the first on; a few tiny ones for smoke. */
const sizes = (quick: number, full: number): number[] =>
  byMode({
    smoke: [40, 80, 160],
    quick: doubled(quick),
    full: doubled(full),
  });
const doubled = (first: number): number[] => [1, 2, 4, 8, 16].map((times) => times * first);
const fixed = (quick: number, full: number): number => byMode({ smoke: 40, quick, full });

/** One size, ready to be timed. */
interface Place {
  x: number;
  /** Milliseconds of a call. */
  measure: () => number;
  work?: Work;
  dispose: () => void;
}

interface Series extends Omit<Growth, 'points' | 'exponent' | 'margin'> {
  xs: readonly number[];
  place: (x: number) => Place;
}

function grow({ xs, place, ...about }: Series): Growth {
  const places = xs.map(place);
  const contestants = places.map(({ x, measure, work }) => ({
    name: `${about.what}, ${about.of} = ${grouped(x)}`,
    measure: turnOf(TURN, measure),
    ...(work && { work }),
  }));
  const timings = contestInRounds(contestants, ROUNDS);
  for (const { dispose } of places) dispose();
  const points = places.map(({ x }, i) => ({ x, timing: timings[i] as Timing }));
  return { ...about, points, ...powerLaw(points.map(({ x, timing }) => ({ x, y: timing.ms }))) };
}

// ---- what is timed ----

/** Throws unless there are about as many as were meant: exponents mean little if their share is not the same everywhere. */
function expectNear(count: number, meant: number, what: string): void {
  if (Math.abs(count / meant - 1) > 0.25) throw new Error(`${what}: ${count}, about ${meant} were meant`);
}

/** An even number. */
const aTenth = (rows: number): number => 2 * Math.round(rows / 20);

/** One row in ten is a mistake in every pass, whatever the shape. */
function primalFit(rows: number, cols: number, x: number): Place {
  const X = DenseMatrix.allocate(rows, cols);
  const wrong = aTenth(rows);
  const { y, plane } = fillWithMistakes(X.data as Float64Array, { rows, cols, wrong, seed: 3 });
  const model = new Perceptron<number>({ maxEpochs: EPOCHS, initialWeights: plane });
  const { epochs, mistakes } = model.fit(X, y).report;
  expectSame([epochs, mistakes], [EPOCHS, EPOCHS * wrong], `passes and mistakes of ${shapeText(rows, cols)}`);
  const values = rows * cols;
  return {
    x,
    measure: timed(() => model.fit(X, y).bias),
    work: { flops: EPOCHS * (2 * values + 2 * wrong * cols), bytes: EPOCHS * 8 * values, resident: 8 * values },
    dispose: () => X.dispose(),
  };
}

function gramMatrix(rows: number, cols: number, x: number): Place {
  const [X, out] = [DenseMatrix.allocate(rows, cols), DenseMatrix.allocate(rows, rows)];
  fillUniform(X.data, 7);
  return {
    x,
    measure: timed(() => gram(X, { out }).data[1] as number),
    work: { flops: rows * (rows + 1) * cols, bytes: 8 * rows * cols, resident: 8 * rows * cols },
    dispose: () => {
      X.dispose();
      out.dispose();
    },
  };
}

/** So much longer than an update: what is right at first stays right, what is wrong stays wrong, for as many passes as here. */
const FIRM = 2 ** 14;

/** One row in ten is a mistake in every pass here too: labels by a plane that training starts from, every tenth turned round. */
function sparseFit(rows: number, cols: number, density: number): Place {
  const set = generateSparse({ rows, cols, density, seed: 11 });
  const random = new Random(12);
  const initialWeights = Float64Array.from({ length: cols }, () => (random.next() < 0.5 ? -FIRM : FIRM));
  const y = sparseScores(set, { weights: initialWeights, bias: 0 }).map((score, i) =>
    score < 0 === (i % 10 === 9) ? 1 : -1,
  );
  const X = SparseMatrix.from(set);
  const model = new Perceptron<number>({ maxEpochs: EPOCHS, initialWeights, fitIntercept: false });
  const { epochs, mistakes } = model.fit(X, y).report;
  expectSame([epochs], [EPOCHS], `passes of sparse ${shapeText(rows, cols)}`);
  expectNear(mistakes, (EPOCHS * rows) / 10, `mistakes of sparse ${shapeText(rows, cols)}`); // some rows lie on the plane
  const stored = set.values.length;
  return {
    x: stored,
    measure: timed(() => model.fit(X, y).weights[0] as number),
    work: { flops: EPOCHS * 2.2 * stored, bytes: EPOCHS * 12 * stored, resident: 12 * stored + 8 * cols },
    dispose: () => X.dispose(),
  };
}

const PASSES = byMode({ smoke: 100, quick: 200, full: 400 });

/** The passes of a fit from a Gram matrix that is there already, by the fit's own clock. */
function dualPasses(rows: number, wrong: number): Place {
  const cols = 64;
  const X = DenseMatrix.allocate(rows, cols);
  const { y } = fillWithMistakes(X.data as Float64Array, { rows, cols, wrong, seed: 5 });
  const precomputed = gram(X);
  const model = new DualPerceptron<number>({ maxEpochs: PASSES });
  const { mistakes } = model.fit(X, y, { precomputed }).report;
  expectNear(mistakes, wrong * PASSES, `mistakes of ${rows} rows`); // it starts from zero: others are mistakes at first
  return {
    x: rows,
    measure: () => model.fit(X, y, { precomputed }).report.timings.trainMs,
    work: { flops: mistakes * rows, bytes: 8 * mistakes * rows, resident: 8 * wrong * rows },
    dispose: () => {
      X.dispose();
      precomputed.dispose();
    },
  };
}

// ---- what grows ----

function primalSeries(): Series[] {
  const what = `primal fit, ${EPOCHS} passes`;
  const [rows, cols] = [fixed(500, 1000), fixed(500, 1000)];
  return [
    { what, of: 'N', at: `d = ${cols}`, expected: 1, xs: sizes(100, 250), place: (n) => primalFit(n, cols, n) },
    { what, of: 'd', at: `N = ${rows}`, expected: 1, xs: sizes(100, 250), place: (d) => primalFit(rows, d, d) },
  ];
}

function gramSeries(): Series[] {
  const what = 'Gram matrix';
  const [rows, cols] = [fixed(200, 400), fixed(500, 1000)];
  return [
    { what, of: 'N', at: `d = ${cols}`, expected: 2, xs: sizes(50, 100), place: (n) => gramMatrix(n, cols, n) },
    { what, of: 'd', at: `N = ${rows}`, expected: 1, xs: sizes(250, 500), place: (d) => gramMatrix(rows, d, d) },
  ];
}

function sparseSeries(): Series[] {
  const what = `sparse fit, ${EPOCHS} passes`;
  const rows = byMode({ smoke: 100, quick: 1000, full: 4000 });
  const cols = byMode({ smoke: 1000, quick: 20_000, full: 50_000 });
  const density = byMode({ smoke: 0.01, quick: 0.001, full: 0.001 });
  return [
    {
      what,
      of: 'non-zeros',
      at: `N = ${rows}, d = ${grouped(cols)}, more of them a row`,
      expected: 1,
      xs: byMode({ smoke: [0.005, 0.01, 0.02], quick: doubled(0.0005), full: doubled(0.0005) }),
      place: (share) => sparseFit(rows, cols, share),
    },
    {
      what,
      of: 'non-zeros',
      at: `${100 * density} % of d = ${grouped(cols)}, more rows`,
      expected: 1,
      xs: sizes(500, 2000),
      place: (n) => sparseFit(n, cols, density),
    },
  ];
}

function dualSeries(): Series[] {
  const what = `dual fit, ${PASSES} passes alone`;
  const few = byMode({ smoke: 4, quick: 16, full: 16 });
  const xs = sizes(100, 200);
  return [
    {
      what,
      of: 'N',
      at: `${few} mistakes a pass`,
      expected: 1,
      xs,
      place: (n) => dualPasses(n, few),
    },
    {
      what,
      of: 'N',
      at: 'one row in ten a mistake',
      expected: 2,
      xs,
      place: (n) => dualPasses(n, aTenth(n)),
    },
  ];
}

const line = ({ what, of, at, exponent, margin, expected, points }: Growth): string =>
  `${what}, ${at}: time grows as ${of} to the power of ${exponent.toFixed(2)} ± ${margin.toFixed(2)}, ${expected} expected (${of} from ${grouped(points[0]?.x ?? 0)} to ${grouped(points.at(-1)?.x ?? 0)})`;

function findings(series: readonly Series[]): Findings {
  const growth = series.map(grow);
  return { answers: [], growth, notes: growth.map(line) };
}

tell('How does the time of a primal fit grow?', () => findings(primalSeries()));
tell('And of the Gram matrix?', () => findings(gramSeries()));
tell('And of a sparse fit?', () => findings(sparseSeries()));
tell('And of the passes of a dual fit? (its Gram matrix left out)', () => findings(dualSeries()));
