// npm run reproduce: the voted/averaged kernel perceptron on MNIST, after Y. Freund and R. E. Schapire, "Large margin
// classification using the perceptron algorithm" (1999), section 5: one-vs-rest, kernel (1 + x·z)^p, one pass in a
// seeded shuffle, the test error of the averaged and of the last weights, beside the figures measured elsewhere.
//
// The constant of the affine part is inside the kernel, as in the paper, so there is no intercept beside it. Pixels are stored as bytes;
// γ = 1/255² makes them numbers from 0 to 1.

import cliProgress from 'cli-progress';
import { DenseMatrix, MulticlassPerceptron } from 'perceptron-wasm';
import { Random } from '../src/random.js';
import { evaluationsOf } from './baseline/kernel-perceptron.js';
import { mnistBytes } from './data/mnist.js';
import { machine, machineLine } from './harness/machine.js';
import { runPlain } from './harness/plain.js';
import { stripTypes } from './harness/strip.js';
import { type ReproduceArguments, reproduceArguments } from './reproducearguments.js';

/** Test errors in percent, trained on all digits: measured before this code was written, by other code, in its own shuffle. */
const KNOWN: Record<number, { averaged: number; last: number }> = {
  1: { averaged: 8.4, last: 12.3 },
  2: { averaged: 2.8, last: 3.5 },
  3: { averaged: 2.4, last: 2.9 },
  4: { averaged: 2.1, last: 2.9 },
};

interface Outcome {
  degree: number;
  /** Test errors in percent. */
  averaged: number;
  last: number;
  /** Their rows. */
  supports: number[];
  mistakes: number;
  trainSeconds: number;
  testSeconds: number;
}

type Rows = { X: DenseMatrix<'uint8'>; y: number[] };

async function reproduce(degree: number, seed: number, train: Rows, test: Rows): Promise<Outcome> {
  const model = new MulticlassPerceptron<number>({
    kernel: { type: 'polynomial', degree, gamma: 1 / 255 ** 2, coef0: 1 },
    gram: 'blocks',
    fitIntercept: false,
    order: 'shuffle',
    seed,
    maxEpochs: 1,
    average: true,
  });
  const trainSeconds = await timed(async () => {
    const bar = progressBar(`degree ${degree}`, train.y.length);
    try {
      await model.fitAsync(train.X, train.y, { onProgress: ({ done }) => bar.update(done) });
    } finally {
      bar.stop();
    }
  });
  let averaged: number[] = [];
  const testSeconds = await timed(() => {
    averaged = model.predict(test.X);
  });
  return {
    degree,
    averaged: percentWrong(averaged, test.y),
    last: percentWrong(model.predict(test.X, { last: true }), test.y),
    supports: model.hardest(train.y.length).map(({ index }) => index),
    mistakes: model.report.mistakes,
    trainSeconds,
    testSeconds,
  };
}

/** On standard error; cli-progress keeps quiet where that is no terminal. */
function progressBar(name: string, total: number): cliProgress.SingleBar {
  const bar = new cliProgress.SingleBar({
    format: `${name} {bar} {value} of {total} digits, {eta_formatted} to go`,
    clearOnComplete: true,
    linewrap: true, // else ctrl-C would leave the terminal without it
  });
  bar.start(total, 0);
  return bar;
}

async function timed(run: () => void | Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return (performance.now() - started) / 1000;
}

const percentWrong = (predicted: readonly number[], y: readonly number[]): number =>
  (100 * predicted.filter((digit, i) => digit !== y[i]).length) / y.length;

// ---- telling ----------------------------------------------------------------------------------------

const percent = (value: number | undefined): string => (value === undefined ? '–' : `${value.toFixed(1)} %`);
const counted = (value: number): string => value.toLocaleString('en');

/** Columns: heading, width, cell. */
const COLUMNS: [string, number, (outcome: Outcome) => string][] = [
  ['degree', 6, ({ degree }) => String(degree)],
  ['averaged', 10, ({ averaged }) => `${averaged.toFixed(2)} %`],
  ['known', 8, ({ degree }) => percent(KNOWN[degree]?.averaged)],
  ['last', 10, ({ last }) => `${last.toFixed(2)} %`],
  ['known', 8, ({ degree }) => percent(KNOWN[degree]?.last)],
  ['supports', 10, ({ supports }) => counted(supports.length)],
  ['mistakes', 10, ({ mistakes }) => counted(mistakes)],
  ['train', 10, ({ trainSeconds }) => `${trainSeconds.toFixed(1)} s`],
  ['test', 9, ({ testSeconds }) => `${testSeconds.toFixed(1)} s`],
];

const line = (cells: readonly string[]): string => cells.map((cell, k) => cell.padStart(COLUMNS[k]?.[1] ?? 0)).join('');

/** The obvious loop on a few thousand digits, timed in a plain process (plain.ts says why), and what it would take here. */
async function compareWithJs(outcomes: readonly Outcome[], { train, seed }: ReproduceArguments): Promise<void> {
  let nsPerEvaluation: number | undefined;
  stripTypes();
  await runPlain('kernel', {
    mode: 'full',
    onMessage: (message) => {
      if (message.kind === 'told') nsPerEvaluation = message.told.facts?.nsPerEvaluation;
    },
  });
  if (nsPerEvaluation === undefined) throw new Error('bench/kernel.ts did not say what a kernel value costs');
  const order = Uint32Array.from({ length: train }, (_, i) => i);
  Random.seeded(seed).shuffle(order);
  console.log(`\nExtrapolated, not run: the obvious loop on ${counted(train)} digits, at that time a kernel value`);
  for (const { degree, supports, trainSeconds } of outcomes) {
    const evaluations = evaluationsOf(order, supports);
    const seconds = (evaluations * nsPerEvaluation) / 1e9;
    console.log(
      `  degree ${degree}: ${counted(evaluations)} values, some ${seconds.toFixed(0)} s; ours took ${trainSeconds.toFixed(1)} s: ${(seconds / trainSeconds).toFixed(1)}x`,
    );
  }
}

async function main(args: ReproduceArguments): Promise<void> {
  console.log(`MNIST, ${counted(args.train)} digits to train on, ${counted(args.test)} to test; seed ${args.seed}`);
  console.log('One-vs-rest kernel perceptron, (1 + x·z)^p, one pass in a seeded shuffle. Test errors:\n');
  const [train, test] = (['train', 'test'] as const).map((part) => {
    const { X: pixels, y } = mnistBytes(part, args[part]);
    const X = DenseMatrix.allocate(pixels.rows, pixels.cols, { dtype: 'uint8' });
    X.data.set(pixels.data);
    return { X, y: Array.from(y) };
  }) as [Rows, Rows];
  console.log(line(COLUMNS.map(([heading]) => heading)));
  const outcomes: Outcome[] = [];
  for (const degree of args.degrees) {
    const outcome = await reproduce(degree, args.seed, train, test);
    console.log(line(COLUMNS.map(([, , cell]) => cell(outcome))));
    outcomes.push(outcome);
  }
  train.X.dispose();
  test.X.dispose();
  console.log(
    '\nknown: measured by other code, trained on 60,000 digits, tested on 10,000. test: by the averaged weights.',
  );
  console.log(`On ${machineLine(machine())}.`);
  if (args.js) await compareWithJs(outcomes, args);
}

function readArguments(): ReproduceArguments {
  try {
    return reproduceArguments(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

await main(readArguments());
