// perceptron-wasm predict, run as a user would.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, flowers, hasShared, npy, run, shared, shell, useFolder, worked } from './command.js';

const folder = useFolder();
const here = (args: string[], input?: string) => run(args, { cwd: folder.path, ...(input !== undefined && { input }) });

beforeAll(async () => {
  folder.write('worked.txt', worked.libsvm);
  folder.write('worked.csv', worked.csv);
  folder.write('flowers.csv', flowers);
  const train = (data: string, model: string, ...more: string[]) =>
    here(['train', '--plain', data, '-o', model, '-q', ...more]);
  const results = await Promise.all([
    train('worked.txt', 'plain.json'),
    train('worked.csv', 'csv.json'),
    train('worked.csv', 'scaled.json', '--scale', 'standardize'),
    train('worked.txt', 'liblinear.txt', '--as', 'liblinear'),
    train('worked.csv', 'sklearn.json', '--as', 'sklearn'),
    train('worked.txt', 'dual.json', '--kernel', 'rbf'),
    train('flowers.csv', 'flowers.json', '--strategy', 'multinomial'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 0));
});

test('prints a class a line, and the accuracy on standard error', async () => {
  const { status, stdout, stderr } = await here(['predict', 'plain.json', 'worked.txt']);
  expect(status).toBe(0);
  expect(stdout).toBe('1\n1\n-1\n');
  expect(stderr).toBe('accuracy 100.00 % (3 of 3)\n');
});

test('writes to a file, and compresses it if asked to by its name', async () => {
  const { stdout } = await here(['predict', 'plain.json', 'worked.txt', '-o', 'out.txt']);
  expect(stdout).toBe('');
  expect(folder.read('out.txt')).toBe('1\n1\n-1\n');
  const zipped = await shell('$cli predict plain.json worked.txt -q -o out.txt.gz && zcat out.txt.gz', {
    cwd: folder.path,
  });
  expect(zipped.stdout).toBe('1\n1\n-1\n');
});

test('--scores gives CSV with a header: the class, and the score behind it', async () => {
  const { stdout } = await here(['predict', 'plain.json', 'worked.txt', '--scores', '-q']);
  const [header, ...rows] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  expect(header!.length).toBeGreaterThan(1);
  expect(rows.map((row) => row[0])).toEqual(['1', '1', '-1']);
  expect(rows.map((row) => Number(row.at(-1)))).toEqual([3, 4, -1]);
  const many = await here(['predict', 'flowers.json', 'flowers.csv', '--scores', '-q']);
  expect(many.stdout.split('\n')[0]!.split(',')).toHaveLength(4);
  expect(many.stdout.trimEnd().split('\n')).toHaveLength(31);
});

test('gives machines one object', async () => {
  const { stdout } = await here(['predict', 'plain.json', 'worked.txt', '--json', '--scores']);
  expect(JSON.parse(stdout)).toMatchObject({
    command: 'predict',
    model: 'plain.json',
    accuracy: 1,
    right: 3,
    predictions: [1, 1, -1],
    scores: [3, 4, -1],
    output: null,
  });
  const filed = await here(['predict', 'plain.json', 'worked.txt', '--json', '-o', 'filed.txt']);
  expect(JSON.parse(filed.stdout)).toMatchObject({ output: 'filed.txt', accuracy: 1 });
  expect(folder.read('filed.txt')).toBe('1\n1\n-1\n');
});

describe.concurrent('takes a model of any kind, by its content', () => {
  test.each([
    ['csv.json', 'big\nbig\nsmall\n'],
    ['scaled.json', 'big\nbig\nsmall\n'],
    ['sklearn.json', 'big\nbig\nsmall\n'],
    ['liblinear.txt', '1\n1\n-1\n'],
    ['dual.json', '1\n1\n-1\n'],
  ])('%s', async (model, expected) => {
    const { stdout, status } = await here(['predict', model, 'worked.csv', '-q']);
    expect(stdout).toBe(expected);
    expect(status).toBe(0);
  });

  test('compressed, and from standard input', async () => {
    folder.write('plain.json.gz', gzipSync(folder.read('plain.json')));
    expect((await here(['predict', 'plain.json.gz', 'worked.txt', '-q'])).stdout).toBe('1\n1\n-1\n');
    const piped = await shell('$cli predict - worked.txt -q < plain.json', { cwd: folder.path });
    expect(piped.stdout).toBe('1\n1\n-1\n');
  });
});

describe.concurrent('the label column of a CSV file', () => {
  test('is where it was in training', async () => {
    const { stderr } = await here(['predict', 'csv.json', 'worked.csv']);
    expect(stderr).toMatch(/the label is column 2 "kind" \(as in training\)/);
    expect(stderr).toMatch(/accuracy 100\.00 % \(3 of 3\)/);
  });

  test('is found by its name where columns were moved', async () => {
    folder.write('moved.csv', 'kind,width,height\nbig,4,4\nsmall,0,0\n');
    const { stdout, stderr } = await here(['predict', 'csv.json', 'moved.csv']);
    expect(stdout).toBe('big\nsmall\n');
    expect(stderr).toMatch(/the label is column 0 "kind"/);
  });

  test('may be missing: there is no accuracy then', async () => {
    folder.write('new.csv', 'width,height\n4,4\n0,0\n');
    const { stdout, stderr, status } = await here(['predict', 'csv.json', 'new.csv']);
    expect(stdout).toBe('big\nsmall\n');
    expect(stderr).not.toMatch(/accuracy/);
    expect(status).toBe(0);
    const piped = await here(['predict', 'csv.json', '-'], '4,4\n0,0\n');
    expect(piped.stdout).toBe('big\nsmall\n');
  });

  test('the same columns in another order are an error, other names a warning', async () => {
    folder.write('swapped.csv', 'height,width\n4,4\n0,0\n');
    expectError(
      await here(['predict', 'csv.json', 'swapped.csv', '-q']),
      1,
      /another order: column 0 is "height".* and "width"/,
    );
    folder.write('renamed.csv', 'breadth,height\n4,4\n0,0\n');
    const { stderr, stdout } = await here(['predict', 'csv.json', 'renamed.csv', '-q']);
    expect(stderr).toMatch(/^warning: column 0 is "breadth" in renamed\.csv and "width" in csv\.json/);
    expect(stdout).toBe('big\nsmall\n');
  });
});

describe.concurrent('a file that lacks a column but has the labels', () => {
  const rows = (names: string, line: (i: number) => string) =>
    `${names}\n${Array.from({ length: 12 }, (_, i) => line(i)).join('\n')}\n`;

  beforeAll(async () => {
    folder.write(
      'ward.csv',
      rows('a0,a1,a2,a3,a4,died', (i) => `${i},1,2,3,${i % 5},${Number(i > 5)}`),
    );
    folder.write(
      'words.csv',
      rows('a0,a1,a2,a3,a4,fate', (i) => `${i},1,2,3,${i % 5},${i > 5 ? 'dead' : 'alive'}`),
    );
    await Promise.all(
      ['ward', 'words'].map((name) => here(['train', '--plain', `${name}.csv`, '-o', `${name}.json`, '-q'])),
    );
  });

  test('does not have its labels taken for it', async () => {
    folder.write('lacks.csv', 'a0,a1,a2,a3,died\n1,2,3,4,0\n1,2,3,4,1\n');
    const result = await here(['predict', 'ward.json', 'lacks.csv']);
    expectError(result, 1, /lacks\.csv has 4 feature columns, ward\.json has 5; missing: a4$/m);
    const named = await here(['predict', 'ward.json', 'lacks.csv', '--label', 'died']);
    expectError(named, 1, /missing: a4$/m);
    const tested = await here(['train', '--plain', 'ward.csv', '--test', 'lacks.csv', '-q']);
    expectError(tested, 1, /lacks\.csv has 4 feature columns, ward\.csv has 5; missing: a4$/m);
  });

  test('says the same of labels that are words, with a header and without', async () => {
    folder.write('lackswords.csv', 'a0,a1,a3,a4,fate\n1,2,3,4,dead\n1,2,3,4,alive\n');
    const result = await here(['predict', 'words.json', 'lackswords.csv']);
    expectError(result, 1, /lackswords\.csv has 4 feature columns, words\.json has 5; missing: a2$/m);
    folder.write('nameless.csv', '1,2,3,4,dead\n1,2,3,4,alive\n');
    const nameless = await here(['predict', 'words.json', 'nameless.csv']);
    expectError(nameless, 1, /nameless\.csv has 4 feature columns, words\.json has 5$/m);
  });

  test('names at most five, and those that are too many', async () => {
    folder.write('more.csv', 'id,a0,a1,a2,a3,a4\n1,2,3,4,5,6\n');
    const more = await here(['predict', 'ward.json', 'more.csv']);
    expectError(more, 1, /more\.csv has 6 feature columns, ward\.json has 5; not in ward\.json: id$/m);
    folder.write('unlabelled.csv', 'a0,a1,a2,a3\n1,2,3,4\n');
    const less = await here(['predict', 'ward.json', 'unlabelled.csv']);
    expectError(less, 1, /unlabelled\.csv has 4 feature columns, ward\.json has 5; missing: a4$/m);
  });
});

test('LIBSVM rows may lack columns, and have more: one counted warning', async () => {
  folder.write('wide.txt', '+1 1:5 2:5 7:1 9:1\n-1 5:2\n');
  const { stdout, stderr } = await here(['predict', 'plain.json', 'wide.txt', '-q']);
  expect(stdout).toBe('1\n-1\n');
  expect(stderr).toBe('warning: wide.txt: 3 values in columns beyond the 2 of the model ignored\n');
});

test('labels that are none of the model are no accuracy of 0', async () => {
  folder.write('unlabelled.txt', '0 1:5 2:5\n0 1:0\n');
  const { stderr } = await here(['predict', 'plain.json', 'unlabelled.txt']);
  expect(stderr).toBe("no accuracy: the labels of unlabelled.txt, such as 0, are none of the model's (-1, 1)\n");
});

test('.npy rows need no labels, and take them', async () => {
  folder.write('X.npy', npy([4, 4, 0, 0], [2, 2]));
  folder.write('y.txt', 'big\nbig\n');
  expect((await here(['predict', 'csv.json', 'X.npy'])).stdout).toBe('big\nsmall\n');
  expect((await here(['predict', 'csv.json', 'X.npy', '--labels', 'y.txt'])).stderr).toBe(
    'accuracy 50.00 % (1 of 2)\n',
  );
});

describe.concurrent('a model for other columns names both counts', () => {
  test.each([
    ['CSV', 'other.csv', 'a,b,c,d\n1,2,3,4\n'],
    ['.npy', 'other.npy', npy([1, 2, 3, 4], [1, 4])],
  ])('%s', async (_, name, content) => {
    folder.write(name, content);
    const result = await here(['predict', 'csv.json', name]);
    expectError(result, 1, /\b[34]\b.*\b2\b|\b2\b.*\b[34]\b/);
  });
});

test('predicts many rows, in blocks, as the library would', async () => {
  const { status } = await shell(
    `$cli gen moons --rows 5000 --cols 3 -o moons.txt -q && $cli train --plain moons.txt --epochs 20 -o moons.json -q &&
    $cli predict moons.json moons.txt -q > all.txt && tail -n 100 moons.txt > last.txt &&
    $cli predict moons.json last.txt -q > some.txt && tail -n 100 all.txt | diff - some.txt && test $(wc -l < all.txt) = 5000`,
    { cwd: folder.path },
  );
  expect(status).toBe(0);
});

test.skipIf(!hasShared)('agaricus: all 1,611 test rows are right', async () => {
  const [train, other] = ['agaricus.txt.train', 'agaricus.txt.test'].map((name) => join(shared, name));
  await here(['train', '--plain', train!, '-o', 'agaricus.json', '-q']);
  const { stdout, stderr } = await here(['predict', 'agaricus.json', other!]);
  expect(stderr).toBe('accuracy 100.00 % (1,611 of 1,611)\n');
  expect(stdout.trimEnd().split('\n')).toHaveLength(1611);
});

const liblinear = '/usr/bin/liblinear-predict';
test.skipIf(!hasShared || !existsSync(liblinear))(
  "LIBLINEAR's own predict agrees with ours, line by line",
  async () => {
    const data = join(shared, 'heart_scale');
    const line = `$cli train --plain ${data} --epochs 50 --average -o heart.txt --as liblinear -q &&
    ${liblinear} ${data} heart.txt theirs.txt > /dev/null && $cli predict heart.txt ${data} -q | diff - theirs.txt`;
    expect(await shell(line, { cwd: folder.path })).toMatchObject({ status: 0, stderr: '', stdout: '' });
  },
);

test('a file that was compressed by us can be read by anybody', async () => {
  await here(['gen', 'xor', '--rows', '10', '-o', 'xor.csv.gz', '-q']);
  const { readFileSync } = await import('node:fs');
  expect(
    gunzipSync(readFileSync(folder.at('xor.csv.gz')))
      .toString()
      .split('\n'),
  ).toHaveLength(12);
});
