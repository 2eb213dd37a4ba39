import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import { createEngine, DenseMatrix, Perceptron, prepareEngine } from '../../src/index.js';
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
  expect(() => createEngine({ module })).toThrow(
    new TypeError('"module" is not a module of perceptron-wasm: it does not export "run"'),
  );
  expect(() => createEngine({ module, kind: 'js' })).toThrow(
    new RangeError('"module" is for the wasm engines, but "kind" is \'js\''),
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
