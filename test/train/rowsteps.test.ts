// Weights of rows and passive-aggressive updates where training goes other ways: rows of the Gram matrix on demand or none of it,
// counts from kept scores, rows beyond the memory, blocks of a stream, pauses, and errors.

import { describe, expect, test } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  MulticlassPerceptron,
  type MulticlassPerceptronOptions,
  Perceptron,
  PocketPerceptron,
  SparseMatrix,
  type TrainerOptions,
} from '../../src/index.js';
import { Random } from '../../src/random.js';
import { engines } from '../engines.js';
import { fitInSlices } from '../slices.js';

/** Rows of decimals, labels by a plane and noise, weights from 0 to 2. */
function made(rows: number, cols: number, classes: number, seed: number) {
  const random = Random.seeded(seed);
  const real = () => random.next() / 2 ** 31 - 1;
  const X = Array.from({ length: rows }, () => Array.from({ length: cols }, real));
  const y = X.map(([a = 0, b = 0]) =>
    Math.min(classes - 1, Math.floor((a + b / 2 + real() / 3 + 1.8) * (classes / 3.6))),
  );
  for (let k = 0; k < classes; k++) y[k] = k;
  const sampleWeight = X.map((_, i) => (i < classes ? 1 : random.below(9) / 4));
  return { X, y, sampleWeight };
}

const ways: Record<string, Pick<TrainerOptions<number>, 'update' | 'aggressiveness' | 'average' | 'classWeight'>> = {
  perceptron: { classWeight: { '1': 0.5 } },
  pa1: { update: 'pa1', aggressiveness: 0.5 },
  pa2: { update: 'pa2', average: true },
};
const updates = Object.entries(ways);
/** All of a model, but for advice: a fit by parts reads some rows only for it. */
const textOf = (model: object) => JSON.stringify(model, (key, value) => (key === 'advice' ? undefined : value));

describe.each(updates)('%s with weights', (_name, options) => {
  const { X, y, sampleWeight } = made(90, 4, 3, 1);

  test.each(['cyclic', 'shuffle'] as const)(
    'has one text for each way of keeping the Gram matrix: order %s',
    (order) => {
      const texts = new Map<string, Set<string>>();
      const scores: Float64Array[] = [];
      for (const engine of engines) {
        for (const gram of ['full', 'rows', 'blocks'] as const) {
          const kept: MulticlassPerceptronOptions<number> =
            gram === 'rows' ? { gram, maxGramBytes: 8 * 90 * 7 } : { gram: gram as 'full' };
          const model = new MulticlassPerceptron<number>({
            ...options,
            ...kept,
            order,
            engine,
            kernel: 'rbf',
            maxEpochs: 4,
          });
          model.fit(X, y, { sampleWeight });
          expect(model.report.gram).toBe(gram);
          const { data } = model.decisionFunction(X);
          scores.push(data);
          // The options name the way, which is no difference in what was learned.
          const learned = JSON.stringify([Array.from(data), model.report.mistakesByEpoch]);
          const way = gram === 'blocks' ? gram : 'matrix';
          texts.set(way, (texts.get(way) ?? new Set()).add(learned));
        }
      }
      expect([...texts].map(([way, learned]) => [way, learned.size])).toEqual([
        ['matrix', 1],
        ['blocks', 1],
      ]);
      // Blocks add in another order: scores differ by rounding.
      const [matrix, , blocks] = scores as [Float64Array, Float64Array, Float64Array];
      blocks.forEach((score, k) => {
        expect(score).toBeCloseTo(matrix[k] as number, 9);
      });
    },
  );

  test('by blocks too, a row of weight 0 is not there', () => {
    const fit = (rows: number[][], labels: number[], weights: number[]) =>
      new MulticlassPerceptron<number>({ ...options, gram: 'blocks', kernel: 'rbf', maxEpochs: 3 }).fit(rows, labels, {
        sampleWeight: weights,
      });
    const isThere = (_: unknown, i: number) => sampleWeight[i] !== 0;
    const removed = fit(X.filter(isThere), y.filter(isThere), sampleWeight.filter(isThere));
    expect(fit(X, y, sampleWeight).decisionFunction(X)).toEqual(removed.decisionFunction(X));
  });

  test('kept scores make the updates of a scan', () => {
    // Scores are kept from 16 columns on, unless some row has no weight.
    const wide = made(70, 20, 2, 2);
    const weights = wide.sampleWeight.map((weight) => weight + 0.25);
    const makers = [
      (o: object) => new Perceptron<number>({ ...options, ...o, order: 'random' }),
      ...(options.update ? [] : [(o: object) => new PocketPerceptron<number>({ ...options, ...o })]),
    ];
    for (const make of makers) {
      for (const engine of engines) {
        const kept = make({ engine, maxEpochs: 3 }).fit(wide.X, wide.y, { sampleWeight: weights });
        const scanned = make({ engine, maxEpochs: 3 }).fit([...wide.X, wide.X[0] as number[]], [...wide.y, 0], {
          sampleWeight: [...weights, 0],
        });
        expect(kept.weights).toEqual(scanned.weights);
        expect(kept.report.mistakesByEpoch).toEqual(scanned.report.mistakesByEpoch);
      }
    }
  });

  test('rows beyond the memory, and blocks of a stream, have the bits of rows in memory', async () => {
    // 600 × 40 values are 192,000 bytes, the memory has 131,072. A whole part has no weight.
    const large = made(600, 40, 3, 3);
    large.sampleWeight.fill(0, 100, 180);
    const flat = { data: Float64Array.from(large.X.flat()), rows: 600, cols: 40 };
    const strategies = options.update ? (['one-vs-rest'] as const) : (['one-vs-rest', 'multinomial'] as const);
    for (const strategy of strategies) {
      for (const kind of engines) {
        const shared = { ...options, strategy, classes: [0, 1, 2] };
        const make = (engine: object) => new MulticlassPerceptron<number>({ ...shared, ...engine });
        const room = make({ engine: kind, maxEpochs: 3 }).fit(flat, large.y, { sampleWeight: large.sampleWeight });
        const engine = createEngine({ kind, maxMemoryBytes: 2 * 65536 });
        const parts = make({ engine, maxEpochs: 3 }).fit(flat, large.y, { sampleWeight: large.sampleWeight });
        expect(textOf(parts)).toBe(textOf(room));
        const later = await make({ engine, maxEpochs: 3 }).fitAsync(flat, large.y, {
          sampleWeight: large.sampleWeight,
        });
        expect(textOf(later)).toBe(textOf(room));
        const cut = (from: number, to: number) => ({
          X: large.X.slice(from, to),
          y: large.y.slice(from, to),
          sampleWeight: large.sampleWeight.slice(from, to),
        });
        const blocks = () => [cut(0, 100), cut(100, 180), cut(180, 181), cut(181, 400), cut(400, 600)];
        const stream = await make({ engine }).fitStream(blocks, { epochs: 3 });
        expect(stream.weights).toEqual(room.weights);
        expect(stream.biases).toEqual(room.biases);
      }
    }
  });
});

