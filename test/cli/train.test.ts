// perceptron-wasm train, run as a user would: with --plain, the textbook perceptron. recommended.test.ts has the defaults.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadModel, Perceptron } from '../../src/index.js';
import { someOf } from '../effort.js';
import { expectError, flowers, hasShared, npy, run, shared, shell, useFolder, worked } from './command.js';

const folder = useFolder();

beforeAll(() => {
  folder.write('worked.txt', worked.libsvm);
  folder.write('worked.csv', worked.csv);
  folder.write('flowers.csv', flowers);
});

const here = (args: string[]) => run(args, { cwd: folder.path });

const json = async (...args: string[]) => {
  const result = await run(['train', '--plain', ...args, '--json'], { cwd: folder.path });
  expect(result.stderr).not.toMatch(/^perceptron-wasm/m);
  expect(result.status).toBe(0);
  return JSON.parse(result.stdout);
};

test('tells the story of the worked example, and how to save it', async () => {
  const { status, stdout, stderr } = await run(['train', '--plain', 'worked.txt'], { cwd: folder.path });
  expect(status).toBe(0);
  expect(stderr).toBe('');
  expect(stdout).toContain('worked.txt: 3 rows × 2 columns, LIBSVM');
  expect(stdout).toContain('-1: 1 row (33.3 %), 1: 2 rows (66.7 %)');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Separated after 6 epochs and 7 mistakes; margin between');
  expect(stdout).toContain('training 100.00 % (3 of 3)');
  expect(stdout).toContain('not saved; add -o model.json to keep it');
  expect(readdirSync(folder.path)).not.toContain('model.json');
});

test('saves the model that the library would have trained, with what is known of its data', async () => {
  const { status, stdout } = await run(['train', '--plain', 'worked.txt', '-o', 'worked.json'], { cwd: folder.path });
  expect(status).toBe(0);
  expect(stdout).toContain('saved as worked.json');
  const { data, ...saved } = JSON.parse(folder.read('worked.json'));
  expect(saved).toEqual(JSON.parse(JSON.stringify(new Perceptron().fit([[3, 3], [4, 3], [1, 1]], [1, 1, -1])))); // biome-ignore format: three points
  expect(data).toMatchObject({ format: 'libsvm', rows: 3, accuracy: 1, mistakeBound: expect.any(Number) });
  expect(loadModel({ ...saved, data }).predict([[4, 4], [0, 0]])).toEqual([1, -1]); // biome-ignore format: two points
});

test('gives machines one object: report, model path, accuracies', async () => {
  const told = await json('worked.txt', '-o', 'told.json', '--test', 'worked.txt');
  expect(told).toMatchObject({
    command: 'train',
    trainer: 'primal',
    data: { file: 'worked.txt', format: 'libsvm', rows: 3, cols: 2, nonZeros: 6 },
    report: { converged: true, stopReason: 'separated', epochs: 6, mistakes: 7, mistakesByEpoch: [2, 1, 1, 2, 1, 0] },
    diagnosis: { errors: 0, samples: 3 },
    accuracy: { training: 1, test: 1 },
    model: 'told.json',
    interrupted: false,
  });
  expect(existsSync(folder.at('told.json'))).toBe(true);
});

describe('the label column of a CSV file', () => {
  test('is detected, said on standard error, and kept in the model', async () => {
    const { stderr, stdout } = await run(['train', '--plain', 'worked.csv', '-o', 'csv.json'], { cwd: folder.path });
    expect(stderr).toMatch(/^worked\.csv: comma-separated with a header; the label is column 2 "kind" \(.+\)\n$/);
    expect(stdout).toContain('big: 2 rows (66.7 %), small: 1 row (33.3 %)');
    const { data, options } = JSON.parse(folder.read('csv.json'));
    expect(data).toMatchObject({ format: 'csv', delimiter: ',', label: { index: 2, name: 'kind' } });
    expect(options.featureNames).toEqual(['width', 'height']);
  });

  test('can be given by name or number', async () => {
    folder.write('first.tsv', worked.csv.replaceAll(/^(.*),(.*),(.*)$/gm, '$3\t$1\t$2'));
    for (const label of ['kind', '0', '-3']) {
      const { report, data } = await json('first.tsv', '--label', label);
      expect(report).toMatchObject({ epochs: 6, mistakes: 7 });
      expect(data).toMatchObject({ delimiter: '\t', label: { index: 0, name: 'kind' } });
    }
  });
});

