// train --folds: the figures of fits one after the other, Ctrl-C, and failures; nothing is left behind.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectFolds, judgeByFolds } from '../../src/cli/crossvalidation.js';
import { Interrupt } from '../../src/cli/interrupt.js';
import type { TrainValues } from '../../src/cli/trainers.js';
import { defaultArena } from '../../src/engine/engine.js';
import { DenseMatrix, Perceptron, Scaler, SparseMatrix } from '../../src/index.js';
import { stratified } from '../select/stratified.js';

describe('cross-validation', () => {
  const rows = Array.from({ length: 90 }, (_, i) => [Math.sin(i), Math.sin(i * i), Math.cos(3 * i)]);
  const y = rows.map(([a, b], i) => ((i % 9 === 0 ? -1 : 1) * (a! + b!) > 0 ? 'up' : 'down'));
  const folds = stratified(y, 6, 1);
  let interrupt: Interrupt;
  const context = () => ({ voice: { quiet: true, json: false }, interrupt, version: '0' });
  const validate = (X: DenseMatrix | SparseMatrix, values: TrainValues) =>
    judgeByFolds({ data: { X, y }, name: 'primal', values: { epochs: 50, seed: 1, ...values } }, 6, context());

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

  test('scales as train does, with its --intercept-scaling', async () => {
    const X = DenseMatrix.from(rows.map((row) => row.map((value) => 9 * value)));
    const expected = folds.map(({ train, test }) => {
      const [seen, unseen] = [X.take(train), X.take(test)];
      const scaler = new Scaler({ kind: 'unit-ball' }).fit(seen);
      const labels = (part: Uint32Array) => Array.from(part, (i) => y[i]!);
      const model = new Perceptron<string>({ maxEpochs: 50, interceptScaling: 0.5 * scaler.interceptScaling });
      return model.fit(scaler.transform(seen), labels(train)).score(scaler.transform(unseen), labels(test));
    });
    const found = await validate(X, { scale: 'unit-ball', 'intercept-scaling': 0.5 });
    expect(found.spread?.each).toEqual(expected);
    X.dispose();
  });
});

test('refuses more folds than a class has rows, and says how many it has', () => {
  const classes = [
    { label: 'a', rows: 3 },
    { label: 'b', rows: 1 },
  ];
  expect(() => expectFolds(2, classes)).toThrow('--folds 2 needs 2 rows of each class, one for each fold; b has 1');
});
