// The look of the dual kernels: which score is the first that is not right. Special values at every place of a block.

import { expect, test } from 'vitest';
import * as at from '../../assembly/layout.js';
import { compile } from '../../src/engine/wasm/load.js';
import '../../src/scalar.js';
import { Arena } from '../../src/memory/arena.js';

type Seek = (record: number, from: number, to: number, total: number) => number;

const arena = new Arena();
const block = arena.allocate(1 << 16, 'test data');
const RECORD = block.offset;
const SCORES = RECORD + 2048;
const SIGNS = RECORD + 4096;
const APPLIED = RECORD + 6144;
const QUEUE = RECORD + 8192;
const ROW = RECORD + 16384;
const N = 2 * at.BLOCK + 5;

function kernelsOf(target: 'simd' | 'scalar'): Record<'seekAny' | 'seekUnit', Seek> {
  const { memory, shared } = arena.backing;
  if (!memory) throw new Error('no wasm memory');
  return new WebAssembly.Instance(compile(target, shared), { env: { memory } }).exports as never;
}

function set(fields: Record<number, number>, floats: Record<number, number>): void {
  for (const [field, value] of Object.entries(fields)) arena.u32(RECORD + Number(field), 1)[0] = value;
  for (const [field, value] of Object.entries(floats)) arena.f64(RECORD + Number(field), 1)[0] = value;
}

const isRight = (m: number, mu: number) => m > mu && m < Infinity;

const special = [
  0,
  -0,
  5e-324,
  -5e-324,
  1,
  1 + Number.EPSILON,
  -1,
  2 ** -1022,
  Number.MAX_VALUE,
  Infinity,
  -Infinity,
  NaN,
];

test.each(['simd', 'scalar'] as const)(
  '%s: right is above μ and finite, for every kind of number, label and μ, at every place',
  (target) => {
    const { seekAny, seekUnit } = kernelsOf(target);
    set(
      {
        [at.N]: N,
        [at.LENGTH]: N,
        [at.SCORES]: SCORES,
        [at.SIGNS]: SIGNS,
        [at.APPLIED]: APPLIED,
        [at.QUEUE]: QUEUE,
        [at.QUEUE_CAPACITY]: 16,
      },
      {},
    );
    for (const mu of [0, 5e-324, 1, 1e300]) {
      for (const bias of [0, -0, 0.25]) {
        set({}, { [at.MU]: mu, [at.BIAS]: bias });
        for (const sign of [1, -1]) {
          for (const value of special) {
            for (let place = 0; place < N; place++) {
              arena.f64(SCORES, N).fill(sign * 1e301); // right wherever nothing else is
              arena.f64(SIGNS, N).fill(sign > 0 ? 0 : -0);
              arena.f64(SCORES, N)[place] = sign * value;
              const m = sign * (sign * value + bias);
              const expected = isRight(m, mu) ? N : place;
              for (const seek of [seekAny, seekUnit]) {
                arena.u32(APPLIED, 8).fill(0);
                expect(seek(RECORD, 0, N, 0)).toBe(expected);
                expect(seek(RECORD, place, N, 0)).toBe(expected);
                if (place + 1 < N) expect(seek(RECORD, place + 1, N, 0)).toBe(N);
                if (place > 0) expect(seek(RECORD, 0, place, 0)).toBe(place); // it ends before
              }
            }
          }
        }
      }
    }
  },
);

test.each(['simd', 'scalar'] as const)(
  '%s: a block has every queued update once, in order, when it is looked at',
  (target) => {
    const { seekAny, seekUnit } = kernelsOf(target);
    const values = Array.from({ length: 3 * at.BLOCK }, (_, i) => Math.sin(i + 1) * 10 ** (i % 7));
    for (const [name, seek, steps] of [
      ['any', seekAny, [0.1, -3, 0.7]],
      ['unit', seekUnit, [1, -1, -1]],
    ] as const) {
      set({}, { [at.MU]: 0, [at.BIAS]: 0 });
      const start = Array.from({ length: N }, (_, i) => Math.cos(i));
      arena.f64(SCORES, N).set(start);
      arena.f64(SIGNS, N).fill(0);
      arena.u32(APPLIED, 8).fill(0);
      // The SIMD build keeps the signs of unit steps, the scalar one the steps.
      const queued = name === 'unit' && target === 'simd' ? steps.map((s) => (s < 0 ? -0 : 0)) : steps;
      arena.f64(QUEUE, 3).set(queued);
      steps.forEach((_, q) => {
        arena.f64(ROW + 512 * q, 3 * at.BLOCK).set(values.map((v) => v + q));
        arena.u32(QUEUE + 16 * 8, 16)[q] = ROW + 512 * q;
      });
      const after = (count: number) =>
        start.map((s, i) =>
          steps.slice(0, count).reduce((sum, step, q) => sum + step * ((values[i] as number) + q), s),
        );
      seek(RECORD, 0, 1, 2); // the first block alone, two updates
      expect([...arena.f64(SCORES, N)]).toEqual([...after(2).slice(0, at.BLOCK), ...start.slice(at.BLOCK)]);
      for (let i = 0; i < N; i++) seek(RECORD, i, i + 1, 3);
      expect([...arena.f64(SCORES, N)]).toEqual(after(3));
      expect([...arena.u32(APPLIED, 3)]).toEqual([3, 3, 3]);
    }
  },
);
