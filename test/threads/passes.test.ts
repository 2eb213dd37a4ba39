// Epochs that threads make one after the other without the caller's thread: shuffled there, and told of now and then.

import { afterAll, expect, test } from 'vitest';
import { DenseMatrix, DualPerceptron, Perceptron, stopThreads } from '../../src/index.js';

afterAll(stopThreads);

const [rows, cols] = [600, 40];

/** Labels by chance: no pass is clean. */
function set(): { X: DenseMatrix; y: number[] } {
  const X = DenseMatrix.allocate(rows, cols);
  const { data } = X;
  for (let i = 0; i < data.length; i++) data[i] = Math.sin(i * i);
  return { X, y: Array.from({ length: rows }, (_, i) => (Math.sin(7 * i * i) > 0 ? 1 : -1)) };
}

interface Saved {
  weights?: unknown;
  supports?: unknown;
  bias: number;
  training: { seen: number; sigma: number; random: number[]; mistakesByEpoch: number[] };
}

/** What was learned, and where the random numbers are: not why it stopped. */
function learned(model: { toJSON(): unknown }) {
  const { weights, supports, bias, training } = model.toJSON() as Saved;
  const { seen, sigma, random, mistakesByEpoch } = training;
  expect(weights ?? supports).toBeDefined();
  expect(random).toHaveLength(4);
  return { weights, supports, bias, seen, sigma, random, mistakesByEpoch };
}

const trainers = { primal: Perceptron<number>, dual: DualPerceptron<number> };
const kinds = Object.keys(trainers) as (keyof typeof trainers)[];

test.each(kinds)('%s: shuffled epochs have the bits of fit', async (kind) => {
  const { X, y } = set();
  const make = () => new trainers[kind]({ order: 'shuffle', seed: 5, maxEpochs: 120, average: true });
  const expected = make().fit(X, y);
  for (const threads of [2, 3]) {
    const model = make();
    await model.fitAsync(X, y, { threads });
    expect(model.toJSON()).toEqual(expected.toJSON());
  }
  // The random numbers go on from where they are, too.
  const goneOn = make().fit(X, y).partialFit(X, y);
  const model = await make().fitAsync(X, y, { threads: 2 });
  expect(model.partialFit(X, y).toJSON()).toEqual(goneOn.toJSON());
  X.dispose();
});

test.each(kinds)('%s: what is told of an epoch now and then is of that epoch, and so is its snapshot', async (kind) => {
  const { X, y } = set();
  for (const order of ['cyclic', 'shuffle'] as const) {
    const make = (maxEpochs: number) => new trainers[kind]({ order, maxEpochs });
    const model = make(1e9);
    const told: { epoch: number; mistakes: number; snapshot: ReturnType<typeof learned> }[] = [];
    await model.fitAsync(X, y, {
      threads: 2,
      onEpoch: ({ epoch, mistakes, snapshot }) => {
        told.push({ epoch, mistakes, snapshot: learned(snapshot()) });
        return told.length < 3;
      },
    });
    const { epochs, stopReason } = model.report;
    expect([told.length, told.at(-1)?.epoch, stopReason]).toEqual([3, epochs, 'stopped']);
    const expected = make(epochs).fit(X, y);
    expect(learned(model)).toEqual(learned(expected));
    for (const { epoch, mistakes, snapshot } of told) {
      expect(mistakes).toBe(expected.report.mistakesByEpoch[epoch - 1]);
      expect(snapshot).toEqual(learned(make(epoch).fit(X, y)));
    }
  }
  X.dispose();
});

test("a trainer's own onEpoch is told of every epoch", async () => {
  const { X, y } = set();
  const epochs: number[] = [];
  await new Perceptron<number>({
    order: 'shuffle',
    maxEpochs: 30,
    onEpoch: ({ epoch }) => void epochs.push(epoch),
  }).fitAsync(X, y, { threads: 2 });
  expect(epochs).toEqual(Array.from({ length: 30 }, (_, k) => k + 1));
  X.dispose();
});

test('a shuffled fit that is stopped goes on from the random numbers it had come to', async () => {
  const { X, y } = set();
  const model = new Perceptron<number>({ order: 'shuffle', seed: 3, maxEpochs: 1e6 });
  const stop = new AbortController();
  await model.fitAsync(X, y, {
    threads: 2,
    keepPartial: true,
    signal: stop.signal,
    onEpoch: ({ epoch }) => {
      if (epoch > 200) stop.abort();
    },
  });
  const { epochs, mistakesByEpoch } = model.report;
  const again = new Perceptron<number>({ order: 'shuffle', seed: 3, maxEpochs: epochs }).fit(X, y);
  // All but the last pass, which may have been cut short.
  expect(mistakesByEpoch.slice(0, -1)).toEqual(again.report.mistakesByEpoch.slice(0, -1));
  expect(learned(model).random).toEqual(learned(again).random);
  X.dispose();
});
