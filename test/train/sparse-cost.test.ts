// What sparse rows cost: memory by the values that are stored, and a few vectors as long as there are columns.

import { expect, test } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type Engine,
  gram,
  loadModel,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  Scaler,
  SparseMatrix,
} from '../../src/index.js';
import { Random } from '../../src/random.js';
import { someEngines as engines } from '../engines.js';

const MiB = 2 ** 20;
const [ROWS, COLS, LENGTH] = [1000, 2_000_000, 20];
/** A vector as long as there are columns: 15.3 MiB. */
const VECTOR = 8 * COLS;

/** Rows of 20 values, as text has them: some columns are in many rows, most in none. */
function wideRows(rows: number) {
  const random = Random.seeded(9);
  const indices: number[] = [];
  const y: number[] = [];
  for (let i = 0; i < rows; i++) {
    const own = new Set<number>();
    while (own.size < LENGTH) own.add(random.below(own.size % 2 ? 500 : COLS));
    indices.push(...[...own].sort((a, b) => a - b));
    y.push(random.below(3));
  }
  y.splice(0, 3, 0, 1, 2);
  return {
    X: {
      values: Float64Array.from(indices, () => 1 + random.below(9) / 8),
      indices: Uint32Array.from(indices),
      indptr: Uint32Array.from({ length: rows + 1 }, (_, i) => LENGTH * i),
      cols: COLS,
    },
    three: y,
    two: y.map((label) => (label > 0 ? 1 : 0)),
  };
}
const { X, two } = wideRows(ROWS);
/** Values, columns and table. */
const ROW_BYTES = (12 * LENGTH + 16) * ROWS;

/** The most that lives in an engine's memory while it trains, and nothing afterwards. */
function mostOf(engine: Engine, train: (onEpoch: () => void) => void): number {
  const { arena } = resolveEngine(engine);
  let most = 0;
  train(() => {
    most = Math.max(most, arena.usage.liveBytes);
  });
  expect(most).toBeGreaterThan(0);
  expect(arena.usage).toMatchObject({ liveBytes: 0, blocks: 0 });
  return most;
}

test.each(engines)('%s: a fit takes one vector of columns, averaging one more, and the rows', (kind) => {
  for (const [k, order] of (['cyclic', 'shuffle', 'batch'] as const).entries()) {
    for (const average of [false, true].slice(0, k === 0 ? 2 : 1)) {
      const engine = createEngine({ kind });
      const most = mostOf(engine, (onEpoch) =>
        new Perceptron<number>({ engine, order, average, maxEpochs: 2, onEpoch }).fit(X, two),
      );
      expect(most).toBeLessThan((average ? 2 : 1) * VECTOR + ROW_BYTES + 64 * 1024);
    }
  }
});

test.each(engines)(
  '%s: training, prediction and diagnosis do with the memory of three vectors and the rows',
  (kind) => {
    const engine = createEngine({ kind, maxMemoryBytes: 3 * VECTOR + 4 * MiB });
    const own = SparseMatrix.from(X, { engine });
    const model = new Perceptron<number>({ engine, average: true, maxEpochs: 5 }).fit(own, two);
    expect(model.weights).toHaveLength(COLS);
    expect(model.predict(own)).toHaveLength(ROWS);
    expect(model.score(own, two)).toBeGreaterThan(0.6);
    expect(model.diagnose(own, two).samples).toBe(ROWS);
    expect(model.partialFit(own, two).report.mistakes).toBeGreaterThan(0);
    own.dispose();
    expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
    // Stored densely they would take 16 GB.
    expect(() => DenseMatrix.from(X, { engine })).toThrow(/^no room for a 1000 × 2000000 float64 matrix/);
  },
);

test('random order and the pocket: the products of the rows, and not more', () => {
  const some = wideRows(60);
  const engine = createEngine();
  for (const make of [
    (onEpoch: () => void) => new Perceptron<number>({ engine, order: 'random', maxEpochs: 1, onEpoch }),
    (onEpoch: () => void) => new PocketPerceptron<number>({ engine, order: 'cyclic', maxEpochs: 1, onEpoch }),
  ]) {
    const most = mostOf(engine, (onEpoch) => make(onEpoch).fit(some.X, some.two));
    // Rows, and rows by columns with the end of each (a word a column); products of all pairs and some lists.
    expect(most).toBeLessThan(VECTOR + VECTOR / 2 + 2 * (12 * LENGTH + 32) * 60 + 8 * 60 * 70 + 64 * 1024);
  }
});

test('many classes take a few vectors for each', () => {
  const some = wideRows(100);
  for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
    for (const average of [false, true]) {
      const engine = createEngine();
      const most = mostOf(engine, (onEpoch) =>
        new MulticlassPerceptron<number>({ engine, strategy, average, maxEpochs: 1, onEpoch }).fit(some.X, some.three),
      );
      expect(most).toBeLessThan((average ? 6 : 3) * VECTOR + VECTOR + MiB);
    }
  }
});

test.each(engines)('%s: the dual form takes a word a column, the rows twice, and Gram rows', (kind) => {
  const some = wideRows(300);
  for (const [kernel, mode] of [
    ['linear', 'full'],
    [{ type: 'rbf', gamma: 0.05 }, 'full'],
    [{ type: 'rbf', gamma: 0.05 }, 'rows'],
  ] as const) {
    const engine = createEngine({ kind });
    const most = mostOf(engine, (onEpoch) =>
      new DualPerceptron<number>({ engine, kernel, gram: mode, maxEpochs: 2, onEpoch }).fit(some.X, some.two),
    );
    expect(most).toBeLessThan(4 * COLS + 2 * (12 * LENGTH + 32) * 300 + 8 * 300 * 300 + 256 * 1024);
  }
  const engine = createEngine({ kind });
  const G = gram(some.X, { engine });
  expect(resolveEngine(engine).arena.usage.liveBytes).toBeLessThan(8 * 300 * 300 + 1024);
  G.dispose();
});

test('a kernel model of 200 supports of two million columns is a small file that reads back to the bit', () => {
  const some = wideRows(400);
  for (const model of [
    new DualPerceptron<number>({ kernel: { type: 'rbf', gamma: 0.05 }, maxEpochs: 3, average: true }),
    new MulticlassPerceptron<number>({ kernel: { type: 'rbf', gamma: 0.05 }, maxEpochs: 3 }),
    new MulticlassPerceptron<number>({ kernel: 'linear', strategy: 'multinomial', maxEpochs: 3 }),
  ]) {
    const y = model instanceof DualPerceptron ? some.two : some.three;
    model.fit(some.X, y);
    const text = JSON.stringify(model);
    const file = JSON.parse(text) as { supports: { indices: number[] } };
    expect(file.supports.indices.length).toBeGreaterThan(200);
    expect(text.length).toBeLessThan(40 * LENGTH * 400 + 100_000);
    const loaded = loadModel(file);
    expect(JSON.stringify(loaded)).toBe(text);
    expect(loaded.predict(some.X)).toEqual(model.predict(some.X));
  }
});

test('scaling keeps rows sparse', () => {
  const engineMemory = resolveEngine('auto').arena;
  const before = engineMemory.usage.liveBytes;
  using scaled = new Scaler({ kind: 'unit-ball' }).fitTransform(X) as SparseMatrix;
  expect([scaled.rows, scaled.cols, scaled.nonZeros]).toEqual([ROWS, COLS, LENGTH * ROWS]);
  expect(engineMemory.usage.liveBytes - before).toBeLessThan(1.4 * ROW_BYTES);
});
