// gramAsync: the bits and the errors of gram, on any number of threads, for any kernel and kind of rows.

import { afterAll, describe, expect, test } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  gram,
  gramAsync,
  type Kernel,
  type Rows,
  SparseMatrix,
  stopThreads,
} from '../../src/index.js';
import '../../src/scalar.js';
import { checkError } from '../bad-input/refusals.js';
import { bitsOf, pairOf } from '../sparse-samples.js';
import { counts, flatRows, leavesNothing, rejection } from './helpers.js';

const kernels: [string, Kernel][] = [
  ['linear', 'linear'],
  ['polynomial', { type: 'polynomial', degree: 3, gamma: 0.01, coef0: 1 }],
  ['rbf', { type: 'rbf', gamma: 0.01 }],
];

const before = leavesNothing();
afterAll(stopThreads);

/** The bits of a matrix, which is then given back. */
function taken(matrix: DenseMatrix): string {
  const bits = bitsOf(matrix.data as Float64Array);
  matrix.dispose();
  return bits;
}

/** Expects gramAsync to give the bits of gram. */
async function expectSame(X: Rows, kernel: Kernel, threads: readonly (number | 'auto')[] = counts): Promise<void> {
  const expected = taken(gram(X, { kernel }));
  for (const count of threads) {
    const same = taken(await gramAsync(X, { kernel, threads: count })) === expected;
    expect(same, `threads: ${count}`).toBe(true);
  }
}

describe.each(kernels)('%s', (_, kernel) => {
  test.each([1, 2, 95, 96, 97])('%i rows of several lengths, in several stores', async (rows) => {
    for (const cols of [1, 5, 512]) {
      const { X } = flatRows({ rows: Math.max(2, rows), cols });
      const part = { ...X, rows };
      await expectSame(part, kernel);
      await expectSame({ ...part, data: Float32Array.from(X.data) }, kernel, [2, 3]);
      const sparse = SparseMatrix.fromDense({ ...part, data: X.data.map((v, i) => (i % 5 ? 0 : v)) });
      await expectSame(sparse, kernel, [2, 3]);
      sparse.dispose();
    }
  });

  test('500 rows, of whole pages and not, and sparse', async () => {
    for (const cols of [700, 1024]) await expectSame(flatRows({ rows: 500, cols }).X, kernel, [1, 2, 3, 4, 'auto']);
    const sparse = SparseMatrix.from(pairOf({ rows: 500, cols: 2000, density: 0.02, seed: 2 }).sparse);
    await expectSame(sparse, kernel);
    sparse.dispose();
  });

  test.each(['wasm-simd', 'wasm-scalar', 'js'] as const)('engine %s, and an engine of its own', async (kind) => {
    const { X } = flatRows({ rows: 130, cols: 40 });
    const expected = taken(gram(X, { kernel }));
    for (const engine of [kind, createEngine({ kind })]) {
      for (const threads of [1, 2, 3]) expect(taken(await gramAsync(X, { kernel, engine, threads }))).toBe(expected);
      expect(resolveEngine(engine).arena.usage.blocks).toBe(engine === kind ? before().blocks : 0);
    }
  });

  test('into a matrix of the caller’s, and from there to a fit', async () => {
    const { X, y } = flatRows({ rows: 150, cols: 30 });
    const out = DenseMatrix.allocate(150, 150);
    for (const threads of counts) {
      out.data.fill(7);
      expect(await gramAsync(X, { kernel, out, threads })).toBe(out);
      const expected = gram(X, { kernel });
      expect(bitsOf(out.data as Float64Array)).toBe(taken(expected));
      const fit = new DualPerceptron<number>({ kernel, maxEpochs: 3 });
      const model = await fit.fitAsync(X, y, { precomputed: out, threads });
      expect(JSON.stringify(model)).toBe(
        JSON.stringify(new DualPerceptron<number>({ kernel, maxEpochs: 3 }).fit(X, y)),
      );
    }
    out.dispose();
  });
});

test.each(kernels)('%s: bad and too large values are the errors of gram', async (_, kernel) => {
  const { X } = flatRows({ rows: 120, cols: 12 });
  const spoiled = (at: number, value: number) => ({ ...X, data: X.data.map((v, i) => (i === at ? value : v)) });
  const factors = [1e307, 1e154, 1e103].map((factor) => ({ ...X, data: X.data.map((v) => v * factor) }));
  const all = [0, 700, 12 * 120 - 1].flatMap((at) => [spoiled(at, NaN), spoiled(at, -Infinity), spoiled(at, 1e200)]);
  for (const rows of [...all, ...factors]) {
    const matrix = DenseMatrix.from({ ...X, data: new Float64Array(X.data.length) });
    matrix.data.set(rows.data);
    let expected: unknown = 'no error';
    try {
      gram(matrix, { kernel }).dispose();
    } catch (error) {
      expected = error;
    }
    for (const threads of counts) {
      const error = await gramAsync(matrix, { kernel, threads }).then(
        (made) => {
          made.dispose();
          return 'no error';
        },
        (thrown) => thrown,
      );
      expect(String(error)).toBe(String(expected));
    }
    matrix.dispose();
  }
});

test('wrong options are refused as gram refuses them, and by name', async () => {
  const X = [
    [1, 2],
    [3, 4],
  ];
  const refused = (options: object) => rejection(gramAsync(X, options));
  for (const threads of [0, -1, 1.5, NaN, Infinity, 'all', '2', null, true, {}]) {
    checkError(await refused({ threads }), RangeError, /^"threads" must be 'auto' or an integer of at least 1, got /);
  }
  checkError(await refused({ workerUrl: 5 }), TypeError, /^"workerUrl" must be .*, got 5$/);
  checkError(await refused({ signal: {} }), TypeError, /^"signal" must be an AbortSignal/);
  checkError(await refused({ colour: 1 }), RangeError, /^gramAsync has no option "colour"/);
  expect(await refused({ kernel: 'cubic' })).toBeInstanceOf(Error);
  const out = DenseMatrix.allocate(3, 3);
  checkError(await refused({ out }), RangeError, /^"out" is 3 × 3, expected 2 × 2/);
  out.dispose();
  const square = DenseMatrix.from(X);
  const error = await rejection(gramAsync(square, { out: square, threads: 2 }));
  checkError(error, RangeError, '"out" must not be the memory of X');
  expect([...square.data]).toEqual([1, 2, 3, 4]);
  square.dispose();
});
