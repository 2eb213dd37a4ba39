// The script that writes what the README shows of the benchmark.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { essenceOf, publicationOf } from '../../bench/report/publish.js';
import { fixture } from './fixture.js';

const root = resolve(import.meta.dirname, '../..');
const page = (name: string) => readFileSync(join(root, name), 'utf8');
const pages = { readme: page('README.md'), bench: page('bench/README.md') };

describe('npx tsx bench/readme.ts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perceptron-wasm-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'run.json');
  const script = (...args: string[]) =>
    execFileSync(process.execPath, ['--import', 'tsx', 'bench/readme.ts', path, '--root', folder, ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  test('writes what is published, and refuses what is odd unless it is forced to', () => {
    mkdirSync(join(folder, 'bench'));
    writeFileSync(join(folder, 'README.md'), pages.readme);
    writeFileSync(join(folder, 'bench/README.md'), pages.bench);
    writeFileSync(path, JSON.stringify(fixture()));
    script();
    const files = publicationOf(essenceOf(fixture()), pages);
    for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);

    writeFileSync(path, JSON.stringify({ ...fixture(), version: '9.9.9', complete: false }));
    expect(() => script()).toThrow(/--force does it nevertheless/);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).not.toContain('9.9.9');
    script('--force');
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('9.9.9');
  });
});
