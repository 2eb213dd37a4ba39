// Strips the types from bench/ into build/bench/, for plain.ts: no loader takes part in a measurement. Measuring under tsx
// would flatter us: importing a CommonJS package (Benchmark.js) through it detaches an ArrayBuffer in the main
// thread (seen with `node --trace-protector-invalidation --import tsx`), and once that has happened V8 checks
// every access to a typed array. The baseline's loop then takes 2.2 ms instead of 1.8 for 1000 × 1000; the
// kernels take no notice.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { STRIPPED as TO } from './plain.js';

const FROM = fileURLToPath(new URL('..', import.meta.url));

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
};

/** What baselines borrow from src/, so that they draw what we draw. */
const BORROWED = ['../src/random.ts'];

/** Strips the types from everything in bench/. Files that are as they should be stay: another run may be using them. */
export function stripTypes(): void {
  for (const name of readdirSync(FROM, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.mjs')) put(join(TO, name), readFileSync(join(FROM, name), 'utf8'));
    if (name.endsWith('.ts')) strip(name);
  }
  for (const name of BORROWED) strip(name);
}

/** A file, named from bench/, to the same place from build/bench/. */
function strip(name: string): void {
  const { outputText } = ts.transpileModule(readFileSync(join(FROM, name), 'utf8'), { compilerOptions });
  put(join(TO, name).replace(/\.ts$/, '.js'), outputText);
}

/** Whole at once, and only if it is news. */
function put(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const half = `${path}.${process.pid}`;
  writeFileSync(half, text);
  renameSync(half, path);
}
