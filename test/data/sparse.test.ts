// SparseMatrix and SparseBuilder as containers: what goes in comes out, whatever memory does in between, and is given back.

import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RowPieces, storeOfRows } from '../../src/data/csr.js';
import { gather, RowBuffer } from '../../src/data/entries.js';
import { PartsReader } from '../../src/data/parts.js';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  type Engine,
  Perceptron,
  type Rows,
  SparseBuilder,
  SparseMatrix,
} from '../../src/index.js';
import { Arena } from '../../src/memory/arena.js';
import { Random } from '../../src/random.js';
import { runs } from '../effort.js';
import { engines } from '../engines.js';
import { anyShape, bitsOf, type Parts, pairOf, partOf, partsBits, plainParts } from '../sparse-samples.js';
import { anotherCopy } from './copies.js';

const MiB = 2 ** 20;
const arenaOf = (engine: Engine) => resolveEngine(engine).arena;

/** Three rows: even and odd columns, an empty one, a value stored that is 0 and one that is −0. */
const small: Parts = {
  values: Float64Array.of(3, 1, 4, 0, -0, 2.5),
  indices: Uint32Array.of(0, 1, 5, 2, 3, 6),
  indptr: Uint32Array.of(0, 3, 3, 6),
  cols: 7,
};
const smallRows = [
  [3, 1, 0, 0, 0, 4, 0],
  [0, 0, 0, 0, 0, 0, 0],
  [0, 0, 0, -0, 0, 0, 2.5],
];

describe('SparseMatrix.from', () => {
  test('keeps rows, columns and every stored value, zeros too', () => {
    using X = SparseMatrix.from(small);
    expect([X.rows, X.cols, X.nonZeros]).toEqual([3, 7, 6]);
    expect(plainParts(X.toParts())).toEqual(plainParts(small));
    expect([...X.toParts().values].map((v) => Object.is(v, -0))).toEqual([false, false, false, false, true, false]);
  });

  test.each<[string, (list: Iterable<number>) => ArrayLike<number>]>([
    ['number[]', (list) => [...list]],
    ['Float32Array', (list) => Float32Array.from(list)],
    ['Float64Array', (list) => Float64Array.from(list)],
    ['Int32Array', (list) => Int32Array.from(list)],
    ['Uint8Array', (list) => Uint8Array.from(list)],
    ['an array-like', (list) => ({ ...[...list], length: [...list].length })],
    ['a frozen array', (list) => Object.freeze([...list])],
  ])('takes %s for each part', (_form, make) => {
    const parts = { values: [3, 1, 4, 2], indices: [0, 1, 5, 6], indptr: [0, 3, 3, 4], cols: 7 };
    using X = SparseMatrix.from({
      values: make(parts.values),
      indices: make(parts.indices),
      indptr: make(parts.indptr),
      cols: 7,
    });
    expect(plainParts(X.toParts())).toEqual(parts);
  });

  test('copies: neither side sees what the other does later', () => {
    const parts = { ...small, values: small.values.slice(), indices: small.indices.slice() };
    using X = SparseMatrix.from(parts);
    parts.values.fill(9);
    parts.indices.fill(1);
    const own = X.toParts();
    own.values.fill(8);
    own.indptr.fill(8);
    X.row(0).values.fill(7);
    expect(plainParts(X.toParts())).toEqual(plainParts(small));
  });

  test('has no rows where indptr has one entry', () => {
    using X = SparseMatrix.from({ values: [], indices: [], indptr: [0], cols: 4 });
    expect([X.rows, X.cols, X.nonZeros]).toEqual([0, 4, 0]);
    expect(plainParts(X.toParts())).toEqual({ values: [], indices: [], indptr: [0], cols: 4 });
  });

  test('takes rows that are all empty, one column, and the largest number of columns', () => {
    for (const parts of [
      { values: [], indices: [], indptr: [0, 0, 0, 0], cols: 5 },
      { values: [2, 3], indices: [0, 0], indptr: [0, 1, 1, 2], cols: 1 },
      { values: [1.5, 7], indices: [2 ** 31 - 3, 2 ** 31 - 2], indptr: [0, 2], cols: 2 ** 31 - 1 },
    ]) {
      using X = SparseMatrix.from(parts);
      expect(plainParts(X.toParts())).toEqual(parts);
    }
  });

  test('is not to be had by its constructor', () => {
    const make = () => new (SparseMatrix as unknown as new (store: unknown) => SparseMatrix)({ rows: 1 });
    expect(make).toThrow(
      new TypeError('make a SparseMatrix with SparseMatrix.from, SparseMatrix.fromDense or a SparseBuilder'),
    );
  });
});

