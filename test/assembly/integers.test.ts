// Rows of integers: every kernel gives, to the bit, what the plain kernels give for the same values as float64. Lengths 0 to 67, odd
// offsets, extreme values, both wasm builds and JavaScript.

import { expect, test } from 'vitest';
import { FLOAT64, GROUP_BYTES, INT8, INT16, PANEL, UINT8 } from '../../assembly/layout.js';
import { panelBytes } from '../../src/data/products.js';
import { ARRAYS, type Values } from '../../src/data/views.js';
import type { Kernels } from '../../src/engine/contract.js';
import { jsKernels } from '../../src/engine/js/kernels.js';
import { compile, instantiate } from '../../src/engine/wasm/load.js';
import { Arena } from '../../src/memory/arena.js';
import { Random } from '../../src/random.js';
import '../../src/scalar.js';

const arena = new Arena();
const block = arena.allocate(16 << 20, 'test data');
const X = block.offset;
const WIDE = X + (4 << 20);
const W = X + (8 << 20);
const OUT = W + (1 << 20);
const TWIN = OUT + (1 << 20);
const SCRATCH = TWIN + (1 << 20);
const plain = jsKernels(arena);
const engines: [string, Kernels][] = [
  ...(['simd', 'scalar'] as const).map((target): [string, Kernels] => [
    target,
    instantiate(compile(target, arena.backing.shared), arena.backing),
  ]),
  ['js', plain],
];
const cases = engines.flatMap(([name, kernels]) =>
  (
    [
      ['uint8', UINT8, [0, 255]],
      ['int8', INT8, [-128, 127]],
      ['int16', INT16, [-32768, 32767]],
    ] as [string, keyof typeof ARRAYS, [number, number]][]
  ).map(([dtype, element, [low, high]]) => ({ name, kernels, dtype, element, low, high })),
);
type Case = (typeof cases)[number];

const random = Random.seeded(20);
const draw = () => (random.next() / 2 ** 31 - 1) * 10 ** ((random.next() % 9) - 4);

/** Integers at byte offset `at`, a quarter of them extreme ones, and the same values as float64 at `wide`. */
function fill({ element, low, high }: Case, at: number, wide: number, count: number): Values {
  const values = new ARRAYS[element](arena.buffer, at, count);
  for (let k = 0; k < count; k++) {
    const kind = random.next() % 8;
    values[k] = kind === 0 ? low : kind === 1 ? high : kind === 2 ? 0 : low + (random.next() % (high - low + 1));
  }
  arena.f64(wide, count).set(values);
  return values;
}

const fillWeights = (count: number) => {
  const w = arena.f64(W, count);
  for (let k = 0; k < count; k++) w[k] = draw();
};

const bits = (at: number, count: number) => Array.from(arena.f64(at, count), (v) => (Object.is(v, -0) ? '-0' : v));

test.each(cases)('$name, $dtype: scores, products, updates and norms at every length and offset', (it) => {
  const { kernels, element } = it;
  const size = it.dtype === 'int16' ? 2 : 1;
  for (let d = 0; d <= 67; d++) {
    for (const offset of [0, size, 5 * size]) {
      const n = 1 + (d % 13);
      fill(it, X + offset, WIDE, n * d);
      fillWeights(d + 2);
      arena.f64(W, d + 2)[d] = NaN; // behind the end: nobody may use it
      for (const count of [n, 1]) {
        arena.f64(OUT, n + 1).fill(-1);
        kernels.scores(element, X + offset, count, d, 0, W, 0.25, OUT, SCRATCH);
        plain.scores(FLOAT64, WIDE, count, d, 0, W, 0.25, TWIN, SCRATCH);
        expect(bits(OUT, count)).toEqual(bits(TWIN, count));
        expect(arena.f64(OUT, n + 1)[count]).toBe(-1);
      }
      expect(kernels.dot(element, X + offset, W, d)).toBe(plain.dot(FLOAT64, WIDE, W, d));
      if (d === 0) continue;
      kernels.squaredNorms(element, X + offset, n, d, OUT);
      plain.squaredNorms(FLOAT64, WIDE, n, d, TWIN);
      expect(bits(OUT, n)).toEqual(bits(TWIN, n));
      const before = arena.f64(W, d + 1).slice();
      kernels.axpy(element, W, X + offset, 0.3, d);
      const updated = bits(W, d + 1);
      arena.f64(W, d + 1).set(before);
      plain.axpy(FLOAT64, W, WIDE, 0.3, d);
      expect(updated).toEqual(bits(W, d + 1));
    }
  }
});

