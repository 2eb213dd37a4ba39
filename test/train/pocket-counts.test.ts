// The pocket counts mistakes over all samples (SPEC §6), whichever a pass visits.

import { expect, test } from 'vitest';
import { createEngine, Perceptron, PocketPerceptron } from '../../src/index.js';
import { engines } from '../engines.js';
import { integers, orders } from '../samples.js';

/** Mistakes of a plane (SPEC §2): a row on it is one. */
const errorsOf = (model: PocketPerceptron<number>, X: number[][], y: number[], last: boolean) =>
  model.decisionFunction(X, { last }).filter((s, i) => !(s * (y[i] as number) > 0)).length;

for (const engine of engines) {
  for (const cols of [5, 20]) {
    for (const [name, options] of Object.entries({
      ratchet: { ratchet: true },
      shuffle: { order: 'shuffle' as const },
    })) {
      test(`${engine}, ${name}, ${cols} columns: errors are those of all rows`, () => {
        const { X, y } = integers(70, cols, 3, 20);
        const model = new PocketPerceptron<number>({ ...options, engine, maxEpochs: 5, warmStart: true }).fit(X, y);
        for (let again = 0; again < 2; again++) {
          expect(model.report.pocket?.errors).toBe(errorsOf(model, X, y, false));
          expect(model.report.pocket?.lastErrors).toBe(errorsOf(model, X, y, true));
          model.fit(X, y);
        }
      });

      test(`${engine}, ${name}, ${cols} columns: rows held out are not counted`, () => {
        const { X, y } = integers(70, cols, 4, 20);
        const shared = { ...options, engine, maxEpochs: 4, validationFraction: 0.3, patience: 99 };
        const { pocket } = new PocketPerceptron<number>(shared).fit(X, y).report;
        expect(pocket?.errors).toBeLessThanOrEqual(pocket?.lastErrors as number);
        expect(pocket?.lastErrors).toBeLessThanOrEqual(49);
      });
    }
  }

  test.each([...orders, 'ratchet' as const])(`${engine}, %s: little memory changes no bits`, (order) => {
    const { X, y } = integers(100, 40, 5, 10);
    const options = { ...(order === 'ratchet' ? { ratchet: true } : { order }), maxEpochs: 30 };
    const usual = new PocketPerceptron<number>({ ...options, engine }).fit(X, y);
    const little = createEngine({ kind: engine, maxMemoryBytes: 65536 });
    const model = new PocketPerceptron<number>({ ...options, engine: little }).fit(X, y);
    expect(JSON.stringify(model)).toBe(JSON.stringify(usual));
  });
}

test('the pocket in batch order takes the steps of the perceptron', () => {
  const { X, y } = integers(200, 20, 6, 10);
  const options = { order: 'batch' as const, maxEpochs: 40 };
  const plain = new Perceptron<number>(options).fit(X, y);
  const pocket = new PocketPerceptron<number>(options).fit(X, y);
  expect(pocket.report.mistakesByEpoch).toEqual(plain.report.mistakesByEpoch);
  expect([...pocket.decisionFunction(X, { last: true })]).toEqual([...plain.decisionFunction(X)]);
});

test('a shuffled fit that goes on counts all rows before it has shuffled any', () => {
  const X = [[1], [2], [3], [-1], [-2]];
  const y = [1, -1, -1, 1, 1];
  // Right on the first row alone.
  const model = new PocketPerceptron<number>({ order: 'shuffle', initialWeights: [1], maxEpochs: 1 }).fit(X, y);
  expect(model.report.pocket?.errors).toBe(errorsOf(model, X, y, false));
});
