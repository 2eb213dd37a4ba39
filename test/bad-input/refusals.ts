// What every suite of bad input shares: acts that must be refused, and that must leave model and memory alone.

import { expect } from 'vitest';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  DualPerceptron,
  type DualPerceptronOptions,
  type Engine,
  type Kernel,
  type Order,
  Perceptron,
  type PerceptronOptions,
} from '../../src/index.js';

export type ErrorClass = new (...args: never[]) => Error;
// Bad values do not type-check, which is the point of them.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Any = any;

export const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];
export const y = [1, 1, -1];
export const orders: readonly Order[] = ['cyclic', 'shuffle', 'random', 'batch'];

/** The list without its item i. */
export function holed<T>(list: T[], i: number): T[] {
  delete list[i];
  return list;
}

/** Runs `act`, which must throw exactly this class with this message, and leave no block in the default memory. */
export function refuses(act: () => unknown, type: ErrorClass, message: string | RegExp): void {
  const before = defaultArena.usage;
  let error: Any;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  }
  checkError(error, type, message);
  expect(defaultArena.usage).toMatchObject({ liveBytes: before.liveBytes, blocks: before.blocks });
}

export function checkError(error: Any, type: ErrorClass, message: string | RegExp): void {
  expect(error, 'nothing was thrown').toBeDefined();
  expect(`${error.constructor.name}: ${error.message}`).toMatch(type.name);
  expect(error.constructor).toBe(type);
  if (typeof message === 'string') expect(error.message).toBe(message);
  else expect(error.message).toMatch(message);
}

/** As `refuses`, for an act on a fitted model, which must stay as it was. */
export function refusesFitted(
  act: (model: Perceptron<Any>) => unknown,
  type: ErrorClass,
  message: string | RegExp,
  options: PerceptronOptions<Any> = {},
): void {
  const model = new Perceptron<Any>(options).fit(X, y);
  const before = JSON.stringify(model);
  const { report, weights } = model;
  const predicted = model.predict(X);
  refuses(() => act(model), type, message);
  expect(JSON.stringify(model)).toBe(before);
  expect(model.report).toBe(report);
  expect(model.weights).toEqual(weights);
  expect(model.predict(X)).toEqual(predicted);
}

/** The methods that take rows, each given rows and labels. */
export const methods: Record<string, (model: Perceptron<Any>, rows: Any, labels: Any) => unknown> = {
  fit: (m, rows, labels) => m.fit(rows, labels),
  partialFit: (m, rows, labels) => m.partialFit(rows, labels),
  predict: (m, rows) => m.predict(rows),
  decisionFunction: (m, rows) => m.decisionFunction(rows),
  score: (m, rows, labels) => m.score(rows, labels),
  loss: (m, rows, labels) => m.loss(rows, labels),
  diagnose: (m, rows, labels) => m.diagnose(rows, labels),
};
export const labelled = ['fit', 'partialFit', 'score', 'loss', 'diagnose'];
export const oneRow: Record<string, (model: Perceptron<Any>, x: Any) => unknown> = {
  predictOne: (m, x) => m.predictOne(x),
  explain: (m, x) => m.explain(x),
};

/** Every form that rows come in. */
export const forms: Record<string, (rows: number[][]) => Any> = {
  'number[][]': (rows) => rows,
  'Float64Array[]': (rows) => rows.map((row) => Float64Array.from(row)),
  'an array-like of arrays': (rows) => ({ ...rows, length: rows.length }),
  '{ data: Float64Array }': (rows) => ({ data: Float64Array.from(rows.flat()), rows: rows.length, cols: 2 }),
  '{ data: Float32Array }': (rows) => ({ data: Float32Array.from(rows.flat()), rows: rows.length, cols: 2 }),
  'a longer { data }': (rows) => ({ data: Float64Array.from([...rows.flat(), NaN]), rows: rows.length, cols: 2 }),
};
export const matrixForms = ['float64', 'float32'] as const;

/** What a promise is rejected with; undefined if it is not. */
export const rejection = (promise: Promise<unknown>): Promise<Any> =>
  promise.then(
    () => undefined,
    (error) => error,
  );

// ---- the dual form ----------------------------------------------------------------------------------

export const modes = ['full', 'rows'] as const;
export const RBF: Kernel = { type: 'rbf', gamma: 0.5 };
export const CUBIC: Kernel = { type: 'polynomial', degree: 3, gamma: 0.5, coef0: 1 };
export const kernels: [string, Kernel][] = [
  ['linear', 'linear'],
  ['polynomial', CUBIC],
  ['rbf', RBF],
];
export const curved = kernels.slice(1);
export const bad = [NaN, Infinity, -Infinity];

/** `n` rows that no plane separates, from row `start` of an endless list. */
export const rowsFrom = (start: number, n: number) =>
  Array.from({ length: n }, (_, i) => [Math.sin(start + i), Math.cos(3 * (start + i)), ((start + i) * 7) % 11]);
export const mixed = (n: number) => Array.from({ length: n }, (_, i) => ((i * i) % 7 < 3 ? 1 : -1));

/** As `refusesFitted`, for the dual form: an act on a fitted model, which must stay as it was. */
export function refusesDual(
  act: (model: Any) => unknown,
  type: ErrorClass,
  message: string | RegExp,
  options: DualPerceptronOptions<Any> = {},
): void {
  const model = new DualPerceptron<Any>(options).fit(X, y);
  const before = JSON.stringify(model);
  const { report, alphas } = model;
  const predicted = model.predict(X);
  refuses(() => act(model), type, message);
  expect(JSON.stringify(model)).toBe(before);
  expect(model.report).toBe(report);
  expect(model.alphas).toEqual(alphas);
  expect(model.predict(X)).toEqual(predicted);
}

/** An act that must be refused and leave no block in an engine's own memory. */
export function refusesIn(engine: Engine, act: () => unknown, type: ErrorClass, message: string | RegExp): void {
  const { arena } = resolveEngine(engine);
  const before = arena.usage;
  refuses(act, type, message);
  expect(arena.usage).toMatchObject({ liveBytes: before.liveBytes, blocks: before.blocks });
}

/** The methods that take rows, and one row, of the dual form. */
export const dualMethods = methods as unknown as Record<string, (model: Any, rows: Any, labels: Any) => unknown>;
export const dualOneRow = oneRow as unknown as Record<string, (model: Any, x: Any) => unknown>;

export const SQUARE = 'expected 3 × 3: a row and a column for each row of X';
