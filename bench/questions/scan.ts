// How fast are rows scored? model.decisionFunction on a DenseMatrix, against idiomatic JS on a Float64Array:
// 8 MB of rows, which caches hold in part, and hundreds of MB, which come from memory.

import { DenseMatrix, type EngineKind, Perceptron } from 'perceptron-wasm';
import { type Plane, scores } from '../baseline/perceptron.js';
import { fillUniform } from '../data/generate.js';
import { type Contestant, contest, contestOfCalls } from '../harness/measure.js';
import {
  answersOf,
  availableEngines,
  BASELINE,
  byMode,
  expectSame,
  type Findings,
  type Target,
  tell,
} from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { bytesText, shapeText } from '../harness/words.js';

const LEARNED_ROWS = 20;

interface Shape {
  rows: number;
  cols: number;
}

interface Size extends Shape {
  target: Target;
  time: (contestants: readonly Contestant[]) => Timing[];
}

const sizeText = ({ rows, cols }: Shape): string => `${shapeText(rows, cols)}, ${bytesText(8 * rows * cols)}`;

function score({ rows, cols, target, time }: Size): Findings {
  const matrix = DenseMatrix.allocate(rows, cols);
  fillUniform(matrix.data, 1);
  const X = new Float64Array(matrix.data);
  const models = availableEngines().map((engine) => [engine, learn(X, cols, engine)] as const);
  const plane: Plane = { weights: models[0]?.[1].weights as Float64Array, bias: models[0]?.[1].bias as number };
  const expected = scores(X, rows, plane);
  for (const [engine, model] of models) expectSame(model.decisionFunction(matrix), expected, `scores of ${engine}`);

  const work = { flops: 2 * rows * cols, bytes: 8 * rows * cols, resident: 8 * rows * cols };
  const timings = time([
    { name: BASELINE, work, run: () => scores(X, rows, plane)[0] as number },
    ...models.map(([name, model]) => ({ name, work, run: () => model.decisionFunction(matrix)[0] as number })),
  ]);
  matrix.dispose();
  const what = `scoring ${shapeText(rows, cols)}`;
  return { answers: answersOf({ what, timings, target }), timings };
}

/** A model of a few of the rows, with labels in turn: what its weights are does not matter here. */
function learn(X: Float64Array, cols: number, engine: EngineKind): Perceptron<number> {
  const y = Array.from({ length: LEARNED_ROWS }, (_, i) => (i % 2 === 0 ? -1 : 1));
  const data = X.subarray(0, LEARNED_ROWS * cols);
  return new Perceptron<number>({ engine, maxEpochs: 5 }).fit({ data, rows: LEARNED_ROWS, cols }, y);
}

const [inCache, inMemory] = byMode({
  smoke: [
    { rows: 40, cols: 50 },
    { rows: 50, cols: 200 },
  ],
  quick: [
    { rows: 1000, cols: 1000 },
    { rows: 1000, cols: 20_000 },
  ],
  full: [
    { rows: 1000, cols: 1000 },
    { rows: 1000, cols: 100_000 },
  ],
}) as [Shape, Shape];
const seconds = byMode({ smoke: 0.005, quick: 0.03, full: 0.2 });
const rounds = byMode({ smoke: 2, quick: 5, full: 9 });

tell(`How fast are rows scored, in cache? (${sizeText(inCache)})`, () =>
  score({ ...inCache, target: { atLeast: 6 }, time: (contestants) => contest(contestants, rounds, seconds) }),
);
tell(`How fast are rows scored, from memory? (${sizeText(inMemory)})`, () =>
  score({ ...inMemory, target: { atLeast: 4 }, time: (contestants) => contestOfCalls(contestants) }),
);
