// Pairs of rows with rows from elsewhere: a block of them has the bits of one row at a time.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finish } from '../../src/async/pausing.js';
import { copyIn, type Rows } from '../../src/data/rows.js';
import { DTYPES, type Dtype, type Floats, STORAGE } from '../../src/data/views.js';
import { resolveEngine } from '../../src/engine/engine.js';
import { DensePairs } from '../../src/gram/densepairs.js';
import { kernelFor } from '../../src/gram/kernel.js';
import type { EngineKind } from '../../src/index.js';
import { Random } from '../../src/random.js';
import { ALONE, type Resources } from '../../src/worker/threads.js';
import { runs } from '../effort.js';
import { engines } from '../engines.js';

/** Values of different sizes, so that any other order of addition shows; any integers of an integer type. */
function draw(random: Random, dtype: Dtype, count: number): Floats {
  const isFloat = dtype.startsWith('float');
  const values = Array.from({ length: count }, () =>
    isFloat ? (random.next() / 2 ** 31 - 1) * 10 ** ((random.next() % 5) - 3) : random.next(),
  );
  const data = new STORAGE[dtype].Values(count);
  data.set(values);
  return data as Floats;
}

interface Task {
  data: Floats;
  dtype?: Dtype;
  cols: number;
  others: Floats;
  from: number;
  kernel: Parameters<typeof kernelFor>[0];
}

/** Kernels of others from `from` on, all at once and one by one; and blocks left in the arena. */
function bothWays(
  { data, dtype = 'float64', cols, others, from, kernel }: Task,
  kind: EngineKind,
  resources: Resources = ALONE,
) {
  const engine = resolveEngine(kind);
  const { arena } = engine;
  const before = arena.usage.blocks;
  const X = copyIn({ data, dtype, rows: data.length / cols, cols } as Rows, arena, 'X');
  const pairs = new DensePairs(engine, X, kernelFor(kernel, cols));
  const rows = pairs.copyIn({ data: others, rows: others.length / cols, cols });
  const count = others.length / cols - from;
  const out = arena.allocate(8 * (count * X.rows + 1), 'kernels');
  let waits = 0;
  try {
    const values = () => [...arena.f64(out.offset, count * X.rows)];
    arena.f64(out.offset, count * X.rows + 1).fill(-1);
    for (const _ of pairs.block(rows, from, count, out.offset, resources)) waits++;
    const together = values();
    expect(arena.f64(out.offset, count * X.rows + 1).at(-1)).toBe(-1); // nothing behind the end
    for (let r = 0; r < count; r++) finish(pairs.block(rows, from + r, 1, out.offset + 8 * r * X.rows, ALONE));
    return { together, alone: values(), waits };
  } finally {
    for (const held of [X, pairs, rows.rows]) held.release();
    arena.release(out);
    expect(arena.usage.blocks).toBe(before);
  }
}

test('a block of kernels has the bits of one row at a time: any shape, storage and kernel, on every engine', () => {
  fc.assert(
    fc.property(
      fc.record({
        rows: fc.constantFrom(1, 2, 3, 5, 30, 96, 97, 195),
        count: fc.constantFrom(1, 2, 4, 7, 31, 97, 101),
        cols: fc.constantFrom(1, 2, 13, 57, 511, 512, 513, 1024, 1027),
        from: fc.integer({ min: 0, max: 3 }),
        dtype: fc.constantFrom(...DTYPES),
        otherDtype: fc.constantFrom(...DTYPES),
        seed: fc.nat(),
        kernel: fc.oneof(
          fc.constant({ type: 'linear' as const }),
          fc.record({ type: fc.constant('rbf' as const), gamma: fc.constantFrom(1e-4, 0.1) }),
          fc.record({
            type: fc.constant('polynomial' as const),
            degree: fc.integer({ min: 1, max: 5 }),
            coef0: fc.constantFrom(0, 1, -0.5),
          }),
        ),
      }),
      ({ rows, count, cols, from, dtype, otherDtype, seed, kernel }) => {
        const random = Random.seeded(seed);
        const data = draw(random, dtype, rows * cols);
        const others = draw(random, otherDtype, (from + count) * cols);
        const all = engines.map((engine) => bothWays({ data, dtype, cols, others, from, kernel }, engine));
        const wide = { data: Float64Array.from(data), others: Float64Array.from(others) };
        all.push(bothWays({ ...wide, cols, from, kernel }, 'js'));
        for (const { together, alone } of all) {
          expect(together).toEqual(alone);
          expect(together).toEqual(all[0]?.together);
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test.each(engines)('%s: a block lets others have their turn, and what overflows under rbf is refused', (engine) => {
  const [data, others] = [new Float64Array(200 * 600).fill(1), new Float64Array(100 * 600).fill(1)];
  const task: Task = { data, cols: 600, others, from: 0, kernel: { type: 'rbf' } };
  expect(bothWays(task, engine, { clock: { due: () => true, rows: undefined }, threads: undefined }).waits).toBe(
    1 + 3 * 2 * 2,
  ); // norms; blocks of rows, of others, panels
  others[99 * 600] = 1e200;
  expect(() => bothWays(task, engine)).toThrow(
    new RangeError('the rbf kernel overflows: the values of a row are too large'),
  );
  expect(bothWays({ ...task, kernel: { type: 'linear' } }, engine).together.at(-1)).toBe(1e200);
});
