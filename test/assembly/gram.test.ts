// Pairs of rows in order P: the blocked Gram matrix, blocks of two matrices, one row alone and the plain twin, to the
// bit; any size, any block, both storage types, both wasm builds.

import { expect, test } from 'vitest';
import { GRAM_BLOCK, GROUP_BYTES, LINEAR, PANEL, POLYNOMIAL, RBF } from '../../assembly/layout.js';
import { panelBytes } from '../../src/data/products.js';
import type { Element, Kernels } from '../../src/engine/contract.js';
import { jsKernels } from '../../src/engine/js/kernels.js';
import { compile, instantiate } from '../../src/engine/wasm/load.js';
import { Random } from '../../src/random.js';
import '../../src/scalar.js';
import { Arena } from '../../src/memory/arena.js';

const arena = new Arena();
const block = arena.allocate(24 << 20, 'test data');
const ROWS = block.offset;
const OUT = block.offset + (8 << 20);
const TWIN = block.offset + (12 << 20);
const SCRATCH = block.offset + (16 << 20);
const NORMS = SCRATCH + (1 << 20);
const plain = jsKernels(arena);
const kernelsOf = (target: 'simd' | 'scalar'): Kernels =>
  instantiate(compile(target, arena.backing.shared), arena.backing);
const cases = (['simd', 'scalar'] as const).flatMap((target) =>
  ([8, 4] as const).map((element) => ({ target, element })),
);

const random = Random.seeded(11);
/** Values of very different sizes, so that any other order of addition shows. */
const draw = () => (random.next() / 2 ** 31 - 1) * 10 ** ((random.next() % 9) - 4);

function fillRows(element: Element, at: number, count: number): number[] {
  const view = element === 8 ? arena.f64(at, count) : arena.f32(at, count);
  for (let i = 0; i < count; i++) view[i] = draw();
  return Array.from(view);
}

/** Order P, spelled out from its definition (docs/adr/0003). */
function inOrderP(x: number[], z: number[]): number {
  let sum = 0;
  for (let from = 0; from < x.length; from += PANEL) {
    const lanes = [0, 0];
    for (let k = from; k < Math.min(x.length, from + PANEL); k++) {
      lanes[k & 1] = (lanes[k & 1] as number) + (x[k] as number) * (z[k] as number);
    }
    sum += (lanes[0] as number) + (lanes[1] as number);
  }
  return sum;
}

/** The whole matrix in blocks of `size` rows. */
function matrix(kernels: Kernels, element: Element, x: number, n: number, d: number, size: number, out: number) {
  for (let j = 0; j < n; j += size) {
    for (let i = j; i < n; i += size) {
      const [ni, nj] = [Math.min(size, n - i), Math.min(size, n - j)];
      const [a, b] = [x + element * i * d, x + element * j * d];
      for (let k = 0; k < d; k += PANEL) {
        kernels.pairPanel(element, a, ni, element, b, nj, d, k, i === j, out + 8 * (i * n + j), n, SCRATCH);
      }
      kernels.mirror(out, n, i, ni, j, nj);
    }
  }
}

test.each(cases)(
  '$target: a Gram matrix of $element-byte rows is the plain one at every length, offset and number of rows',
  ({ target, element }) => {
    const kernels = kernelsOf(target);
    for (let d = 1; d <= 67; d++) {
      for (const offset of [0, 8, 24]) {
        const n = 1 + (d % 11);
        const x = ROWS + offset;
        fillRows(element, x, n * d);
        arena.f64(OUT, n * n + 1).fill(-1);
        matrix(kernels, element, x, n, d, GRAM_BLOCK, OUT);
        matrix(plain, element, x, n, d, GRAM_BLOCK, TWIN);
        expect([...arena.f64(OUT, n * n + 1)]).toEqual([...arena.f64(TWIN, n * n), -1]); // nothing behind the end
      }
    }
  },
);

test.each(cases)(
  '$target: panels, blocks of any size, and strides of whole pages make no difference to $element-byte rows',
  ({ target, element }) => {
    const kernels = kernelsOf(target);
    for (const [n, d] of [
      [1, 1],
      [7, PANEL - 1],
      [9, PANEL],
      [13, PANEL + 1],
      [10, 2 * PANEL + 3],
      [11, 4096 / element],
      [97, 33],
      [200, 5],
    ] as const) {
      const values = fillRows(element, ROWS, n * d);
      const row = (i: number) => values.slice(i * d, (i + 1) * d);
      const expected = Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (_, j) => inOrderP(row(i), row(j))),
      ).flat();
      for (const size of [GRAM_BLOCK, 32, 5, 1]) {
        for (const k of [kernels, plain]) {
          arena.f64(OUT, n * n).fill(-1);
          matrix(k, element, ROWS, n, d, size, OUT);
          expect([...arena.f64(OUT, n * n)]).toEqual(expected);
        }
      }
    }
  },
);

