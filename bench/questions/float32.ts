// What does float32 storage bring? The same rows scored from 400 MB instead of 800 MB.

import { DenseMatrix, Perceptron } from 'perceptron-wasm';
import { fillUniform } from '../data/generate.js';
import { contestOfCalls, ratioOf } from '../harness/measure.js';
import { expectSame, type Findings, tell } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { shapeText } from '../harness/words.js';

const rows = 1000;
const cols = 100_000;

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

  const timings = contestOfCalls([
    { name: 'float64', run: () => model.decisionFunction(wide)[0] as number },
    { name: 'float32', run: () => model.decisionFunction(narrow)[0] as number },
  ]);
  wide.dispose();
  narrow.dispose();
  const [float64, float32] = timings as [Timing, Timing];
  const what = `float32, scoring ${shapeText(rows, cols)}`;
  return { timings, answers: [{ what, ...ratioOf(float64, float32), against: 'float64', target: { atLeast: 1.4 } }] };
}

tell('What does float32 bring? (1000 × 100,000: 400 MB instead of 800)', scoreBoth);
