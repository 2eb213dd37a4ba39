// How fast are sparse rows? Whole fits, scoring and Gram matrices of a SparseMatrix against idiomatic JS on the same CSR
// arrays; against the same rows stored densely, to know from which density on that is better; against scikit-learn: peers.ts.
// Time follows the stored values, never N·d: speeds are in million values a second.

import { DenseMatrix, type EngineKind, gram, Perceptron, SparseMatrix } from 'perceptron-wasm';
import type { Plane } from '../baseline/perceptron.js';
import { fitSparse, fitSparseAveraged, sparseGramMerging, sparseGramSpread, sparseScores } from '../baseline/sparse.js';
import { generateSparse, type SparseRecipe, type SparseSet } from '../data/sparse.js';
import { type Contestant, contestOfCalls, once, ratioOf } from '../harness/measure.js';
import {
  answersOf,
  asksAll,
  availableEngines,
  BASELINE,
  byMode,
  expectSame,
  type Findings,
  type Target,
  tell,
  whenFull,
} from '../harness/question.js';
import type { Timing, Work } from '../harness/results.js';
import { contestOfTurns } from '../harness/turns.js';
import { shapeText } from '../harness/words.js';

const COPIED = 'X copied in each time';
const MERGING = 'idiomatic JS that merges pairs of rows';
const AVERAGED_BASELINE = 'idiomatic JS, averaged';
const EPOCHS = 20;
const ROUNDS = byMode({ smoke: 2, quick: 5, full: 7 });
/** Milliseconds of a turn where one call is shorter than that. */
const TURN = byMode({ smoke: 0.3, quick: 5, full: 50 });
/** At full size 0.1 % of 100,000 columns, 2 million values. */
const shape = byMode({
  smoke: { rows: 100, cols: 500, density: 0.02, seed: 11 },
  quick: { rows: 5000, cols: 40_000, density: 0.0015, seed: 11 },
  full: { rows: 20_000, cols: 100_000, density: 0.001, seed: 11 },
});
const { rows } = shape;
/** Rows and columns where density is what counts. */
const SQUARE = byMode({ smoke: 60, quick: 600, full: 2000 });
/** So that training goes on: with more columns than rows, any labels are separated within some 15 passes. */
const contradictions = rows / 20;

const others = (): EngineKind[] => availableEngines().filter((engine) => engine !== 'wasm-simd');

const counted = (n: number): string => n.toLocaleString('en');

/** Million values a second. */
function speedLine({ name, ms }: Timing, values: number): string {
  return `${name}: ${(values / ms / 1000).toFixed(0)} million values a second`;
}

interface Task {
  /** What is particular about the set. */
  name: string;
  recipe: SparseRecipe;
  /** Beside 'auto', which is always there. */
  engines?: readonly EngineKind[];
  /** Whether to fit from the caller's own arrays too, which are checked and copied in. */
  copied?: boolean;
  target?: Target;
  epochs?: number;
}

function train({ name, recipe, engines = [], copied = false, target, epochs = EPOCHS }: Task): Findings {
  const set = generateSparse(recipe);
  const { y } = set;
  const X = SparseMatrix.from(set);
  const names = ['auto' as const, ...engines];
  const models = names.map((engine) => new Perceptron<number>({ engine, maxEpochs: epochs }));
  const expected = fitSparse(set, y, epochs);
  for (const model of models) check(model.fit(X, y), expected, epochs);
  const plain = new Perceptron<number>({ maxEpochs: epochs });

  const contestants: Contestant[] = [
    { name: BASELINE, run: () => fitSparse(set, y, epochs).bias },
    ...models.map((model, i) => ({ name: names[i] as string, run: () => model.fit(X, y).bias })),
  ];
  if (copied) contestants.push({ name: COPIED, run: () => plain.fit(set, y).bias });
  const work = fitWork(set, expected.mistakes, epochs);
  const timings = contestOfCalls(
    contestants.map((contestant) => ({ ...contestant, work })),
    ROUNDS,
  );
  X.dispose();

  const what = `sparse fit ${shapeOf(recipe)}, ${name}`;
  const share = ((100 * expected.mistakes) / (recipe.rows * epochs)).toFixed(1);
  const notes = [
    `${counted(set.values.length)} values; ${counted(expected.mistakes)} mistakes in ${epochs} passes: ${share} % of the samples looked at`,
    ...timings.slice(0, 2).map((timing) => speedLine(timing, epochs * set.values.length)),
  ];
  if (copied) notes.push(`the copy alone: ${plain.report.timings.copyMs.toFixed(1)} ms of the last fit`);
  return { answers: answersOf({ what, timings, kind: 'train', ...(target && { target }) }), timings, notes };
}

