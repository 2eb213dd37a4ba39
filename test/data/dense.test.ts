// DenseMatrix: rows in the kernels' memory; growth, reuse, giving back, and that a fit copies nothing.

import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { BoundEngine } from '../../src/engine/contract.js';
import { defaultArena } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type Engine,
  Perceptron,
  type Rows,
  SparseMatrix,
} from '../../src/index.js';
import { engines } from '../engines.js';

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];
const y = [1, 1, -1];
const dtypes = ['float64', 'float32'] as const;
const MiB = 2 ** 20;

/** The memory behind an engine, for tests that watch it. */
const arenaOf = (engine: Engine) => (engine as BoundEngine).arena;

test.each(dtypes)('allocate gives %s rows of zeros', (dtype) => {
  const matrix = DenseMatrix.allocate(3, 5, { dtype });
  expect([matrix.rows, matrix.cols, matrix.dtype]).toEqual([3, 5, dtype]);
  expect(matrix.data.constructor).toBe(dtype === 'float64' ? Float64Array : Float32Array);
  expect(Array.from(matrix.data)).toEqual(new Array(15).fill(0));
  matrix.dispose();
});

test('allocate gives zeros also where another matrix has been', () => {
  const first = DenseMatrix.allocate(40, 50);
  const { byteOffset } = first.data.fill(7);
  first.dispose();
  for (let round = 0; round < 3; round++) {
    const again = DenseMatrix.allocate(39, 50);
    expect(again.data.byteOffset).toBe(byteOffset);
    expect(again.data.every((v) => v === 0)).toBe(true);
    again.data.fill(round + 1);
    again.dispose();
  }
});

test('a large memory that was let go of comes back zero-filled', () => {
  const engine = createEngine();
  for (let round = 0; round < 3; round++) {
    const matrix = DenseMatrix.allocate(2000, 1500, { engine });
    expect(matrix.data.every((v) => v === 0)).toBe(true);
    matrix.data.fill(1);
    matrix.dispose();
    expect(arenaOf(engine).usage).toEqual({ byteLength: 0, liveBytes: 0, blocks: 0 });
  }
});

test.each<[unknown, unknown, typeof TypeError | typeof RangeError, string]>([
  [0, 1, RangeError, '"rows" must be an integer of at least 1, got 0'],
  [1, -1, RangeError, '"cols" must be an integer of at least 1, got -1'],
  [1.5, 1, RangeError, '"rows" must be an integer of at least 1, got 1.5'],
  [1, NaN, RangeError, '"cols" must be an integer of at least 1, got NaN'],
  [2 ** 53, 1, RangeError, `"rows" must be an integer of at least 1, got ${2 ** 53}`],
  ['3', 1, TypeError, '"rows" must be an integer of at least 1, got "3"'],
  [1, undefined, TypeError, '"cols" must be an integer of at least 1, got undefined'],
])('allocate(%o, %o) is refused', (rows, cols, type, message) => {
  expect(() => DenseMatrix.allocate(rows as number, cols as number)).toThrow(new type(message));
});

test('a dtype that there is not is refused', () => {
  const message = "\"dtype\" must be one of 'float64', 'float32', 'uint8', 'int8', 'int16', got \"float16\"";
  expect(() => DenseMatrix.allocate(1, 1, { dtype: 'float16' as 'float32' })).toThrow(new RangeError(message));
});

