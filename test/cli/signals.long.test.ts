// Ctrl-C, closed pipes, terminals: what happens to a command from outside.

import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadModel } from '../../src/index.js';
import { cli, type Result, root, run, type Settings, shell, useFolder, worked } from './command.js';

const folder = useFolder();
const here = (args: string[]) => run(args, { cwd: folder.path });

/** No plane separates moons: training goes on for as long as it is let. */
const FOREVER = ['train', '--plain', 'moons.txt', '--epochs', '1000000000'];

beforeAll(async () => {
  folder.write('worked.txt', worked.libsvm);
  expect((await here(['gen', 'moons', '--rows', '2000', '-o', 'moons.txt', '-q'])).status).toBe(0);
  expect((await here(['train', '--plain', 'moons.txt', '--epochs', '3', '-o', 'head.json', '-q'])).status).toBe(0);
});

/** Presses Ctrl-C while the command is at work: later, and later again, if that was too early on a machine that is busy. */
async function interruptedUnless(
  isTooEarly: (result: Result) => boolean,
  args: string[],
  settings: Settings = {},
): Promise<Result> {
  for (let delay = 700; ; delay *= 2) {
    const during = (child: ChildProcess) => void setTimeout(() => child.kill('SIGINT'), delay);
    const result = await run(args, { cwd: folder.path, during, ...settings });
    if (!isTooEarly(result) || delay > 30_000) return result;
  }
}

/** Presses it once training is under way. */
const interrupted = (args: string[], settings?: Settings) =>
  interruptedUnless(({ signal, stderr }) => signal !== null || /nothing was written/.test(stderr), args, settings);

/** Presses it while nothing can have been written yet, as soon as the command listens. */
const interruptedEarly = (args: string[], settings?: Settings) =>
  interruptedUnless(({ signal }) => signal !== null, args, settings);

describe.concurrent('Ctrl-C', () => {
  test.each([
    ['a perceptron', 'plain', []],
    ['a pocket perceptron', 'pocket', ['--trainer', 'pocket']],
    ['a kernel', 'kernel', ['--kernel', 'rbf', '--gamma', '0.001']],
    ['a scaled one', 'scaled', ['--scale', 'unit-ball', '--average']],
  ])('while %s is trained saves it as far as it got, says so, and exits 130', async (_, name, more) => {
    const result = await interrupted([...FOREVER, ...more, '-o', `${name}.json`, '-q']);
    expect(result.stderr).toMatch(
      /^interrupted after [\d,]+ epochs? and [\d,]+ mistakes?; the model so far is saved as \w+\.json\n$/,
    );
    expect(result).toMatchObject({ status: 130, signal: null, stdout: '' });
    const model = loadModel(JSON.parse(folder.read(`${name}.json`)));
    expect(model.report).toMatchObject({ stopReason: 'aborted', converged: false });
    expect(model.report.mistakes).toBeGreaterThan(0);
    const predicted = await here(['predict', `${name}.json`, 'moons.txt', '-q']);
    expect(predicted.stdout.trimEnd().split('\n')).toHaveLength(2000);
  });

  test('without -o says that nothing was saved', async () => {
    const result = await interrupted([...FOREVER, '-q']);
    expect(result.stderr).toMatch(/^interrupted after .*; without -o nothing was saved\n$/);
    expect(result.status).toBe(130);
  });

  test('gives machines the report nevertheless', async () => {
    const result = await interrupted([...FOREVER, '--json', '-o', 'machine.json']);
    expect(JSON.parse(result.stdout)).toMatchObject({
      interrupted: true,
      model: 'machine.json',
      report: { stopReason: 'aborted' },
      accuracy: { training: null },
    });
    expect(result.status).toBe(130);
  });

  test('while folds are trained keeps the model that is finished', async () => {
    const args = ['train', '--plain', 'moons.txt', '--epochs', '300', '--folds', '900', '-o', 'whole.json'];
    const onceSaved = (child: ChildProcess) => {
      const timer = setInterval(() => {
        if (!existsSync(folder.at('whole.json'))) return;
        clearInterval(timer);
        child.kill('SIGINT');
      }, 20);
    };
    const result = await run(args, { cwd: folder.path, during: onceSaved });
    expect(result.status).toBe(130);
    expect(result.stderr).toBe('interrupted during cross-validation; the model is complete and saved as whole.json\n');
    expect(result.stdout).toMatch(/^accuracy {2}training \d/m);
    expect(result.stdout).not.toMatch(/unseen/);
    expect(loadModel(JSON.parse(folder.read('whole.json'))).report).toMatchObject({
      stopReason: 'max-epochs',
      epochs: 300,
    });
  });

  test('while data is read writes nothing', async () => {
    const open = { input: worked.libsvm, keepsInputOpen: true };
    const result = await interruptedEarly(['train', '--plain', '-', '-o', 'never.json'], open);
    expect(result.stderr).toBe('perceptron-wasm train: interrupted; nothing was written\n');
    expect(result.status).toBe(130);
    expect(existsSync(folder.at('never.json'))).toBe(false);
  });

  test('while data is made leaves no file behind', async () => {
    const result = await interruptedEarly(['gen', 'xor', '--rows', '100000000', '-o', 'huge.txt']);
    expect(result).toMatchObject({ status: 130, stderr: 'perceptron-wasm gen: interrupted; nothing was written\n' });
    expect(existsSync(folder.at('huge.txt'))).toBe(false);
  });

  test.skipIf(!existsSync('/dev/full'))('and a disk that is full is an error, not an interruption', async () => {
    const result = await interrupted([...FOREVER, '-o', '/dev/full', '-q']);
    expect(result.stderr).toBe('perceptron-wasm train: cannot write /dev/full: no space left on the device (ENOSPC)\n');
    expect(result.status).toBe(1);
  });

  test('twice ends it, an older model unharmed', async () => {
    folder.write('older.json', 'older');
    const twice = (child: ChildProcess) => {
      setTimeout(() => child.kill('SIGINT'), 1000);
      setTimeout(() => child.kill('SIGINT'), 1005);
    };
    const result = await run([...FOREVER, '-o', 'older.json', '-q'], { cwd: folder.path, during: twice });
    expect(result.status ?? result.signal).toSatisfy((end: unknown) => end === 130 || end === 'SIGINT');
    const left = folder.read('older.json');
    expect(left === 'older' || JSON.parse(left).type === 'perceptron').toBe(true);
  });
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends it at once, with the status of the signal and no temporary file', async (signal, status) => {
  const isWriting = () => readdirSync(folder.path).some((name) => name.endsWith('.tmp'));
  const onceWriting = (child: ChildProcess) => {
    const timer = setInterval(() => {
      if (!isWriting()) return;
      clearInterval(timer);
      child.kill(signal);
    }, 20);
  };
  const args = ['gen', 'xor', '--rows', '100000000', '-o', 'killed.txt', '-q'];
  const result = await run(args, { cwd: folder.path, during: onceWriting });
  expect(result).toEqual({ status, signal: null, stdout: '', stderr: '' });
  expect(isWriting()).toBe(false);
  expect(existsSync(folder.at('killed.txt'))).toBe(false);
});

