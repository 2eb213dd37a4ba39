// Every hot loop against its plain twin, to the bit: lengths 0 to 67 (tails, and many full vector steps)
// at several offsets, both storage types, both wasm builds.

import { expect, test } from 'vitest';
import { GROUP_BYTES, PANEL } from '../../assembly/layout.js';
import type { Element, Kernels } from '../../src/engine/contract.js';
import { jsKernels } from '../../src/engine/js/kernels.js';
import { compile, instantiate } from '../../src/engine/wasm/load.js';
import { Random } from '../../src/random.js';
import '../../src/scalar.js';
import { Arena } from '../../src/memory/arena.js';

type Hot = Record<string, (...args: number[]) => number>;

const arena = new Arena();
const block = arena.allocate(1 << 20, 'test data');
const plain = jsKernels(arena);
const targets = ['simd', 'scalar'] as const;
const elements: readonly Element[] = [8, 4];
const offsets = [0, 8, 24]; // of rows and weights, beyond a 16-byte boundary

function hotLoops(target: 'simd' | 'scalar'): Hot {
  const { memory, shared } = arena.backing;
  if (!memory) throw new Error('no wasm memory');
  return new WebAssembly.Instance(compile(target, shared), { env: { memory } }).exports as unknown as Hot;
}
const kernelsOf = (target: 'simd' | 'scalar'): Kernels =>
  instantiate(compile(target, arena.backing.shared), arena.backing);

/** Regions far enough apart for all lengths here. */
const ROWS = block.offset;
const WEIGHTS = block.offset + (1 << 18);
const TWIN = block.offset + (2 << 18);
const OUT = block.offset + (3 << 18);
const LIST = OUT + 4096;

const random = Random.seeded(7);
/** Values of very different sizes, so that any other order of addition shows. */
const draw = () => (random.next() / 2 ** 31 - 1) * 10 ** ((random.next() % 9) - 4);

function fillRows(element: Element, at: number, count: number): void {
  const view = element === 8 ? arena.f64(at, count) : arena.f32(at, count);
  for (let i = 0; i < count; i++) view[i] = draw();
}
function fillWeights(at: number, count: number): void {
  const view = arena.f64(at, count);
  for (let i = 0; i < count; i++) view[i] = draw();
}

const cases = targets.flatMap((target) => elements.map((element) => ({ target, element })));
const suffix = (element: Element) => (element === 8 ? 'f64' : 'f32');

test.each(cases)(
  '$target dot and axpy of $element-byte rows equal the plain loop at every length and offset',
  ({ target, element }) => {
    const kernels = kernelsOf(target);
    for (let d = 0; d <= 67; d++) {
      for (const offset of offsets) {
        const [x, w] = [ROWS + offset, WEIGHTS + offset];
        fillRows(element, x, d);
        fillWeights(w, d + 1);
        arena.f64(TWIN, d + 1).set(arena.f64(w, d + 1));
        expect(kernels.dot(element, x, w, d)).toBe(plain.dot(element, x, w, d));
        const step = draw();
        kernels.axpy(element, w, x, step, d);
        plain.axpy(element, TWIN, x, step, d);
        expect(arena.f64(w, d + 1)).toEqual(arena.f64(TWIN, d + 1)); // the value behind the end included
      }
    }
  },
);

test.each(cases)(
  '$target scores of 4, 8 and 12 rows of $element bytes at once equal one row at a time',
  ({ target, element }) => {
    const hot = hotLoops(target);
    for (let d = 0; d <= 67; d++) {
      for (const offset of offsets) {
        fillRows(element, ROWS + offset, 12 * d);
        fillWeights(WEIGHTS + offset, d);
        const rows = Array.from({ length: 12 }, (_, r) => ROWS + offset + ((r * 5) % 12) * d * element); // out of order
        arena.u32(LIST, 12).set(rows);
        const expected = rows.map((row) => plain.dot(element, row, WEIGHTS + offset, d));
        for (const count of [4, 8, 12]) {
          arena.f64(OUT, 13).fill(-1);
          (hot[`dots${count}_${suffix(element)}`] as Hot[string])(LIST, WEIGHTS + offset, d, OUT);
          expect([...arena.f64(OUT, count + 1)]).toEqual([...expected.slice(0, count), -1]);
        }
      }
    }
  },
);

test.each(cases)(
  '$target update fused with scores of $element-byte rows equals axpy, then dot',
  ({ target, element }) => {
    const hot = hotLoops(target);
    for (let d = 0; d <= 67; d++) {
      for (const offset of offsets) {
        fillRows(element, ROWS + offset, 5 * d);
        const rows = [1, 3, 2, 4].map((r) => ROWS + offset + r * d * element);
        arena.u32(LIST, 4).set(rows);
        const step = draw();
        const w = WEIGHTS + offset;
        fillWeights(w, d + 1);
        arena.f64(TWIN, d + 1).set(arena.f64(w, d + 1));
        plain.axpy(element, TWIN, ROWS + offset, step, d);
        const expected = rows.map((row) => plain.dot(element, row, TWIN, d));
        (hot[`stepDots4_${suffix(element)}`] as Hot[string])(w, ROWS + offset, step, d, LIST, OUT);
        expect([...arena.f64(OUT, 4)]).toEqual(expected);
        expect(arena.f64(w, d + 1)).toEqual(arena.f64(TWIN, d + 1));
      }
    }
  },
);

