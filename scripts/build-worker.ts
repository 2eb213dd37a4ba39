// Builds the script that worker threads run, src/worker/thread.ts, into one generated module, src/worker/source.ts: workers
// are started from it as a string, so that no bundler needs to know. dist/worker.js is the same script as a file.

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
});
const script = (outputFiles[0] as { text: string }).text.trim();
const module = [
  '// Made by scripts/build-worker.ts from src/worker/thread.ts.',
  '',
  '/** What a worker thread runs. */',
  `export const source = ${JSON.stringify(script)};`,
  '',
].join('\n');
const made = 'src/worker/source.ts';
// Only if it has changed: what is built from it need not be built anew.
if (!existsSync(made) || readFileSync(made, 'utf8') !== module) writeFileSync(made, module);
mkdirSync('build', { recursive: true });
writeFileSync('build/worker.js', `${script}\n`);
console.log(`worker: ${script.length} bytes`);
