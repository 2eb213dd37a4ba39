// Builds everything that is published: kernels, the worker's script, bundles, types. What is up to date is left alone, so that
// `npm ci`, which builds, and `npm test` after it do not do the same work twice.

import { execSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The latest change of a file, or of a folder and all in it: a file that was deleted changes its folder. */
function latest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => latest(join(path, name))));
}

const run = (command: string) => execSync(command, { stdio: 'inherit' });

const sources = ['src', 'assembly', 'scripts', 'asconfig.json', 'tsconfig.json', 'tsup.config.ts', 'package.json'];
/** Written last: what it stands for is whole. It tells how young the sources were before: what changes meanwhile is built next time. */
const stamp = 'build/dist.stamp';

run('npm run --silent build:wasm');
const youngest = String(Math.max(...sources.map(latest)));
if (
  existsSync(stamp) &&
  existsSync('dist') &&
  readFileSync(stamp, 'utf8') === youngest &&
  // Or as old: clocks of file systems go in steps of some milliseconds, and the last file of dist is as young as the stamp.
  statSync(stamp).mtimeMs >= latest('dist')
) {
  console.log('dist: up to date');
} else {
  rmSync('dist', { recursive: true, force: true });
  run('npx tsup --silent');
  run('node scripts/beside-types.mjs');
  run('node scripts/copy-files.mjs');
  writeFileSync(stamp, youngest);
}