test.each(cases)(
  '$target scores and norms of many $element-byte rows equal the plain ones, in any order of rows',
  ({ target, element }) => {
    const kernels = kernelsOf(target);
    for (const n of [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 25, 40]) {
      for (const d of [1, 2, 3, 16, 67]) {
        fillRows(element, ROWS, n * d);
        fillWeights(WEIGHTS, d);
        const order = Uint32Array.from({ length: n }, (_, i) => n - 1 - i);
        arena.u32(LIST, n).set(order);
        for (const list of [0, LIST]) {
          const group = LIST + 1024;
          plain.scores(element, ROWS, n, d, list, WEIGHTS, 0.5, TWIN, group);
          arena.f64(OUT, n + 1).fill(-1);
          kernels.scores(element, ROWS, n, d, list, WEIGHTS, 0.5, OUT, group);
          expect([...arena.f64(OUT, n + 1)]).toEqual([...arena.f64(TWIN, n), -1]);
          expect(GROUP_BYTES).toBeLessThanOrEqual(1024);
        }
        plain.squaredNorms(element, ROWS, n, d, TWIN);
        kernels.squaredNorms(element, ROWS, n, d, OUT);
        expect([...arena.f64(OUT, n)]).toEqual([...arena.f64(TWIN, n)]);
      }
    }
  },
);

test.each(cases)(
  '$target norms of $element-byte rows close their lanes every PANEL elements (order P)',
  ({ target, element }) => {
    const kernels = kernelsOf(target);
    for (const d of [PANEL - 1, PANEL, PANEL + 1, 2 * PANEL + 3]) {
      fillRows(element, ROWS, d);
      const x = element === 8 ? arena.f64(ROWS, d) : arena.f32(ROWS, d);
      // Order P, spelled out once more from its definition.
      let total = 0;
      for (let from = 0; from < d; from += PANEL) {
        const panel = [...x.subarray(from, from + PANEL)];
        const lane = (parity: number) => panel.filter((_, k) => k % 2 === parity).reduce((sum, v) => sum + v * v, 0);
        total += lane(0) + lane(1);
      }
      kernels.squaredNorms(element, ROWS, 1, d, OUT);
      expect(arena.f64(OUT, 1)[0]).toBe(total);
      plain.squaredNorms(element, ROWS, 1, d, OUT);
      expect(arena.f64(OUT, 1)[0]).toBe(total);
    }
  },
);

test('order S is even elements, odd elements, even + odd', () => {
  const x = [1e16, 1, -1e16, 1, 3];
  arena.f64(ROWS, 5).set(x);
  arena.f64(WEIGHTS, 5).fill(1);
  // even: 1e16 − 1e16 + 3 = 3; odd: 2. Left to right it would be 1e16 + 1 − 1e16 + 1 + 3 = 4.
  for (const kernels of [plain, kernelsOf('simd'), kernelsOf('scalar')])
    expect(kernels.dot(8, ROWS, WEIGHTS, 5)).toBe(5);
});

test.each(targets)('%s: tally and nthWrong count as the plain ones do', (target) => {
  const kernels = kernelsOf(target);
  const scores = WEIGHTS;
  const [signs, row, twin] = [WEIGHTS + 8192, ROWS, TWIN];
  for (let n = 1; n <= 67; n++) {
    const values = arena.f64(scores, n).map(draw);
    arena.f64(row, n).forEach((_, i, list) => {
      list[i] = draw();
    });
    arena.f64(signs, n).forEach((_, i, list) => {
      list[i] = random.below(2) ? -0 : 0;
    });
    values[random.below(n)] = NaN;
    const b = draw();
    const threshold = (values[0] as number) + b; // a margin that is just met
    for (const [step, at] of [
      [0, 0],
      [0.3, row],
    ] as const) {
      for (const [low, high] of [
        [0, 0],
        [threshold, threshold],
        [-1, 1],
      ] as const) {
        arena.f64(scores, n).set(values);
        arena.f64(twin, n).set(values);
        kernels.tally(scores, signs, n, at, step, b, low, high, OUT);
        plain.tally(twin, signs, n, at, step, b, low, high, OUT + 8);
        expect(arena.f64(scores, n)).toEqual(arena.f64(twin, n));
        const [right, wrong, plainRight, plainWrong] = arena.u32(OUT, 4) as unknown as [number, number, number, number];
        expect([right, wrong]).toEqual([plainRight, plainWrong]);
        for (let k = 0; k < n - right; k++) {
          expect(kernels.nthWrong(scores, signs, b, high, k)).toBe(plain.nthWrong(scores, signs, b, high, k));
        }
      }
    }
  }
});
