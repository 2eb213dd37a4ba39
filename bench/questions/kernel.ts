// How fast is the kernel perceptron for ten classes? One pass over a few thousand digits of MNIST, one-vs-rest, with
// (1 + x·z)^3, against the obvious loop: what `npm run reproduce` does with all of them.

import { type EngineKind, MulticlassPerceptron } from 'perceptron-wasm';
import { Random } from '../../src/random.js';
import { fitKernelPerceptron, type KernelModel, predictKernelPerceptron } from '../baseline/kernel-perceptron.js';
import { type Digits, mnist } from '../data/mnist.js';
import { contestOfCalls } from '../harness/measure.js';
import { answersOf, availableEngines, BASELINE, byMode, expectSame, type Findings, tell } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { shapeText } from '../harness/words.js';

const ROWS = byMode({ smoke: 100, quick: 4000, full: 4000 });
/** A power of two, so that means over its samples are exact too. */
const CHECKED_ROWS = byMode({ smoke: 64, quick: 1024, full: 1024 });
const TEST_ROWS = byMode({ smoke: 20, quick: 500, full: 500 });
const K = 10;
const DEGREE = 3;
const SEED = 0;
/** As many as it takes to tell a change from noise. */
const ROUNDS = byMode({ smoke: 2, quick: 5, full: 5 });

const ours = (engine: EngineKind | 'auto') =>
  new MulticlassPerceptron<number>({
    kernel: { type: 'polynomial', degree: DEGREE, gamma: 1, coef0: 1 },
    gram: 'blocks', // as for all digits, whose matrix would take 29 GB
    fitIntercept: false, // the kernel's own constant does its work
    order: 'shuffle',
    seed: SEED,
    maxEpochs: 1,
    average: true,
    engine,
  });

function obvious({ X, y }: Digits): KernelModel {
  const order = Uint32Array.from({ length: X.rows }, (_, i) => i);
  Random.seeded(SEED).shuffle(order);
  return fitKernelPerceptron(X.data, y, order, { d: X.cols, K, degree: DEGREE });
}

/** Pixels of 0, 1, 2 or 3: sums of the cubes of their products are exact, so that all must agree. */
function coarse({ X, y }: Digits): Digits {
  return { X: { ...X, data: X.data.map((pixel) => Math.round(pixel * 3)) }, y };
}

function check(models: readonly MulticlassPerceptron<number>[]): void {
  const train = coarse(mnist('train', CHECKED_ROWS));
  const test = coarse(mnist('test', TEST_ROWS));
  const expected = obvious(train);
  const classes = predictKernelPerceptron(expected, test.X.data, test.X.cols);
  for (const model of models) {
    const { engine, mistakes } = model.fit(train.X, train.y).report;
    expectSame([mistakes], [expected.mistakes], `mistakes of ${engine}`);
    expectSame(model.predict(test.X), classes.averaged, `classes by the averaged weights of ${engine}`);
    expectSame(model.predict(test.X, { last: true }), classes.last, `classes by the last weights of ${engine}`);
  }
}

function kernel(): Findings {
  const names = ['auto' as const, ...availableEngines().filter((engine) => engine !== 'wasm-simd')];
  const models = names.map(ours);
  check(models);
  const digits = mnist('train', ROWS);
  const { X, y } = digits;
  const { mistakes, supports, evaluations } = obvious(digits);

  // A product of two rows for each value; the rows are read once at least, as of a Gram matrix.
  const bytes = 8 * X.rows * X.cols;
  const work = { flops: 2 * X.cols * evaluations, bytes, resident: bytes };
  const timings = contestOfCalls(
    [
      { name: BASELINE, work, run: () => obvious(digits).mistakes },
      ...models.map((model, i) => ({ name: names[i] as string, work, run: () => model.fit(X, y).report.mistakes })),
    ],
    ROUNDS,
  );

  const theirs = timings[0] as Timing;
  const what = `kernel perceptron, ten classes, degree ${DEGREE}, one pass over ${shapeText(ROWS, X.cols)}`;
  const counted = (n: number): string => n.toLocaleString('en');
  return {
    timings,
    answers: answersOf({ what, timings, kind: 'train', target: { atLeast: 5 } }),
    notes: [
      `${BASELINE}: ${counted(mistakes)} mistakes, ${counted(supports.length)} supports; ours: ${counted(models[0]?.report.mistakes ?? 0)} mistakes (rounding may decide close calls)`,
      `${BASELINE}: ${counted(evaluations)} kernel values, ${((theirs.ms * 1e6) / evaluations).toFixed(0)} ns each`,
    ],
    facts: { nsPerEvaluation: (theirs.ms * 1e6) / evaluations },
  };
}

tell(`How fast is the kernel perceptron for ten classes? (MNIST, ${shapeText(ROWS, 784)}, degree 3)`, kernel);
