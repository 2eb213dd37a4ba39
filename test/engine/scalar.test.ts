// `perceptron-wasm/scalar`: the scalar build is registered, not part of the core. Every test has a core of its own.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { simd } from '../../src/engine/wasm/simd.js';

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];
const y = [1, 1, -1];
const worked = { mistakes: 7, epochs: 6 };
const MESSAGE = "engine 'wasm-scalar' is not available: import 'perceptron-wasm/scalar' first";

const core = () => import('../../src/index.js');
const scalar = () => import('../../src/scalar.js');

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A platform that compiles WebAssembly, but no SIMD. */
function withoutSimd(): void {
  const length = simd.text.replace(/[a-d]/g, '').length;
  class Module extends WebAssembly.Module {
    constructor(bytes: Uint8Array<ArrayBuffer>) {
      if (bytes.length === length) throw new WebAssembly.CompileError('invalid opcode 0xfd');
      super(bytes);
    }
  }
  const compile = async (bytes: Uint8Array<ArrayBuffer>) => new Module(bytes);
  vi.stubGlobal('WebAssembly', Object.create(WebAssembly, { Module: { value: Module }, compile: { value: compile } }));
}

test('asked for by name without the import, it is an error that says what to import', async () => {
  const { createEngine, DenseMatrix, gram, Perceptron } = await core();
  expect(() => new Perceptron({ engine: 'wasm-scalar' })).toThrow(new Error(MESSAGE));
  expect(() => createEngine({ kind: 'wasm-scalar' })).toThrow(new Error(MESSAGE));
  expect(() => gram(X, { engine: 'wasm-scalar' })).toThrow(new Error(MESSAGE));
  expect(() => DenseMatrix.from(X, { engine: 'wasm-scalar' })).toThrow(new Error(MESSAGE));
});

test('the import makes it available, also after it was refused', async () => {
  const { createEngine, Perceptron } = await core();
  expect(() => new Perceptron({ engine: 'wasm-scalar' })).toThrow(MESSAGE);
  await scalar();
  const engine = createEngine({ kind: 'wasm-scalar' });
  for (const each of ['wasm-scalar', engine] as const) {
    expect(new Perceptron({ engine: each }).fit(X, y).report).toMatchObject({ ...worked, engine: 'wasm-scalar' });
  }
  expect(new Perceptron().fit(X, y).report.engine).toBe('wasm-simd');
});

test('compare takes the engines that are registered; one that is asked for and is not is absent, with the reason', async () => {
  const { compare } = await core();
  const options = { forms: ['primal'], budgetMs: 0 } as const;
  const before = compare(X, y, options);
  expect(before.results.map(({ engine }) => engine)).toEqual(['wasm-simd', 'js']);
  expect(before.absent).toEqual([]);
  expect(compare(X, y, { ...options, engines: ['wasm-scalar', 'js'] }).absent).toEqual([
    { form: 'primal', engine: 'wasm-scalar', reason: MESSAGE },
  ]);
  await scalar();
  expect(compare(X, y, options).results.map(({ engine }) => engine)).toEqual(['wasm-simd', 'wasm-scalar', 'js']);
});

test('without SIMD and without the import the core trains in JavaScript, and says why', async () => {
  withoutSimd();
  const { createEngine, Perceptron, prepareEngine } = await core();
  const why = "no wasm-simd: invalid opcode 0xfd; no wasm-scalar: import 'perceptron-wasm/scalar' first";
  expect(new Perceptron().fit(X, y).report).toMatchObject({ ...worked, engine: 'js', engineReason: why });
  expect(createEngine()).toMatchObject({ kind: 'js', reason: why });
  expect((await prepareEngine()).kind).toBe('js');
  expect(() => new Perceptron({ engine: 'wasm-simd' })).toThrow(
    new Error("engine 'wasm-simd' is not available: invalid opcode 0xfd"),
  );
});

test('without SIMD the core falls back to it where it is registered, even if that comes late', async () => {
  withoutSimd();
  const { Perceptron, prepareEngine } = await core();
  const inJavaScript = new Perceptron().fit(X, y);
  expect(inJavaScript.report.engine).toBe('js');
  await scalar();
  const model = new Perceptron().fit(X, y);
  expect(model.report).toMatchObject({
    ...worked,
    engine: 'wasm-scalar',
    engineReason: 'no wasm-simd: invalid opcode 0xfd',
  });
  expect(JSON.stringify(model)).toBe(JSON.stringify(inJavaScript));
  expect((await prepareEngine()).kind).toBe('wasm-scalar');
});

test('without WebAssembly the import changes nothing', async () => {
  vi.stubGlobal('WebAssembly', undefined);
  const { Perceptron } = await core();
  await scalar();
  expect(new Perceptron().fit(X, y).report).toMatchObject({ ...worked, engine: 'js' });
  expect(() => new Perceptron({ engine: 'wasm-scalar' })).toThrow(
    new Error("engine 'wasm-scalar' is not available: this platform has no WebAssembly"),
  );
});