test('Ctrl-C leaves no temporary file', () => {
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

describe.concurrent('a reader that goes away', () => {
  test.each([
    'gen xor --rows 200000 -q',
    'train --plain worked.txt',
    'train --help',
    'predict $model moons.txt -q',
    'inspect worked.txt',
    'compare worked.txt --budget 0',
  ])('is no error: %s | head -1', async (command) => {
    const line = `model=head.json; set -o pipefail; $cli ${command} | head -1`;
    const result = await shell(line, { cwd: folder.path });
    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
    expect(result.stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  test('does not keep train from saving its model', async () => {
    const result = await shell(
      '$cli train --plain moons.txt --epochs 50 -o unheard.json | true; test -s unheard.json',
      {
        cwd: folder.path,
      },
    );
    expect(result).toMatchObject({ status: 0, stderr: '' });
  });
});

const script = '/usr/bin/script';
describe.skipIf(!existsSync(script))('a terminal', () => {
  const onTerminal = (command: string, env: Record<string, string> = {}) =>
    shell(`${script} -qec "$cli ${command}" /dev/null < /dev/null`, {
      cwd: folder.path,
      env: { TERM: 'xterm', ...env },
    });

  test('shows a bar with rate and remaining time, and takes it away', async () => {
    const { stdout } = await onTerminal('train --plain moons.txt --epochs 150000');
    expect(stdout).toMatch(/training \[=* *\] \d+ % \| epoch [\d,]+ \| .*rows\/s \| at most \d+ s left/);
    // Wrapping back on, the line cleared, and the story after it.
    expect(stdout.slice(stdout.lastIndexOf('[2K'))).toMatch(/^\[2Kdata /);
  });

  test('shows one bar for all folds, and takes it away', async () => {
    const { stdout } = await onTerminal('train --plain moons.txt --epochs 8000 --folds 20');
    expect(stdout).toMatch(/cross-validation \[=* *\] \d+ % \| \d+ of 20 folds \| at most \d+ s left/);
    expect(stdout.slice(stdout.lastIndexOf('[2K'))).toMatch(/^\[2Kdata /);
  });

  test('shows none for work that is short, when quiet, or where it cannot be drawn', async () => {
    // One try of several: on a machine that is busy, even this may take a while.
    await expect.poll(async () => (await onTerminal('train --plain worked.txt')).stdout).not.toContain('[2K');
    expect((await onTerminal('train --plain moons.txt --epochs 10000 -q')).stdout).toBe('');
    expect((await onTerminal('train --plain moons.txt --epochs 10000', { TERM: 'dumb' })).stdout).not.toContain('[2K');
  });
});

test('pipes stay quiet: nothing but the story', async () => {
  const { stderr, stdout } = await here(['train', '--plain', 'moons.txt', '--epochs', '10000']);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^data {6}moons\.txt/);
});

describe('the command itself', () => {
  test('runs through a symbolic link, from another folder, by its own name', async () => {
    mkdirSync(folder.at('bin'), { recursive: true });
    rmSync(folder.at('bin/perceptron-wasm'), { force: true });
    symlinkSync(cli, folder.at('bin/perceptron-wasm'));
    expect(execFileSync(folder.at('bin/perceptron-wasm'), ['--version'], { cwd: '/', encoding: 'utf8' })).toMatch(
      /^\d/,
    );
  });

  test('is what npx runs', async () => {
    mkdirSync(folder.at('node_modules/.bin'), { recursive: true });
    symlinkSync(root, folder.at('node_modules/perceptron-wasm'), 'junction');
    symlinkSync('../perceptron-wasm/dist/cli.js', folder.at('node_modules/.bin/perceptron-wasm'));
    const said = await shell('npx --offline --no perceptron-wasm train --plain worked.txt', { cwd: folder.path });
    expect(said.stdout).toContain('Separated after 6 epochs and 7 mistakes');
  });
});
