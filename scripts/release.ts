// `npm run release:check` says what a release still lacks. `npm run release:check -- --fill ADDRESS` writes the address of the
// repository, which is in one place of package.json, and what follows from it: "homepage" and "bugs".

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { addressOf, picturesOf, withAbsolutePictures } from './release/readme.js';

const root = resolve(import.meta.dirname, '..');
const at = (path: string) => resolve(root, path);
const text = (path: string) => readFileSync(at(path), 'utf8');

interface Manifest {
  version: string;
  repository?: { type: string; url: string };
  homepage?: string;
  bugs?: { url: string };
}

/** What the owner must fill in; nobody else can know it. */
const owner: string[] = [];
/** What is wrong with the release itself. */
const faults: string[] = [];

function fill(address: string): void {
  const url = addressOf(address);
  const manifest = JSON.parse(text('package.json'));
  const own = {
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
  };
  const { name, version, description, ...rest } = manifest;
  writeFileSync(at('package.json'), `${JSON.stringify({ name, version, description, ...rest, ...own }, null, 2)}\n`);
}

function checkAddress({ repository, homepage, bugs }: Manifest): void {
  if (!repository?.url) {
    owner.push('the address of the repository: npm run release:check -- --fill https://github.com/OWNER/NAME');
    return;
  }
  const url = addressOf(repository.url);
  if (homepage !== `${url}#readme`) faults.push(`package.json: "homepage" is not ${url}#readme`);
  if (bugs?.url !== `${url}/issues`) faults.push(`package.json: "bugs" is not ${url}/issues`);
}

function checkVersion({ version }: Manifest): void {
  const lock = JSON.parse(text('package-lock.json'));
  for (const found of [lock.version, lock.packages[''].version]) {
    if (found !== version)
      faults.push(`package-lock.json: the version is ${found}, not ${version}: npm install --package-lock-only`);
  }
  const heading = text('CHANGELOG.md').match(/^## \[(.*?)\](.*)$/m);
  if (heading?.[1] !== version) faults.push(`CHANGELOG.md: the first heading is of ${heading?.[1]}, not ${version}`);
  else if (!/^ - \d{4}-\d\d-\d\d$/.test(heading[2] as string)) {
    owner.push(`the day of the release: CHANGELOG.md, "## [${version}] - YYYY-MM-DD"`);
  }
}

/** What `npm pack` would publish. */
function checkTarball({ repository, version }: Manifest): void {
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'], {
      cwd: root,
      encoding: 'utf8',
    }),
  ) as [{ files: { path: string }[] }];
  const paths = new Set(files.map(({ path }) => path));
  for (const wanted of [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/cli.licenses.txt',
  ]) {
    if (!paths.has(wanted)) faults.push(`npm pack: ${wanted} is missing`);
  }
  for (const path of paths) {
    if (!/^(dist|docs|examples)\/|^(CHANGELOG|README)\.md$|^LICENSE$|^package\.json$/.test(path)) {
      faults.push(`npm pack: ${path} should not be there`);
    }
  }
  const readme = text('README.md');
  for (const picture of picturesOf(readme))
    if (!existsSync(at(picture))) faults.push(`README.md: ${picture} is not there`);
  if (!repository?.url) return;
  const relative = picturesOf(withAbsolutePictures(readme, repository.url, version));
  for (const picture of relative) faults.push(`README.md: npm would not find ${picture}`);
}

const { values } = parseArgs({ options: { fill: { type: 'string' } } });
if (values.fill !== undefined) fill(values.fill);
const manifest = JSON.parse(text('package.json')) as Manifest;
checkAddress(manifest);
checkVersion(manifest);
checkTarball(manifest);
for (const fault of faults) console.log(`wrong: ${fault}`);
for (const missing of owner) console.log(`to fill in: ${missing}`);
if (faults.length + owner.length === 0) console.log(`version ${manifest.version} lacks nothing`);
process.exitCode = faults.length + owner.length > 0 ? 1 : 0;