test('an error in the steps of rows releases all memory, and names the row as the caller counts', () => {
  const { X, y } = made(600, 40, 2, 4);
  const tiny = y.map((_, i) => (i === 577 ? 5e-324 : 1));
  const long = X.map((row, i) => (i === 577 ? row.map(() => 1e200) : row));
  // With 128 KiB, rows are trained on part by part.
  for (const [maxMemoryBytes, storage] of [
    [2 ** 17, (list: number[][]) => list],
    [2 ** 22, (list: number[][]) => list],
    [2 ** 22, (list: number[][]) => SparseMatrix.fromDense(list)],
  ] as const) {
    const engine = createEngine({ maxMemoryBytes });
    for (const make of [
      (o: object) => new Perceptron<number>({ ...o, engine }),
      (o: object) => new MulticlassPerceptron<number>({ ...o, engine }),
    ]) {
      expect(() => make({ learningRate: 0.25 }).fit(storage(X), y, { sampleWeight: tiny })).toThrow(
        new RangeError('"learningRate" times the weights of row 577 must be a finite number > 0, got 0'),
      );
      expect(() => make({ update: 'pa1' }).fit(storage(long), y)).toThrow(
        new RangeError('the squared length of row 577 overflows; scale X down'),
      );
      expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
    }
  }
});

test('the lengths of rows are computed in pieces of some milliseconds, once for all classes', () => {
  // Two rows of a million columns are a piece.
  const [rows, cols] = [5, 2 ** 20];
  const data = new Float32Array(rows * cols);
  for (let i = 0; i < rows; i++) data[i * cols + i] = 1;
  const X = { data, rows, cols };
  const y = [0, 1, 2, 0, 1];
  const slices = (update: 'perceptron' | 'pa1') =>
    fitInSlices(new MulticlassPerceptron<number>({ update, maxEpochs: 1 }), X, y, rows);
  expect(slices('pa1') - slices('perceptron')).toBe(3);
});

test('one-vs-rest trains classes with passive-aggressive updates as if each was alone, in step and one after the other', () => {
  const { X, y } = made(80, 5, 3, 5);
  for (const order of ['cyclic', 'random'] as const) {
    const options = { update: 'pa1', aggressiveness: 2, order, maxEpochs: 3 } as const;
    const many = new MulticlassPerceptron<number>(options).fit(X, y);
    for (const code of order === 'cyclic' ? [0, 1, 2] : [0]) {
      const alone = new Perceptron<number>(options).fit(
        X,
        y.map((label) => (label === code ? 1 : -1)),
      );
      expect(many.weights[code]).toEqual(alone.weights);
    }
  }
});
