// Kernels over sparse rows, against the plain ones, the definition of their order, and the same rows stored densely, to the
// bit: 0 to 67 values in all mixtures of even and odd columns, float64 and float32 rows alone and mixed, at several offsets, both
// wasm builds.

import { expect, test } from 'vitest';
import * as at from '../../assembly/layout.js';
import type { Kernels } from '../../src/engine/contract.js';
import { jsKernels } from '../../src/engine/js/kernels.js';
import { compile, instantiate } from '../../src/engine/wasm/load.js';
import { Random } from '../../src/random.js';
import '../../src/scalar.js';
import { Arena } from '../../src/memory/arena.js';
import { bitsOf } from '../sparse-samples.js';

const arena = new Arena();
const block = arena.allocate(8 << 20, 'test data');
const plain = jsKernels(arena);
const targets = ['simd', 'scalar'] as const;
const kernelsOf = (target: (typeof targets)[number]): Kernels =>
  instantiate(compile(target, arena.backing.shared), arena.backing);

/** Regions far enough apart for all rows here. */
const region = (k: number) => block.offset + (k << 19);
const [TABLE, VALUES, COLUMNS, DENSE, WEIGHTS, TWIN, OUT, LIST] = [0, 1, 2, 3, 6, 7, 8, 9].map(region) as [
  number, number, number, number, number, number, number, number,
]; // biome-ignore format: eight of them
const [ENDS, ROWS, BY_COLUMN, LANES] = [10, 11, 12, 13].map(region) as [number, number, number, number];
const [RECORD, LABELS] = [14, 15].map(region) as [number, number];

const random = Random.seeded(23);
/** Values of very different sizes, so that any other order of addition shows. */
const draw = () => (random.next() / 2 ** 31 - 1) * 10 ** ((random.next() % 9) - 4);

/** The same as float32 numbers, with the largest, the smallest, and zeros of both signs among them. */
const drawNarrow = () =>
  random.below(8) > 0
    ? Math.fround(draw())
    : ([0, -0, 2 ** -149, -(2 ** -149) * 5, 2 ** -126, -(2 - 2 ** -23) * 2 ** 127][random.below(6)] as number);

interface Row {
  columns: number[];
  values: number[];
  /** Stored as float32, which all values are. */
  isNarrow?: boolean;
}

/** Which columns: how many of d, and of which parity. */
const parities: Record<string, (column: number) => boolean> = {
  'any columns': () => true,
  'even columns': (c) => c % 2 === 0,
  'odd columns': (c) => c % 2 === 1,
  'one odd column': (c) => c % 2 === 0 || c === 5,
  'one even column': (c) => c % 2 === 1 || c === 8,
  'even columns, then odd ones': (c) => (c < 70 ? c % 2 === 0 : c % 2 === 1),
  'odd columns, then even ones': (c) => (c < 70 ? c % 2 === 1 : c % 2 === 0),
};

/** A row of `length` values in ascending columns below d. */
function rowOf(length: number, d: number, isOf: (column: number) => boolean, isNarrow = false): Row {
  const all = Array.from({ length: d }, (_, c) => c).filter(isOf);
  random.shuffle(all);
  const columns = all.slice(0, length).sort((a, b) => a - b);
  return { columns, values: columns.map(isNarrow ? drawNarrow : draw), isNarrow };
}

/** Writes rows as the kernels have them, `gap` bytes of nothing good between them; answers where the table is. */
function put(rows: readonly Row[], gap = 0): number {
  let [v, c] = [VALUES + (gap & ~7), COLUMNS + (gap & ~3)];
  rows.forEach(({ columns, values, isNarrow }, i) => {
    const order = [0, 1].flatMap((parity) => [...columns.keys()].filter((k) => (columns[k] as number) % 2 === parity));
    const evens = columns.filter((column) => column % 2 === 0).length;
    const to = isNarrow ? arena.f32(v, columns.length + 1) : arena.f64(v, columns.length + 1);
    to.set([...order.map((k) => values[k] as number), NaN]);
    arena.u32(c, columns.length + 1).set([...order.map((k) => columns[k] as number), 0]);
    const entry = arena.u32(TABLE + at.ROW_BYTES * i, at.ROW_BYTES / 4);
    entry[at.ROW_VALUES / 4] = v;
    entry[at.ROW_COLUMNS / 4] = c;
    entry[at.ROW_EVENS / 4] = evens;
    entry[at.ROW_ODDS / 4] = columns.length - evens + (isNarrow ? at.NARROW : 0);
    v += 8 * (columns.length + 1) + (gap & ~7);
    c += 4 * (columns.length + 1) + (gap & ~3);
  });
  return TABLE;
}

