// What does float32 storage bring? The same rows scored, half the bytes.

import { DenseMatrix, Perceptron } from 'perceptron-wasm';
import { fillUniform } from '../data/generate.js';
import { contestOfCalls, ratioOf } from '../harness/measure.js';
import { byMode, expectSame, type Findings, tell, whenFull } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { bytesText, shapeText } from '../harness/words.js';

const { rows, cols } = byMode({
  smoke: { rows: 40, cols: 100 },
  quick: { rows: 1000, cols: 20_000 },
  full: { rows: 1000, cols: 100_000 },
});

function scoreBoth(): Findings {
  const wide = DenseMatrix.allocate(rows, cols);
  const narrow = DenseMatrix.allocate(rows, cols, { dtype: 'float32' });
  fillUniform(wide.data, 3);
  fillUniform(narrow.data, 3);
  const first = { data: wide.data.slice(0, 20 * cols) as Float64Array, rows: 20, cols };
  const model = new Perceptron({ maxEpochs: 5 }).fit(
    first,
    Array.from({ length: 20 }, (_, i) => i % 2),
  );
  // The values are on a grid that float32 holds exactly: the same scores, to the bit.
  expectSame(model.decisionFunction(narrow), model.decisionFunction(wide), 'scores of float32 and float64');

  const workOf = (width: number) => ({
    flops: 2 * rows * cols,
    bytes: width * rows * cols,
    resident: width * rows * cols,
  });
  const timings = contestOfCalls([
    { name: 'float64', work: workOf(8), run: () => model.decisionFunction(wide)[0] as number },
    { name: 'float32', work: workOf(4), run: () => model.decisionFunction(narrow)[0] as number },
  ]);
  wide.dispose();
  narrow.dispose();
  const [float64, float32] = timings as [Timing, Timing];
  const what = `float32, scoring ${shapeText(rows, cols)}`;
  return {
    timings,
    answers: [{ what, ...ratioOf(float64, float32), against: 'float64', ...whenFull({ target: { atLeast: 1.4 } }) }],
  };
}

tell(
  `What does float32 bring? (${shapeText(rows, cols)}: ${bytesText(4 * rows * cols)} instead of ${bytesText(8 * rows * cols)})`,
  scoreBoth,
);