/** 12 bytes for a value and its index; a mistake reads its row once more, about as long as all others. */
function fitWork({ values, rows }: SparseSet, mistakes: number, epochs: number): Work {
  const looked = values.length * (epochs + mistakes / rows);
  return { flops: 2 * looked, bytes: 12 * values.length * epochs, resident: 12 * values.length };
}

/** Of the same rows stored densely, all of EPOCHS passes. */
const denseWork = (mistakes: number): Work => ({
  flops: 2 * SQUARE * (SQUARE * EPOCHS + mistakes),
  bytes: 8 * SQUARE * SQUARE * EPOCHS,
  resident: 8 * SQUARE * SQUARE,
});

const shapeOf = ({ rows, cols, density }: SparseRecipe): string =>
  `${shapeText(rows, cols)} at ${Number((100 * density).toPrecision(3))} %`;

/** Throws unless a model was busy for all passes and ended as the baseline did. */
function check(model: Perceptron<number>, expected: Plane & { mistakes: number }, epochs: number): void {
  const { engine, mistakes, epochs: passes } = model.report;
  if (passes !== epochs) throw new Error(`this set was to keep ${engine} busy for ${epochs} passes, not ${passes}`);
  expectSame(model.weights, expected.weights, `weights of ${engine}`);
  expectSame([model.bias, mistakes], [expected.bias, expected.mistakes], `bias and mistakes of ${engine}`);
}

/** Every sample counts for the mean, mistake or not: done lazily, a fit stays within a few times its stored values. */
function average(recipe: SparseRecipe): Findings {
  const set = generateSparse(recipe);
  const { y } = set;
  const X = SparseMatrix.from(set);
  const plain = new Perceptron<number>({ maxEpochs: EPOCHS });
  const averaged = new Perceptron<number>({ maxEpochs: EPOCHS, average: true });
  check(averaged.fit(X, y), fitSparseAveraged(set, y, EPOCHS), EPOCHS);
  const work = fitWork(set, averaged.report.mistakes, EPOCHS);
  const timings = contestOfCalls(
    [
      { name: AVERAGED_BASELINE, work, run: () => fitSparseAveraged(set, y, EPOCHS).bias },
      { name: 'averaged', work, run: () => averaged.fit(X, y).bias },
      { name: 'not averaged', work, run: () => plain.fit(X, y).bias },
    ],
    ROUNDS,
  );
  X.dispose();
  const [baseline, mean, last] = timings as [Timing, Timing, Timing];
  const what = `averaged sparse fit ${shapeOf(recipe)}`;
  return {
    timings,
    answers: [
      { what, ...ratioOf(baseline, mean), against: BASELINE },
      {
        what: `${what}, time`,
        ...ratioOf(mean, last),
        against: 'the fit without the mean',
        lowerIsBetter: true,
        ...whenFull({ target: { atMost: 2 } }),
      },
    ],
    notes: [
      `adding w at each sample would be ${counted(recipe.rows * EPOCHS)} times ${counted(recipe.cols)} additions`,
    ],
  };
}

