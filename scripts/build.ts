// Builds everything that is published: kernels, the worker's script, bundles, types. What is up to date is left alone, so that
// `npm ci`, which builds, and `npm test` after it do not do the same work twice.

import { execSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The latest change of a file, or of a folder and all in it: a file that was deleted changes its folder. */
function latest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => latest(join(path, name))));
}

const run = (command: string) => execSync(command, { stdio: 'inherit' });

const sources = ['src', 'assembly', 'scripts', 'asconfig.json', 'tsconfig.json', 'tsup.config.ts', 'package.json'];
/** Written last: what it stands for is whole. */
const stamp = 'build/dist.stamp';

run('npm run --silent build:wasm');
if (
  existsSync(stamp) &&
  existsSync('dist') &&
  // Or as old: clocks of file systems go in steps of some milliseconds, and the last file of dist is as young as the stamp.
  statSync(stamp).mtimeMs >= Math.max(...sources.map(latest), latest('dist'))
) {
  console.log('dist: up to date');
} else {
  rmSync('dist', { recursive: true, force: true });
  run('npx tsup --silent');
  run('node scripts/beside-types.mjs');
  run('node scripts/copy-files.mjs');
  writeFileSync(stamp, '');
}
