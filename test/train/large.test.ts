// Rows that the memory cannot hold are trained on, and predicted, part by part: the bits of the same rows in a larger memory.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type Engine,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
} from '../../src/index.js';
import { Random } from '../../src/random.js';
import { engines } from '../engines.js';

const MEMORY = 2 * 65536;

/** 600 × 40 values, 192,000 bytes as float64: more than the memory holds. */
function rowsOf(seed: number) {
  const random = Random.seeded(seed);
  const [rows, cols] = [600, 40];
  const data = Float64Array.from({ length: rows * cols }, () => random.next() / 2 ** 31 - 1);
  const signs = Array.from({ length: rows }, (_, i) => ((data[i * cols] as number) + 0.3 > 0 ? 'up' : 'down'));
  const codes = Array.from({ length: rows }, (_, i) => Math.floor(((data[i * cols] as number) + 1) * 2));
  for (let i = 0; i < rows; i += 17) signs[i] = 'up';
  return {
    X: { data, rows, cols },
    lists: Array.from({ length: rows }, (_, i) => [...data.subarray(i * cols, (i + 1) * cols)]),
    signs,
    codes,
  };
}
const { X, lists, signs, codes } = rowsOf(3);

/** What is learned and told, but for what differs: a fit by parts gives no advice. */
const learned = (model: { toJSON(): unknown; report: object }) => {
  const { advice: _, timings: __, ...report } = model.report as { advice: unknown; timings: unknown };
  return JSON.stringify([model.toJSON(), report], (key, value) => (key === 'advice' ? undefined : value));
};
const blocksIn = (engine: Engine) => resolveEngine(engine).arena.usage.blocks;

describe.each(engines)('%s', (kind) => {
  const own = () => createEngine({ kind, maxMemoryBytes: MEMORY });

  test.each([{}, { average: true, classWeight: 'balanced' as const }, { learningRate: 0.1, fitIntercept: false }])(
    'a fit on rows beyond the memory has the bits of one that has room: %o',
    async (options) => {
      const engine = own();
      const expected = learned(new Perceptron<string>({ ...options, maxEpochs: 5, engine: kind }).fit(X, signs));
      for (const rows of [X, lists]) {
        const model = new Perceptron<string>({ ...options, maxEpochs: 5, engine }).fit(rows, signs);
        expect(learned(model)).toBe(expected);
        const later = await new Perceptron<string>({ ...options, maxEpochs: 5, engine }).fitAsync(rows, signs);
        expect(learned(later)).toBe(expected);
        expect(blocksIn(engine)).toBe(0);
      }
    },
  );

  test('classes, scores, predictions and accuracy come part by part too', () => {
    const engine = own();
    for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
      const wide = new MulticlassPerceptron<number>({ strategy, maxEpochs: 3, engine: kind }).fit(X, codes);
      const narrow = new MulticlassPerceptron<number>({ strategy, maxEpochs: 3, engine }).fit(X, codes);
      expect(learned(narrow)).toBe(learned(wide));
      expect(narrow.predict(X)).toEqual(wide.predict(X));
      expect(narrow.decisionFunction(X)).toEqual(wide.decisionFunction(X));
      expect(narrow.score(X, codes)).toBe(wide.score(X, codes));
    }
  });
});

const engine = createEngine({ maxMemoryBytes: MEMORY });

test.each([
  ["order 'shuffle'", () => new Perceptron<string>({ order: 'shuffle', engine })],
  ["order 'batch'", () => new Perceptron<string>({ order: 'batch', engine })],
  ['the pocket', () => new PocketPerceptron<string>({ order: 'cyclic', engine })],
  ['"tol"', () => new Perceptron<string>({ tol: 0, engine })],
  ['"validationFraction"', () => new Perceptron<string>({ validationFraction: 0.2, engine })],
])('%s needs all rows in memory, and the error names what to do', async (what, make) => {
  const message = `${what} needs all rows in memory, and they do not fit: store X as float32 (dtype 'float32'), or train without it, in order 'cyclic' or with fitStream`;
  expect(() => make().fit(X, signs)).toThrow(new RangeError(message));
  await expect(make().fitAsync(X, signs)).rejects.toThrow(new RangeError(message));
});

test('the dual form, and rows that are in the memory already, get the error of the memory', () => {
  expect(() => new DualPerceptron<string>({ engine, gram: 'rows' }).fit(X, signs)).toThrow(/^no room for /);
  const small = DenseMatrix.allocate(300, 40, { engine });
  expect(() => new Perceptron<string>({ engine, maxEpochs: 1 }).fit(X, signs)).not.toThrow();
  small.dispose();
});

test('bad values are named as the caller counts rows, and cost nobody a model', async () => {
  const model = new Perceptron<string>({ engine, maxEpochs: 2 }).fit(X, signs);
  const before = learned(model);
  const bad = lists.map((row) => [...row]);
  (bad[577] as number[])[3] = NaN;
  expect(() => model.fit(bad, signs)).toThrow(new RangeError('X[577][3] is NaN'));
  const flat = { ...X, data: X.data.slice() };
  flat.data[577 * 40 + 3] = Infinity;
  expect(() => model.fit(flat, signs)).toThrow(new RangeError('X[577][3] is Infinity'));
  expect(() => model.predict(flat)).toThrow(new RangeError('X[577][3] is Infinity'));
  bad[560] = [1, 2];
  await expect(model.fitAsync(bad, signs)).rejects.toThrow('X row 560 has 2 values, expected 40');
  expect(learned(model)).toBe(before);
});