function score(recipe: SparseRecipe): Findings {
  const set = generateSparse(recipe);
  const X = SparseMatrix.from(set);
  const models = availableEngines().map(
    (engine) => [engine, new Perceptron<number>({ engine, maxEpochs: 1 }).fit(X, set.y)] as const,
  );
  const plane = models[0]?.[1] as Plane;
  const expected = sparseScores(set, plane);
  for (const [engine, model] of models) expectSame(model.decisionFunction(X), expected, `scores of ${engine}`);

  const stored = set.values.length;
  const work = { flops: 2 * stored, bytes: 12 * stored, resident: 12 * stored };
  const timings = contestOfTurns(
    [
      { name: BASELINE, work, run: () => sparseScores(set, plane)[0] as number },
      ...models.map(([name, model]) => ({ name, work, run: () => model.decisionFunction(X)[0] as number })),
    ],
    ROUNDS,
    TURN,
  );
  X.dispose();
  return {
    timings,
    answers: answersOf({ what: `scoring sparse ${shapeOf(recipe)}`, timings }),
    notes: timings.slice(0, 2).map((timing) => speedLine(timing, set.values.length)),
  };
}

/** Against the better of two ways one writes it in JS; the obvious one, which merges pairs of rows, is timed once: it takes seconds. */
function gramOfSparse(recipe: SparseRecipe): Findings {
  const set = generateSparse(recipe);
  const X = SparseMatrix.from(set);
  const out = DenseMatrix.allocate(recipe.rows, recipe.rows);
  const engines = availableEngines();
  const expected = sparseGramSpread(set);
  for (const engine of engines) {
    expectSame(gram(X, { engine, out }).data, expected, `Gram matrices of ${engine} and ${BASELINE}`);
  }
  const started = performance.now();
  const merged = sparseGramMerging(set);
  const mergingMs = performance.now() - started;
  expectSame(merged, expected, `Gram matrices of ${MERGING} and ${BASELINE}`);

  const work = gramWork(set);
  const timings = contestOfCalls(
    [
      { name: BASELINE, work, run: () => sparseGramSpread(set)[1] as number },
      ...engines.map((engine) => ({ name: engine, work, run: () => gram(X, { engine, out }).data[1] as number })),
    ],
    ROUNDS,
  );
  X.dispose();
  out.dispose();
  const what = `Gram matrix of sparse ${shapeOf(recipe)}`;
  return {
    timings,
    answers: [
      ...answersOf({ what, timings }),
      { what, ...once(mergingMs / (timings[1] as Timing).ms), against: MERGING },
    ],
    notes: [`${BASELINE}: one row spread out, all others gathered from it; ${MERGING}: ${mergingMs.toFixed(0)} ms`],
  };
}

/** Two operations for each pair of rows that have a value in the same column; the rows are read once at least. */
function gramWork({ values, indices, cols }: SparseSet): Work {
  const counts = new Uint32Array(cols);
  for (const column of indices) counts[column] = (counts[column] as number) + 1;
  const flops = counts.reduce((sum, count) => sum + count * (count + 1), 0);
  return { flops, bytes: 12 * values.length, resident: 12 * values.length };
}

/** The same rows, stored densely. */
function toDense({ values, indices, indptr, rows, cols }: SparseSet): DenseMatrix {
  const matrix = DenseMatrix.allocate(rows, cols);
  const { data } = matrix;
  for (let i = 0; i < rows; i++) {
    for (let k = indptr[i] as number; k < (indptr[i + 1] as number); k++) {
      data[i * cols + (indices[k] as number)] = values[k] as number;
    }
  }
  return matrix;
}

const DENSITIES = byMode({ smoke: [0.1, 1], quick: [0.01, 0.1, 0.3, 0.5, 1], full: [0.01, 0.1, 0.2, 0.3, 0.5, 1] });