/** The same rows, all values. */
function putDense(rows: readonly Row[], d: number): number {
  const values = arena.f64(DENSE, rows.length * d).fill(0);
  rows.forEach((row, i) => {
    row.columns.forEach((column, k) => {
      values[i * d + column] = row.values[k] as number;
    });
  });
  return DENSE;
}

function fillWeights(to: number, count: number): Float64Array {
  const view = arena.f64(to, count);
  for (let k = 0; k < count; k++) view[k] = draw();
  return view;
}

/** Order S (docs/adr/0003), spelled out from its definition. */
function inOrderS({ columns, values }: Row, w: Float64Array): number {
  const lanes = [0, 0];
  columns.forEach((column, k) => {
    lanes[column % 2] = (lanes[column % 2] as number) + (values[k] as number) * (w[column] as number);
  });
  return (lanes[0] as number) + (lanes[1] as number);
}

/** Order P: the same in panels. */
function inOrderP(x: Row, z: Row): number {
  const found = new Map(z.columns.map((column, k) => [column, z.values[k] as number]));
  const panels = new Map<number, [number, number]>();
  x.columns.forEach((column, k) => {
    const other = found.get(column);
    if (other === undefined) return;
    const panel = Math.floor(column / at.PANEL);
    const lanes = panels.get(panel) ?? [0, 0];
    lanes[column % 2] = (lanes[column % 2] as number) + (x.values[k] as number) * other;
    panels.set(panel, lanes);
  });
  return [...panels].reduce((sum, [, [even, odd]]) => sum + (even + odd), 0);
}

/** Brings n rows into columns, `part` of them at a time. */
function byColumns(kernels: Kernels, table: number, n: number, d: number, part = n): void {
  const parts = Array.from({ length: Math.ceil(n / part) }, (_, k) => k * part);
  const size = (first: number) => Math.min(part, n - first);
  for (const first of parts) kernels.countColumns(table + at.ROW_BYTES * first, size(first), ENDS);
  kernels.placeColumns(ENDS, d);
  for (const first of parts) {
    kernels.fillColumns(table, first, size(first), ENDS, ROWS, BY_COLUMN);
  }
}

/** Bytes between rows, and whether they are float32. */
const placings = [0, 4, 20].flatMap((gap) => [false, true].map((isNarrow) => [gap, isNarrow] as const));

const all = targets.flatMap((target) => Object.keys(parities).map((columns) => ({ target, columns })));

test.each(all)(
  '$target: dot of 0 to 67 values in $columns is the plain one, that of dense rows, and order S',
  ({ target, columns }) => {
    const kernels = kernelsOf(target);
    const d = 140;
    for (let length = 0; length <= 67; length++) {
      for (const [gap, isNarrow] of placings) {
        const row = rowOf(length, d, parities[columns] as (c: number) => boolean, isNarrow);
        const [x, w] = [put([row], gap), fillWeights(WEIGHTS, d)];
        const expected = inOrderS(row, w);
        expect(kernels.dot(at.SPARSE, x, WEIGHTS, d)).toBe(expected);
        expect(plain.dot(at.SPARSE, x, WEIGHTS, d)).toBe(expected);
        expect(kernels.dot(8, putDense([row], d), WEIGHTS, d)).toBe(expected);
      }
    }
  },
);

