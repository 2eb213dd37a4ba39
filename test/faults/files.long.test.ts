// Every file operation of the command fails in turn, as on a bad disk: one clear error and status 1, the old file unchanged or the
// new one complete, no temporary file left.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, root } from '../cli/command.js';

const top = mkdtempSync(join(tmpdir(), 'perceptron-faults-'));
const folder = join(top, 'files');
const log = join(top, 'operations');
afterAll(() => rmSync(top, { recursive: true, force: true }));

const rows = Array.from({ length: 30 }, (_, i) => `${(i * 7) % 11},${(i * 5) % 13},${(i * 7) % 11 > 5 ? 'a' : 'b'}`);
const csv = `x,y,class\n${rows.join('\n')}\n`;

interface Run {
  status: number | null;
  stderr: string;
  /** The operations on files, in order. */
  operations: string[];
}

function run(args: string[], at: number): Run {
  rmSync(log, { force: true });
  const preload = pathToFileURL(join(root, 'test/faults/fail-file.mjs')).href;
  const { status, stderr } = spawnSync(process.execPath, ['--import', preload, cli, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, FAULT_FOLDER: folder, FAULT_AT: String(at), FAULT_LOG: log },
  });
  const operations = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  return { status, stderr, operations };
}

let model = '';
const file = (name: string) => join(folder, name);

beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(file('data.csv'), csv);
  expect(run(['train', '--plain', file('data.csv'), '-o', file('model.json')], 0).status).toBe(0);
  model = readFileSync(file('model.json'), 'utf8');
});

const commands: [string, string[], string][] = [
  ['train, a new file', ['train', '--plain', file('data.csv'), '-o', file('new.json')], 'new.json'],
  [
    'train, over an old file',
    ['train', '--plain', file('data.csv'), '--epochs', '3', '-o', file('old.json')],
    'old.json',
  ],
  ['train, compressed', ['train', '--plain', file('data.csv'), '-o', file('new.json.gz')], 'new.json.gz'],
  ['predict', ['predict', file('model.json'), file('data.csv'), '-o', file('labels.txt')], 'labels.txt'],
];

test.each(commands)('%s', (name, args, output) => {
  const prepare = () => {
    for (const left of readdirSync(folder)) rmSync(file(left));
    writeFileSync(file('data.csv'), csv);
    writeFileSync(file('model.json'), model);
    if (name.includes('old')) writeFileSync(file(output), 'the old file');
  };
  prepare();
  const inputs = [...readdirSync(folder), output].sort();
  const whole = run(args, 0);
  expect(whole).toMatchObject({ status: 0 });
  const expected = readFileSync(file(output));
  expect(whole.operations.length).toBeGreaterThan(5);
  for (let at = 1; at <= whole.operations.length; at++) {
    prepare();
    const before = existsSync(file(output)) ? readFileSync(file(output)) : undefined;
    const { status, stderr, operations } = run(args, at);
    const what = `operation ${at}, ${operations[at - 1]}: ${stderr}`;
    const after = existsSync(file(output)) ? readFileSync(file(output)) : undefined;
    // Some operations only look at something, and the command can do without their answer.
    if (status === 0) expect(after, what).toEqual(expected);
    else {
      expect(status, what).toBe(1);
      expect(stderr, what).toMatch(/^perceptron-wasm \w+: .*(\bEIO\b|input\/output error)/m);
      expect(stderr, what).not.toMatch(/\n\s+at /);
      // After the rename the new file is there, whole; before it, nothing has changed.
      if (!after?.equals(expected)) expect(after, what).toEqual(before);
    }
    const left = readdirSync(folder).filter((found) => !inputs.includes(found));
    expect(left, what).toEqual([]);
  }
});
