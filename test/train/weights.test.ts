// Weights of rows (SPEC §14): a row of weight 0 is not there; any other weight multiplies the step.

import { describe, expect, it } from 'vitest';
import {
  DenseMatrix,
  DualPerceptron,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
  SparseMatrix,
} from '../../src/index.js';
import { Random } from '../../src/random.js';

const random = Random.seeded(7);
const n = 40;
const X = Array.from({ length: n }, () => Array.from({ length: 5 }, () => random.below(9) - 4));
const y = X.map((row) => ((row[0] as number) + (row[1] as number) + random.below(5) - 2 > 0 ? 'b' : 'a'));
const three = X.map((row, i) => (i % 7 === 0 ? 'c' : (row[0] as number) > 0 ? 'b' : 'a'));
const mask = X.map((_, i) => (i % 3 === 1 ? 0 : 1));
const kept = <T>(list: readonly T[]): T[] => list.filter((_, i) => mask[i] === 1);
const orders = ['cyclic', 'shuffle', 'random', 'batch'] as const;
const engines = ['wasm-simd', 'js'] as const;
const storages = {
  arrays: (rows: number[][]) => rows,
  float32: (rows: number[][]) => DenseMatrix.from(rows, { dtype: 'float32' }),
  sparse: (rows: number[][]) => SparseMatrix.fromDense(rows),
};

const trainers = {
  Perceptron: (o: object) => new Perceptron<string>(o),
  averaged: (o: object) => new Perceptron<string>({ ...o, average: true, classWeight: 'balanced' }),
  'early stopping': (o: object) => new Perceptron<string>({ ...o, validationFraction: 0.2 }),
  PocketPerceptron: (o: object) => new PocketPerceptron<string>(o),
  linear: (o: object) => new DualPerceptron<string>(o),
  'dual pocket': (o: object) => new DualPerceptron<string>({ ...o, pocket: true }),
  rbf: (o: object) => new DualPerceptron<string>({ ...o, kernel: { type: 'rbf', gamma: 0.1 } }),
  'one-vs-rest': (o: object) => new MulticlassPerceptron<string>(o),
  multinomial: (o: object) => new MulticlassPerceptron<string>({ ...o, strategy: 'multinomial' }),
  'one-vs-rest rbf': (o: object) => new MulticlassPerceptron<string>({ ...o, kernel: { type: 'rbf', gamma: 0.1 } }),
};

describe('a row of weight 0', () => {
  for (const [name, make] of Object.entries(trainers)) {
    it(`is not there: ${name} gives the same bits without it, in every order, storage and engine`, () => {
      for (const order of orders) {
        for (const engine of engines) {
          for (const store of order === 'cyclic' ? Object.values(storages) : [storages.arrays]) {
            const options = { order, engine, maxEpochs: 4 };
            const labels = name.startsWith('one') || name === 'multinomial' ? three : y;
            const masked = make(options).fit(store(X), labels, { sampleWeight: mask });
            const removed = make(options).fit(store(kept(X)), kept(labels));
            expect(masked.decisionFunction(X), `${order} ${engine}`).toEqual(removed.decisionFunction(X));
            expect(masked.report.mistakesByEpoch).toEqual(removed.report.mistakesByEpoch);
            expect(masked.report.advice).toEqual(removed.report.advice);
            expect(masked.diagnose(kept(X), kept(labels))).toEqual(removed.diagnose(kept(X), kept(labels)));
          }
        }
      }
    });
  }

  it('has no class: one that only such rows have does not exist', () => {
    const labels = ['a', 'b', 'c'];
    const model = new Perceptron().fit([[1], [-1], [3]], labels, { sampleWeight: [1, 1, 0] });
    expect(model.classes).toEqual(['a', 'b']);
    expect(() => new Perceptron().fit([[1], [2]], ['a', 'b'], { sampleWeight: [1, 0] })).toThrow(
      'y has one class only ("a")',
    );
  });

  it('is checked for values that are no numbers', () => {
    const rows = [[1], [NaN], [-1]];
    expect(() => new Perceptron().fit(rows, [1, 1, -1], { sampleWeight: [1, 0, 1] })).toThrow('X[1][0] is NaN');
  });
});