test('three classes are trained as such, which is said', async () => {
  const { stdout, stderr } = await run(['train', '--plain', 'flowers.csv'], { cwd: folder.path });
  expect(stderr).toMatch(/--trainer multiclass: there are 3 classes/);
  expect(stdout).toMatch(/perceptron for many classes, one-vs-rest/);
  const told = await json('flowers.csv', '--strategy', 'multinomial', '--epochs', '200');
  expect(told.options.strategy).toBe('multinomial');
});

test('.npy data takes its labels from a file, text or .npy', async () => {
  folder.write('X.npy', npy([3, 3, 4, 3, 1, 1], [3, 2]));
  folder.write('y.npy', npy([1, 1, -1], [3]));
  folder.write('y.txt', 'yes\nyes\nno\n');
  expect((await json('X.npy', '--labels', 'y.npy')).report).toMatchObject({ epochs: 6, mistakes: 7 });
  const told = await json('X.npy', '--labels', 'y.txt', '--test', 'X.npy', '--test-labels', 'y.txt');
  expect(told).toMatchObject({ accuracy: { training: 1, test: 1 }, data: { format: 'npy' } });
});

test('reads standard input, compressed files, and pipes that can be read once', async () => {
  const piped = await run(['train', '--plain', '-', '--json'], { input: worked.libsvm });
  expect(JSON.parse(piped.stdout)).toMatchObject({ data: { file: 'standard input' }, report: { mistakes: 7 } });
  folder.write('worked.txt.gz', gzipSync(worked.libsvm));
  expect((await json('worked.txt.gz')).report.mistakes).toBe(7);
  const once = await shell('$cli train --plain <(cat worked.txt) --json', { cwd: folder.path });
  expect(JSON.parse(once.stdout).report.mistakes).toBe(7);
});

describe.concurrent('options reach the trainer', () => {
  test.each([
    [['--trainer', 'dual'], { trainer: 'dual', report: { epochs: 6, mistakes: 7 } }],
    [['--kernel', 'rbf', '--gamma', '0.5'], { trainer: 'dual', options: { kernel: { type: 'rbf', gamma: 0.5 } } }],
    [
      ['--kernel', 'polynomial', '--degree', '2', '--coef0', '-1'],
      { options: { kernel: { type: 'polynomial', degree: 2, coef0: -1 } } },
    ],
    [['--trainer', 'pocket', '--seed', '3'], { trainer: 'pocket', options: { order: 'random', seed: 3 } }],
    [['--ratchet'], { trainer: 'pocket', options: { ratchet: true } }],
    [['--trainer', 'multiclass'], { trainer: 'multiclass', options: { strategy: 'one-vs-rest' } }],
    [
      ['--order', 'shuffle', '--epochs', '77', '--eta', '0.5', '--average', '--margin', '0.1'],
      { options: { order: 'shuffle', maxEpochs: 77, learningRate: 0.5, average: true, margin: 0.1 } },
    ],
    [['--no-intercept', '--epochs', '9'], { options: { fitIntercept: false } }],
    [['--intercept-scaling', '2'], { options: { interceptScaling: 2 } }],
    [['--class-weight', '1=2,-1=0.5'], { options: { classWeight: { 1: 2, '-1': 0.5 } } }],
    [['--engine', 'js'], { report: { engine: 'js', mistakes: 7 } }],
    [['--scale', 'unit-ball'], { scale: 'unit-ball', options: { interceptScaling: 0.2 } }],
  ])('%j', async (args, expected) => {
    expect(await json('worked.txt', ...args)).toMatchObject(expected);
  });
});

test('scaled models are saved with their scaler, and predict on rows as they come', async () => {
  await json('worked.csv', '--scale', 'standardize', '-o', 'scaled.json');
  const model = loadModel(JSON.parse(folder.read('scaled.json')));
  expect(JSON.parse(folder.read('scaled.json'))).toMatchObject({ type: 'pipeline', scaler: { kind: 'standardize' } });
  expect(model.predict([[4, 4], [0, 0]])).toEqual(['big', 'small']); // biome-ignore format: two points
});