test.each(all)(
  '$target: axpy of 0 to 67 values in $columns changes those columns of w and no other',
  ({ target, columns }) => {
    const kernels = kernelsOf(target);
    const d = 140;
    for (let length = 0; length <= 67; length++) {
      for (const [gap, isNarrow] of placings) {
        const row = rowOf(length, d, parities[columns] as (c: number) => boolean, isNarrow);
        const x = put([row], gap);
        const step = draw();
        const before = fillWeights(WEIGHTS, d + 1).slice();
        const expected = before.slice();
        row.columns.forEach((column, k) => {
          expected[column] = (expected[column] as number) + step * (row.values[k] as number);
        });
        kernels.axpy(at.SPARSE, WEIGHTS, x, step, d);
        expect(bitsOf(arena.f64(WEIGHTS, d + 1))).toBe(bitsOf(expected));
        arena.f64(TWIN, d + 1).set(before);
        plain.axpy(at.SPARSE, TWIN, x, step, d);
        expect(bitsOf(arena.f64(TWIN, d + 1))).toBe(bitsOf(expected));
        arena.f64(TWIN, d + 1).set(before);
        kernels.axpy(8, TWIN, putDense([row], d), step, d);
        expect(bitsOf(arena.f64(TWIN, d + 1))).toBe(bitsOf(expected));
      }
    }
  },
);

/** Rows of all lengths from 0 on, and of all mixtures of columns; float64 and float32 ones side by side. */
const manyRows = (n: number, d: number): Row[] =>
  Array.from({ length: n }, (_, i) => {
    const kinds = Object.values(parities);
    const length = i % 5 === 0 ? 0 : random.below(Math.min(d, 68));
    return rowOf(length, d, kinds[i % kinds.length] as (c: number) => boolean, random.below(2) === 0);
  });

test.each(targets)('%s: scores of any number of rows, in any order, are those of one row at a time', (target) => {
  const d = 140;
  for (const n of [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 25, 40]) {
    const rows = manyRows(n, d);
    const w = fillWeights(WEIGHTS, d);
    const table = put(rows, 4);
    arena.u32(LIST, n).set(Uint32Array.from({ length: n }, (_, i) => (7 * i + 3) % n));
    for (const list of [0, LIST]) {
      const order = list ? [...arena.u32(LIST, n)] : [...rows.keys()];
      const expected = order.map((i) => inOrderS(rows[i] as Row, w) + 0.5);
      for (const kernels of [kernelsOf(target), plain]) {
        arena.f64(OUT, n + 1).fill(-1);
        kernels.scores(at.SPARSE, table, n, d, list, WEIGHTS, 0.5, OUT, LIST + 1024);
        expect([...arena.f64(OUT, n + 1)]).toEqual([...expected, -1]);
      }
    }
  }
});

test.each(targets)('%s: a row against some of many planes', (target) => {
  const [d, planes] = [97, 9];
  for (let length = 0; length <= 67; length += 3) {
    const row = rowOf(length, d, () => true, length % 2 === 0);
    const x = put([row], 12);
    fillWeights(WEIGHTS, planes * d);
    for (const list of [undefined, [], [4], [0, 8], [8, 1, 3, 3, 0]]) {
      if (list) arena.u32(LIST, list.length).set(list);
      const order = list ?? Array.from({ length: planes }, (_, k) => k);
      const expected = order.map((k) => inOrderS(row, arena.f64(WEIGHTS + 8 * d * k, d)));
      for (const kernels of [kernelsOf(target), plain]) {
        arena.f64(OUT, planes + 1).fill(-1);
        kernels.planeDots(x, WEIGHTS, order.length, d, list ? LIST : 0, OUT);
        expect([...arena.f64(OUT, order.length + 1)]).toEqual([...expected, -1]);
      }
    }
  }
});

