// What train does unless it is told otherwise, and tune, run as a user would.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { iris } from '../../bench/data/iris.js';
import { loadModel, MulticlassPerceptron, Pipeline, Scaler } from '../../src/index.js';
import { readCsv } from '../../src/io/index.js';
import { someOf } from '../effort.js';
import { expectError, root, run, useFolder, worked } from './command.js';

const folder = useFolder();
const here = (args: string[]) => run(args, { cwd: folder.path });
const json = async (...args: string[]) => {
  const result = await here([...args, '--json']);
  expect(result.status).toBe(0);
  return JSON.parse(result.stdout);
};

beforeAll(() => {
  folder.write('worked.txt', worked.libsvm);
  const { X, y } = iris();
  const lines = X.map((row, i) => [...row, y[i]].join(','));
  folder.write('iris.csv', ['sepalLength,sepalWidth,petalLength,petalWidth,species', ...lines, ''].join('\n'));
});

describe('train', () => {
  test('says its settings in one line, holds a fifth out, and trains the saved model on all rows', async () => {
    const { stdout, stderr } = await here(['train', 'iris.csv', '-o', 'iris.json']);
    expect(stderr).toContain(
      'recommended settings: --order shuffle --average --scale standardize --strategy multinomial --epochs 100 (--plain: the textbook perceptron)\n',
    );
    expect(stdout).toMatch(/held out [\d.]+ % \(\d+ of 30\); balanced [\d.]+ %; always setosa: 33\.33 %/);
    expect(stdout).toMatch(/class +rows +precision +recall +F1 +as setosa +as versicolor +as virginica/);
    const { X, y } = await readCsv(folder.at('iris.csv'));
    const options = { order: 'shuffle', average: true, maxEpochs: 100, strategy: 'multinomial' } as const;
    const names = { featureNames: ['sepalLength', 'sepalWidth', 'petalLength', 'petalWidth'] };
    const own = new Pipeline(
      new Scaler({ kind: 'standardize' }),
      new MulticlassPerceptron({ ...options, ...names }),
    ).fit(X, y);
    const saved = loadModel(JSON.parse(folder.read('iris.json')));
    expect(saved.predict(X)).toEqual(own.predict(X));
    expect(saved.decisionFunction(X)).toEqual(own.decisionFunction(X));
  });

  const seeds = Array.from({ length: 20 }, (_, seed) => seed);
  test('iris: 95 % and more of the rows held out, on the mean of 20 seeds; the textbook has 66.7 %', async () => {
    const shares = [];
    for (const seed of someOf(seeds, seeds.slice(0, 4))) {
      const { accuracy } = await json('train', 'iris.csv', '--seed', String(seed));
      shares.push(accuracy.heldOut as number);
    }
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThanOrEqual(0.95);
  });

  test.each([
    [['--no-average'], { average: false }],
    [['--order', 'cyclic'], { order: 'cyclic' }],
    [['--strategy', 'one-vs-rest'], { strategy: 'one-vs-rest' }],
    [['--epochs', '7'], { maxEpochs: 7 }],
    [['--plain'], { average: false, order: 'cyclic', strategy: 'one-vs-rest', maxEpochs: 1000, interceptScaling: 1 }],
    [['--plain', '--average'], { average: true, order: 'cyclic' }],
  ])('each can be overridden by its own option: %j', async (args, expected) => {
    const { options } = await json('train', 'iris.csv', ...args);
    expect(options).toMatchObject(expected);
  });

  test('columns stay as they are with --scale none; --plain, --test, --folds and --holdout 0 hold nothing out', async () => {
    const none = await json('train', 'iris.csv', '--scale', 'none');
    expect(none).toMatchObject({ scale: null, evaluation: { rows: 30 } });
    expect((await json('train', 'iris.csv')).scale).toBe('standardize');
    for (const more of [['--plain'], ['--holdout', '0']]) {
      expect(await json('train', 'iris.csv', ...more)).not.toHaveProperty('evaluation');
    }
    expect((await json('train', 'iris.csv', '--test', 'iris.csv')).accuracy).not.toHaveProperty('heldOut');
    expect((await json('train', 'iris.csv', '--holdout', '0.5')).evaluation.rows).toBe(75);
  });

  test('sparse rows: a small constant feature; a pocket does not average', async () => {
    const { options, scale } = await json('train', 'worked.txt');
    expect({ options, scale }).toMatchObject({ options: { interceptScaling: 0.1, average: true }, scale: null });
    const pocket = await json('train', 'worked.txt', '--trainer', 'pocket');
    expect(pocket.options).toMatchObject({ average: false, order: 'random' });
  });

  test('few rows are not held out unless that is asked for, and then it must be possible', async () => {
    expect((await here(['train', 'worked.txt'])).stderr).toContain('nothing is held out: there are 3 rows only\n');
    folder.write('one.csv', 'x,kind\n1,a\n2,b\n');
    expectError(await here(['train', 'one.csv', '--holdout', '0.9', '-q']), 1, '--holdout 0.9 is not possible: ');
  });

  test.each([
    [['--average', '--no-average'], '--average and --no-average cannot be combined: choose one'],
    [['--test', 'iris.csv', '--holdout', '0.2'], '--test and --holdout cannot be combined: choose one'],
    [['--holdout', '1'], '--holdout takes a number from 0 to less than 1, got "1"'],
    [['--aggressiveness', '2'], '--aggressiveness needs --update pa1 or pa2'],
  ])('wrong usage: %j', async (args, message) => {
    expectError(await here(['train', 'iris.csv', ...args]), 2, message);
  });

  test('--report writes one page that needs nothing else', async () => {
    await here(['train', 'iris.csv', '--report', 'iris.html', '-q']);
    const page = folder.read('iris.html');
    expect(page).toMatch(/^<!doctype html>/i);
    expect(page).not.toMatch(/(src|href)="https?:/);
    expect(page).toContain('petalLength');
    await here(['train', 'iris.csv', '--report', 'again.html', '-q']);
    expect(folder.read('again.html')).toBe(page);
  });

  test.each([[[]], [['--folds', '3']]])('--report %j has every chart', async (how) => {
    await here(['train', 'iris.csv', '--report', 'iris.html', '-q', ...how]);
    const found = [...folder.read('iris.html').matchAll(/<section id="([a-z]+)"/g)].map(([, id]) => id);
    const all = ['confusion', 'classes', 'margins', 'epochs', 'roc', 'reliability', 'weights', 'hardest'];
    expect(found).toEqual(all);
  });
});

describe('tune', () => {
  test('tries all combinations on the same folds, says which is best, and saves it', async () => {
    const grid = ['--grid', 'average=true,false', '--grid', 'scale=none,standardize'];
    const { stdout, status } = await here(['tune', 'iris.csv', ...grid, '-o', 'best.json']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}average {2}scale +accuracy/);
    expect(stdout).toMatch(/best of 4 choices: .*; saved as best\.json\n$/);
    const told = await json('tune', 'iris.csv', ...grid);
    expect(told.results).toHaveLength(4);
    const scores = told.results.map(({ mean }: { mean: number }) => mean);
    expect(told.best.score).toBe(Math.max(...scores));
    expect(existsSync(folder.at('best.json'))).toBe(true);
  });

  test('every metric has a spread over the folds', async () => {
    const { results } = await json(
      'tune',
      'iris.csv',
      '--grid',
      'average=true',
      '--metric',
      'macro-f1',
      '--folds',
      '4',
    );
    const [{ mean, sd, each }] = results;
    expect(each).toHaveLength(4);
    expect(mean).toBeCloseTo(each.reduce((sum: number, value: number) => sum + value, 0) / 4, 12);
    expect(sd).toBeGreaterThan(0);
  });

  test('ties go to the first', async () => {
    const { best } = await json('tune', 'iris.csv', '--grid', 'eta=1,2,4');
    expect(best.options).toEqual({ eta: '1' });
  });

  test.each([
    [[], '--grid is missing'],
    [['--grid', 'average'], '--grid takes NAME=VALUE,VALUE, got "average"'],
    [['--grid', 'averag=true'], '--grid averag: there is no such option to tune; do you mean average?'],
    [['--grid', 'average=yes'], '--grid average takes true or false, got "yes"'],
    [['--grid', 'epochs=1,x'], '--grid epochs takes '],
    [['--grid', 'eta=1', '--grid', 'eta=2'], '--grid eta is given twice'],
  ])('wrong usage: %j', async (args, message) => {
    expectError(await here(['tune', join(root, 'examples/penguins.csv'), '--label', 'species', ...args]), 2, message);
  });
});