const flat = X.flat();
const forms: Record<string, () => Rows> = {
  'number[][]': () => X,
  'Float64Array[]': () => X.map((row) => Float64Array.from(row)),
  'Int8Array[]': () => X.map((row) => Int8Array.from(row)),
  'a flat Float64Array': () => ({ data: Float64Array.from(flat), rows: 3, cols: 2 }),
  'a flat Float32Array': () => ({ data: Float32Array.from(flat), rows: 3, cols: 2 }),
  'a flat array that is longer': () => ({ data: Float64Array.from([...flat, NaN, NaN]), rows: 3, cols: 2 }),
  'a part of another array': () => ({ data: Float64Array.from([NaN, ...flat]).subarray(1), rows: 3, cols: 2 }),
  'a DenseMatrix': () => DenseMatrix.from(X),
  'a DenseMatrix of float32': () => DenseMatrix.from(X, { dtype: 'float32' }),
  'a DenseMatrix of another engine': () => DenseMatrix.from(X, { engine: createEngine({ kind: 'js' }) }),
  'rows of a matrix': () => {
    const matrix = DenseMatrix.from(X);
    return [matrix.row(0), matrix.row(1), matrix.row(2)];
  },
  'arrays of another realm': () => runInNewContext(JSON.stringify(X)),
  'typed rows of another realm': () => runInNewContext(`${JSON.stringify(X)}.map((row) => Float64Array.from(row))`),
  'a flat Float64Array of another realm': () =>
    runInNewContext(`({ data: Float64Array.of(${flat}), rows: 3, cols: 2 })`),
  'a flat Float32Array of another realm': () =>
    runInNewContext(`({ data: Float32Array.of(${flat}), rows: 3, cols: 2 })`),
};

test.each(Object.entries(forms))('from copies %s', (_form, make) => {
  for (const dtype of dtypes) {
    const rows = make();
    const matrix = DenseMatrix.from(rows, { dtype });
    expect([matrix.rows, matrix.cols, matrix.dtype]).toEqual([3, 2, dtype]);
    expect(Array.from(matrix.data)).toEqual(flat);
    matrix.data[0] = 99;
    expect(Array.from(DenseMatrix.from(rows).data)).toEqual(flat);
    matrix.dispose();
  }
});

test.each(Object.entries(forms))('fit on every engine gives the same bits from %s', (_form, make) => {
  const expected = JSON.stringify(new Perceptron().fit(X, y));
  for (const engine of engines) {
    const rows = make();
    const model = new Perceptron({ engine }).fit(rows, y);
    expect(JSON.stringify(model)).toBe(expected);
    expect(model.predict(rows)).toEqual(y);
    expect(model.score(rows, y)).toBe(1);
  }
});

test('labels, classes, options and a single row of another realm are taken', () => {
  const labels = runInNewContext("['a', 'a', 'b']");
  const options = runInNewContext(
    "({ classes: ['b', 'a'], classWeight: { a: 1 }, initialWeights: Float64Array.of(0, 0), featureNames: ['u', 'v'] })",
  );
  const model = new Perceptron<string>(options).fit(X, labels);
  expect(model.predict(X)).toEqual(['a', 'a', 'b']);
  expect(model.predictOne(runInNewContext('Float64Array.of(4, 4)'))).toBe('a');
  expect(new Perceptron().fit(X, runInNewContext('Int8Array.of(1, 1, -1)')).score(X, y)).toBe(1);
  expect(Perceptron.fromJSON(runInNewContext(`(${JSON.stringify(model)})`)).toJSON()).toEqual(model.toJSON());
});

test('float32 refuses values it cannot hold, with their position, and takes those that round', () => {
  const big = 3.5e38;
  for (const rows of [
    [
      [1, 2],
      [3, big],
    ],
    [Float64Array.of(1, 2), Float64Array.of(3, big)],
    { data: Float64Array.of(1, 2, 3, big), rows: 2, cols: 2 },
    DenseMatrix.from([
      [1, 2],
      [3, big],
    ]),
  ]) {
    const { blocks } = defaultArena.usage;
    expect(() => DenseMatrix.from(rows, { dtype: 'float32' })).toThrow(
      new RangeError("X[1][1] is 3.5e+38, which float32 cannot hold; use dtype 'float64'"),
    );
    expect(defaultArena.usage.blocks).toBe(blocks);
  }
  const kept = DenseMatrix.from([[3.4028234663852886e38, 0.1, 1e-50, -0]], { dtype: 'float32' });
  expect(Array.from(kept.data)).toEqual([3.4028234663852886e38, Math.fround(0.1), 0, -0]);
});

