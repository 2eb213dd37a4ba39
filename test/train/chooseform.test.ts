// Primal or dual: the same answer everywhere, in words and numbers. bench/questions/crossover.ts checks it against the clock.

import { expect, test } from 'vitest';
import { chooseForm, DenseMatrix } from '../../src/index.js';

function choose(rows: number, cols: number, epochs?: number) {
  const X = DenseMatrix.allocate(rows, cols);
  try {
    return chooseForm(X, epochs === undefined ? {} : { epochs });
  } finally {
    X.dispose();
  }
}

test('few rows with many columns and many epochs are for the dual form, one pass is for the primal', () => {
  expect(choose(40, 7000, 50).form).toBe('dual');
  expect(choose(40, 7000, 2).form).toBe('primal');
  expect(choose(40, 7000).form).toBe('dual'); // 100 epochs where nobody says
});

test('many rows with few columns never pay for a Gram matrix', () => {
  const { form, crossover, reason } = choose(5000, 20, 1_000_000);
  expect({ form, crossover }).toEqual({ form: 'primal', crossover: Infinity });
  expect(reason).toBe(
    '5,000 rows × 20 columns: an epoch costs about 25 µs in primal form and 570 µs in dual form, so that a Gram matrix never pays off',
  );
});

test('the crossover is where the answer changes, and the reason tells the numbers', () => {
  for (const [rows, cols] of [
    [40, 7000],
    [200, 4000],
    [100, 10_000],
    [17, 333],
  ] as const) {
    const { crossover } = choose(rows, cols);
    expect(choose(rows, cols, Math.ceil(crossover)).form).toBe('dual');
    expect(choose(rows, cols, Math.max(1, Math.ceil(crossover) - 1)).form).toBe(crossover > 1 ? 'primal' : 'dual');
  }
  expect(choose(200, 4000, 30).reason).toBe(
    '200 rows × 4,000 columns: an epoch costs about 200 µs in primal form and 1 µs in dual form, the Gram matrix about 13 ms once; it pays off after 67 epochs, and 30 are expected',
  );
});