test('-o - gives the model to a pipe, and the story to standard error', async () => {
  const { stdout, stderr } = await run(['train', '--plain', 'worked.txt', '-o', '-'], { cwd: folder.path });
  expect(JSON.parse(stdout)).toMatchObject({ type: 'perceptron', weights: [1, 1], bias: -3 });
  expect(stderr).toContain('Separated after 6 epochs');
  const quiet = await run(['train', '--plain', 'worked.txt', '-o', '-', '--as', 'liblinear', '-q'], {
    cwd: folder.path,
  });
  expect(quiet.stdout).toMatch(/^solver_type .*\nnr_class 2\n/);
  expect(quiet.stderr).toBe('');
});

test('cross-validation is stratified and seeded: the same figure again', async () => {
  const args = ['flowers.csv', '--folds', '5', '--seed', '4', '--strategy', 'multinomial'];
  const first = await json(...args);
  expect(first.accuracy.folds.each).toHaveLength(5);
  expect(first.accuracy.folds.mean).toBeGreaterThan(0.6);
  expect((await json(...args)).accuracy).toEqual(first.accuracy);
  const { stdout } = await run(['train', '--plain', ...args], { cwd: folder.path });
  expect(stdout).toMatch(/unseen {3}\d+\.\d\d % ± \d+\.\d\d in 5 folds/);
});

describe('any number of threads', () => {
  beforeAll(async () => {
    const args = ['gen', 'separable', '--rows', '600', '--cols', '40', '--margin', '0.01', '-q', '-o', 'threads.txt'];
    expect((await run(args, { cwd: folder.path })).status).toBe(0);
  });

  /** What does not depend on how long it took. */
  const lasting = ({ report, timings, peakMemoryBytes, model, ...rest }: Record<string, unknown>) => {
    const { threads, threadsReason, timings: own, ...story } = report as Record<string, unknown>;
    return { ...rest, report: story };
  };

  const trainers: [string, string[]][] = [
    ['a perceptron', ['--average', '--order', 'shuffle']],
    ['a kernel', ['--kernel', 'rbf', '--epochs', '20']],
    ['a pocket', ['--trainer', 'pocket', '--epochs', '2']],
  ];
  test.each(someOf(trainers, trainers.slice(0, 1)))(
    'gives the same model, and the same figures of all folds in their order: %s',
    async (_, more) => {
      const told = [];
      for (const threads of ['1', '3', 'auto']) {
        const args = [
          'threads.txt',
          ...more,
          '--folds',
          '5',
          '--seed',
          '5',
          '--threads',
          threads,
          '-o',
          'threads.json',
        ];
        const { accuracy, ...rest } = await json(...args);
        expect(accuracy.folds.each).toHaveLength(5);
        told.push({ accuracy, ...lasting(rest), saved: folder.read('threads.json') });
      }
      for (const other of told) expect(other).toEqual(told[0]);
    },
  );

  test('1 keeps the work on one', async () => {
    expect((await json('threads.txt', '--threads', '1', '--folds', '3')).report.threads).toBe(1);
    expect((await here(['train', '--plain', 'threads.txt', '--threads', '1'])).stdout).toMatch(/on wasm-simd$/m);
  });

  test('that is not to be had is said, and is no error', async () => {
    const { status, stderr } = await here(['train', '--plain', 'threads.txt', '--threads', '2', '--engine', 'js']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "--threads 2: engine 'js' works on one thread\n" });
  });

  test('that makes no sense is wrong usage', async () => {
    expectError(
      await here(['train', '--plain', 'threads.txt', '--threads', '0']),
      2,
      '--threads takes "auto" or an integer of at least 1, got "0"',
    );
  });
});

test('not separating is a result, with advice in options of the command', async () => {
  folder.write('xor.txt', '-1 1:0\n-1 1:1 2:1\n1 2:1\n1 1:1\n');
  const { status, stdout } = await run(['train', '--plain', 'xor.txt', '--epochs', '20'], { cwd: folder.path });
  expect(status).toBe(0);
  expect(stdout).toMatch(/Not separated in 20 epochs/);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/Try: --average \(steadier\), --trainer pocket/);
});