test('an abort leaves the model as it was, or keeps what was learned', async () => {
  for (const keepPartial of [false, true]) {
    const control = new AbortController();
    let epochs = 0;
    const onEpoch = () => {
      if (++epochs === 2) control.abort();
    };
    const model = new Perceptron<string>({ engine, maxEpochs: 1e6, onEpoch });
    const fit = model.fitAsync(X, signs, { signal: control.signal, keepPartial });
    if (keepPartial) expect((await fit).report.epochs).toBe(2);
    else await expect(fit).rejects.toMatchObject({ name: 'AbortError' });
    if (!keepPartial) expect(() => model.report).toThrow('not fitted');
  }
});

test('a fit that fails leaves the weights as they were, also if somebody read them meanwhile', () => {
  const seen: number[] = [];
  let isArmed = false;
  const model: Perceptron<string> = new Perceptron<string>({
    engine,
    maxEpochs: 3,
    onEpoch: () => {
      if (!isArmed) return;
      seen.push(model.weights[0] as number);
      throw new Error('boom');
    },
  });
  const before = [...model.fit(X, signs).weights];
  isArmed = true;
  const negated = { ...X, data: X.data.map((v) => -v) };
  expect(() => model.fit(negated, signs)).toThrow('boom');
  expect(seen).toEqual([before[0]]);
  expect([...model.weights]).toEqual(before);
});

describe('a fit by parts says what a fit in memory says', () => {
  const room = 'wasm-simd' as const;

  test('one class alone is refused, also if the classes are named', () => {
    const one = signs.map(() => 'up');
    for (const own of [engine, room]) {
      const model = new Perceptron<string>({ engine: own, classes: ['up', 'down'] });
      expect(() => model.fit(X, one)).toThrow(new RangeError('y has one class only ("up"); a classifier needs two'));
    }
  });

  test('an abort is heard though another fit of the model has ended meanwhile, or this one in the same moment', async () => {
    const control = new AbortController();
    const model = new Perceptron<string>({ engine, maxEpochs: 1e6 });
    const fit = model.fitAsync(X, signs, { signal: control.signal, onProgress: () => control.abort() });
    model.fit([[1], [-1]], ['up', 'down']);
    await expect(fit).rejects.toMatchObject({ name: 'AbortError' });
    expect(model.weights.length).toBe(1);
    const separable = Array.from(signs, (_, i) => ((X.data[i * X.cols] as number) > 0 ? 'up' : 'down'));
    for (const own of [engine, room]) {
      const last = new AbortController();
      const onEpoch = ({ mistakes }: { mistakes: number }) => {
        if (mistakes === 0) last.abort();
      };
      const other = new Perceptron<string>({ engine: own, maxEpochs: 1e6, onEpoch });
      await expect(other.fitAsync(X, separable, { signal: last.signal })).rejects.toMatchObject({ name: 'AbortError' });
      expect(() => other.report).toThrow('not fitted');
    }
  });

  test('stop reasons, epochs of updates and the callbacks of fitAsync', async () => {
    const told = [];
    for (const own of [engine, room]) {
      const control = new AbortController();
      const updates: number[] = [];
      const snapshots: string[] = [];
      const ends: unknown[] = [];
      const model = await new Perceptron<string>({
        engine: own,
        maxEpochs: 8,
        onUpdate: ({ epoch, mistakes }) => void updates.push(epoch, mistakes),
        onEpoch: ({ epoch, snapshot }) => {
          snapshots.push(snapshot().report.stopReason);
          if (epoch === 5) control.abort();
        },
      }).fitAsync(X, signs, { signal: control.signal, keepPartial: true });
      await new Perceptron<string>({ engine: own, maxEpochs: 8 }).fitAsync(X, signs, {
        onEpoch: ({ epoch }) => void ends.push(epoch),
        onProgress: (progress) => void ends.push(progress),
      });
      told.push([model.report.stopReason, model.report.epochs, updates, snapshots, ends.slice(-2)]);
    }
    expect(told[0]).toEqual(told[1]);
    expect(told[0]?.[0]).toBe('aborted');
    expect(told[0]?.[4]).toEqual([8, { epoch: 8, done: 600, total: 600 }]);
  });
});

test('labels in a view that growth of the memory has detached are read where they are now', () => {
  const module = new WebAssembly.Module(readFileSync('build/simd.wasm'));
  const tight = createEngine({ kind: 'wasm-simd', module, maxMemoryBytes: 2 * 65536 });
  const y = DenseMatrix.from([codes.map((code) => (code > 1 ? 1 : -1))], { engine: tight }).data;
  const plain = [...y];
  const model = new Perceptron<number>({ engine: tight, maxEpochs: 3 }).fit(X, y);
  expect([...model.weights]).toEqual([...new Perceptron<number>({ maxEpochs: 3 }).fit(X, plain).weights]);
});
