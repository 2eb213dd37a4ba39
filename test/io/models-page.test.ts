// docs/models.md does what it says: its TypeScript prints what its `// →` comments promise. Its Python: sklearn.test.ts.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { expect, test } from 'vitest';
import * as core from '../../src/index.js';
import * as io from '../../src/io/index.js';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/models.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , code]) => code as string);
const modules: Record<string, unknown> = {
  'perceptron-wasm': core,
  'perceptron-wasm/io': io,
};

test.each(blocks('ts').map((code, i) => [i + 1, code] as const))(
  'its block %i prints what it promises',
  async (_i, code) => {
    const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
    const { outputText } = transpileModule(code, { compilerOptions });
    const printed: string[] = [];
    const log = (...values: unknown[]) =>
      printed.push(values.map((v) => (typeof v === 'string' ? v : inspect(v))).join(' '));
    const Program = (async () => {}).constructor as FunctionConstructor;
    await new Program('require', 'exports', 'console', outputText)((name: string) => modules[name], {}, { log });
    expect(printed).toEqual([...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text));
    expect(printed.length).toBeGreaterThan(0);
  },
);

test('it has Python for each direction, of some ten lines', () => {
  expect(blocks('python').length).toBe(2);
  for (const code of blocks('python')) expect(code.trim().split('\n').length).toBeLessThanOrEqual(12);
});