test.each(cases.flatMap((a) => ([8, 4] as const).map((elementB) => ({ ...a, elementB }))))(
  '$target: rows of $element bytes a value against others of $elementB, into a block of a larger matrix',
  ({ target, element, elementB }) => {
    for (const [ni, nj, d] of [
      [1, 1, 1],
      [2, 4, 67],
      [3, 1, PANEL - 1],
      [1, 6, PANEL],
      [5, 7, PANEL + 1],
      [4, 9, 2 * PANEL],
      [9, 3, 2 * PANEL + 3],
      [GRAM_BLOCK, GRAM_BLOCK, 5],
      [2 * GRAM_BLOCK + 5, 6, PANEL + 3],
    ] as const) {
      const b = ROWS + (4 << 20) + elementB;
      const left = fillRows(element, ROWS, ni * d);
      const right = fillRows(elementB, b, nj * d);
      const row = (values: number[], i: number) => values.slice(i * d, (i + 1) * d);
      const ld = nj + 3;
      const expected = Array.from({ length: ni + 1 }, (_, i) =>
        Array.from({ length: ld }, (_, j) => (i < ni && j < nj ? inOrderP(row(left, i), row(right, j)) : -1)),
      ).flat();
      const scratchBytes = panelBytes({ cols: d }, ni, nj);
      for (const kernels of [kernelsOf(target), plain]) {
        arena.f64(OUT, expected.length).fill(-1);
        arena.f64(SCRATCH, scratchBytes / 8 + 1).fill(-1);
        for (let k = 0; k < d; k += PANEL) {
          kernels.pairPanel(element, ROWS, ni, elementB, b, nj, d, k, false, OUT, ld, SCRATCH);
        }
        expect([...arena.f64(OUT, expected.length)]).toEqual(expected);
        expect(arena.f64(SCRATCH + scratchBytes, 1)[0]).toBe(-1); // nothing behind the scratch either
      }
    }
  },
);

test.each(cases)(
  '$target: a row of $element-byte rows computed alone is the row of the matrix, and its diagonal the norms',
  ({ target, element }) => {
    const kernels = kernelsOf(target);
    for (const [n, d] of [
      [1, 1],
      [5, 67],
      [12, 130],
      [13, PANEL + 1],
      [40, 2 * PANEL + 5],
      [100, 3],
    ] as const) {
      fillRows(element, ROWS, n * d);
      matrix(kernels, element, ROWS, n, d, GRAM_BLOCK, TWIN);
      const z = SCRATCH + GROUP_BYTES;
      for (const k of [kernels, plain]) {
        for (let i = 0; i < n; i += 3) {
          const row = element === 8 ? arena.f64(ROWS + 8 * i * d, d) : arena.f32(ROWS + 4 * i * d, d);
          arena.f64(z, d).set(row);
          arena.f64(OUT, n + 1).fill(-1);
          k.pairRow(element, ROWS, n, d, z, OUT, SCRATCH);
          expect([...arena.f64(OUT, n + 1)]).toEqual([...arena.f64(TWIN + 8 * i * n, n), -1]);
        }
        k.squaredNorms(element, ROWS, n, d, OUT);
        expect([...arena.f64(OUT, n)]).toEqual(Array.from({ length: n }, (_, i) => arena.f64(TWIN, n * n)[i * n + i]));
      }
    }
  },
);

test.each(['simd', 'scalar'] as const)('%s: kernels made of dot products are the plain ones', (target) => {
  const kernels = kernelsOf(target);
  for (const kind of [LINEAR, POLYNOMIAL, RBF]) {
    for (let count = 0; count <= 19; count++) {
      for (const degree of [1, 2, 3, 7, 13]) {
        const [gamma, coef0, norm] = [random.next() / 2 ** 32, draw(), Math.abs(draw())];
        const dots = fillRows(8, TWIN, count);
        fillRows(8, NORMS, count);
        arena.f64(OUT, count + 1).set([...dots, -1]);
        kernels.transform(kind, gamma, coef0, degree, OUT, count, norm, NORMS);
        plain.transform(kind, gamma, coef0, degree, TWIN, count, norm, NORMS);
        expect([...arena.f64(OUT, count + 1)]).toEqual([...arena.f64(TWIN, count), -1]);
        if (kind === LINEAR) expect([...arena.f64(OUT, count)]).toEqual(dots);
      }
    }
  }
});
