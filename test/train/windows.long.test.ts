// Rows that the memory cannot hold are trained on, and predicted, in windows: the same bits as with all of them at hand.

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { finish, type Sliced } from '../../src/async/sliced.js';
import { RowWindow } from '../../src/data/window.js';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type Engine,
  type EngineKind,
  type FlatRows,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
} from '../../src/index.js';
import type { ModelState } from '../../src/model/state.js';
import { Random } from '../../src/random.js';
import type { Draft } from '../../src/train/fit.js';
import type { Request } from '../../src/train/trainer.js';
import { engines } from '../engines.js';
import { anyOptions, orders } from '../samples.js';

const opened = vi.spyOn(RowWindow.prototype, 'open');
const windows = () => opened.mock.calls.length;

const NO_ROOM = /^no room for /;

/** An engine whose memory has this many bytes left: the rest of 64 KiB is taken. */
function engineWith(room: number, kind: EngineKind = 'wasm-simd'): { engine: Engine; taken: DenseMatrix } {
  const engine = createEngine({ kind, maxMemoryBytes: 65536 });
  const taken = DenseMatrix.allocate(1, Math.max(1, (65536 - 1024 - 128 - room) >> 3), { engine });
  return { engine, taken };
}

const blocksIn = (engine: Engine) => resolveEngine(engine).arena.usage.blocks;

interface Data {
  X: FlatRows;
  /** Labels of two classes … */
  signs: number[];
  /** … and of four. */
  codes: number[];
}

/** Rows of hundredths in float64 or float32; one label in ten is wrong, and there are four of each at least. */
function dataOf(rows: number, cols: number, seed: number, isWide = true): Data {
  const random = Random.seeded(seed);
  const data = new (isWide ? Float64Array : Float32Array)(rows * cols);
  for (let k = 0; k < data.length; k++) data[k] = (random.below(2001) - 1000) / 100;
  const signs: number[] = [];
  const codes: number[] = [];
  for (let i = 0; i < rows; i++) {
    const x = data[i * cols] as number;
    signs.push(random.below(10) === 0 ? (x > -1 ? -1 : 1) : x > -1 ? 1 : -1);
    codes.push(random.below(10) === 0 ? random.below(4) : Math.floor((x + 10) / 5.01));
  }
  for (let i = 0; i < 16; i++) {
    signs[i] = i % 2 ? 1 : -1;
    codes[i] = i % 4;
  }
  return { X: { data, rows, cols }, signs, codes };
}

type Any = Perceptron<number> | MulticlassPerceptron<number>;
type Options = Record<string, unknown>;

const trainers: Record<string, (options: Options) => Any> = {
  Perceptron: (o) => new Perceptron<number>(o),
  PocketPerceptron: ({ average, ...o }) => new PocketPerceptron<number>(o),
  'the ratchet': ({ average, order, ...o }) => new PocketPerceptron<number>({ ...o, ratchet: true }),
  'one-vs-rest': (o) => new MulticlassPerceptron<number>(o),
  multinomial: (o) => new MulticlassPerceptron<number>({ ...o, strategy: 'multinomial' }),
};

const labelsFor = (model: Any, { signs, codes }: Data) => (model instanceof MulticlassPerceptron ? codes : signs);

/** Everything a model says of rows. */
const saidOf = (model: Any, X: FlatRows, y: number[]) => [
  model.predict(X),
  model.decisionFunction(X),
  model.decisionFunction(X, { last: true }),
  model.score(X, y),
  model.loss(X, y),
  model.diagnose(X, y),
  model.hardest(1000),
];

/** As toEqual does, which is slow where nothing differs. */
function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

/** Bytes for a dozen rows and what is needed beside them; a little more, as regions are rounded up. */
function leastRoom({ X: { rows, cols } }: Data, name: string, { order, validationFraction }: Options): number {
  const [isMany, isPocket] = [name === 'one-vs-rest', name === 'PocketPerceptron' || name === 'the ratchet'];
  const listed = isPocket || order === 'random' || order === 'batch' ? 12 : 0;
  const ordered = (order === 'shuffle' || isPocket ? 4 : 0) + (validationFraction ? 4 : 0);
  const learner = 1250 + (5 + listed + ordered) * rows + 16 * cols;
  const shared = isMany || name === 'multinomial' ? 72 * cols + 300 : 0;
  return (isMany ? 4 : 1) * learner + shared + 12 * (8 * cols + 8) + 8 * cols + 300;
}