describe('a weight', () => {
  it('multiplies the step, in primal and dual form and on every engine', () => {
    for (const engine of engines) {
      const weights = X.map((_, i) => [1, 2, 0.5][i % 3] as number);
      const options = { engine, maxEpochs: 3, classWeight: { a: 2, b: 0.25 } };
      const primal = new Perceptron<string>(options).fit(X, y, { sampleWeight: weights });
      const dual = new DualPerceptron<string>(options).fit(X, y, { sampleWeight: weights });
      const w = new Float64Array(5);
      let [b, mistakes] = [0, 0];
      for (let epoch = 0; epoch < 3; epoch++) {
        X.forEach((row, i) => {
          const sign = y[i] === 'b' ? 1 : -1;
          if (sign * (row.reduce((s, v, k) => s + v * (w[k] as number), 0) + b) > 0) return;
          const step = sign * (weights[i] as number) * (sign > 0 ? 0.25 : 2);
          row.forEach((v, k) => {
            w[k] = (w[k] as number) + step * v;
          });
          b += step;
          mistakes++;
        });
      }
      expect(primal.weights).toEqual(w);
      expect(primal.bias).toBe(b);
      expect(primal.report.mistakes).toBe(mistakes);
      expect(dual.weights).toEqual(w);
      expect(dual.bias).toBe(b);
    }
  });

  it('gives the same bits on all engines and at once or in turns, for every trainer and order', async () => {
    const weights = X.map((_, i) => (i % 5) / 3);
    for (const [name, make] of Object.entries(trainers)) {
      const labels = name.startsWith('one') || name === 'multinomial' ? three : y;
      for (const order of orders) {
        const of = (engine: string) => make({ order, engine, maxEpochs: 4 });
        const js = of('js').fit(X, labels, { sampleWeight: weights });
        const simd = of('wasm-simd').fit(X, labels, { sampleWeight: weights });
        const turns = await of('wasm-simd').fitAsync(X, labels, { sampleWeight: weights });
        expect(simd.toJSON()).toEqual(js.toJSON());
        expect(turns.toJSON()).toEqual(js.toJSON());
      }
    }
  });

  it('goes with partialFit, blocks of a stream, pipelines and saved models', async () => {
    const sampleWeight = X.map((_, i) => (i % 4) / 2);
    const whole = new Perceptron<string>({ maxEpochs: 1 }).fit(X, y, { sampleWeight });
    const options = { classes: ['a', 'b'] };
    const part = new Perceptron<string>(options).partialFit(X, y, { sampleWeight });
    const cut = (from: number, to: number) => ({
      X: X.slice(from, to),
      y: y.slice(from, to),
      sampleWeight: sampleWeight.slice(from, to),
    });
    const zeros = { X: X.slice(0, 2), y: y.slice(0, 2), sampleWeight: [0, 0] };
    const stream = await new Perceptron<string>(options).fitStream([zeros, cut(0, 13), cut(13, n)]);
    expect(part.weights).toEqual(whole.weights);
    expect(stream.weights).toEqual(whole.weights);
    const five = new Perceptron<string>({ maxEpochs: 5, warmStart: true }).fit(X, y, { sampleWeight });
    const ten = Perceptron.fromJSON<string>(JSON.parse(JSON.stringify(five))).fit(X, y, { sampleWeight });
    expect(ten.weights).toEqual(new Perceptron<string>({ maxEpochs: 10 }).fit(X, y, { sampleWeight }).weights);
    const pipeline = new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron<string>({ maxEpochs: 2 }));
    pipeline.fit(X, y, { sampleWeight });
    const centred = new Scaler({ kind: 'centre' }).fit(X).transform(X);
    expect(pipeline.model.weights).toEqual(
      new Perceptron<string>({ maxEpochs: 2 }).fit(centred, y, { sampleWeight }).weights,
    );
  });

  it('that is wrong is refused by name, and the model stays as it was', () => {
    const model = new Perceptron<string>().fit(X, y);
    const before = model.toJSON();
    const wrong: [unknown, string][] = [
      [[1, 2], '"sampleWeight" has 2 weights, X has 40 rows'],
      [mask.map((w, i) => (i === 3 ? -1 : w)), 'sampleWeight[3] is -1; a weight is a finite number ≥ 0'],
      [mask.map((w, i) => (i === 3 ? NaN : w)), 'sampleWeight[3] is NaN'],
      [mask.map((w, i) => (i === 3 ? Infinity : w)), 'sampleWeight[3] is Infinity'],
      [mask.map(() => 0), '"sampleWeight" has no weight above 0'],
      [mask.map(String), 'sampleWeight[0] must be a number, got "1"'],
      ['balanced', '"sampleWeight" must be an array of numbers, got "balanced"'],
      [7, '"sampleWeight" must be an array of numbers, got 7'],
      [null, '"sampleWeight" must be an array of numbers, got null'],
      [mask.map(() => 5e-324), '"learningRate" times the weights of row 0'],
    ];
    for (const [sampleWeight, message] of wrong) {
      const half = new Perceptron<string>({ learningRate: 0.25, maxEpochs: 2 });
      expect(() => half.fit(X, y, { sampleWeight } as never)).toThrow(message);
      if (!message.includes('learningRate')) {
        expect(() => model.fit(X, y, { sampleWeight } as never)).toThrow(message);
      }
    }
    expect(() => model.fit(X, y, { weights: mask } as never)).toThrow('fit has no option "weights"');
    expect(() => model.fit(X, y, mask as never)).toThrow('the options of fit must be an object');
    expect(model.toJSON()).toEqual(before);
  });
});
