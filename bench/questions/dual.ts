// How fast is the dual form? A whole fit of a real set that takes hundreds of thousands of passes, and what a
// pass costs: N reads and, at each of its m mistakes, N additions (SPEC §7).

import { DenseMatrix, DualPerceptron, gram } from 'perceptron-wasm';
import { type Dual, fitDual } from '../baseline/dual.js';
import { gramMatrix } from '../baseline/gram.js';
import { scores } from '../baseline/perceptron.js';
import { type Generated, generate, type Recipe } from '../data/generate.js';
import { realSet } from '../data/real.js';
import { consume, contestOfCalls, median, once } from '../harness/measure.js';
import { answersOf, availableEngines, BASELINE, byMode, expectSame, type Findings, tell } from '../harness/question.js';
import { relativeFit } from '../harness/relative.js';
import { shapeText } from '../harness/words.js';

const ENOUGH = 1_000_000;

const counted = (n: number): string => n.toLocaleString('en');

/** A real set that takes hundreds of thousands of passes; a small one, to see that it runs. */
const NAME = byMode({ smoke: 'a small set', quick: 'sonar', full: 'sonar' });
const setOf = (): Generated | undefined =>
  NAME === 'sonar' ? realSet(NAME) : generate({ rows: 20, cols: 10, seed: 8, margin: 3 });

function wholeFit(): Findings {
  const set = setOf();
  if (!set) return { answers: [], notes: ['skipped: ../shared/data/sonar.json is not there'] };
  const { data, rows, cols, y } = set;
  const X = DenseMatrix.from(set);
  const baseline = () => fitDual(gramMatrix(data, rows, cols), y, ENOUGH);
  const names = ['auto' as const, ...availableEngines().filter((engine) => engine !== 'wasm-simd')];
  const models = names.map((engine) => new DualPerceptron<number>({ engine, maxEpochs: ENOUGH }));
  const notes = [
    checkBaseline(baseline(), set),
    ...checkModels(models, X, set),
    'the counts of both may differ: in the Gram matrix they add in different orders, and rounding decides close calls',
  ];

  // The Gram matrix, and a row of it at each mistake.
  const workOf = (mistakes: number) => ({
    flops: rows * (rows + 1) * cols + rows * mistakes,
    bytes: 8 * rows * cols + 8 * rows * mistakes,
    resident: 8 * rows * rows,
  });
  const [theirs, ours] = [workOf(baseline().mistakes), workOf(models[0]?.report.mistakes ?? 0)];
  const timings = contestOfCalls(
    [
      { name: BASELINE, work: theirs, run: () => baseline().bias },
      ...models.map((model, i) => ({ name: names[i] as string, work: ours, run: () => model.fit(X, y).bias })),
    ],
    5,
  );
  const { gramMs, trainMs } = (models[0] as DualPerceptron<number>).report.timings;
  notes.push(
    `of the last fit with engine auto: Gram matrix ${gramMs.toFixed(2)} ms, training ${trainMs.toFixed(0)} ms`,
  );
  X.dispose();

  const what = `dual fit of ${NAME}, ${shapeText(rows, cols)}, Gram matrix included`;
  return { answers: answersOf({ what, timings, kind: 'train', target: { atLeast: 6 } }), timings, notes };
}

/** Throws unless the baseline separates the rows. It trusts its kept scores; here they are computed anew, from the weights. */
function checkBaseline(
  { counts, bias, epochs, mistakes, converged }: Dual,
  { data, rows, cols, y }: Generated,
): string {
  if (!converged) throw new Error(`${BASELINE} did not separate the set in ${epochs} passes`);
  const weights = new Float64Array(cols);
  for (let i = 0; i < rows; i++) {
    const alpha = (counts[i] as number) * (y[i] as number);
    for (let k = 0; k < cols; k++) weights[k] = (weights[k] as number) + alpha * (data[i * cols + k] as number);
  }
  const wrong = scores(data, rows, { weights, bias }).filter((score, i) => !(score * (y[i] as number) > 0)).length;
  if (wrong > 0) throw new Error(`${BASELINE} says that it separates the set, but ${wrong} rows are on the wrong side`);
  return `${BASELINE}: ${counted(epochs)} passes, ${counted(mistakes)} mistakes`;
}

/** Throws unless all engines separate the rows in the same way. */
function checkModels(models: readonly DualPerceptron<number>[], X: DenseMatrix, { y }: Generated): string[] {
  const [first] = models as [DualPerceptron<number>];
  for (const model of models) {
    const { engine, converged, epochs } = model.fit(X, y).report;
    // `converged` is said only of scores computed anew from α; the weights must say the same.
    if (!converged) throw new Error(`${engine} did not separate the set in ${epochs} passes`);
    if (model.score(X, y) !== 1) throw new Error(`${engine} says that it separates the set, but its weights do not`);
    expectSame(model.alphas, first.alphas, `alphas of ${engine}`);
    expectSame([model.bias, epochs], [first.bias, first.report.epochs], `bias and passes of ${engine}`);
  }
  const { epochs, mistakes } = first.report;
  return [`ours: ${counted(epochs)} passes, ${counted(mistakes)} mistakes; separated, by scores computed anew from α`];
}