test('an infinity is called that, also where float32 is asked for', () => {
  for (const rows of [[[1, -Infinity]], { data: Float64Array.of(1e300, -Infinity), rows: 1, cols: 2 }]) {
    expect(() => DenseMatrix.from(rows, { dtype: 'float32' })).toThrow(new RangeError('X[0][1] is -Infinity'));
  }
});

test('row(i) is a live view of one row', () => {
  const matrix = DenseMatrix.from(X);
  expect(Array.from(matrix.row(1))).toEqual([4, 3]);
  matrix.row(2)[0] = 8;
  expect(Array.from(matrix.data)).toEqual([3, 3, 4, 3, 8, 1]);
  for (const i of [-1, 3, 0.5, NaN]) {
    expect(() => matrix.row(i)).toThrow(new RangeError(`row must be an integer from 0 to 2, got ${i}`));
  }
});

test.each<[string, () => Engine | undefined]>([
  ['the memory all engines share', () => undefined],
  ['an engine’s own memory', () => createEngine()],
  ["a 'js' engine's own memory", () => createEngine({ kind: 'js', maxMemoryBytes: 64 * MiB })],
  ["a 'wasm-scalar' engine's own memory", () => createEngine({ kind: 'wasm-scalar', maxMemoryBytes: 64 * MiB })],
])('data stays live when %s grows', (_what, make) => {
  const engine = make();
  const options = engine ? { engine } : {};
  const arena = engine ? arenaOf(engine) : defaultArena;
  const matrices = [DenseMatrix.from(X, options)];
  const small = matrices[0] as DenseMatrix;
  const row = small.row(1);
  const before = arena.usage.byteLength;
  for (let i = 1; i <= 4; i++) {
    const next = DenseMatrix.allocate(i * 100, 1000, { ...options, dtype: i % 2 ? 'float64' : 'float32' });
    next.data.fill(i);
    matrices.push(next);
    expect(Array.from(small.data)).toEqual(flat);
    expect(small.data.buffer).toBe(arena.buffer);
  }
  expect(arena.usage.byteLength).toBeGreaterThan(before + 2 * MiB);
  for (const [i, matrix] of matrices.slice(1).entries()) expect(matrix.data.every((v) => v === i + 1)).toBe(true);
  small.data[0] = 5;
  expect(small.row(0)[0]).toBe(5);
  small.data[0] = 3;
  // A view taken before is as it was, or detached: never of other values.
  expect([[], [4, 3]]).toContainEqual(Array.from(row));
  expect(new Perceptron({ ...options }).fit(small, y).bias).toBe(-3);
  for (const matrix of matrices) matrix.dispose();
});

test('dispose gives the memory back, and again does nothing', () => {
  const before = defaultArena.usage;
  const matrix = DenseMatrix.allocate(10, 10);
  const other = DenseMatrix.allocate(10, 10);
  expect(defaultArena.usage.blocks).toBe(before.blocks + 2);
  matrix.dispose();
  matrix.dispose();
  matrix[Symbol.dispose]();
  expect(defaultArena.usage.blocks).toBe(before.blocks + 1);
  const taken = DenseMatrix.allocate(10, 10); // lies where the first one did
  matrix.dispose();
  taken.data.fill(1);
  expect(defaultArena.usage.blocks).toBe(before.blocks + 2);
  for (const use of [() => matrix.data, () => matrix.row(0)]) {
    expect(use).toThrow(new Error('this DenseMatrix was disposed'));
  }
  other[Symbol.dispose]();
  taken.dispose();
  expect(defaultArena.usage.blocks).toBe(before.blocks);
});

test('`using` disposes', () => {
  const { blocks } = defaultArena.usage;
  {
    using matrix = DenseMatrix.from(X);
    expect(matrix.rows).toBe(3);
    expect(defaultArena.usage.blocks).toBe(blocks + 1);
  }
  expect(defaultArena.usage.blocks).toBe(blocks);
});

