// perceptron-wasm inspect, compare and gen, run as a user would.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, flowers, hasShared, run, shared, shell, useFolder, worked } from './command.js';

const folder = useFolder();
const here = (args: string[], input?: string) => run(args, { cwd: folder.path, ...(input !== undefined && { input }) });

beforeAll(() => {
  folder.write('worked.txt', worked.libsvm);
  folder.write('worked.csv', worked.csv);
  folder.write('flowers.csv', flowers);
});

describe.concurrent('inspect', () => {
  test('data: shape, sparsity, classes, lengths, columns', async () => {
    folder.write('sparse.txt', '+1 1:3 4:4\n-1 2:1000\n-1\n');
    const { stdout, stderr, status } = await here(['inspect', 'sparse.txt']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('sparse.txt: 3 rows × 4 columns, LIBSVM, 3 non-zeros (25.0 %)');
    expect(stdout).toContain('75.0 % of the values are 0');
    expect(stdout).toContain('-1: 2 rows (66.7 %), 1: 1 row (33.3 %)');
    expect(stdout).toContain('rows are 0 to 1000 long, half of them up to 5');
    expect(stdout).toContain('mean size from 1 (index 1) to 333 (index 2); 1 column with nothing but 0');
  });

  test('data whose columns differ in size should be scaled', async () => {
    folder.write('sizes.csv', 'small,large,kind\n0.1,5000,a\n0.2,6000,b\n0.3,9000,a\n');
    const { stdout } = await here(['inspect', 'sizes.csv']);
    expect(stdout).toMatch(/mean size from 0\.2 \(small\) to 6670 \(large\)/);
    expect(stdout).toMatch(/--scale standardize/);
  });

  test('data for machines, and from standard input', async () => {
    const { stdout } = await here(['inspect', '-', '--json'], worked.csv);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'data',
      file: 'standard input',
      format: 'csv',
      rows: 3,
      cols: 2,
      featureNames: ['width', 'height'],
      classes: [
        { label: 'big', rows: 2 },
        { label: 'small', rows: 1 },
      ],
      norms: { min: Math.SQRT2, median: Math.sqrt(18), max: 5 },
    });
  });

  test('a model: weights by name, margin, bound, how training went', async () => {
    await here(['train', '--plain', 'worked.csv', '-o', 'model.json', '-q']);
    const { stdout, status } = await here(['inspect', 'model.json']);
    expect(status).toBe(0);
    expect(stdout).toContain('model.json: a perceptron');
    expect(stdout).toContain('Separated after 6 epochs and 7 mistakes.');
    expect(stdout).toMatch(/the best margin is between 0\.\d+ and 0\.\d+/);
    expect(stdout).toMatch(/no run with these options can make more than \d+ mistakes/);
    expect(stdout).toMatch(/100\.00 % of its 3 training rows/);
    expect(stdout).toMatch(/What speaks for small/);
    expect(stdout).toMatch(/width +-1\n +height +-1/);
  });

  test('a kernel in words, and a column without a name as one', async () => {
    folder.write('bent.txt', worked.libsvm);
    await here([
      'train',
      'bent.txt',
      '-o',
      'bent.json',
      '-q',
      '--kernel',
      'polynomial',
      '--degree',
      '2',
      '--gamma',
      '0.5',
    ]);
    const bent = await here(['inspect', 'bent.json']);
    expect(bent.stdout).toMatch(/^options +polynomial kernel \(degree 2, gamma 0\.5/m);
    expect(bent.stdout).not.toMatch(/[{}]/);
    folder.write('index.csv', ',height,kind\n3,3,big\n4,3,big\n1,1,small\n');
    await here(['train', '--plain', 'index.csv', '-o', 'index.json', '-q']);
    expect((await here(['inspect', 'index.json'])).stdout).toMatch(/^ +\(column 0, unnamed\) +\S+$/m);
  });

  test('a model with many classes, a kernel, a scaler', async () => {
    await here(['train', '--plain', 'flowers.csv', '-o', 'flowers.json', '-q', '--strategy', 'multinomial']);
    const many = await here(['inspect', 'flowers.json', '--top', '1']);
    expect(many.stdout.match(/Class \w+: what speaks for it/g)).toHaveLength(3);
    await here(['train', '--plain', 'worked.txt', '-o', 'dual.json', '-q', '--kernel', 'rbf']);
    expect((await here(['inspect', 'dual.json'])).stdout).toMatch(/support +[23] vectors/);
    await here(['train', '--plain', 'worked.txt', '-o', 'scaled.json', '-q', '--scale', 'unit-ball']);
    const { stdout } = await here(['inspect', 'scaled.json', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'model', scaler: 'unit-ball', type: 'perceptron', cols: 2 });
  });

  test('models from elsewhere', async () => {
    folder.write('sk.json', '{"coef_": [[2, -3]], "intercept_": [0.5], "classes_": ["no", "yes"]}');
    const { stdout } = await here(['inspect', 'sk.json']);
    expect(stdout).toMatch(/from scikit-learn/);
    expect(stdout).toMatch(/column 1 +-3\n +column 0 +2/);
    folder.write('ll.txt', 'solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n2 \n-3 \n');
    expect((await here(['inspect', 'll.txt'])).stdout).toMatch(/in LIBLINEAR's format/);
  });
});

describe('compare', () => {
  test('shows both forms on every engine, on generated rows', async () => {
    const { stdout, status } = await here(['compare', '--budget', '1']);
    expect(status).toBe(0);
    for (const form of ['primal', 'dual']) {
      for (const engine of ['wasm-simd', 'wasm-scalar', 'js \\(pure JS\\)'])
        expect(stdout).toMatch(new RegExp(`${form} +${engine}`));
    }
    expect(stdout).toMatch(/Results are bit-identical/);
    expect(stdout).toMatch(/200 × 2,000, generated \(seed 0\)/);
  });

  test('takes data and options, and gives machines one object', async () => {
    const { stdout } = await here(['compare', 'worked.txt', '--json', '--budget', '0', '--eta', '2']);
    const { results, formsAgree, rows, cols } = JSON.parse(stdout);
    expect({ formsAgree, rows, cols }).toEqual({ formsAgree: true, rows: 3, cols: 2 });
    expect(results).toHaveLength(6);
    for (const row of results) expect(row).toMatchObject({ epochs: 6, mistakes: 7, accuracy: 1 });
  });

  test('needs two classes', async () => {
    expectError(await here(['compare', 'flowers.csv', '-q']), 1, /3 classes/);
  });
});

describe.concurrent('gen', () => {
  test('makes the same file for the same seed, in LIBSVM or CSV by its name', async () => {
    await Promise.all(['a.txt', 'b.txt', 'c.csv'].map((name) => here(['gen', 'moons', '--rows', '50', '-o', name])));
    expect(folder.read('a.txt')).toBe(folder.read('b.txt'));
    expect(folder.read('a.txt').split('\n')[0]).toMatch(/^\+?1 1:-?\d/);
    const [header, first, ...rest] = folder.read('c.csv').trimEnd().split('\n');
    expect(header).toMatch(/label$/);
    expect(first).toMatch(/^-?[\d.]+,-?[\d.]+,1$/);
    expect(rest).toHaveLength(49);
  });

  test('has both formats hold the same rows, through training', async () => {
    const reports = await Promise.all(
      ['libsvm', 'csv'].map((format) =>
        shell(
          `$cli gen separable --rows 300 --cols 4 --margin 0.3 --format ${format} -q | $cli train --plain - --json -q`,
        ),
      ),
    );
    const [one, other] = reports.map(({ stdout }) => JSON.parse(stdout).report);
    expect(one).toMatchObject({ converged: true });
    expect(other.mistakesByEpoch).toEqual(one.mistakesByEpoch);
  });

  test('makes blocks of CSV under one header', async () => {
    const { stdout } = await here(['gen', 'xor', '--rows', '3000', '--cols', '100', '--format', 'csv', '-q']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3001);
    expect(lines.filter((line) => line.includes('label'))).toHaveLength(1);
    expect(new Set(lines.map((line) => line.split(',').length))).toEqual(new Set([101]));
  });

  test('says what it made on standard error, or as an object', async () => {
    const { stderr } = await here(['gen', 'separable', '--margin', '0.5', '--rows', '10', '-o', 'd.txt']);
    expect(stderr).toMatch(/^separable, 10 rows × 2 columns, seed 0: .* margin of at least 0\.5.*; d\.txt\n$/);
    const { stdout } = await here(['gen', 'xor', '--rows', '10', '-o', 'd.txt', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ shape: 'xor', rows: 10, cols: 2, seed: 0, output: 'd.txt' });
  });

  test('refuses what it cannot make', async () => {
    expectError(await here(['gen', 'circles']), 2, /separable, xor, moons, got "circles"/);
    expectError(await here(['gen', 'moons', '--margin', '2']), 2, /at most 0\.49/);
    expectError(await here(['gen', 'xor', '--cols', '1']), 2, /at least 2/);
    expectError(await here(['gen', 'xor', '--json']), 2, /needs -o FILE/);
  });
});

describe.concurrent('the page', () => {
  test.each(['train', 'tune', 'predict', 'inspect', 'compare', 'gen'])('%s --help teaches by example', async (name) => {
    const { status, stdout, stderr } = await here([name, '--help', '--nonsense']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Examples\n {2}perceptron-wasm /m);
    expect((await here(['help', name])).stdout).toBe(stdout);
  });

  test('--version is that of the package, and no arguments are wrong usage', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect((await here(['--version'])).stdout).toBe(`${version}\n`);
    const { status, stdout, stderr } = await here([]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe((await here(['--help'])).stdout);
  });
});

test.skipIf(!hasShared)('agaricus is as sparse as it is', async () => {
  const { stdout } = await here(['inspect', join(shared, 'agaricus.txt.train'), '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 6513, cols: 126, nonZeros: 143_286, values: { min: 0, max: 1 } });
});