// ---- what a pass costs ----

const LARGE = [250, 500, 1000, 2000];
const SIZES = byMode({ smoke: [100, 250], quick: LARGE, full: LARGE });
/** Nanoseconds that a set is trained for, about. */
const LONG = byMode({ smoke: 2e6, quick: 1e8, full: 1e8 });
/** From few mistakes to many. A row that is there twice, with both labels, keeps training from ending. */
const RECIPES: readonly Omit<Recipe, 'rows' | 'cols' | 'seed'>[] = [
  { margin: 3, contradictions: 1 },
  { margin: 3, contradictions: 16 },
  { flips: 0.02, contradictions: 1 },
  { flips: 0.5, contradictions: 1 },
];
const CHECKED_EPOCHS = 20;
const ROUNDS = 3;

interface Run {
  rows: number;
  /** Mistakes a pass. */
  m: number;
  /** Nanoseconds a pass. */
  ns: number;
}

/** One set: checked against the baseline, then trained for a while, several times. */
function measureEpoch(recipe: Recipe): Run {
  const set = generate(recipe);
  const { data, rows, cols, y } = set;
  const X = DenseMatrix.from(set);
  const precomputed = gram(X);
  const short = new DualPerceptron<number>({ maxEpochs: CHECKED_EPOCHS }).fit(X, y, { precomputed });
  const expected = fitDual(gramMatrix(data, rows, cols), y, CHECKED_EPOCHS);
  expectSame(short.updateCounts, expected.counts, `updates of ${rows} rows`); // exact: the values are on a grid
  expectSame([short.bias, short.report.mistakes], [expected.bias, expected.mistakes], `bias of ${rows} rows`);

  // By 0.3 ns a number.
  const numbers = rows * (1 + expected.mistakes / CHECKED_EPOCHS);
  const maxEpochs = Math.max(CHECKED_EPOCHS, Math.round(LONG / (0.3 * numbers)));
  const model = new DualPerceptron<number>({ maxEpochs });
  const times = Array.from({ length: ROUNDS }, () => {
    const { epochs, timings } = model.fit(X, y, { precomputed }).report;
    if (epochs !== maxEpochs) throw new Error(`this set was to keep us busy for ${maxEpochs} passes, not ${epochs}`);
    consume(model.bias);
    return (timings.trainMs * 1e6) / epochs;
  });
  precomputed.dispose();
  X.dispose();
  return { rows, m: model.report.mistakes / maxEpochs, ns: median(times) };
}

function epochCosts(): Findings {
  const runs = SIZES.flatMap((rows) => RECIPES.map((recipe) => measureEpoch({ rows, cols: 20, seed: 8, ...recipe })));
  // a and b of ns = a·N + b·m·N, in nanoseconds.
  const { a, b } = relativeFit(runs.map(({ rows, m, ns }) => ({ u: rows, v: m * rows, y: ns })));
  const predicted = runs.map(({ rows, m }) => a * rows + b * m * rows);
  const mean = runs.reduce((sum, { ns }) => sum + ns, 0) / runs.length;
  const spread = runs.reduce((sum, { ns }) => sum + (ns - mean) ** 2, 0);
  const left = runs.reduce((sum, { ns }, i) => sum + (ns - (predicted[i] as number)) ** 2, 0);
  const factors = runs.map(({ ns }, i) => Math.max(ns / (predicted[i] as number), (predicted[i] as number) / ns));
  const worst = Math.max(...factors);

  const line = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(10)).join('');
  const microseconds = (ns: number): string => (ns / 1000).toFixed(2);
  const notes = [
    line(['N', 'm', 'µs a pass', 'predicted']),
    ...runs.map(({ rows, m, ns }, i) =>
      line([String(rows), m.toFixed(1), microseconds(ns), microseconds(predicted[i] as number)]),
    ),
    `a pass takes a·N + b·m·N with a = ${a.toFixed(3)} ns, b = ${b.toFixed(3)} ns, R² = ${(1 - left / spread).toFixed(4)}`,
  ];
  const what = 'dual epoch, the worst prediction by a·N + b·m·N';
  return { notes, answers: [{ what, ...once(worst), against: 'the time measured', lowerIsBetter: true }] };
}

tell(`How fast is a dual fit? (${NAME}, until it is separated)`, wholeFit);
tell(`What does a dual pass cost? (N = ${SIZES[0]} to ${SIZES.at(-1)}, m mistakes, Gram matrix given)`, epochCosts);
