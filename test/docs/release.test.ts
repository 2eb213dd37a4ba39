// What a release publishes besides code: README.md with pictures that npm finds, and workflows that call what there is.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addressOf, picturesOf, withAbsolutePictures } from '../../scripts/release/readme.js';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test.each([
  'https://github.com/owner/name',
  'git+https://github.com/owner/name.git',
  'git@github.com:owner/name.git',
  'git+ssh://git@github.com/owner/name.git',
])('understands the address %s', (address) => {
  expect(addressOf(address)).toBe('https://github.com/owner/name');
});

test('refuses the address of a host whose pictures it cannot name', () => {
  expect(() => addressOf('https://example.org/owner/name')).toThrow(
    new RangeError('the repository must be https://github.com/OWNER/NAME, got https://example.org/owner/name'),
  );
});

describe('README.md of the package', () => {
  test('has the pictures of the tag, by absolute addresses, and is the same otherwise', () => {
    const published = withAbsolutePictures(readme, 'https://github.com/owner/name', '1.2.3');
    const files = 'https://raw.githubusercontent.com/owner/name/v1.2.3/';
    expect(picturesOf(readme).length).toBeGreaterThan(0);
    expect(picturesOf(published)).toEqual([]);
    expect(published.replaceAll(files, '')).toBe(readme);
  });

  test('is put before npm packs, and the old one is restored', () => {
    const folder = mkdtempSync(join(tmpdir(), 'perceptron-pack-'));
    try {
      const repository = { url: 'https://github.com/owner/name' };
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.2.3', repository }));
      writeFileSync(join(folder, 'README.md'), '![a](docs/a.png)');
      const run = (step: string) => {
        const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
        execFileSync(process.execPath, [tsx, join(root, 'scripts/pack-readme.ts'), step], { cwd: folder });
        return readFileSync(join(folder, 'README.md'), 'utf8');
      };
      expect(run('put')).toBe('![a](https://raw.githubusercontent.com/owner/name/v1.2.3/docs/a.png)');
      expect(run('restore')).toBe('![a](docs/a.png)');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('workflows', () => {
  const folder = join(root, '.github/workflows');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

  test.each(readdirSync(folder))('%s runs scripts that package.json has', (name) => {
    const called = [...readFileSync(join(folder, name), 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(
      ([, script]) => script,
    );
    expect(called.filter((script) => !((script as string) in scripts))).toEqual([]);
  });
});