type Block = [element: keyof typeof ARRAYS, offset: number, rows: number];

/** All products of two blocks, panel by panel; of a block with itself, one triangle, which is mirrored. */
function products(k: Kernels, a: Block, b: Block, d: number, out: number) {
  const isTriangle = a[1] === b[1];
  for (let from = 0; from < d; from += PANEL) {
    k.pairPanel(a[0], a[1], a[2], b[0], b[1], b[2], d, from, isTriangle, out, b[2], SCRATCH);
  }
  if (isTriangle) k.mirror(out, b[2], 0, b[2], 0, b[2]);
}

test.each(cases)('$name, $dtype: products of pairs are those of float64, at every length and over panels', (it) => {
  const { kernels, element } = it;
  for (const d of [...Array.from({ length: 67 }, (_, k) => k + 1), PANEL - 1, PANEL, PANEL + 1, 2 * PANEL + 9]) {
    const [ni, nj] = [1 + (d % 7), 1 + (d % 9)];
    const B = X + (1 << 20) + 2 * (d % 3);
    fill(it, X, WIDE, ni * d);
    fill(it, B, WIDE + (1 << 20), nj * d);
    const scratchEnd = SCRATCH + panelBytes({ cols: d }, Math.max(ni, nj), nj);
    arena.f64(scratchEnd, 1)[0] = -1;
    const [left, right]: [Block, Block] = [
      [element, X, ni],
      [element, B, nj],
    ];
    const [left64, right64]: [Block, Block] = [
      [FLOAT64, WIDE, ni],
      [FLOAT64, WIDE + (1 << 20), nj],
    ];
    for (const [a, b, a64, b64] of [
      [left, right, left64, right64],
      [right, right, right64, right64],
      [left64, right, left64, right64],
    ] as [Block, Block, Block, Block][]) {
      const count = a[2] * nj;
      arena.f64(OUT, count + 1).fill(-1);
      arena.f64(TWIN, count + 1).fill(-1);
      products(kernels, a, b, d, OUT);
      products(plain, a64, b64, d, TWIN);
      expect(bits(OUT, count + 1)).toEqual(bits(TWIN, count + 1));
    }
    expect(arena.f64(scratchEnd, 1)[0]).toBe(-1);
    const z = SCRATCH + GROUP_BYTES;
    arena.f64(z, d).set(arena.f64(WIDE, d));
    kernels.pairRow(element, B, nj, d, z, OUT, SCRATCH);
    plain.pairRow(FLOAT64, WIDE + (1 << 20), nj, d, z, TWIN, SCRATCH);
    expect(bits(OUT, nj)).toEqual(bits(TWIN, nj));
  }
});

test.each(cases)('$name, $dtype: the largest sums there are', (it) => {
  const { kernels, element, low, high } = it;
  const d = 8 * PANEL + 3;
  for (const [p, q] of [
    [low, low],
    [low, high],
    [high, high],
  ] as const) {
    for (const [at, wide, value] of [
      [X, WIDE, p],
      [X + (1 << 20), WIDE + (1 << 20), q],
    ] as const) {
      new ARRAYS[element](arena.buffer, at, 4 * d).fill(value);
      arena.f64(wide, 4 * d).fill(value);
    }
    products(kernels, [element, X, 4], [element, X + (1 << 20), 4], d, OUT);
    products(plain, [FLOAT64, WIDE, 4], [FLOAT64, WIDE + (1 << 20), 4], d, TWIN);
    expect(bits(OUT, 16)).toEqual(bits(TWIN, 16));
    expect(arena.f64(OUT, 1)[0]).toBe(p * q * d + 0);
  }
});