function againstDense(): Findings {
  const square = { rows: SQUARE, cols: SQUARE, seed: 12, contradictions: SQUARE / 20 };
  const model = new Perceptron<number>({ maxEpochs: EPOCHS });
  const compared = DENSITIES.map((density) => {
    const set = generateSparse({ ...square, density });
    const [sparse, dense] = [SparseMatrix.from(set), toDense(set)];
    const { weights, bias, report } = model.fit(dense, set.y);
    check(model.fit(sparse, set.y), { weights, bias, mistakes: report.mistakes }, EPOCHS);
    const at = `at ${100 * density} %`;
    const timings = contestOfTurns(
      [
        { name: `dense ${at}`, work: denseWork(report.mistakes), run: () => model.fit(dense, set.y).bias },
        { name: `sparse ${at}`, work: fitWork(set, report.mistakes, EPOCHS), run: () => model.fit(sparse, set.y).bias },
      ],
      ROUNDS,
      TURN,
    ) as [Timing, Timing];
    sparse.dispose();
    dense.dispose();
    return { timings, ratio: ratioOf(...timings) };
  });
  return {
    timings: compared.flatMap(({ timings }) => timings),
    answers: compared.map(({ ratio }, i) => ({
      what: `fit ${shapeText(SQUARE, SQUARE)} with ${100 * (DENSITIES[i] as number)} % stored, sparse rows`,
      ...ratio,
      against: 'dense rows',
    })),
    notes: [
      `same weights in both forms; dense rows are the faster ones ${crossing(compared.map(({ ratio: { ratio } }) => ratio))}`,
      'a stored value takes 12 bytes, a dense one 8: above 67 % dense rows are smaller too',
    ],
  };
}

/** Where the ratio falls below 1, on straight lines between the logarithms of both. */
function crossing(ratios: readonly number[]): string {
  const after = ratios.findIndex((ratio) => ratio < 1);
  if (after < 0) return 'nowhere';
  if (after === 0) return 'everywhere';
  const [one, other] = [Math.log(ratios[after - 1] as number), Math.log(ratios[after] as number)];
  const [from, to] = [Math.log(DENSITIES[after - 1] as number), Math.log(DENSITIES[after] as number)];
  const density = Math.exp(from + ((to - from) * one) / (one - other));
  return `from about ${(100 * density).toFixed(0)} % on`;
}

const size = shapeOf(shape);

tell(`How fast are sparse epochs? (${size}, ${EPOCHS} passes, one row in twenty contradicted)`, () =>
  train({
    name: 'some mistakes',
    recipe: { ...shape, contradictions },
    engines: others(),
    copied: true,
    target: { atLeast: 2.5 },
  }),
);
if (asksAll()) askTheRest();
tell(`How fast are sparse rows scored? (${size})`, () => score(shape));
tell(`How fast is the Gram matrix of sparse rows? (${shapeOf({ ...shape, rows: rows / 10 })})`, () =>
  gramOfSparse({ ...shape, rows: rows / 10 }),
);
tell(`From which density on are dense rows faster? (${shapeText(SQUARE, SQUARE)}, ${EPOCHS} passes)`, againstDense);

function askTheRest(): void {
  tell('And with labels by chance, so that mistakes are dense? (five passes: later ones have few)', () =>
    train({ name: 'dense mistakes', recipe: { ...shape, flips: 0.5 }, epochs: 5 }),
  );
  tell('And with four contradictions only, so that mistakes become rare?', () =>
    train({ name: 'rare mistakes', recipe: { ...shape, contradictions: 4 } }),
  );
  const wide = { ...shape, cols: 10 * shape.cols, density: shape.density / 10, contradictions };
  tell(`And ten times as wide? (${shapeOf(wide)}: as many values)`, () =>
    train({ name: 'some mistakes', recipe: wide }),
  );
  tell(`What does averaging cost? (${size}, ${EPOCHS} passes)`, () => average({ ...shape, contradictions }));
}
