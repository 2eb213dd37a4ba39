// Folds side by side: no more at once than allowed, results in order, and a failure that does not depend on who was faster.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { crossValidate, foldsAtOnce } from '../../src/cli/crossvalidation.js';
import { stratifiedFolds } from '../../src/cli/folds.js';
import { Interrupt } from '../../src/cli/interrupt.js';
import type { TrainValues } from '../../src/cli/trainers.js';
import { defaultArena } from '../../src/engine/engine.js';
import { DenseMatrix, Perceptron, SparseMatrix } from '../../src/index.js';
import { atOnce } from '../../src/select/index.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('work at once', () => {
  test.each([1, 2, 3, 100])('of at most %i comes back in order, begun in order', async (limit) => {
    const begun: number[] = [];
    let now = 0;
    let most = 0;
    const results = await atOnce(['a', 'b', 'c', 'd', 'e', 'f'], limit, async (item, index) => {
      begun.push(index);
      most = Math.max(most, ++now);
      // Those with an even number take a turn of the event loop more.
      for (let turns = index % 2 ? 1 : 2; turns > 0; turns--) await turn();
      now--;
      return `${item}${index}`;
    });
    expect(results).toEqual(['a0', 'b1', 'c2', 'd3', 'e4', 'f5']);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    expect(most).toBe(Math.min(limit, 6));
  });

  test('of nothing is nothing', async () => {
    expect(await atOnce([], 3, () => Promise.reject(new Error('never')))).toEqual([]);
  });

  test('that fails begins nothing more, waits for the others, and throws the first failure in order', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const failing = atOnce([0, 1, 2, 3, 4, 5], 3, async (item) => {
      begun.push(item);
      for (let turns = [9, 1, 5, 0, 0, 0][item]!; turns > 0; turns--) await turn();
      ended.push(item);
      throw new Error(`number ${item}`);
    });
    await expect(failing).rejects.toThrow('number 0');
    expect(begun).toEqual([0, 1, 2]);
    expect(ended).toEqual([1, 2, 0]);
  });
});

test('folds at once are as many as there are threads, processors and room for, and one at least', () => {
  const machine = { processors: 4, freeBytes: 8e9 };
  expect(foldsAtOnce(1e6, 'auto', machine)).toBe(4);
  expect(foldsAtOnce(1e6, undefined, machine)).toBe(4);
  expect([1, 2, 3, 4, 5, 1e9].map((threads) => foldsAtOnce(1e6, threads, machine))).toEqual([1, 2, 3, 4, 4, 4]);
  expect([5e8, 6e8, 1e9, 1.1e9, 5e9].map((bytes) => foldsAtOnce(bytes, 'auto', machine))).toEqual([4, 3, 2, 1, 1]);
  expect(foldsAtOnce(5e8, 'auto', { processors: 4, freeBytes: 1e9 })).toBe(1);
  expect(foldsAtOnce(1e6, 'auto', { processors: 1, freeBytes: 8e9 })).toBe(1);
});

describe('cross-validation', () => {
  const rows = Array.from({ length: 90 }, (_, i) => [Math.sin(i), Math.sin(i * i), Math.cos(3 * i)]);
  const y = rows.map(([a, b], i) => ((i % 9 === 0 ? -1 : 1) * (a! + b!) > 0 ? 'up' : 'down'));
  const folds = stratifiedFolds(y, 6, 1);
  let interrupt: Interrupt;
  const context = () => ({ voice: { quiet: true, json: false }, interrupt, version: '0' });
  const validate = (X: DenseMatrix | SparseMatrix, values: TrainValues) =>
    crossValidate({ data: { X, y }, name: 'primal', values: { epochs: 50, ...values } }, folds, context());

  beforeEach(() => {
    interrupt = new Interrupt();
  });
  afterEach(() => interrupt.release());

  test('has the figures of fits one after the other, of dense and sparse rows, and leaves nothing behind', async () => {
    const expected = folds.map(({ train, test }) => {
      const [seen, unseen] = [train, test].map((part) => ({
        X: Array.from(part, (i) => rows[i]!),
        y: Array.from(part, (i) => y[i]!),
      })) as [{ X: number[][]; y: string[] }, { X: number[][]; y: string[] }];
      return new Perceptron<string>({ maxEpochs: 50 }).fit(seen.X, seen.y).score(unseen.X, unseen.y);
    });
    for (const X of [DenseMatrix.from(rows), SparseMatrix.fromDense(rows)]) {
      const { blocks } = defaultArena.usage;
      for (const threads of [1, 2, 'auto'] as const) {
        expect((await validate(X, { threads })).spread?.each).toEqual(expected);
        expect(defaultArena.usage.blocks).toBe(blocks);
      }
      X.dispose();
    }
  });

  test('ends with Ctrl-C, wherever its folds are, and leaves nothing behind', async () => {
    const X = DenseMatrix.from(rows);
    const { blocks } = defaultArena.usage;
    const endless = validate(X, { epochs: 1e12, threads: 2 });
    setTimeout(() => process.emit('SIGINT'), 50);
    await expect(endless).rejects.toMatchObject({ name: 'AbortError' });
    expect(defaultArena.usage.blocks).toBe(blocks);
    X.dispose();
  });

  test('fails with the error of the first fold that fails, and leaves nothing behind', async () => {
    const X = DenseMatrix.from(rows);
    const { blocks } = defaultArena.usage;
    await expect(validate(X, { scale: 'standardize', margin: 1e308, eta: 1e308 })).rejects.toThrow(RangeError);
    expect(defaultArena.usage.blocks).toBe(blocks);
    X.dispose();
  });
});
