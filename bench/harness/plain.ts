// Runs a question in a plain node process: types stripped into build/bench/, no loader. Measuring under tsx
// would flatter us: importing a CommonJS package (Benchmark.js) through it detaches an ArrayBuffer in the main
// thread (seen with `node --trace-protector-invalidation --import tsx`), and once that has happened V8 checks
// every access to a typed array. The baseline's loop then takes 2.2 ms instead of 1.8 for 1000 × 1000; the
// kernels take no notice.

import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Message } from './question.js';
import type { Mode } from './results.js';

const FROM = fileURLToPath(new URL('..', import.meta.url));
/** Inside the package, so that 'perceptron-wasm' means dist/ there too. */
const TO = fileURLToPath(new URL('../../build/bench/', import.meta.url));

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
};

/** What baselines borrow from src/, so that they draw what we draw; it imports nothing. */
const BORROWED = '../src/train/random.ts';

/** Strips the types from everything in bench/. Files that are as they should be stay: another run may be using them. */
export function stripTypes(): void {
  for (const name of readdirSync(FROM, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.mjs')) put(join(TO, name), readFileSync(join(FROM, name), 'utf8'));
    if (name.endsWith('.ts')) strip(name);
  }
  strip(BORROWED);
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

interface Running {
  mode: Mode;
  onMessage: (message: Message) => void;
  /** Its end is the question's: asked to at first, made to after a while. */
  signal?: AbortSignal;
}

/** How long a question may take to tidy up. */
const GRACE_MS = 2000;

/** Runs bench/questions/NAME.ts, stripped before, to its end; rejects if it fails. It has nothing to say but messages. */
export function runPlain(name: string, { mode, onMessage, signal }: Running): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PERCEPTRON_BENCH_MODE: mode };
    const child = fork(join(TO, 'questions', `${name}.js`), {
      env,
      execArgv: [],
      // What somebody prints must not come between the lines of a report, or into its JSON.
      stdio: ['ignore', 2, 'inherit', 'ipc'],
    });
    const end = (): void => {
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
    };
    signal?.addEventListener('abort', end, { once: true });
    child.on('message', (message) => onMessage(message as Message));
    child.on('error', reject);
    child.on('close', (code, ending) => {
      signal?.removeEventListener('abort', end);
      if (code === 0) resolve();
      else reject(new Error(`bench/questions/${name}.ts ended with ${ending ?? `exit status ${code}`}`));
    });
  });
}
