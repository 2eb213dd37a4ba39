// What a page or an edge function loads of perceptron-wasm/predict: little, and no WebAssembly.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { DualPerceptron } from '../../src/index.js';

const root = resolve(import.meta.dirname, '../..');
let code: string;
let parts: string[];

/** The entry as a bundler makes it. */
const bundle = () =>
  build({
    absWorkingDir: root,
    entryPoints: ['src/predict/index.ts'],
    bundle: true,
    minify: true,
    format: 'cjs',
    target: 'es2022',
    write: false,
    metafile: true,
  });

beforeAll(async () => {
  const { outputFiles, metafile } = await bundle();
  code = outputFiles[0]!.text;
  parts = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
});

test('the published module is at most 12 kB gzip, text, tables and calibration included', () => {
  expect(gzipSync(readFileSync(resolve(root, 'dist/predict.js')), { level: 9 }).length).toBeLessThanOrEqual(12_000);
});

test('the entry has nothing of WebAssembly, of training, of threads and of their memory in it', () => {
  expect(code).not.toMatch(/WebAssembly|Worker|SharedArrayBuffer|Atomics/);
  expect(parts.filter((path) => /^src\/(train|worker|async|memory|io|cli|engine\/(?!js\/))/.test(path))).toEqual([]);
  expect(parts).toContain('src/predict/load.ts');
});

test('the entry predicts where no code may be made of text and there is no WebAssembly', () => {
  const X = [
    [0, 0],
    [1, 1],
    [0, 1],
    [1, 0],
  ];
  const model = new DualPerceptron({ kernel: 'rbf' }).fit(X, [-1, -1, 1, 1]);
  const text = JSON.stringify([model, X]);
  const context = createContext(
    { module: { exports: {} }, text, TextEncoder },
    { codeGeneration: { strings: false, wasm: false } },
  );
  runInContext('delete globalThis.WebAssembly', context);
  runInContext(code, context);
  const script = `(() => {
    const [json, X] = JSON.parse(text);
    return JSON.stringify([...module.exports.loadPredictor(json).decisionFunction(X)]);
  })()`;
  expect(runInContext(script, context)).toBe(JSON.stringify([...model.decisionFunction(X)]));
});