test('a matrix disposed during fitAsync lasts until the fit is over', async () => {
  // A memory of its own: matrices that other tests forgot may be collected while this one waits.
  const engine = createEngine();
  const matrix = DenseMatrix.from(
    [
      [0, 0],
      [1, 1],
      [0, 1],
      [1, 0],
    ],
    { engine },
  );
  const labels = [0, 0, 1, 1];
  const expected = JSON.stringify(new Perceptron({ engine, maxEpochs: 300_000 }).fit(matrix, labels));
  const promise = new Perceptron({ engine, maxEpochs: 300_000 }).fitAsync(matrix, labels);
  matrix.dispose();
  const other = DenseMatrix.allocate(4, 2, { engine });
  other.data.fill(9);
  expect(JSON.stringify(await promise)).toBe(expected);
  other.dispose();
  expect(arenaOf(engine).usage.blocks).toBe(0);
});

for (const kind of engines) {
  test(`${kind}: no room is a RangeError that names the bytes, and everything stays usable`, () => {
    const engine = createEngine({ kind, maxMemoryBytes: MiB });
    const arena = arenaOf(engine);
    const model = new Perceptron<number>({ engine }).fit(X, y);
    const json = JSON.stringify(model);
    const small = DenseMatrix.from(X, { engine });
    const usage = arena.usage;
    const noRoom = (act: () => unknown, bytes: number) => {
      expect(act).toThrow(RangeError);
      expect(act).toThrow(
        new RegExp(
          `^no room for .*: ${bytes} bytes \\(.* MiB\\) asked for, .* MiB in use of at most 1 MiB; dispose\\(\\) `,
        ),
      );
      expect(arena.usage).toMatchObject({ liveBytes: usage.liveBytes, blocks: usage.blocks });
    };
    noRoom(() => DenseMatrix.allocate(1000, 1000, { engine }), 8e6);
    noRoom(() => DenseMatrix.allocate(1000, 1000, { engine, dtype: 'float32' }), 4e6);
    noRoom(() => DenseMatrix.allocate(2 ** 26, 2 ** 26, { engine }), 2 ** 55);
    const large = { data: new Float64Array(200_000), rows: 100_000, cols: 2 };
    noRoom(() => DenseMatrix.from(large, { engine }), 1_600_000);
    noRoom(() => new DualPerceptron({ engine, gram: 'rows' }).fit(large, new Int8Array(100_000).fill(1, 7)), 1_600_000);
    // Rows to train a plane on, or to predict with one, need not fit: see train/large.test.ts.
    expect(model.predict(large)).toHaveLength(100_000);
    expect(arena.usage).toMatchObject({ liveBytes: usage.liveBytes, blocks: usage.blocks });

    expect(JSON.stringify(model)).toBe(json);
    expect(Array.from(small.data)).toEqual(flat);
    expect(model.predict(small)).toEqual(y);
    expect(JSON.stringify(model.fit(small, y))).toBe(json);
    const fits = DenseMatrix.allocate(100, 1000, { engine });
    expect(fits.data.every((v) => v === 0)).toBe(true);
    fits.dispose();
    small.dispose();
    expect(arena.usage.blocks).toBe(0);
  });

  test(`${kind}: fitting and predicting rows that lie in the memory copies none of them`, () => {
    const rows = 60;
    const cols = 400;
    for (const dtype of dtypes) {
      for (const order of ['cyclic', 'shuffle', 'random', 'batch'] as const) {
        const matrix = DenseMatrix.allocate(rows, cols, { dtype });
        for (let i = 0; i < matrix.data.length; i++) matrix.data[i] = (i * 2654435761) % 17;
        const labels = Array.from({ length: rows }, (_, i) => (i * 7) % 3 === 0);
        const before = defaultArena.usage;
        // Labels, counts, order, list and margins of mistakes: at most 21 bytes a row; two vectors; the record; and in
        // random order the Gram matrix of these few rows, with their scores.
        const kept = order === 'random' ? 8 * rows * (rows + 4) : 0;
        const allowed = 21 * rows + 16 * cols + 8192 + kept;
        let seen = 0;
        const watch = () => {
          seen = Math.max(seen, defaultArena.usage.liveBytes - before.liveBytes);
        };
        const options = { engine: kind, order, average: true, maxEpochs: 3, onEpoch: watch };
        const views: Rows[] = [matrix, { data: matrix.data, rows, cols }, { data: matrix.data, rows: rows / 2, cols }];
        for (const X of views) {
          seen = 0;
          new Perceptron(options).fit(X, labels.slice(0, X === views[2] ? rows / 2 : rows));
          expect(seen).toBeGreaterThan(0);
          expect(seen).toBeLessThan(allowed);
        }
        seen = 0;
        new Perceptron(options).fit({ data: matrix.data.slice(), rows, cols }, labels);
        expect(seen).toBeGreaterThan(matrix.data.byteLength);
        expect(defaultArena.usage.liveBytes).toBe(before.liveBytes);
        matrix.dispose();
      }
    }
  });
}