test.each(targets)('%s: norms close their lanes at the end of every panel that has a column (order P)', (target) => {
  for (const d of [1, 67, at.PANEL - 1, at.PANEL, at.PANEL + 1, 2 * at.PANEL + 3, 7 * at.PANEL + 11]) {
    for (const gap of [0, 4, 8]) {
      const rows = manyRows(13, d);
      // Only the first and the last column of a panel, and panels with nothing in them.
      const edges = [0, at.PANEL - 1, at.PANEL, 2 * at.PANEL - 1, 5 * at.PANEL + 2, 6 * at.PANEL].filter((c) => c < d);
      rows.push({ columns: edges, values: edges.map(draw) });
      const table = put(rows, gap);
      const expected = rows.map((row) => inOrderP(row, row));
      for (const kernels of [kernelsOf(target), plain]) {
        arena.f64(OUT, rows.length + 1).fill(-1);
        kernels.squaredNorms(at.SPARSE, table, rows.length, d, OUT);
        expect([...arena.f64(OUT, rows.length + 1)]).toEqual([...expected, -1]);
      }
      kernelsOf(target).squaredNorms(8, putDense(rows, d), rows.length, d, OUT);
      expect([...arena.f64(OUT, rows.length)]).toEqual(expected);
    }
  }
});

test.each(targets)('%s: rows by columns are the rows, column after column, rows ascending', (target) => {
  for (const [n, d] of [
    [1, 1],
    [5, 3],
    [13, 67],
    [40, 200],
    [9, 1500],
  ] as const) {
    // biome-ignore format: sizes
    const rows = manyRows(n, d);
    const table = put(rows, 8);
    const entries = rows
      .flatMap(({ columns, values }, i) => columns.map((column, k) => ({ column, i, value: values[k] as number })))
      .sort((a, b) => a.column - b.column || a.i - b.i);
    const ends = Array.from({ length: d }, (_, k) => entries.filter(({ column }) => column <= k).length);
    for (const [kernels, part] of [kernelsOf(target), plain].flatMap((k) => [n, 4, 1].map((p) => [k, p] as const))) {
      arena.u32(ENDS, d + 1).fill(0);
      arena.u32(ROWS, entries.length + 1).fill(77);
      arena.f64(BY_COLUMN, entries.length + 1).fill(77);
      byColumns(kernels, table, n, d, part);
      expect([...arena.u32(ENDS, d + 1)]).toEqual([...ends, 0]);
      expect([...arena.u32(ROWS, entries.length + 1)]).toEqual([...entries.map(({ i }) => i), 77]);
      expect([...arena.f64(BY_COLUMN, entries.length + 1)]).toEqual([...entries.map(({ value }) => value), 77]);
    }
  }
});

test.each(targets)('%s: a row against all, by columns, is order P, and leaves its lanes zero', (target) => {
  for (const [n, d] of [
    [1, 1],
    [5, 3],
    [13, 67],
    [12, at.PANEL],
    [13, at.PANEL + 1],
    [25, 2 * at.PANEL + 3],
    [40, 5 * at.PANEL],
  ] as const) {
    // biome-ignore format: sizes
    const rows = manyRows(n, d);
    const dense = Array.from({ length: Math.min(d, 600) }, (_, c) => c); // a row with values in every column, all through a panel
    rows.push({ columns: dense, values: dense.map(draw) });
    const edges = [0, 1, at.PANEL - 1, at.PANEL, 2 * at.PANEL - 1, 4 * at.PANEL + 7].filter((c) => c < d);
    rows.push({ columns: edges, values: edges.map(draw) });
    const total = rows.length;
    const table = put(rows, 4);
    for (const kernels of [kernelsOf(target), plain]) {
      arena.u32(ENDS, d).fill(0);
      byColumns(kernels, table, total, d);
      arena.f64(LANES, 2 * total).fill(0);
      for (let i = 0; i < total; i++) {
        arena.f64(OUT, total + 1).fill(-1);
        kernels.pairSparse(table + at.ROW_BYTES * i, ENDS, ROWS, BY_COLUMN, total, LANES, OUT);
        const expected = rows.map((row) => inOrderP(rows[i] as Row, row));
        expect([...arena.f64(OUT, total + 1)]).toEqual([...expected, -1]);
        expect(arena.f64(LANES, 2 * total).every((v) => Object.is(v, 0))).toBe(true);
      }
    }
  }
});