test('a LIBSVM test file may lack columns, and have more, which is one counted warning', async () => {
  folder.write('wide.txt', '+1 1:5 2:5 7:1 9:1\n-1 5:2\n-1\n');
  const { stdout, stderr } = await run(['train', '--plain', 'worked.txt', '--test', 'wide.txt'], { cwd: folder.path });
  expect(stderr).toBe('warning: wide.txt: 3 values in columns beyond the 2 of the model ignored\n');
  expect(stdout).toMatch(/test {5}100\.00 % \(3 of 3\); balanced 100\.00 %; always 1: 33\.33 %\s+wide\.txt/);
});

describe.skipIf(!hasShared).concurrent('the shared sets', () => {
  test('agaricus: 15 epochs, 139 mistakes, separated, and all of the test rows right', async () => {
    const [train, other] = ['agaricus.txt.train', 'agaricus.txt.test'].map((name) => join(shared, name));
    const told = await json(train!, '--test', other!);
    expect(told.report).toMatchObject({ converged: true, epochs: 15, mistakes: 139 });
    expect(told.accuracy).toEqual({ training: 1, test: 1 });
    expect(told.data).toMatchObject({ rows: 6513, cols: 126, nonZeros: 143_286 });
  });

  test('heart_scale: no plane, 5,569 mistakes in 100 epochs, 85 % and more when averaged', async () => {
    const told = await json(join(shared, 'heart_scale'), '--epochs', '100');
    expect(told.report).toMatchObject({ converged: false, epochs: 100, mistakes: 5569 });
    const averaged = await json(join(shared, 'heart_scale'), '--epochs', '100', '--average');
    expect(averaged.accuracy.training).toBeGreaterThan(0.84);
  });

  test('golub: 38 epochs and 73 mistakes, from CSV that gen could have written', async () => {
    const { X, y, cols } = denseSet('golub_train');
    const lines = Array.from(y, (label, i) => [...X.subarray(i * cols, (i + 1) * cols), label].join(','));
    folder.write('golub.csv', `${lines.join('\n')}\n`);
    const told = await json('golub.csv', '--label', '-1');
    expect(told.report).toMatchObject({ converged: true, epochs: 38, mistakes: 73 });
  });
});

function denseSet(name: string) {
  const bytes = readFileSync(join(shared, `${name}.X.f64`));
  const X = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const y = new Int8Array(readFileSync(join(shared, `${name}.y.i8`)));
  return { X, y, cols: X.length / y.length };
}

test('the mean of the weights may be wrong where the last ones were right, and is said to be', async () => {
  await here(['gen', 'separable', '--rows', '40', '--margin', '0.01', '--seed', '3', '-o', 'narrow.csv', '-q']);
  const { stdout } = await here(['train', '--plain', 'narrow.csv', '--average']);
  const told = stdout.replaceAll(/\s+/g, ' ');
  expect(told).toMatch(/Separated after .* mistakes; the mean of the weights predicts 1 of 40 training rows wrongly\./);
  expect(told).not.toMatch(/other rows/);
});

test('-q keeps the accuracy that was asked for', async () => {
  const test = await here(['train', '--plain', 'worked.csv', '--test', 'worked.csv', '-q']);
  const line = 'test     100.00 % (3 of 3); balanced 100.00 %; always big: 66.67 %  worked.csv\n';
  expect(test).toMatchObject({ stdout: line, stderr: '' });
  const folds = await here(['train', '--plain', 'flowers.csv', '--folds', '3', '-q']);
  expect(folds.stdout).toMatch(/^unseen {3}[\d.]+ % ± [\d.]+ in 3 folds; balanced [\d.]+ %; always \w+: [\d.]+ %\n$/);
  const piped = await here(['train', '--plain', 'worked.csv', '--test', 'worked.csv', '-q', '-o', '-']);
  expect(JSON.parse(piped.stdout)).toMatchObject({ type: 'perceptron' });
  expect(piped.stderr).toBe(line);
});