const anyTask = fc.record({
  rows: fc.integer({ min: 16, max: 120 }),
  cols: fc.integer({ min: 1, max: 40 }),
  seed: fc.integer({ min: 0, max: 1e6 }),
  isWide: fc.boolean(),
});

/** Options that all trainers have; class weights by the name of a class that all have. */
const options: fc.Arbitrary<Options> = fc
  .tuple(anyOptions, fc.constantFrom(0, 0, 0.25))
  .map(([{ classWeight, ...o }, validationFraction]) => ({
    ...o,
    ...(classWeight && { classWeight: classWeight === 'balanced' ? classWeight : { '1': 2.5 } }),
    ...(validationFraction > 0 && { validationFraction, patience: 2 }),
  }));

for (const [name, make] of Object.entries(trainers)) {
  test(`${name}: the same bits in windows of any size, with any options, on any engine`, () => {
    const before = windows();
    fc.assert(
      fc.property(
        anyTask,
        options,
        fc.constantFrom(...engines),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ rows, cols, seed, isWide }, o, kind, share) => {
          const data = dataOf(rows, cols, seed, isWide);
          const { X } = data;
          const usual = make(o);
          const y = labelsFor(usual, data);
          usual.fit(X, y);
          const { engine } = engineWith(leastRoom(data, name, o) + share * X.data.byteLength, kind);
          const model = make({ ...o, engine }).fit(X, y);
          expect(JSON.stringify(model)).toBe(JSON.stringify(usual));
          expectEqual(saidOf(model, X, y), saidOf(usual, X, y));
          if (o.classWeight !== 'balanced') {
            expect(JSON.stringify(model.partialFit(X, y))).toBe(JSON.stringify(usual.partialFit(X, y)));
          }
          expect(blocksIn(engine)).toBe(1);
        },
      ),
      { numRuns: 60 },
    );
    expect(windows() - before).toBeGreaterThan(60);
  });

  test(`${name}: with any room there is, either the same bits or an error that says so, and nothing stays behind`, () => {
    const data = dataOf(60, 20, 3);
    const { X } = data;
    const o = { maxEpochs: 2, order: 'shuffle', average: true, validationFraction: 0.25 };
    const y = labelsFor(make(o), data);
    const usual = make(o).fit(X, y);
    const [json, said] = [JSON.stringify(usual), saidOf(usual, X, y)];
    let works = 0;
    let refusals = 0;
    const before = windows();
    for (let room = 0; room < 30_000; room += 208) {
      const { engine } = engineWith(room, engines[works % 3] as EngineKind);
      const model = make({ ...o, engine });
      try {
        model.fit(X, y);
        works++;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        expect((error as Error).message).toMatch(/^no room for (60 × 20 values: 9600 bytes|weights )/);
        expect(works).toBe(0); // with more room than was enough
        refusals++;
        expect(blocksIn(engine)).toBe(1);
        continue;
      }
      expect(JSON.stringify(model)).toBe(json);
      expectEqual(saidOf(model, X, y), said);
      expect(blocksIn(engine)).toBe(1);
    }
    expect(refusals).toBeGreaterThan(10);
    expect(windows() - before).toBeGreaterThan(40);
    expect(works).toBeGreaterThan(40);
  });

  test(`${name}: rows of 200 KiB in memories of 64 KiB to 1 MiB`, () => {
    for (const isWide of [true, false]) {
      const data = dataOf(isWide ? 200 : 400, 128, 5, isWide);
      const { X } = data;
      // Values of either size in every order of those that look at all rows again, or not.
      for (const order of isWide ? orders : (['shuffle', 'random'] as const)) {
        const o = { order, maxEpochs: order === 'random' ? 1 : 2 };
        const y = labelsFor(make(o), data);
        const usual = JSON.stringify(make(o).fit(X, y));
        for (const [k, maxMemoryBytes] of [65536, 131072, 2 ** 20].entries()) {
          const engine = createEngine({ kind: engines[k] as EngineKind, maxMemoryBytes });
          let json = '';
          try {
            json = JSON.stringify(make({ ...o, engine }).fit(X, y));
          } catch (error) {
            // Lists of all mistakes for each of four classes: there is no room even for those.
            expect([maxMemoryBytes, name]).toEqual([65536, 'one-vs-rest']);
            expect((error as Error).message).toMatch(NO_ROOM);
            continue;
          }
          expect(json).toBe(usual);
          expect(blocksIn(engine)).toBe(0);
        }
      }
    }
  });
}