test('a part of a matrix can be fitted where it lies', () => {
  const matrix = DenseMatrix.from([[7, 7], ...X, [7, 7]]);
  const { blocks } = defaultArena.usage;
  let most = 0;
  const onEpoch = () => {
    most = Math.max(most, defaultArena.usage.blocks);
  };
  const part = { data: matrix.data.subarray(2, 8), rows: 3, cols: 2 };
  for (const engine of engines) {
    expect([...new Perceptron({ engine, onEpoch }).fit(part, y).weights]).toEqual([1, 1]);
    expect(most).toBe(blocks + 1);
  }
  matrix.dispose();
});

test('rows are never changed', () => {
  const list = Object.freeze(X.map((row) => Object.freeze([...row])));
  const data = Float64Array.from(flat);
  const matrix = DenseMatrix.from(X, { dtype: 'float32' });
  for (const order of ['cyclic', 'shuffle', 'random', 'batch'] as const) {
    for (const engine of engines) {
      for (const rows of [list, { data, rows: 3, cols: 2 }, matrix] as Rows[]) {
        const model = new Perceptron<number>({ engine, order, classWeight: 'balanced' }).fit(rows, y);
        model.predict(rows);
        model.diagnose(rows, y);
        model.loss(rows, y);
      }
      expect(Array.from(data)).toEqual(flat);
      expect(Array.from(matrix.data)).toEqual(flat);
    }
  }
});

test('a model holds nothing in the kernels’ memory', () => {
  const { blocks } = defaultArena.usage;
  const matrix = DenseMatrix.from(X);
  const model = new Perceptron().fit(matrix, y);
  matrix.dispose();
  DenseMatrix.allocate(100, 100).data.fill(5);
  expect([...model.weights, model.bias]).toEqual([1, 1, -3]);
  model.weights.fill(0);
  expect(model.predict(X)).toEqual(y);
  expect(defaultArena.usage.blocks).toBe(blocks + 1);
});

