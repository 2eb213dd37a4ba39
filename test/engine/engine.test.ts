import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import { createEngine, DenseMatrix, type Engine, Perceptron, prepareEngine } from '../../src/index.js';
import { engines } from '../engines.js';

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];
const y = [1, 1, -1];

test('auto is SIMD here, with no reason to give', () => {
  expect(resolveEngine('auto').kind).toBe('wasm-simd');
  expect(resolveEngine().reason).toBeUndefined();
  expect(new Perceptron().fit(X, y).report).not.toHaveProperty('engineReason');
});

test('prepareEngine resolves to what auto means', async () => {
  expect(await prepareEngine()).toBe(resolveEngine('auto'));
});

test.each(engines)('an engine of its own, %s, trains in its own memory and copies foreign matrices in', (kind) => {
  const engine = createEngine({ kind, maxMemoryBytes: 2 ** 20 });
  expect(engine.kind).toBe(kind);
  using shared = DenseMatrix.from(X);
  using own = DenseMatrix.from(X, { engine });
  expect(own.data.buffer).not.toBe(shared.data.buffer);
  for (const rows of [X, shared, own]) {
    const model = new Perceptron({ engine }).fit(rows, y);
    expect([...model.weights, model.bias]).toEqual([1, 1, -3]);
    expect(model.report.engine).toBe(kind);
  }
  expect(() =>
    new Perceptron({ engine }).fit({ data: new Float64Array(2 ** 18), rows: 2, cols: 2 ** 17 }, [1, -1]),
  ).toThrow(/^no room for 2 × 131072 values: 2097152 bytes \(2 MiB\) asked for, .*dispose\(\) matrices/);
  expect(new Perceptron({ engine }).fit(own, y).report.converged).toBe(true);
});

test.each(['simd', 'scalar'] as const)('a module compiled by the caller from %s.wasm is an engine', (target) => {
  const module = new WebAssembly.Module(readFileSync(new URL(`../../build/${target}.wasm`, import.meta.url)));
  const engine = createEngine({ kind: `wasm-${target}`, module });
  expect(new Perceptron({ engine }).fit(X, y).report).toMatchObject({ engine: `wasm-${target}`, mistakes: 7 });
});

test('a module of something else is refused', () => {
  const module = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  expect(() => createEngine({ module, kind: 'wasm-simd' })).toThrow(
    new TypeError('"module" is not a module of perceptron-wasm: it does not export "run"'),
  );
  expect(() => createEngine({ module: {} as WebAssembly.Module })).toThrow(
    new TypeError('"module" must be a WebAssembly.Module, got an object'),
  );
});

test('all engines run over the same memory: a matrix made once serves them all', () => {
  using matrix = DenseMatrix.from(X);
  for (const engine of engines) expect(new Perceptron({ engine }).fit(matrix, y).report.mistakes).toBe(7);
  expect([...matrix.data]).toEqual([3, 3, 4, 3, 1, 1]);
});

test('memory is shared with threads to come, where the platform can', () => {
  expect(DenseMatrix.allocate(1, 1).data.buffer).toBeInstanceOf(SharedArrayBuffer);
});

// ---- memory that is not shared, as on a page without isolation: growth detaches views -----------------

/** An engine over unshared memory: a module as published imports no other. */
function unshared(): Engine {
  const module = new WebAssembly.Module(readFileSync(new URL('../../build/simd.wasm', import.meta.url)));
  return createEngine({ kind: 'wasm-simd', module });
}

test('rows, data and labels that are views of our own survive the growth that they cause', () => {
  const engine = unshared();
  const rows = 3000;
  const M = DenseMatrix.allocate(rows, 2, { engine });
  expect(M.data.buffer).not.toBeInstanceOf(SharedArrayBuffer);
  M.data.forEach((_, i) => {
    M.data[i] = ((i * 7919) % 101) - 50;
  });
  const labels = DenseMatrix.allocate(rows, 1, { engine });
  labels.data.forEach((_, i) => {
    labels.data[i] = M.data[2 * i]! > 0 ? 1 : -1;
  });
  const plain = Array.from({ length: rows }, (_, i) => [...M.row(i)]);
  const y = [...labels.data];
  const expected = JSON.stringify(new Perceptron({ maxEpochs: 3 }).fit(plain, y));
  const list = Array.from({ length: rows }, (_, i) => M.row(i));
  const { data } = M;
  const stale = labels.data;
  expect(JSON.stringify(new Perceptron({ engine, maxEpochs: 3 }).fit(list, stale))).toBe(expected);
  DenseMatrix.allocate(1000, 1000, { engine }).dispose(); // grows: every view from before is detached now
  expect(data.length).toBe(0);
  expect(JSON.stringify(new Perceptron({ engine, maxEpochs: 3 }).fit({ data, rows, cols: 2 }, stale))).toBe(expected);
  expect(JSON.stringify(new Perceptron({ engine, maxEpochs: 3 }).fit(list, y))).toBe(expected);
  expect([...DenseMatrix.from({ data, rows, cols: 2 }, { engine }).data]).toEqual(plain.flat());
});

test('callbacks may allocate: the fit goes on over the grown memory, and its weights can be read again', () => {
  const engine = unshared();
  let [updates, readable] = [0, 0];
  const options = { engine, order: 'random', validationFraction: 0.2, maxEpochs: 4 } as const;
  const rows = Array.from({ length: 20 }, (_, i) => [i % 7, (i * 5) % 11]);
  const labels = rows.map((_, i) => i % 3 > 0);
  const model = new Perceptron({
    ...options,
    onUpdate(update) {
      updates++;
      DenseMatrix.allocate(64, 1024 * (1 + (updates % 3)), { engine });
      if (update.weights?.length === 2) readable++;
    },
    onEpoch: () => void DenseMatrix.allocate(64, 2048, { engine }),
  }).fit(rows, labels);
  expect(readable).toBe(updates);
  expect(updates).toBe(model.report.mistakes);
  expect(JSON.stringify(model)).toBe(JSON.stringify(new Perceptron({ ...options, engine: 'js' }).fit(rows, labels)));
});
