// The script that writes what the README shows of the benchmark.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { essenceOf, publicationOf } from '../../bench/report/publish.js';
import { fixture } from './fixture.js';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

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
    writeFileSync(join(folder, 'README.md'), readme);
    writeFileSync(path, JSON.stringify(fixture()));
    script();
    const files = publicationOf(essenceOf(fixture()), readme);
    for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);

    writeFileSync(path, JSON.stringify({ ...fixture(), version: '9.9.9', complete: false }));
    expect(() => script()).toThrow(/--force does it nevertheless/);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).not.toContain('9.9.9');
    script('--force');
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('9.9.9');
  });
});
