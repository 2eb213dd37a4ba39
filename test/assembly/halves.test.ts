// 8-bit rows with weights that are integers, in integer arithmetic (assembly/halves.ts): the bits of order S in float64, at every length
// and offset, up to the largest weights and sums; weights that do not allow it are not split, and give the same bits the other way.

import { expect, test } from 'vitest';
import { FLOAT64, INT8, UINT8 } from '../../assembly/layout.js';
import { planeBytes } from '../../src/data/arenarows.js';
import { ARRAYS } from '../../src/data/views.js';
import { jsKernels } from '../../src/engine/js/kernels.js';
import { compile, instantiate } from '../../src/engine/wasm/load.js';
import { Arena } from '../../src/memory/arena.js';
import { Random } from '../../src/random.js';

const arena = new Arena();
const block = arena.allocate(16 << 20, 'test data');
const X = block.offset;
const WIDE = X + (2 << 20);
const W = X + (8 << 20);
const OUT = X + (13 << 20);
const TWIN = OUT + (1 << 20);
const SCRATCH = TWIN + (1 << 20);
const plain = jsKernels(arena);
const simd = instantiate(compile('simd', arena.backing.shared), arena.backing);
const { split, halfDots2 } = simd as unknown as {
  split(w: number, d: number): number;
  halfDots2(element: number, x0: number, x1: number, w0: number, w1: number, d: number, out: number): void;
};

const types = [
  { dtype: 'uint8', element: UINT8, low: 0, high: 255 },
  { dtype: 'int8', element: INT8, low: -128, high: 127 },
] as const;
const random = Random.seeded(15);
const MOST = 2 ** 30 - 1;
/** The largest weight with which sums of d columns stay below 2⁵³. */
const mostFor = (d: number) => Math.min(MOST, Math.floor(Math.floor(2 ** 53 / 255) / d));

/** Values at `at`, many of them extreme, and the same as float64. */
function fillRows({ element, low, high }: (typeof types)[number], at: number, count: number): void {
  const values = new ARRAYS[element](arena.buffer, at, count);
  for (let k = 0; k < count; k++) values[k] = [low, high, 0, low + (random.next() % 256)][random.next() % 4] as number;
  arena.f64(WIDE, count).set(values);
}

function setWeights(at: number, d: number, weightOf: (k: number) => number): void {
  const w = arena.f64(at, d);
  for (let k = 0; k < d; k++) w[k] = weightOf(k);
}

const anyWeight = () =>
  [0, MOST, -MOST, 32767, 32768, -32768, -32769, -1, (random.next() % MOST) - MOST / 2 + 0.5][
    random.next() % 9
  ] as number;
const bits = (at: number, count: number) => Array.from(arena.f64(at, count), (v) => (Object.is(v, -0) ? '-0' : v));

/** Expects the scores of n rows to be those of the plain kernels with float64. */
function expectScores(element: typeof UINT8 | typeof INT8, at: number, n: number, d: number): void {
  arena.f64(OUT, n + 1).fill(-1);
  simd.scores(element, at, n, d, 0, W, 0, OUT, SCRATCH);
  plain.scores(FLOAT64, WIDE, n, d, 0, W, 0, TWIN, SCRATCH);
  expect(bits(OUT, n)).toEqual(bits(TWIN, n));
  expect(arena.f64(OUT, n + 1)[n]).toBe(-1);
}

test.each(types)('$dtype: at every length and offset, for any number of rows', (type) => {
  for (let d = 1; d <= 67; d++) {
    for (const offset of [0, 1, 5]) {
      const n = 9 + (d % 17);
      const end = W + planeBytes({ element: type.element, cols: d });
      fillRows(type, X + offset, n * d);
      setWeights(W, d, () => Math.trunc(anyWeight()));
      arena.f64(end, 1)[0] = -1;
      expect(split(W, d)).toBe(1);
      expectScores(type.element, X + offset, n, d);
      setWeights(TWIN, d, () => Math.trunc(anyWeight()));
      expect(split(TWIN, d)).toBe(1);
      halfDots2(type.element, X + offset, X + offset + d, W, TWIN, d, OUT);
      expect(bits(OUT, 2)).toEqual(
        [plain.dot(FLOAT64, WIDE, W, d), plain.dot(FLOAT64, WIDE + 8 * d, TWIN, d)].map((v) => v + 0),
      );
      expect(arena.f64(end, 1)[0]).toBe(-1);
    }
  }
});

test.each(types)(
  '$dtype: the largest weights and sums there are, in every 32-bit and 53-bit sum',
  ({ dtype, element, low, high }) => {
    const type = { dtype, element, low, high } as (typeof types)[number];
    for (const d of [1024, 1025, 2048 + 7, 32_896, 32_897, 40_003]) {
      const most = mostFor(d);
      for (const [x, w] of [
        [high, most],
        [high, -most],
        [low, most],
        [low, -most],
        [high, 2 ** 25 - 1], // all bits of the lower half are set
      ] as const) {
        fillRows(type, X, 9 * d);
        new ARRAYS[element](arena.buffer, X, d).fill(x);
        arena.f64(WIDE, d).fill(x);
        setWeights(W, d, () => w);
        expect([d, w, split(W, d)]).toEqual([d, w, 1]);
        expectScores(element, X, 9, d);
        expect(BigInt(arena.f64(OUT, 1)[0] as number)).toBe(BigInt(x) * BigInt(w) * BigInt(d));
      }
      setWeights(W, d, (k) => (k === d - 1 ? most + 1 : most));
      expect(split(W, d)).toBe(0);
      expectScores(element, X, 9, d);
    }
  },
);

test.each([
  0.5,
  -(2 ** -1074),
  MOST + 1,
  -MOST - 1,
  2 ** 31,
  2 ** 32,
  2 ** 52 + 1,
  2 ** 53,
  -(2 ** 60),
  1e300,
  Infinity,
  NaN,
])('a weight of %s anywhere is not split, and the scores are the same the other way', (wrong) => {
  const [type] = types;
  for (const d of [1, 7, 8, 9, 30]) {
    for (let at = 0; at < d; at++) {
      setWeights(W, d, (k) => (k === at ? wrong : k));
      expect(split(W, d)).toBe(0);
    }
    fillRows(type, X, 12 * d);
    expectScores(type.element, X, 12, d);
  }
});

test('a weight of −0 is 0: sums of zero are +0 in every way', () => {
  const d = 19;
  const rows = new Uint8Array(arena.buffer, X, 12 * d).map((_, k) => [0, 1, 255][k % 3] as number);
  new Uint8Array(arena.buffer, X, 12 * d).set(rows);
  arena.f64(WIDE, 12 * d).set(rows);
  setWeights(W, d, (k) => (k % 2 ? -0 : 0));
  expect(split(W, d)).toBe(1);
  expectScores(UINT8, X, 12, d);
  expect(bits(OUT, 12)).toEqual(new Array(12).fill(0));
});