describe('row(i)', () => {
  test('gives columns ascending, and copies', () => {
    using X = SparseMatrix.from(small);
    const rows = [0, 1, 2].map((i) => X.row(i));
    expect(rows.map(({ indices }) => [...indices])).toEqual([[0, 1, 5], [], [2, 3, 6]]);
    expect(rows.map(({ values }) => [...values])).toEqual([[3, 1, 4], [], [0, -0, 2.5]]);
    expect(rows[0]?.indices).toBeInstanceOf(Uint32Array);
    expect(rows[0]?.values).toBeInstanceOf(Float64Array);
    expect(rows[0]).not.toHaveProperty('indptr');
  });

  test('refuses rows there are not', () => {
    using X = SparseMatrix.from(small);
    for (const i of [-1, 3, 0.5, NaN]) {
      expect(() => X.row(i)).toThrow(new RangeError(`row must be an integer from 0 to 2, got ${i}`));
    }
  });
});

describe('take and slice', () => {
  test('give rows by index and consecutive rows, every stored value, zeros too', () => {
    using X = SparseMatrix.from(small);
    for (const indices of [[2, 1, 2, 0], Uint32Array.of(1), [0, 0]]) {
      using taken = X.take(indices);
      expect([taken.rows, taken.cols]).toEqual([indices.length, 7]);
      Array.from(indices, (i, r) => expect(taken.row(r)).toEqual(X.row(i)));
      expect(taken.nonZeros).toBe(Array.from(indices, (i) => X.row(i).values.length).reduce((a, b) => a + b));
    }
    for (const [from, to] of [[], [1], [1, 2], [0, 2]]) {
      using part = X.slice(from, to);
      expect(part.rows).toBe(smallRows.slice(from, to).length);
      for (let r = 0; r < part.rows; r++) expect(part.row(r)).toEqual(X.row((from ?? 0) + r));
    }
  });

  test('of a matrix without rows are refused', () => {
    using X = SparseMatrix.from({ values: [], indices: [], indptr: [0], cols: 2 });
    expect(() => X.slice()).toThrow(new RangeError('this matrix has no rows'));
    expect(() => X.take([0])).toThrow(new RangeError('this matrix has no rows'));
  });

  test('lie in the memory of the same engine, and are their own', () => {
    const engine = createEngine({ kind: 'js' });
    const X = SparseMatrix.from(small, { engine });
    const part = X.slice(2);
    expect(arenaOf(engine).usage.blocks).toBe(6); // a table, values and columns each
    X.dispose();
    expect(() => X.take([0])).toThrow('this SparseMatrix was disposed');
    expect(part.row(0).values).toEqual(Float64Array.of(0, -0, 2.5));
    part.dispose();
    expect(arenaOf(engine).usage.blocks).toBe(0);
  });

  test.each(engines)('%s: training on them gives the bits of the same rows', (engine) => {
    const X = [[3, 0, 1], [4, 3, 0], [1, 1, 1], [0, 2, 5]]; // biome-ignore format: rows
    const y = [1, 1, -1, -1];
    const list = [3, 0, 2, 1, 0];
    const fitted = (rows: Rows) =>
      JSON.stringify(
        new Perceptron({ engine, average: true }).fit(
          rows,
          list.map((i) => y[i] as number),
        ),
      );
    using dense = DenseMatrix.from(X);
    using sparse = SparseMatrix.fromDense(X);
    const expected = fitted(list.map((i) => X[i] as number[]));
    for (const matrix of [dense, sparse]) {
      using taken = matrix.take(list);
      expect(fitted(taken)).toBe(expected);
    }
  });
});