describe('take and slice', () => {
  const rows = [
    [1, 2],
    [3, -0],
    [5, 6.5],
    [7, 8],
  ];
  const listed = ({ data, cols }: DenseMatrix) =>
    Array.from({ length: data.length / cols }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));

  test.each(dtypes)('take gives rows by index, in any order and more than once, as %s', (dtype) => {
    using matrix = DenseMatrix.from(rows, { dtype });
    for (const indices of [[2, 0, 2, 1], Uint8Array.of(2, 0, 2, 1), { length: 4, 0: 2, 1: 0, 2: 2, 3: 1 }]) {
      using taken = matrix.take(indices);
      expect([taken.rows, taken.cols, taken.dtype]).toEqual([4, 2, dtype]);
      expect(listed(taken)).toEqual([rows[2], rows[0], rows[2], rows[1]]);
    }
  });

  test.each(dtypes)('slice gives consecutive rows, all of them unless told, as %s', (dtype) => {
    using matrix = DenseMatrix.from(rows, { dtype });
    for (const [from, to] of [[], [1], [1, 3], [3, 4], [0, 1], [undefined, 2]]) {
      using part = matrix.slice(from, to);
      expect(part.dtype).toBe(dtype);
      expect(listed(part)).toEqual(rows.slice(from, to));
    }
  });

  test('both are copies, in the memory of the same engine, also where it grows meanwhile', () => {
    const engine = createEngine({ kind: 'js' });
    const matrix = DenseMatrix.allocate(1000, 100, { engine });
    matrix.data.forEach((_, i, data) => {
      data[i] = i;
    });
    const view = matrix.data.subarray(0, 3);
    const taken = matrix.take(Array.from({ length: 3000 }, (_, r) => 999 - (r % 1000)));
    expect(arenaOf(engine).usage.blocks).toBe(2);
    expect(taken.data.buffer).toBe(matrix.data.buffer);
    expect(Array.from(taken.row(2999))).toEqual(Array.from({ length: 100 }, (_, k) => k));
    matrix.data.fill(0);
    expect(taken.row(0)[0]).toBe(99_900);
    expect(view.length === 0 || view[0] === 0).toBe(true);
    matrix.dispose();
    taken.dispose();
    expect(arenaOf(engine).usage.blocks).toBe(0);
  });

  test.each<[unknown, typeof TypeError | typeof RangeError, string]>([
    [[0, 1, 2, 4], RangeError, 'indices[3] must be an integer from 0 to 3, got 4'],
    [[0, -1], RangeError, 'indices[1] must be an integer from 0 to 3, got -1'],
    [[0.5], RangeError, 'indices[0] must be an integer from 0 to 3, got 0.5'],
    [[NaN], RangeError, 'indices[0] must be an integer from 0 to 3, got NaN'],
    [[0, '1'], TypeError, 'indices[1] must be an integer from 0 to 3, got "1"'],
    [[true], TypeError, 'indices[0] must be an integer from 0 to 3, got true'],
    [[], RangeError, 'indices is empty: a matrix has at least one row'],
    [2, TypeError, 'indices must be an array of integers, got 2'],
    ['12', TypeError, 'indices must be an array of integers, got "12"'],
    [null, TypeError, 'indices must be an array of integers, got null'],
  ])('take refuses %j', (indices, kind, message) => {
    using dense = DenseMatrix.from(rows);
    using sparse = SparseMatrix.fromDense(rows);
    for (const matrix of [dense, sparse]) {
      const { blocks } = defaultArena.usage;
      expect(() => matrix.take(indices as number[])).toThrow(expect.objectContaining({ name: kind.name, message }));
      expect(defaultArena.usage.blocks).toBe(blocks);
    }
  });

  test.each<[unknown, unknown, typeof TypeError | typeof RangeError, string]>([
    [4, undefined, RangeError, '"from" must be an integer from 0 to 3, got 4'],
    [-1, undefined, RangeError, '"from" must be an integer from 0 to 3, got -1'],
    [1.5, 3, RangeError, '"from" must be an integer from 0 to 3, got 1.5'],
    ['1', 3, TypeError, '"from" must be an integer from 0 to 3, got "1"'],
    [2, 2, RangeError, '"to" must be an integer from 3 to 4, got 2'],
    [0, 5, RangeError, '"to" must be an integer from 1 to 4, got 5'],
    [0, -1, RangeError, '"to" must be an integer from 1 to 4, got -1'],
    [0, null, TypeError, '"to" must be an integer from 1 to 4, got null'],
  ])('slice refuses %j to %j', (from, to, kind, message) => {
    using dense = DenseMatrix.from(rows);
    using sparse = SparseMatrix.fromDense(rows);
    for (const matrix of [dense, sparse]) {
      expect(() => matrix.slice(from as number, to as number)).toThrow(
        expect.objectContaining({ name: kind.name, message }),
      );
    }
  });

  test('a matrix that was disposed is refused', () => {
    const matrix = DenseMatrix.from(rows);
    matrix.dispose();
    expect(() => matrix.take([0])).toThrow('this DenseMatrix was disposed');
    expect(() => matrix.slice()).toThrow('this DenseMatrix was disposed');
  });
});
