// gram(): what users see of the Gram matrix.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngine, DenseMatrix, gram, type Kernel } from '../../src/index.js';
import { Random } from '../../src/random.js';
import { runs } from '../effort.js';
import { engines } from '../engines.js';

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];

describe.each(engines)('%s', (engine) => {
  test('takes rows in every form, and float32 storage gives what its values give', () => {
    const expected = [18, 21, 6, 21, 25, 7, 6, 7, 2];
    const flat = { data: Float64Array.from(X.flat()), rows: 3, cols: 2 };
    const small = DenseMatrix.from(X, { dtype: 'float32' });
    for (const rows of [X, flat, DenseMatrix.from(X), small, { ...flat, data: Float32Array.from(flat.data) }]) {
      const G = gram(rows, { engine });
      expect([G.rows, G.cols, G.dtype]).toEqual([3, 3, 'float64']);
      expect([...G.data]).toEqual(expected);
    }
  });

  test('writes into a matrix of the caller, also one in a memory of its own', () => {
    const out = DenseMatrix.allocate(3, 3);
    out.data.fill(NaN);
    expect(gram(X, { engine, out })).toBe(out);
    expect(out.data[1]).toBe(21);
    const own = createEngine({ kind: engine });
    const there = DenseMatrix.allocate(3, 3, { engine: own });
    expect([...gram(X, { engine: own, out: there }).data]).toEqual([18, 21, 6, 21, 25, 7, 6, 7, 2]);
    expect([...gram(X, { engine: own }).data]).toEqual([...there.data]);
  });

  test('has the defaults of LIBSVM: gamma 1 / columns, coef0 0, degree 3', () => {
    const entry = (kernel: Kernel) => gram(X, { engine, kernel }).data[1] as number;
    expect(entry('linear')).toBe(21);
    expect(entry({ type: 'linear' })).toBe(21);
    expect(entry({ type: 'polynomial' })).toBe((21 / 2) ** 3);
    expect(entry({ type: 'polynomial', degree: 2, gamma: 1, coef0: 1 })).toBe(22 ** 2);
    expect(entry({ type: 'rbf' })).toBeCloseTo(Math.exp(-1 / 2), 15);
    expect(entry({ type: 'rbf', gamma: 2 })).toBeCloseTo(Math.exp(-2), 15);
  });

  test('an RBF kernel is exactly 1 on the diagonal, and 0 far away', () => {
    const random = Random.seeded(3);
    const rows = Array.from({ length: 30 }, () => Array.from({ length: 700 }, () => random.next() / 2 ** 20));
    const G = gram(rows, { engine, kernel: { type: 'rbf' } });
    for (let i = 0; i < 30; i++) expect(G.row(i)[i]).toBe(1);
    expect(Math.min(...G.data)).toBe(0);
  });
});

const real = fc.double({ min: -1e3, max: 1e3, noNaN: true });
const rows = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20 }))
  .chain(([n, d]) => fc.array(fc.array(real, { minLength: d, maxLength: d }), { minLength: n, maxLength: n }));
const kernel = fc.oneof(
  fc.constant<Kernel>('linear'),
  fc.record({ gamma: fc.double({ min: 1e-4, max: 1, noNaN: true }) }).map((o): Kernel => ({ type: 'rbf', ...o })),
  fc
    .record({ degree: fc.integer({ min: 1, max: 5 }), coef0: fc.double({ min: -2, max: 2, noNaN: true }) })
    .map((o): Kernel => ({ type: 'polynomial', gamma: 0.01, ...o })),
);

test('all engines give the same bits, symmetric, for any kernel and storage', () => {
  fc.assert(
    fc.property(rows, kernel, fc.constantFrom('float64' as const, 'float32' as const), (X, kernel, dtype) => {
      const matrix = DenseMatrix.from(X, { dtype });
      const [first, ...others] = engines.map((engine) => {
        const G = gram(matrix, { engine, kernel });
        const values = [...G.data];
        G.dispose();
        return values;
      });
      matrix.dispose();
      for (const other of others) expect(other).toEqual(first);
      const n = X.length;
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) expect(first?.[i * n + j]).toBe(first?.[j * n + i]);
    }),
    { numRuns: runs(200) },
  );
});

test('every entry is the exact dot product within the bound for its order, and the diagonal is not negative', () => {
  fc.assert(
    fc.property(rows, (X) => {
      const G = gram(X);
      const n = X.length;
      const d = (X[0] as number[]).length;
      X.forEach((x, i) => {
        expect(G.row(i)[i]).toBeGreaterThanOrEqual(0);
        X.forEach((z, j) => {
          // Two lanes of ⌈d/2⌉ products: each product and each addition rounds once (Higham, §3.1); the plain sum likewise.
          const naive = x.reduce((sum, v, k) => sum + v * (z[k] as number), 0);
          const sizes = x.reduce((sum, v, k) => sum + Math.abs(v * (z[k] as number)), 0);
          const bound = (Math.ceil(d / 2) + 2 + d) * Number.EPSILON * 0.5 * sizes * 1.01 + d * Number.MIN_VALUE;
          expect(Math.abs((G.row(i)[j] as number) - naive)).toBeLessThanOrEqual(bound);
        });
      });
      expect(G.data).toHaveLength(n * n);
      G.dispose();
    }),
    { numRuns: runs(60) },
  );
});
