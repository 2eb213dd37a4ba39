// docs/formats.md does what it says: its TypeScript prints what its `// →` comments promise.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { expect, test } from 'vitest';
import * as core from '../../src/index.js';
import * as io from '../../src/io/index.js';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/formats.md'), 'utf8');
const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code], i) => [i + 1, code as string] as const);
const modules: Record<string, unknown> = { 'perceptron-wasm': core, 'perceptron-wasm/io': io };

test.each(blocks)('its block %i prints what it promises', async (_i, code) => {
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  const { outputText } = transpileModule(code, { compilerOptions });
  const printed: string[] = [];
  const log = (...values: unknown[]) =>
    printed.push(values.map((v) => (typeof v === 'string' ? v : inspect(v))).join(' '));
  const run = new Function('require', 'exports', 'console', `return (async () => { ${outputText} })();`);
  await run((name: string) => modules[name], {}, { log });
  expect(printed).toEqual([...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text));
  expect(printed.length).toBeGreaterThan(0);
});