describe('fromDense and DenseMatrix.from', () => {
  const flat = { data: Float64Array.from(smallRows.flat()), rows: 3, cols: 7 };
  const forms: Record<string, () => Rows> = {
    'number[][]': () => smallRows,
    'Float64Array[]': () => smallRows.map((row) => Float64Array.from(row)),
    'a flat Float64Array': () => flat,
    'a flat Float32Array': () => ({ ...flat, data: Float32Array.from(flat.data) }),
    'a flat array that is longer': () => ({ ...flat, data: Float64Array.from([...flat.data, NaN]) }),
    'a SparseMatrix': () => SparseMatrix.from(small),
    'CSR parts': () => small,
    'a DenseMatrix': () => DenseMatrix.from(smallRows),
    'a DenseMatrix of float32': () => DenseMatrix.from(smallRows, { dtype: 'float32' }),
    'a DenseMatrix of another engine': () => DenseMatrix.from(smallRows, { engine: createEngine({ kind: 'js' }) }),
  };

  test.each(Object.entries(forms))('fromDense stores what is not 0 of %s', (_form, make) => {
    using X = SparseMatrix.fromDense(make());
    expect(plainParts(X.toParts())).toEqual({
      values: [3, 1, 4, 2.5],
      indices: [0, 1, 5, 6],
      indptr: [0, 3, 3, 4],
      cols: 7,
    });
  });

  test('DenseMatrix.from gives the same rows back, −0 where it was stored', () => {
    using X = SparseMatrix.from(small);
    for (const rows of [X, small, foreign(small)]) {
      for (const dtype of ['float64', 'float32'] as const) {
        using dense = DenseMatrix.from(rows, { dtype });
        expect([dense.rows, dense.cols, dense.dtype]).toEqual([3, 7, dtype]);
        expect([...dense.data]).toEqual(smallRows.flat());
      }
    }
  });

  test('DenseMatrix.from has zeros where nothing is stored, also where another matrix has been', () => {
    const before = DenseMatrix.allocate(3, 7);
    before.data.fill(5);
    before.dispose();
    using dense = DenseMatrix.from(small);
    expect([...dense.data]).toEqual(smallRows.flat());
  });

  test('float32 refuses a value that it cannot hold, naming its place, and memory is as before', () => {
    using X = SparseMatrix.from({ values: [1, 3.5e38], indices: [0, 4], indptr: [0, 1, 2], cols: 6 });
    const { blocks } = defaultArena.usage;
    expect(() => DenseMatrix.from(X, { dtype: 'float32' })).toThrow(
      new RangeError("X[1][4] is 3.5e+38, which float32 cannot hold; use dtype 'float64'"),
    );
    expect(defaultArena.usage.blocks).toBe(blocks);
  });

  test('any rows survive: parts, matrix, dense, matrix', () => {
    fc.assert(
      fc.property(anyShape, fc.constantFrom(...engines), (shape, kind) => {
        const { sparse, dense } = pairOf(shape);
        using X = SparseMatrix.from(sparse, { engine: kind });
        expect(partsBits(X.toParts())).toEqual(partsBits(sparse));
        for (let i = 0; i < X.rows; i += 7) {
          const { values, indices } = partOf(sparse, i, i + 1);
          const row = X.row(i);
          expect([bitsOf(row.values), bitsOf(row.indices)]).toEqual([bitsOf(values), bitsOf(indices)]);
        }
        using back = DenseMatrix.from(X);
        expect(bitsOf(back.data as Float64Array)).toBe(bitsOf(dense.data));
        using again = SparseMatrix.fromDense(back);
        using direct = SparseMatrix.fromDense(dense);
        expect(partsBits(again.toParts())).toEqual(partsBits(direct.toParts()));
        expect(again.nonZeros).toBe(sparse.values.filter((v) => v !== 0).length);
        using twice = SparseMatrix.fromDense(again);
        expect(partsBits(twice.toParts())).toEqual(partsBits(again.toParts()));
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('SparseBuilder', () => {
  test('gives the rows that came, with as many columns as came or more', () => {
    const add = (builder: SparseBuilder) => builder.add([0, 1, 5], [3, 1, 4]).add([], []).add([2, 3], [0, -0]);
    const expected = { values: [3, 1, 4, 0, -0], indices: [0, 1, 5, 2, 3], indptr: [0, 3, 3, 5] };
    for (const [builder, finish, cols] of [
      [new SparseBuilder(), undefined, 6],
      [new SparseBuilder({ cols: 9 }), undefined, 9],
      [new SparseBuilder(), { cols: 7 }, 7],
      [new SparseBuilder({ cols: 9 }), { cols: 6 }, 6],
      [new SparseBuilder({ cols: 6 }), { cols: 12 }, 12],
    ] as const) {
      add(builder);
      expect([builder.rows, builder.nonZeros]).toEqual([3, 5]);
      using X = builder.finish(finish);
      expect(plainParts(X.toParts())).toEqual({ ...expected, cols });
      expect(X.nonZeros).toBe(5);
    }
  });

  test('takes the first `count` of longer lists', () => {
    const columns = Uint32Array.of(1, 4, 2, 0);
    const values = Float64Array.of(5, 6, NaN, NaN);
    using X = new SparseBuilder().add(columns, values, 2).add(columns, values, 0).add(columns, values, 1).finish();
    expect(plainParts(X.toParts())).toEqual({ values: [5, 6, 5], indices: [1, 4, 1], indptr: [0, 2, 2, 3], cols: 5 });
  });

  test('copies at once: the same lists can be used for the next row', () => {
    const builder = new SparseBuilder();
    const [columns, values] = [[0, 3], [1, 2]]; // biome-ignore format: two lists
    builder.add(columns!, values!);
    columns!.fill(9);
    values!.fill(9);
    using X = builder.add([1], [7]).finish();
    expect(plainParts(X.toParts())).toEqual({ values: [1, 2, 7], indices: [0, 3, 1], indptr: [0, 2, 3], cols: 4 });
  });

  test('of no rows, or of empty ones only, has one column unless told', () => {
    using none = new SparseBuilder().finish();
    expect([none.rows, none.cols, none.nonZeros]).toEqual([0, 1, 0]);
    using empty = new SparseBuilder().add([], []).add([], []).finish();
    expect([empty.rows, empty.cols, empty.nonZeros]).toEqual([2, 1, 0]);
    using wide = new SparseBuilder().add([], []).finish({ cols: 3 });
    expect([wide.rows, wide.cols]).toEqual([1, 3]);
  });

  test('equals SparseMatrix.from on any rows, however they are cut', () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const { sparse } = pairOf(shape);
        const builder = new SparseBuilder({ cols: shape.cols });
        for (let i = 0; i < shape.rows; i++) {
          const { indices, values } = partOf(sparse, i, i + 1);
          builder.add(indices, values);
        }
        using X = builder.finish();
        expect(partsBits(X.toParts())).toEqual(partsBits(sparse));
      }),
      { numRuns: runs(30) },
    );
  });

  test('holds millions of values in pieces, and little more memory than they need', () => {
    const engine = createEngine();
    const arena = arenaOf(engine);
    const random = Random.seeded(5);
    const builder = new SparseBuilder({ engine });
    const lengths: number[] = [];
    let [total, sum, most] = [0, 0, 0];
    while (total < 1.3 * MiB) {
      // Mostly short rows, some longer than a first piece, and one longer than the largest piece is to begin with.
      const length = lengths.length === 300 ? 200_000 : random.below(40) === 0 ? 4000 : random.below(200);
      const columns = Uint32Array.from({ length }, (_, k) => 3 * k + (k & 1));
      const values = Float64Array.from({ length }, (_, k) => total + k + 0.5);
      builder.add(columns, values);
      lengths.push(length);
      total += length;
      sum += length === 0 ? 0 : (columns.at(-1) as number);
      most = Math.max(most, arena.usage.liveBytes / (12 * total + 16 * lengths.length + 12 * 1024));
    }
    expect(builder.nonZeros).toBe(total);
    expect(most).toBeLessThan(3); // the next piece is as large as all before it, at most
    const X = builder.finish();
    const needed = 12 * total + 16 * lengths.length;
    expect(arena.usage.liveBytes).toBeLessThan(1.34 * needed);
    const { values, indices, indptr } = X.toParts();
    expect(values.every((v, k) => v === k + 0.5)).toBe(true);
    expect(lengths.every((n, i) => (indptr[i + 1] as number) - (indptr[i] as number) === n)).toBe(true);
    const last = lengths.map((n, i) => (n === 0 ? 0 : (indices[(indptr[i] as number) + n - 1] as number)));
    expect(last.reduce((a, b) => a + b, 0)).toBe(sum);
    expect([...X.row(300).indices.subarray(0, 3)]).toEqual([0, 4, 6]);
    X.dispose();
    expect(arena.usage).toMatchObject({ liveBytes: 0, blocks: 0 });
  });
});

describe('memory', () => {
  test('dispose gives all of it back, and again does nothing', () => {
    const { blocks, liveBytes } = defaultArena.usage;
    const X = SparseMatrix.from(small);
    const other = SparseMatrix.fromDense(smallRows);
    expect(defaultArena.usage.blocks).toBeGreaterThan(blocks);
    X.dispose();
    const one = defaultArena.usage.blocks;
    const taken = SparseMatrix.from(small); // lies where the first one did
    X.dispose();
    X[Symbol.dispose]();
    expect(plainParts(taken.toParts())).toEqual(plainParts(small));
    expect(defaultArena.usage.blocks).toBeGreaterThan(one);
    for (const use of [() => X.row(0), () => X.toParts()]) {
      expect(use).toThrow(new Error('this SparseMatrix was disposed'));
    }
    expect([X.rows, X.cols, X.nonZeros]).toEqual([3, 7, 6]); // what it was stays known
    other[Symbol.dispose]();
    taken.dispose();
    expect(defaultArena.usage).toMatchObject({ liveBytes, blocks });
  });

  test('a matrix that was disposed is refused as X, wherever rows are taken', () => {
    const X = SparseMatrix.from(small);
    X.dispose();
    const model = new Perceptron<number>().fit(smallRows, [1, 1, -1]);
    const acts: Record<string, () => unknown> = {
      'DenseMatrix.from': () => DenseMatrix.from(X),
      fromDense: () => SparseMatrix.fromDense(X),
      fit: () => model.fit(X, [1, 1, -1]),
      predict: () => model.predict(X),
    };
    const { blocks } = defaultArena.usage;
    for (const act of Object.values(acts)) expect(act).toThrow(new Error('this SparseMatrix was disposed'));
    expect(defaultArena.usage.blocks).toBe(blocks);
  });

  test('views of the memory are made for a piece, not for a row: whether values are even or odd in number', () => {
    class CountingArena extends Arena {
      views = 0;
      override f64(offset: number, length: number): Float64Array {
        this.views++;
        return super.f64(offset, length);
      }
    }
    for (const more of [0, 1]) {
      const { sparse } = pairOf({ rows: 500, cols: 8, density: 0.5, seed: 3 });
      const count = 2 * Math.floor(sparse.values.length / 2) - more;
      const parts = { ...sparse, indptr: sparse.indptr.map((end) => Math.min(end, count)) };
      const arena = new CountingArena();
      const fewer = { ...parts, values: parts.values.slice(0, count), indices: parts.indices.slice(0, count) };
      storeOfRows(new PartsReader(fewer, ''), arena);
      expect(arena.views).toBeLessThan(10);
    }
  });

  test('where gigabytes are expected and not to be had, pieces are as large as there is room for', () => {
    const arena = new Arena(8 * MiB, false);
    const pieces = new RowPieces(arena, 3 * 2 ** 28);
    const row = new RowBuffer();
    pieces.put(row);
    for (let i = 0; i < 1000; i++) {
      row.length = 0;
      row.add(0, i);
      row.add(3, 0.1);
      pieces.put(row);
    }
    expect(arena.usage.blocks).toBe(3); // the table, a piece for values, one for columns
    const { indptr, values } = gather(pieces.finish(4));
    expect([...indptr.subarray(0, 4)]).toEqual([0, 0, 2, 4]);
    expect([...values.subarray(1998)]).toEqual([999, 0.1]);
  });

  test('`using` disposes matrices and builders', () => {
    const { blocks } = defaultArena.usage;
    {
      using X = SparseMatrix.from(small);
      using builder = new SparseBuilder().add([0], [1]);
      expect([X.rows, builder.rows]).toEqual([3, 1]);
      expect(defaultArena.usage.blocks).toBeGreaterThan(blocks + 1);
    }
    expect(defaultArena.usage.blocks).toBe(blocks);
  });

  test('a builder that is never finished gives its memory back by dispose, and is over then', () => {
    const { blocks, liveBytes } = defaultArena.usage;
    const builder = new SparseBuilder();
    for (let i = 0; i < 3000; i++) builder.add([i], [i]);
    expect(defaultArena.usage.liveBytes).toBeGreaterThan(liveBytes + 3000 * 12);
    builder.dispose();
    builder.dispose();
    expect(defaultArena.usage).toMatchObject({ liveBytes, blocks });
    for (const act of [() => builder.add([0], [1]), () => builder.finish()]) {
      expect(act).toThrow(new Error('this SparseBuilder is finished or disposed'));
    }
  });

  test('a builder that is finished is over; disposing it does not touch its matrix', () => {
    const builder = new SparseBuilder().add([2], [4]);
    using X = builder.finish();
    for (const act of [() => builder.add([0], [1]), () => builder.finish()]) {
      expect(act).toThrow(new Error('this SparseBuilder is finished or disposed'));
    }
    builder.dispose();
    builder[Symbol.dispose]();
    using other = SparseMatrix.from(small);
    expect(other.nonZeros).toBe(6);
    expect(plainParts(X.toParts())).toEqual({ values: [4], indices: [2], indptr: [0, 1], cols: 3 });
    expect([builder.rows, builder.nonZeros]).toEqual([1, 1]);
  });

  test.each<[string, () => Engine | undefined]>([
    ['the memory all engines share', () => undefined],
    ['an engine’s own memory', () => createEngine()],
    ["a 'js' engine's own memory", () => createEngine({ kind: 'js', maxMemoryBytes: 64 * MiB })],
    ["a 'wasm-scalar' engine's own memory", () => createEngine({ kind: 'wasm-scalar', maxMemoryBytes: 64 * MiB })],
  ])('rows stay what they are when %s grows', (_what, make) => {
    const engine = make();
    const options = engine ? { engine } : {};
    const arena = engine ? arenaOf(engine) : defaultArena;
    const X = SparseMatrix.from(small, options);
    const builder = new SparseBuilder(options);
    const grown: DenseMatrix[] = [];
    const before = arena.usage.byteLength;
    for (let i = 0; i < 4000; i++) {
      builder.add([i % 7, 7 + (i % 5)], [i, -i - 1]);
      if (i % 1000 === 999) grown.push(DenseMatrix.allocate(i, 100, options));
    }
    expect(arena.usage.byteLength).toBeGreaterThan(before + 2 * MiB);
    expect(plainParts(X.toParts())).toEqual(plainParts(small));
    const built = builder.finish();
    for (const matrix of grown) {
      expect(matrix.data.every((v) => v === 0)).toBe(true);
      matrix.dispose();
    }
    const { values, indices, indptr } = built.toParts();
    expect(values.every((v, k) => v === (k % 2 ? -(k >> 1) - 1 : k >> 1))).toBe(true);
    expect(indices.every((c, k) => c === (k % 2 ? 7 + ((k >> 1) % 5) : (k >> 1) % 7))).toBe(true);
    expect(indptr.every((at, i) => at === 2 * i)).toBe(true);
    X.dispose();
    built.dispose();
    if (engine) expect(arena.usage.blocks).toBe(0);
  });

  test.each(engines)('%s: no room is a RangeError, and everything stays usable', (kind) => {
    const engine = createEngine({ kind, maxMemoryBytes: MiB });
    const arena = arenaOf(engine);
    const X = SparseMatrix.from(small, { engine });
    const { blocks, liveBytes } = arena.usage;
    const [rows, length] = [1500, 100];
    const large = {
      values: new Float64Array(rows * length).fill(1),
      indices: Uint32Array.from({ length: rows * length }, (_, k) => k % length),
      indptr: Uint32Array.from({ length: rows + 1 }, (_, i) => i * length),
      cols: length,
    };
    const dense = { data: large.values, rows, cols: length };
    for (const act of [
      () => SparseMatrix.from(large, { engine }),
      () => SparseMatrix.fromDense(dense, { engine }),
      () => DenseMatrix.from(large, { engine }),
      () => SparseMatrix.from({ values: [], indices: [], indptr: new Uint32Array(70_000), cols: 3 }, { engine }),
    ]) {
      expect(act).toThrow(RangeError);
      expect(act).toThrow(
        /^no room for .*: \d+ bytes \(.* MiB\) asked for, .* MiB in use of at most 1 MiB; dispose\(\) /,
      );
      expect(arena.usage).toMatchObject({ liveBytes, blocks });
    }

    // A builder keeps the rows it has, and they can be had.
    const builder = new SparseBuilder({ engine });
    const add = (i: number) => builder.add(large.indices.subarray(0, length), large.values.subarray(0, length).fill(i));
    const fill = () => {
      for (let i = 0; i < rows; i++) add(i);
    };
    expect(fill).toThrow(/^no room for /);
    const kept = builder.rows;
    expect(12 * length * kept).toBeGreaterThan(MiB / 3);
    expect(builder.nonZeros).toBe(length * kept);
    expect(() => add(kept)).toThrow(/^no room for /);
    expect(builder.rows).toBe(kept);
    const built = builder.finish();
    expect(built.rows).toBe(kept);
    expect(built.toParts().values.every((v, k) => v === Math.floor(k / length))).toBe(true);
    built.dispose();

    expect(plainParts(X.toParts())).toEqual(plainParts(small));
    expect(arena.usage).toMatchObject({ liveBytes, blocks });
    const again = SparseMatrix.from(partOf(large, 0, 500), { engine });
    expect(again.nonZeros).toBe(500 * length);
    again.dispose();
    X.dispose();
    expect(arena.usage.blocks).toBe(0);
  });

  test.each([
    ['a few long rows', 3, 500],
    ['many short rows', 1000, 1],
  ])('finish needs no room of its own: %s', (_, rows, length) => {
    const engine = createEngine({ maxMemoryBytes: 65536 });
    const arena = arenaOf(engine);
    const builder = new SparseBuilder({ engine });
    const columns = Uint32Array.from({ length }, (_, k) => k);
    for (let i = 0; i < rows; i++) builder.add(columns, new Float64Array(length).fill(i));
    const taken: DenseMatrix[] = [];
    for (let size = 8192; size >= 1; ) {
      try {
        taken.push(DenseMatrix.allocate(1, size, { engine }));
      } catch {
        size >>= 1;
      }
    }
    const X = builder.finish();
    expect(X.toParts().values.every((v, k) => v === Math.floor(k / length))).toBe(true);
    for (const matrix of [...taken, X]) matrix.dispose();
    expect(arena.usage).toMatchObject({ liveBytes: 0, blocks: 0 });
  });
});

/** What another copy of the library would hand over: recognised by what it has, not by its class. */
function foreign(parts: Parts) {
  const { values, indices, indptr, cols } = parts;
  const given = { values: [...values], indices: [...indices], indptr: [...indptr], cols };
  const matrix = { rows: indptr.length - 1, cols, nonZeros: values.length, toParts: () => given };
  return matrix as unknown as SparseMatrix;
}

afterEach(() => vi.unstubAllGlobals());

describe('other copies, other memories', () => {
  test('a matrix of another copy of the library is taken for what it is', async () => {
    const other = await anotherCopy(true);
    const theirs = other.SparseMatrix.from(small) as unknown as SparseMatrix;
    expect(theirs).not.toBeInstanceOf(SparseMatrix);
    using dense = DenseMatrix.from(theirs);
    expect([...dense.data]).toEqual(smallRows.flat());
    using again = SparseMatrix.fromDense(theirs);
    expect([...again.toParts().indices]).toEqual([0, 1, 5, 6]);
    theirs.dispose();
    expect(() => DenseMatrix.from(theirs)).toThrow('this SparseMatrix was disposed');
  });

  test('a matrix lies in the memory of the engine it was made for, and is copied into another', () => {
    const engine = createEngine();
    const { blocks } = defaultArena.usage;
    const X = SparseMatrix.from(small, { engine });
    expect(defaultArena.usage.blocks).toBe(blocks);
    expect(arenaOf(engine).usage.blocks).toBeGreaterThan(0);
    using dense = DenseMatrix.from(X);
    expect([...dense.data]).toEqual(smallRows.flat());
    X.dispose();
    expect(arenaOf(engine).usage.blocks).toBe(0);
  });

  /** Values that lie in memory which is not shared: growth detaches them. */
  const numbers = (length: number) => Array.from({ length }, (_, k) => k + 1);
  const places = (length: number, cols: number) => Uint32Array.from({ length }, (_, k) => k % cols);

  test('memory that is not shared grows under the parts that are being copied from it', async () => {
    const { DenseMatrix: Dense, SparseMatrix: Sparse, Perceptron: Trainer } = await anotherCopy(false);
    const size = 30_000;
    const indptr = Uint32Array.from({ length: 301 }, (_, i) => 100 * i);
    const parts = () => ({ values: Dense.from([numbers(size)]).data, indices: places(size, 100), indptr, cols: 100 });
    expect(bitsOf(Sparse.from(parts()).toParts().values)).toBe(bitsOf(Float64Array.from(numbers(size))));
    const y = Array.from({ length: 300 }, (_, i) => i % 2);
    const plain = { ...parts(), values: numbers(size) };
    const expected = JSON.stringify(new Trainer({ maxEpochs: 2 }).fit(plain, y));
    expect(JSON.stringify(new Trainer({ maxEpochs: 2 }).fit(parts(), y))).toBe(expected);
  });

  test('memory that is not shared grows under the row that is being added', async () => {
    const { DenseMatrix: Dense, SparseBuilder: Builder } = await anotherCopy(false);
    const builder = new Builder();
    const columns = places(100, 100);
    for (let i = 0; i < 300; i++) builder.add(columns, Dense.from([numbers(100)]).row(0));
    expect(
      builder
        .finish()
        .toParts()
        .values.every((v, k) => v === (k % 100) + 1),
    ).toBe(true);
  });

  test('views that growth has detached before they come are the rows they were, not empty ones', async () => {
    const { DenseMatrix: Dense, SparseMatrix: Sparse, SparseBuilder: Builder, Perceptron } = await anotherCopy(false);
    /** Views of 100 numbers each; asked for before the memory grows. */
    const detached = (...lists: number[][]) => {
      const views = lists.map((list) => Dense.from([list]).data);
      Dense.allocate(3000, 100 + grown++);
      for (const view of views) expect(view.length).toBe(0);
      return views as [Float64Array, Float64Array, Float64Array];
    };
    let grown = 0;
    const values = numbers(100);
    const columns = values.map((v) => 2 * v);
    const ends = Array.from({ length: 101 }, (_, i) => i);
    const [theirColumns, theirValues] = detached(columns, values);
    const built = new Builder().add(theirColumns, theirValues).add(theirColumns, theirValues, 3).add([], []).finish();
    expect([...built.toParts().indptr]).toEqual([0, 100, 103, 103]);
    expect([...built.row(0).indices]).toEqual(columns);
    expect([...built.row(0).values]).toEqual(values);

    const rest = { indices: values.map(() => 0), indptr: ends, cols: 1 };
    const y = values.map((v) => v % 2);
    const expected = JSON.stringify(new Perceptron({ maxEpochs: 2 }).fit({ ...rest, values }, y));
    const [ofParts, ofEnds] = detached(values, ends);
    const X = { ...rest, values: ofParts, indptr: ofEnds };
    expect([...Sparse.from(X).toParts().values]).toEqual(values);
    expect(JSON.stringify(new Perceptron({ maxEpochs: 2 }).fit(X, y))).toBe(expected);

    const gone = Dense.from([values]);
    const view = gone.data;
    Dense.allocate(6000, 100);
    gone.dispose();
    expect(() => new Builder().add(view, values)).toThrow('"columns" is a view into a DenseMatrix that was disposed');
  });

  test('where rows begin is known to the end, though growth detaches who said it', async () => {
    const { DenseMatrix: Dense, SparseMatrix: Sparse } = await anotherCopy(false);
    const size = 100_000;
    const indptr = Dense.from([Array.from({ length: size + 1 }, (_, i) => i)]).data;
    const parts = { values: numbers(size), indices: new Uint32Array(size), indptr, cols: 1 };
    const X = Sparse.from(parts);
    expect(indptr.length).toBe(0);
    expect([X.rows, X.nonZeros]).toEqual([size, size]);
  });

  test('rows are taken one by one from parts that growth detaches, or it is an error', async () => {
    const { DenseMatrix: Dense, SparseMatrix: Sparse, Scaler } = await anotherCopy(false);
    const size = 100_000;
    const view = () => Dense.from([numbers(size)]).data;
    const partsOf = (values: ArrayLike<number>) => ({
      values,
      indices: new Uint32Array(size),
      indptr: Uint32Array.from({ length: size + 1 }, (_, i) => i),
      cols: 1,
    });
    const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
    const scaler = new Scaler({ kind: 'unit-ball' }).fit([[1]]);
    const all = (size * (size + 1)) / 2;
    const acts = [Sparse.fromDense, (X: ReturnType<typeof partsOf>) => scaler.transform(X)];
    for (const act of acts) {
      expect(sum(act(partsOf(view())).toParts().values)).toBe(all);
      const values = view().subarray(0, size);
      let outcome: unknown;
      try {
        outcome = sum(act(partsOf(values)).toParts().values);
      } catch (error) {
        outcome = (error as Error).message;
      }
      if (outcome !== all) expect(outcome).toMatch(/ a part of a view that was detached when the memory grew$/);
    }
  });
});
