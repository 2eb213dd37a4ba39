// What do ten classes cost? An epoch of MulticlassPerceptron on MNIST against an epoch of the binary Perceptron on
// the same rows, divided by K: below 1 where the classes share the reading of the rows.

import { DenseMatrix, MulticlassPerceptron, Perceptron } from 'perceptron-wasm';
import { fitMultinomial } from '../baseline/multinomial.js';
import { mnist } from '../data/mnist.js';
import { contestOfCalls, ratioOf, spreadOf } from '../harness/measure.js';
import { byMode, expectSame, type Findings, tell, whenFull } from '../harness/question.js';
import type { Ratio, Timing } from '../harness/results.js';
import { shapeText } from '../harness/words.js';

const ROWS = byMode({ smoke: 200, quick: 20_000, full: 20_000 });
const K = 10;
/** Few digits are separated soon. */
const EPOCHS = byMode({ smoke: 1, quick: 3, full: 3 });
const ROUNDS = byMode({ smoke: 2, quick: 5, full: 5 });
const STRATEGIES = ['one-vs-rest', 'multinomial'] as const;

const perClass = ({ byRound = [] }: Ratio): Ratio => spreadOf(byRound.map((ratio) => ratio / K));

function tenClasses(): Findings {
  const { X: pixels, y } = mnist('train', ROWS);
  const cols = pixels.cols;
  // Whole numbers from 0 to 255: sums are exact, so that everybody must end with the same bits.
  const data = pixels.data.map((pixel) => Math.round(pixel * 255));
  const X = DenseMatrix.from({ data, rows: ROWS, cols });
  const digits = Array.from({ length: K }, (_, digit) => y.map((label) => (label === digit ? 1 : -1)));
  const binary = digits.map(() => new Perceptron<number>({ maxEpochs: EPOCHS }));
  const [rest, multinomial] = STRATEGIES.map(
    (strategy) => new MulticlassPerceptron<number>({ strategy, maxEpochs: EPOCHS }),
  ) as [MulticlassPerceptron<number>, MulticlassPerceptron<number>];

  binary.forEach((model, digit) => {
    model.fit(X, digits[digit] as number[]);
  });
  rest.fit(X, y);
  multinomial.fit(X, y);
  for (const { report } of [...binary, rest, multinomial]) {
    if (report.epochs !== EPOCHS) throw new Error(`all were to be busy for ${EPOCHS} passes, not ${report.epochs}`);
  }
  binary.forEach((model, digit) => {
    expectSame(rest.weights[digit] as Float64Array, model.weights, `weights of ${digit} against the rest`);
  });
  expectSame(
    rest.biases,
    binary.map(({ bias }) => bias),
    'biases against the rest',
  );
  const expected = fitMultinomial(data, y, cols, K, EPOCHS);
  multinomial.weights.forEach((weights, digit) => {
    const theirs = expected.weights.subarray(digit * cols, (digit + 1) * cols);
    expectSame(weights, theirs, `weights of ${digit}, multinomial`);
  });
  expectSame(multinomial.biases, expected.biases, 'biases, multinomial');

  const timings = contestOfCalls(
    [
      {
        name: '0 against the rest, binary',
        run: () => (binary[0] as Perceptron<number>).fit(X, digits[0] as number[]).bias,
      },
      {
        name: 'each digit against the rest, ten binary fits',
        run: () => binary.reduce((sum, model, digit) => sum + model.fit(X, digits[digit] as number[]).bias, 0),
      },
      { name: 'one-vs-rest', run: () => rest.fit(X, y).biases[0] as number },
      { name: 'multinomial', run: () => multinomial.fit(X, y).biases[0] as number },
    ],
    ROUNDS,
  );
  X.dispose();

  const [one, ten, ...ours] = timings as [Timing, Timing, Timing, Timing];
  const shape = shapeText(ROWS, cols);
  const answers = ours.map((timing) => ({
    what: `an epoch of MNIST, ${shape}, K = ${K}, ${timing.name}`,
    ...perClass(ratioOf(timing, one)),
    against: `${K} times the binary one of digit 0`,
    lowerIsBetter: true as const,
    ...whenFull({ target: { atMost: 0.6 } }),
  }));
  const mistakes = [...binary.slice(0, 1), rest, multinomial].map(({ report }) => report.mistakes.toLocaleString('en'));
  return {
    timings,
    answers: [
      ...answers,
      {
        what: `the same, one-vs-rest`,
        ...ratioOf(ours[0] as Timing, ten),
        against: 'ten binary fits, one a digit',
        lowerIsBetter: true as const,
      },
    ],
    notes: [
      `${EPOCHS} passes; mistakes: ${mistakes[0]} of 0 against the rest, ${mistakes[1]} one-vs-rest, ${mistakes[2]} multinomial`,
    ],
  };
}

tell(`What do ten classes cost? (MNIST, ${shapeText(ROWS, 784)}, against the binary perceptron)`, tenClasses);
