// How fast are rows scored? model.decisionFunction on a DenseMatrix, against idiomatic JS on a Float64Array:
// 8 MB of rows, which caches hold in part, and 800 MB, which come from memory.

import { DenseMatrix, type EngineKind, Perceptron } from 'perceptron-wasm';
import { type Plane, scores } from '../baseline/perceptron.js';
import { fillUniform } from '../data/generate.js';
import { type Contestant, contest, contestOfCalls, ratioOf } from '../harness/measure.js';
import { type Answer, availableEngines, expectSame, type Findings, tell } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { shapeText } from '../harness/words.js';

const BASELINE = 'idiomatic JS';
const LEARNED_ROWS = 20;

interface Size {
  rows: number;
  cols: number;
  atLeast: number;
  time: (contestants: readonly Contestant[]) => Timing[];
}

function score({ rows, cols, atLeast, time }: Size): Findings {
  const matrix = DenseMatrix.allocate(rows, cols);
  fillUniform(matrix.data, 1);
  const X = new Float64Array(matrix.data);
  const models = availableEngines().map((engine) => [engine, learn(X, cols, engine)] as const);
  const plane: Plane = { weights: models[0]?.[1].weights as Float64Array, bias: models[0]?.[1].bias as number };
  const expected = scores(X, rows, plane);
  for (const [engine, model] of models) expectSame(model.decisionFunction(matrix), expected, `scores of ${engine}`);

  const timings = time([
    { name: BASELINE, run: () => scores(X, rows, plane)[0] as number },
    ...models.map(([name, model]) => ({ name, run: () => model.decisionFunction(matrix)[0] as number })),
  ]);
  matrix.dispose();
  const [baseline, ...engines] = timings as [Timing, ...Timing[]];
  const what = `scoring ${shapeText(rows, cols)}`;
  const answers = engines.map((timing, i): Answer => {
    const answer = {
      what: i === 0 ? what : `${what}, engine ${timing.name}`,
      ...ratioOf(baseline, timing),
      against: BASELINE,
    };
    return i === 0 ? { ...answer, target: { atLeast } } : answer;
  });
  return { answers, timings };
}

/** A model of a few of the rows, with labels in turn: what its weights are does not matter here. */
function learn(X: Float64Array, cols: number, engine: EngineKind): Perceptron<number> {
  const y = Array.from({ length: LEARNED_ROWS }, (_, i) => (i % 2 === 0 ? -1 : 1));
  const data = X.subarray(0, LEARNED_ROWS * cols);
  return new Perceptron<number>({ engine, maxEpochs: 5 }).fit({ data, rows: LEARNED_ROWS, cols }, y);
}

tell('How fast are rows scored, in cache? (1000 × 1000, 8 MB)', () =>
  score({ rows: 1000, cols: 1000, atLeast: 6, time: (contestants) => contest(contestants, 9, 0.2) }),
);
tell('How fast are rows scored, from memory? (1000 × 100,000, 800 MB)', () =>
  score({ rows: 1000, cols: 100_000, atLeast: 4, time: (contestants) => contestOfCalls(contestants) }),
);