/** The same fit, broken off after every few rows, mistakes and blocks of work. */
function fitInSlices(model: Any, X: FlatRows, y: number[], rows: number) {
  type S = ModelState<number>;
  const inside = model as unknown as {
    wholeFit(X: FlatRows, y: number[]): Request<number, S, unknown>;
    begin(session: Request<number, S, unknown>): Sliced<Draft<S>>;
    adopt(state: S): void;
  };
  const draft = finish(inside.begin({ ...inside.wholeFit(X, y), pace: { rows, due: () => true } }));
  try {
    let step = draft.steps.next();
    for (; !step.done; step = draft.steps.next()) {
      const { done, total } = draft.progress();
      if (!(done <= total && total > 10)) expect.fail(`${done} of ${total} done`);
    }
    inside.adopt(finish(draft.state(step.value)));
  } finally {
    draft.release();
  }
}

test('a fit in slices of any size takes the same path in windows', () => {
  const before = windows();
  fc.assert(
    fc.property(
      anyTask,
      options,
      fc.constantFrom(...Object.keys(trainers)),
      fc.integer({ min: 1, max: 30 }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      ({ rows, cols, seed, isWide }, o, name, slice, share) => {
        const make = trainers[name] as (typeof trainers)[string];
        const data = dataOf(rows, cols, seed, isWide);
        const y = labelsFor(make(o), data);
        const usual = make(o).fit(data.X, y);
        const { engine } = engineWith(leastRoom(data, name, o) + share * data.X.data.byteLength);
        const model = make({ ...o, engine });
        fitInSlices(model, data.X, y, slice);
        expect(JSON.stringify(model)).toBe(JSON.stringify(usual));
        expect(blocksIn(engine)).toBe(1);
      },
    ),
    { numRuns: 60 },
  );
  expect(windows() - before).toBeGreaterThan(20);
});

const large = dataOf(400, 64, 7); // 200 KiB
const little = (kind: EngineKind = 'wasm-simd') => createEngine({ kind, maxMemoryBytes: 131072 });

test.each(Object.keys(trainers))('%s: every update and every pass is told of in the same words', (name) => {
  const make = trainers[name] as (typeof trainers)[string];
  for (const order of orders) {
    const told = [undefined, little()].map((engine) => {
      const story: unknown[] = [];
      const o = {
        order,
        average: true,
        maxEpochs: 1,
        ...(engine && { engine }),
        onUpdate: (u: { index: number; epoch: number; mistakes: number; bias: number; weights?: Float64Array }) => {
          if (story.length < 300) story.push([u.index, u.epoch, u.mistakes, u.bias, u.weights?.slice()]);
        },
        onEpoch: (e: { epoch: number; mistakes: number; loss: number; snapshot(): unknown }) => {
          story.push([e.epoch, e.mistakes, e.loss, JSON.stringify(e.snapshot())]);
        },
      };
      make(o).fit(large.X, labelsFor(make({}), large));
      return story;
    });
    expect((told[0] as unknown[]).length).toBeGreaterThan(10);
    expect(told[1]).toEqual(told[0]);
  }
});

test('fitAsync, warm starts, streams and models from JSON go on in windows as they would with all rows', async () => {
  const { X, signs: y } = large;
  const both = await Promise.all(
    [undefined, little()].map(async (engine) => {
      const o = { average: true, warmStart: true, maxEpochs: 3, order: 'shuffle' as const, ...(engine && { engine }) };
      const model = await new Perceptron<number>(o).fitAsync(X, y);
      const first = JSON.stringify(model);
      const second = JSON.stringify(model.fit(X, y));
      const blocks = [
        { X, y },
        { X: { data: X.data.subarray(640), rows: 300, cols: 64 }, y: y.slice(0, 300) },
      ];
      const stream = new Perceptron<number>({ ...o, order: 'cyclic', classes: [-1, 1] });
      const third = JSON.stringify(await stream.fitStream(blocks));
      return [first, second, third];
    }),
  );
  expect(both[1]).toEqual(both[0]);
});

test('arrays of rows and matrices of another memory come in windows too', () => {
  const { X, signs: y } = large;
  const usual = JSON.stringify(new Perceptron<number>({ maxEpochs: 3 }).fit(X, y));
  const list = Array.from({ length: X.rows }, (_, i) => X.data.subarray(i * 64, (i + 1) * 64));
  using matrix = DenseMatrix.from(X);
  for (const rows of [list, list.map((row) => [...row]), matrix, { ...X, data: matrix.data }]) {
    for (const kind of engines) {
      const before = windows();
      const engine = little(kind);
      const model = new Perceptron<number>({ maxEpochs: 3, engine }).fit(rows, y);
      expect(JSON.stringify(model)).toBe(usual);
      expect(model.predict(rows)).toEqual(new Perceptron<number>({ maxEpochs: 3 }).fit(rows, y).predict(rows));
      expect(windows() - before).toBe(2);
      expect(blocksIn(engine)).toBe(0);
    }
  }
});

test('rows that fit are not trained on in windows', () => {
  const before = windows();
  const { X, signs: y } = large;
  const engine = createEngine({ maxMemoryBytes: 2 ** 20 });
  const model = new Perceptron<number>({ engine, maxEpochs: 2 }).fit(X, y);
  model.diagnose(X, y);
  expect(windows()).toBe(before);
});

// ---- errors -------------------------------------------------------------------------------------------

test.each(Object.keys(trainers))('%s: a value that is not finite is named with its place, wherever it is', (name) => {
  const make = trainers[name] as (typeof trainers)[string];
  const wrong = [
    [399, 63, NaN],
    [0, 0, Infinity],
    [250, 7, -Infinity],
  ].map(([i, j, value]) => {
    const bad = { ...large.X, data: large.X.data.slice() };
    bad.data[i! * 64 + j!] = value!;
    const list = Array.from({ length: bad.rows }, (_, k) => bad.data.subarray(k * 64, (k + 1) * 64));
    return { rows: [bad, list], message: new RangeError(`X[${i}][${j}] is ${value}`) };
  });
  for (const order of orders) {
    for (const validationFraction of [0, 0.2]) {
      const engine = createEngine({ maxMemoryBytes: 2 ** 17 });
      const model = make({ order, engine, maxEpochs: 1, validationFraction });
      const y = labelsFor(model, large);
      model.fit(large.X, y);
      const saved = JSON.stringify(model);
      for (const { rows, message } of wrong) {
        for (const X of rows) {
          expect(() => model.fit(X, y)).toThrow(message);
          expect(() => model.predict(X)).toThrow(message);
          expect(() => model.diagnose(X, y)).toThrow(message);
        }
        expect(JSON.stringify(model)).toBe(saved);
        expect(blocksIn(engine)).toBe(0);
      }
    }
  }
});

test('scores that overflow are named by row', () => {
  const { X, signs: y } = large;
  const engine = little();
  const model = new Perceptron<number>({ engine, maxEpochs: 1 }).fit(X, y);
  const huge = { ...X, data: X.data.slice() };
  huge.data.fill(1e308, 300 * 64, 301 * 64);
  expect(() => model.predict(huge)).toThrow(/^the score of X row 300 is (NaN|-?Infinity): its values are too large$/);
  const started = new Perceptron<number>({ engine, initialWeights: new Array(64).fill(10) });
  for (const order of orders) {
    const fit = () => new Perceptron<number>({ engine, order, initialWeights: new Array(64).fill(10) }).fit(huge, y);
    expect(fit).toThrow(/^training overflowed: the score of row 300 is no longer a finite number/);
  }
  expect(() => started.weights).toThrow('not fitted');
  expect(blocksIn(engine)).toBe(0);
});

test('shapes and labels are checked as ever', () => {
  const { X, signs: y } = large;
  const engine = little();
  const model = new Perceptron<number>({ engine, maxEpochs: 1, warmStart: true }).fit(X, y);
  const saved = JSON.stringify(model);
  const wide = { data: X.data, rows: 200, cols: 128 };
  const list = Array.from({ length: X.rows }, (_, i) => [...X.data.subarray(i * 64, (i + 1) * 64)]);
  const ragged = [...list.slice(0, 399), [1, 2]];
  const columns = 'X has 128 columns, the model was fitted on 64';
  const wrong: [() => unknown, string][] = [
    [() => model.fit(wide, y.slice(0, 200)), columns],
    [() => model.predict(wide), columns],
    [() => model.fit(X, y.slice(1)), 'y has 399 labels, X has 400 rows'],
    [() => model.fit(X, [...y.slice(1), 7]), 'y[399] is 7, which is not one of the classes -1 and 1'],
    [() => model.fit(ragged, y), 'X row 399 has 2 values, expected 64'],
    [() => model.predict(ragged), 'X row 399 has 2 values, expected 64'],
    [() => model.fit({ ...X, rows: 401 }, y), 'X.data has 25600 values, expected 25664 (401 rows × 64 columns)'],
    [() => new Perceptron({ engine }).fit(X, new Int8Array(400)), 'y has one class only (0); a classifier needs two'],
  ];
  for (const [act, message] of wrong) expect(act).toThrow(new RangeError(message));
  expect(JSON.stringify(model)).toBe(saved);
  expect(blocksIn(engine)).toBe(0);
});

test('a memory for not even a dozen rows says what it said before', () => {
  const engine = createEngine({ maxMemoryBytes: 65536 });
  const X = { data: new Float64Array(40_000), rows: 40, cols: 1000 };
  const y = Array.from({ length: 40 }, (_, i) => i % 2);
  const message =
    /^no room for 40 × 1000 values: 320000 bytes \(0.3 MiB\) asked for, 0 MiB in use of at most 0.1 MiB; /;
  expect(() => new Perceptron({ engine }).fit(X, y)).toThrow(message);
  const model = new Perceptron({ engine }).fit({ data: X.data.map((_, k) => k % 3), rows: 2, cols: 1000 }, [0, 1]);
  expect(() => model.predict(X)).toThrow(message);
  expect(blocksIn(engine)).toBe(0);
});

test('the dual form, kernels, and rows that are in the memory already still want all of it', () => {
  const { X, signs: y, codes } = large;
  const engine = little();
  const noRoom = /^no room for 400 × 64 values: 204800 bytes/;
  expect(() => new DualPerceptron({ engine, gram: 'rows' }).fit(X, y)).toThrow(noRoom);
  expect(() => new MulticlassPerceptron({ engine, kernel: 'rbf', gram: 'rows' }).fit(X, codes)).toThrow(noRoom);
  const small = { ...X, rows: 60 };
  expect(() => new DualPerceptron({ engine }).fit(small, y.slice(0, 60)).predict(X)).toThrow(noRoom);
  const matrix = DenseMatrix.allocate(16_000, 1, { engine });
  matrix.data.set(X.data.subarray(0, 16_000));
  const labels = Array.from({ length: 16_000 }, (_, i) => i % 2);
  expect(() => new Perceptron({ engine }).fit(matrix, labels)).toThrow(/^no room for weights and labels of 16000 × 1 /);
  matrix.dispose();
  expect(blocksIn(engine)).toBe(0);
});

test('rows that are taken away during fitAsync end it, and leave the model as it was', async () => {
  const { X, signs: y } = large;
  const engine = little();
  const model = new Perceptron<number>({ engine, maxEpochs: 2, warmStart: true }).fit(X, y);
  const saved = JSON.stringify(model);
  const copy = { ...X, data: X.data.slice() };
  const forever = { order: 'random' as const, margin: 1e9, maxEpochs: 1e6 };
  const running = new Perceptron<number>({ engine, ...forever }).fitAsync(copy, y);
  setTimeout(() => structuredClone(copy.data.buffer, { transfer: [copy.data.buffer as ArrayBuffer] }), 5);
  await expect(running).rejects.toThrow(new RangeError('X.data was detached or made shorter while it was in use'));

  const matrix = DenseMatrix.from(X);
  const other = new Perceptron<number>({ engine, ...forever }).fitAsync(matrix, y);
  setTimeout(() => matrix.dispose(), 5);
  await expect(other).rejects.toThrow(new Error('X.data is a view into a DenseMatrix that was disposed'));

  const abort = new AbortController();
  const third = new Perceptron<number>({ engine, ...forever }).fitAsync(X, y, { signal: abort.signal });
  setTimeout(() => abort.abort(new Error('enough')), 5);
  await expect(third).rejects.toThrow('enough');
  expect(JSON.stringify(model)).toBe(saved);
  expect(blocksIn(engine)).toBe(0);
});
