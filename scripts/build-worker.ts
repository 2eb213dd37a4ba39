// Builds the scripts that worker threads run, each into one generated module: workers are started from it as a string, so that no
// bundler needs to know. dist/worker.js is the script of the kernels' workers as a file.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/** Bundles a script and writes its module; returns the script. */
async function buildScript(from: string, to: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [from],
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
    `// Made by scripts/build-worker.ts from ${from}.`,
    '',
    '/** What a worker thread runs. */',
    `export const source = ${JSON.stringify(script)};`,
    '',
    '/** What it answers to the first message. */',
    `export const version = ${JSON.stringify(version)};`,
    '',
  ].join('\n');
  // Only if it has changed: what is built from it need not be built anew.
  if (!existsSync(to) || readFileSync(to, 'utf8') !== module) writeFileSync(to, module);
  console.log(`${from}: ${script.length} bytes`);
  return script;
}

const script = await buildScript('src/worker/thread.ts', 'src/worker/source.ts');
mkdirSync('build', { recursive: true });
writeFileSync('build/worker.js', `${script}\n`);
await buildScript('src/io/blockscript.ts', 'src/io/blocksource.ts');
