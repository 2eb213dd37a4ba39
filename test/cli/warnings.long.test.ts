// What a command does all the same, but not without a word.

import { beforeAll, describe, expect, test } from 'vitest';
import { flowers, npy, run, useFolder, worked } from './command.js';

const folder = useFolder();
const here = (args: string[]) => run(args, { cwd: folder.path });

beforeAll(async () => {
  folder.write('worked.txt', worked.libsvm);
  folder.write('worked.csv', worked.csv);
  folder.write('flowers.csv', flowers);
  folder.write('strange.csv', 'width,height,kind\n3,3,big\n4,3,B-ALL\n1,1,B-ALL\n');
  expect((await here(['train', '--plain', 'worked.csv', '-o', 'model.json', '-q'])).status).toBe(0);
});

describe.concurrent('labels the model does not know', () => {
  const warning = 'warning: strange.csv: 2 rows have labels the model does not know, such as "B-ALL"';

  test('are counted by predict, as mistakes', async () => {
    const { stderr, status } = await here(['predict', 'model.json', 'strange.csv']);
    expect(stderr.split('\n').filter((line) => line.startsWith('warning'))).toEqual([warning]);
    expect(stderr).toMatch(/accuracy 33\.33 % \(1 of 3\)/);
    expect(status).toBe(0);
  });

  test('are counted by train --test, once', async () => {
    const { stdout, stderr, status } = await here(['train', '--plain', 'worked.csv', '--test', 'strange.csv']);
    expect(stderr.split('\n').filter((line) => line.startsWith('warning'))).toEqual([warning]);
    expect(stdout).toMatch(/test {5}33\.33 % \(1 of 3\)/);
    expect(status).toBe(0);
  });

  test('are not looked for where all are known', async () => {
    expect((await here(['predict', 'model.json', 'worked.csv', '-q'])).stderr).toBe('');
  });
});

describe.concurrent('a class for every row', () => {
  const rows = (label: (i: number) => string | number) =>
    `a,b,id\n${Array.from({ length: 30 }, (_, i) => `${i},${i % 3},${label(i)}`).join('\n')}\n`;

  test('is said to be no class, by train and by inspect', async () => {
    folder.write(
      'ids.csv',
      rows((i) => `p${i}`),
    );
    const warning =
      'warning: ids.csv: 30 classes for 30 rows: is this an ID column, a transposed file, or a file without labels? (--label NAME)';
    for (const args of [
      ['train', '--plain', 'ids.csv', '--epochs', '2', '-q'],
      ['inspect', 'ids.csv', '-q'],
    ]) {
      const { stderr, status } = await here(args);
      expect(stderr.trimEnd().split('\n')).toEqual([warning]);
      expect(status).toBe(0);
    }
  });

  test('or for more than half of the classes is, too', async () => {
    folder.write(
      'nearly.csv',
      rows((i) => `p${Math.max(i, 10)}`),
    );
    const { stderr } = await here(['inspect', 'nearly.csv', '-q']);
    expect(stderr).toMatch(/^warning: nearly\.csv: 20 classes for 30 rows: /);
  });

  test('is nothing that three flowers have', async () => {
    expect((await here(['inspect', 'flowers.csv', '-q'])).stderr).toBe('');
  });
});

test('--label is for CSV, and ignored elsewhere', async () => {
  folder.write('X.npy', npy([3, 3, 4, 3, 1, 1], [3, 2]));
  folder.write('y.txt', 'big\nbig\nsmall\n');
  for (const args of [
    ['train', '--plain', 'worked.txt', '--label', '0', '-q'],
    ['train', '--plain', 'X.npy', '--labels', 'y.txt', '--label', 'kind', '-q'],
    ['predict', 'model.json', 'X.npy', '--label', 'kind', '-q'],
  ]) {
    const { stderr, status } = await here(args);
    expect(stderr).toBe('warning: --label is for CSV: ignored\n');
    expect(status).toBe(0);
  }
  expect((await here(['predict', 'model.json', 'X.npy', '-q'])).stderr).toBe('');
});

describe.concurrent('columns that are no features', () => {
  beforeAll(async () => {
    folder.write('ids.csv.txt', 'id,width,height,kind\np1,3,3,big\np2,4,3,big\np3,1,1,small\n');
    const train = (...more: string[]) => here(['train', '--plain', 'ids.csv.txt', '--label', 'kind', '-q', ...more]);
    const results = await Promise.all([
      train('--ignore', 'id', '-o', 'named.json'),
      train('--ignore', '0', '-o', 'numbered.json', '--test', 'worked.csv'),
    ]);
    expect(results.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      results.map(() => ({ status: 0, stderr: '' })),
    );
  });

  test.each(['named.json', 'numbered.json'])('are left out by predict, and may be absent: %s', async (model) => {
    for (const file of ['ids.csv.txt', 'worked.csv']) {
      const { stdout, stderr, status } = await here(['predict', model, file]);
      expect(stdout).toBe('big\nbig\nsmall\n');
      expect(stderr).toMatch(/accuracy 100\.00 % \(3 of 3\)/);
      expect(status).toBe(0);
    }
  });

  test('are kept in the model', () => {
    expect(JSON.parse(folder.read('named.json'))).toMatchObject({ data: { ignored: ['id'] } });
    expect(JSON.parse(folder.read('numbered.json'))).toMatchObject({ data: { ignored: [0] } });
  });

  test('are suggested where they are misspelt', async () => {
    const { stderr, status } = await here(['train', '--plain', 'ids.csv.txt', '--ignore', 'ID']);
    expect(stderr).toMatch(/there is no column "ID": do you mean "id"\?/);
    expect(status).toBe(1);
  });
});

test('--header says whether there is one', async () => {
  folder.write('years.csv', '2001,2002,kind\n3,3,big\n4,3,big\n1,1,small\n');
  const named = await here(['inspect', 'years.csv', '--header', 'yes', '--label', 'kind']);
  expect(named.stdout).toMatch(/3 rows × 2 columns/);
  const data = await here(['inspect', 'years.csv', '--header', 'no', '--label', '-1']);
  expect(data.stdout).toMatch(/4 rows × 2 columns/);
  expect((await here(['inspect', 'worked.txt', '--header', 'no', '-q'])).stderr).toBe(
    'warning: --header is for CSV: ignored\n',
  );
});