test('sums of nothing, and of zeros of either sign, are +0', () => {
  fillWeights(WEIGHTS, 20);
  const rows: Row[] = [
    { columns: [], values: [] },
    { columns: [0, 1, 7, 12], values: [-0, 0, -0, -0] },
    { columns: [3], values: [-0] },
  ];
  rows.push(...rows.map((row) => ({ ...row, isNarrow: true })));
  const n = rows.length;
  const table = put(rows);
  for (const kernels of [kernelsOf('simd'), kernelsOf('scalar'), plain]) {
    kernels.squaredNorms(at.SPARSE, table, n, 20, OUT);
    for (let i = 0; i < n; i++) {
      expect(Object.is(kernels.dot(at.SPARSE, table + at.ROW_BYTES * i, WEIGHTS, 20), 0)).toBe(true);
      expect(Object.is(arena.f64(OUT, n)[i], 0)).toBe(true);
    }
    arena.u32(ENDS, 20).fill(0);
    byColumns(kernels, table, n, 20);
    for (let i = 0; i < n; i++) {
      kernels.pairSparse(table + at.ROW_BYTES * i, ENDS, ROWS, BY_COLUMN, n, LANES, OUT);
      expect([...arena.f64(OUT, n)].every((v) => Object.is(v, 0))).toBe(true);
    }
  }
});

test.each(targets)(
  '%s: tables of float64 and float32 rows with 0 to 67 values are trained on as dense rows',
  (target) => {
    const d = 140;
    const mixtures: ((i: number) => boolean)[] = [() => true, (i) => i % 2 === 0, (i) => i % 2 === 1, (i) => i < 34];
    for (const isNarrow of mixtures) {
      const rows = Array.from({ length: 68 }, (_, length) => rowOf(length, d, () => true, isNarrow(length)));
      // The largest float32 numbers would be all that counts.
      for (const row of rows) row.values = row.values.map((v) => (Math.abs(v) > 1e30 ? 1 : v));
      const n = rows.length;
      const [table, dense] = [put(rows, 8), putDense(rows, d)];
      const labels = rows.map(() => (random.below(2) === 0 ? -1 : 1));
      const trained = (kernels: Kernels, element: 0 | 8, x: number) => {
        const record = arena.u32(RECORD, at.RECORD_BYTES / 4).fill(0);
        arena.i8(LABELS, n).set(labels);
        arena.u32(LIST, n).fill(0);
        arena.f64(WEIGHTS, d).fill(0);
        arena.f64(TWIN, d).fill(0);
        const fields = [
          [at.X, x],
          [at.N, n],
          [at.D, d],
          [at.ELEMENT, element],
          [at.Y, LABELS],
          [at.W, WEIGHTS],
          [at.SUMS, TWIN],
          [at.COUNTS, LIST],
        ] as const;
        for (const [field, value] of fields) record[field / 4] = value;
        const set = (field: number, value: number) => arena.f64(RECORD + field, 1).fill(value);
        set(at.STEP_POSITIVE, 1);
        set(at.STEP_NEGATIVE, -1);
        set(at.BIAS_SCALE, 1);
        while (kernels.primal.run(RECORD, 29, 1000, 1) === at.PAUSED);
        while (kernels.primal.run(RECORD, 1000, 1, 1) === at.MISTAKE);
        return {
          weights: bitsOf(arena.f64(WEIGHTS, d).slice()),
          sums: bitsOf(arena.f64(TWIN, d).slice()),
          bias: arena.f64(RECORD + at.BIAS, 1)[0],
          counts: [...arena.u32(LIST, n)],
        };
      };
      const expected = trained(plain, 8, dense);
      expect(expected.counts.some((count) => count > 1)).toBe(true);
      for (const kernels of [kernelsOf(target), plain]) expect(trained(kernels, 0, table)).toEqual(expected);
      expect(trained(kernelsOf(target), 8, dense)).toEqual(expected);
    }
  },
);
