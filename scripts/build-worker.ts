// Builds the script that worker threads run, src/worker/thread.ts, into one generated module, src/worker/source.ts: workers
// are started from it as a string, so that no bundler needs to know. dist/worker.js is the same script as a file.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const { outputFiles } = await build({
  entryPoints: ['src/worker/thread.ts'],
  bundle: true,
  write: false,
  minify: true,
  format: 'iife',
  target: 'es2022',
  platform: 'neutral',
  define: { VERSION: '"VERSION"' },
});
const draft = (outputFiles[0] as { text: string }).text.trim();
// Numbers of kernels, places in records and what orders mean are all in it: of the same version is the same script, and no other.
const version = createHash('sha256').update(draft).digest('hex').slice(0, 8);
const script = draft.replace('"VERSION"', JSON.stringify(version));
const module = [
  '// Made by scripts/build-worker.ts from src/worker/thread.ts.',
  '',
  '/** What a worker thread runs. */',
  `export const source = ${JSON.stringify(script)};`,
  '',
  '/** What it answers to `Open`. */',
  `export const version = ${JSON.stringify(version)};`,
  '',
].join('\n');
const made = 'src/worker/source.ts';
// Only if it has changed: what is built from it need not be built anew.
if (!existsSync(made) || readFileSync(made, 'utf8') !== module) writeFileSync(made, module);
mkdirSync('build', { recursive: true });
writeFileSync('build/worker.js', `${script}\n`);
console.log(`worker: ${script.length} bytes`);
