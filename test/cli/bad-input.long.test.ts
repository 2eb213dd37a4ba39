// Whatever comes in: one clear line on standard error, the right exit status, no stack, nothing lost.

import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { DualPerceptron } from '../../src/index.js';
import { expectError, npy, run, shell, useFolder, worked } from './command.js';

const folder = useFolder();
const here = (args: string[], env: Record<string, string> = {}) => run(args, { cwd: folder.path, env });

beforeAll(async () => {
  folder.write('worked.txt', worked.libsvm);
  folder.write('worked.csv', worked.csv);
  mkdirSync(folder.at('directory'));
  expect((await here(['train', '--plain', 'worked.csv', '-o', 'model.json', '-q'])).status).toBe(0);
});

const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `${i % 2 ? '+1' : '-1'} 1:${i} 2:${i % 7}\n`).join('');
const lying = () => {
  const bytes = Buffer.from(npy([1, 2, 3, 4], [2, 2]));
  return Buffer.from(bytes.toString('latin1').replace('(2, 2)', '(9, 9)'), 'latin1');
};

describe('data that cannot be read', () => {
  const files: [string, string, string | Uint8Array | undefined, RegExp][] = [
    ['a missing file', 'missing.txt', undefined, /missing\.txt: .*no such file/],
    ['a directory', 'directory', undefined, /directory: .*directory/],
    ['truncated gzip', 'cut.gz', gzipSync(lines(5000)).subarray(0, 2000), /cut\.gz.*/],
    ['gzip that is none', 'bad.gz', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), /bad\.gz.*/],
    ['.npy with a wrong magic', 'bad.npy', Buffer.from([0x94, ...Buffer.from('NUMPY\u0001\u0000')]), /bad\.npy/],
    ['.npy with a lying header', 'lying.npy', lying(), /lying\.npy/],
    ['an empty file', 'empty.txt', '', /empty\.txt.*/],
    ['a file of only comments', 'comments.txt', '# one\n# two\n', /comments\.txt/],
    ['index 0', 'zero.txt', '+1 0:1\n-1 1:1\n', /zero\.txt:1:4: /],
    ['a descending index', 'down.txt', '+1 1:1\n-1 3:1 2:1\n', /down\.txt:2:\d+: /],
    ['an index beyond maxCols', 'huge.txt', '+1 2147483647:1\n-1 1:1\n', /huge\.txt:1:4: /],
    ['NaN', 'nan.txt', '+1 1:nan\n-1 1:1\n', /nan\.txt:1:\d+: /],
    ['binary junk', 'junk.bin', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)), /junk\.bin/],
  ];

  test.each([
    ['decimal commas', 'commas.csv', 'a;b;kind\n1,5;2;x\n2,5;3;y\n', /commas\.csv/],
    ['a ragged CSV', 'ragged.csv', 'a,b,kind\n1,2,x\n1,y\n', /ragged\.csv:3/],
  ])('%s, which inspect can tell of', async (_, name, content, message) => {
    folder.write(name, content);
    expectError(await here(['train', '--plain', name, '-o', 'never.json']), 1, message);
    expectError(await here(['predict', 'model.json', name, '-o', 'never.txt']), 1, message);
    const { status, stdout } = await here(['inspect', name]);
    expect(status).toBe(0);
    expect(stdout).toMatch(message);
  });

  test.each(files)('%s', async (_, name, content, message) => {
    if (content !== undefined) folder.write(name, content);
    const before = readdirSync(folder.path);
    const commands = [
      ['train', '--plain', name, '-o', 'never.json'],
      ['predict', 'model.json', name, '-o', 'never.txt'],
      ['inspect', name],
    ];
    for (const result of await Promise.all(commands.map((args) => here(args)))) expectError(result, 1, message);
    expect(readdirSync(folder.path)).toEqual(before);
  });

  test('one class only', async () => {
    folder.write('one.txt', '+1 1:1\n+1 1:2\n');
    expectError(
      await here(['train', '--plain', 'one.txt', '-o', 'never.json']),
      1,
      /one\.txt has one class only \(1\); a classifier needs two$/m,
    );
  });

  test('labels that are missing', async () => {
    folder.write('X.npy', npy([1, 2, 3, 4], [2, 2]));
    expectError(
      await here(['train', '--plain', 'X.npy']),
      1,
      /X\.npy has no labels to learn from: give them with --labels FILE/,
    );
    expectError(await here(['train', '--plain', 'X.npy', '--labels', 'missing.txt']), 1, /missing\.txt/);
  });

  test('a label column that is not there', async () => {
    expectError(await here(['train', '--plain', 'worked.csv', '--label', 'colour']), 1, /colour/);
  });

  test('a label column that is misspelt', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `x${i * 111}`);
    folder.write('wide-names.csv', `${names},Diagnosis\n${names.map(() => 1)},a\n${names.map(() => 2)},b\n`);
    for (const name of ['diagnosis', 'Diagnosys']) {
      const message = `wide-names.csv:1: there is no column "${name}": do you mean "Diagnosis"?`;
      expectError(await here(['train', '--plain', 'wide-names.csv', '--label', name]), 1, message);
    }
  });

  test('a model', async () => {
    const message = /model\.json is a model, not data \(see perceptron-wasm inspect\)$/m;
    expectError(await here(['train', '--plain', 'model.json']), 1, message);
    expectError(await here(['train', '--plain', 'worked.txt', '--test', 'model.json', '-q']), 1, message);
    expectError(await here(['predict', 'model.json', 'model.json']), 1, message);
    folder.write('other.json', '{"hello": [1, 2]}\n');
    expect((await here(['train', '--plain', 'other.json'])).stderr).not.toMatch(/is a model/);
  });

  test('in words of the command, not of the library', async () => {
    folder.write('far.txt', '+1 2147483647:1\n-1 1:1\n');
    folder.write('words.csv', 'a,b,c\nx,1,u\ny,2,v\n');
    folder.write('column.csv', '1\n2\n');
    const cases: [string[], 1 | 2, RegExp][] = [
      [['train', '--plain', 'far.txt'], 1, /an index of at most 16777216 \(--max-cols\), got/],
      [['train', '--plain', 'words.csv'], 1, /say which one is the label \(--label\)/],
      [['train', '--plain', 'column.csv'], 1, /semicolons between them, got one$/m],
      [
        ['train', '--plain', 'worked.csv', '--labels', 'words.csv'],
        1,
        /--labels is for \.npy only: .* in a column \(--label\)$/m,
      ],
      [['train', '--plain', 'worked.csv', '--label', '7'], 1, /worked\.csv: --label is column 7, but there are 3/],
      [['train', '--plain', 'worked.csv', '--class-weight', 'q=2', '-q'], 1, /: --class-weight has the class "q", but/],
      [
        ['train', '--plain', 'worked.csv', '--trainer', 'pocket', '--average'],
        2,
        /: --average does not go with the pocket/,
      ],
      [
        ['train', '--plain', 'worked.csv', '--ratchet', '--order', 'cyclic'],
        2,
        /: --ratchet draws .* with --order random only/,
      ],
    ];
    await Promise.all(cases.map(async ([args, status, message]) => expectError(await here(args), status, message)));
  });

  test('a test file that is not there, before anything is trained', async () => {
    expectError(
      await here(['train', '--plain', 'worked.txt', '--test', 'missing.txt', '-o', 'never.json']),
      1,
      /missing\.txt/,
    );
    expect(existsSync(folder.at('never.json'))).toBe(false);
  });

  test('a scaling that would fill every zero', async () => {
    expectError(await here(['train', '--plain', 'worked.txt', '--scale', 'centre']), 1, /use --scale unit-ball/);
  });
});

describe.concurrent('models that cannot be used', () => {
  const model = () => JSON.parse(folder.read('model.json'));
  const cases: [string, string, () => string | Uint8Array | undefined, RegExp][] = [
    ['missing', 'none.json', () => undefined, /cannot read none\.json: there is no such file/],
    ['a directory', 'directory', () => undefined, /cannot read directory: it is a directory/],
    [
      'cut off',
      'cut.json',
      () => folder.read('model.json').slice(0, 100),
      /cut\.json .*not JSON, or only a part of it/,
    ],
    ['empty', 'empty.json', () => '', /empty\.json is not a valid model/],
    ['data', 'worked.txt', () => worked.libsvm, /worked\.txt is not a valid model.*expected perceptron-wasm's JSON/],
    ['of another kind', 'kind.json', () => JSON.stringify({ ...model(), type: 'forest' }), /kind\.json .*type/],
    ['from a newer version', 'newer.json', () => JSON.stringify({ ...model(), version: 99 }), /newer\.json .*version/],
    [
      'spoiled',
      'spoiled.json',
      () => JSON.stringify({ ...model(), weights: [1, 'x'] }),
      /spoiled\.json .*weights\[1\]/,
    ],
    ['without a type', 'plain.json', () => '{"hello": 1}', /plain\.json .*type/],
    ["spoiled scikit-learn's", 'sk.json', () => '{"coef_": [1], "intercept_": [], "classes_": []}', /sk\.json/],
    ["spoiled LIBLINEAR's", 'll.txt', () => 'solver_type L2R_LR\nnr_class x\n', /ll\.txt/],
    [
      'binary',
      'bin.json',
      () => Buffer.from([0x7b, 0xff, 0xfe, 0x00]),
      /bin\.json is not a valid model: this is binary data, expected text/,
    ],
    ['truncated gzip', 'cut.json.gz', () => gzipSync(folder.read('model.json')).subarray(0, 60), /cut\.json\.gz/],
  ];

  test.each(cases)('%s', async (_, name, content, message) => {
    const bytes = content();
    if (bytes !== undefined) folder.write(name, bytes);
    expectError(await here(['predict', name, 'worked.csv', '-q']), 1, message);
  });

  test('a short one for half a billion columns', async () => {
    const kernel = new DualPerceptron<number>({ kernel: { type: 'rbf', gamma: 0.5 } });
    kernel.fit({ values: [3, 3, 4, 3, 1, 1], indices: [0, 1, 0, 1, 0, 1], indptr: [0, 2, 4, 6], cols: 2 }, [1, 1, -1]);
    folder.write('half.json', JSON.stringify({ ...kernel.toJSON(), cols: 2 ** 29 }));
    const because = /half\.json .*it is for rows of 536870912 columns, and --max-cols allows 16777216/;
    expectError(await here(['predict', 'half.json', 'worked.txt', '-q']), 1, because);
    expectError(await here(['inspect', 'half.json', '-q']), 1, because);
    folder.write('large.json', JSON.stringify({ ...kernel.toJSON(), cols: 2 ** 25 }));
    const allowed = await here(['predict', 'large.json', 'worked.txt', '-q', '--max-cols', '40000000']);
    expect(allowed).toMatchObject({ status: 0, stdout: '1\n1\n-1\n' });
  });

  test('a model for other columns', async () => {
    folder.write('wide.csv', 'a,b,c,kind\n1,2,3,big\n4,5,6,small\n');
    expectError(await here(['predict', 'model.json', 'wide.csv', '-q']), 1, /wide\.csv.*3.*2|wide\.csv.*2.*3/);
    expectError(
      await here(['train', '--plain', 'worked.csv', '--test', 'wide.csv', '-q']),
      1,
      /wide\.csv.*3.*2|wide\.csv.*2.*3/,
    );
  });
});

describe.concurrent('a file that is read is not written', () => {
  const cases: [string, string[], string][] = [
    ['the data of train', ['train', '--plain', 'kept.csv', '-o', 'kept.csv'], 'kept.csv'],
    ['by another path', ['train', '--plain', 'kept.csv', '-o', './directory/../kept.csv'], 'kept.csv'],
    ['by a link', ['train', '--plain', 'kept.csv', '-o', 'link.csv'], 'kept.csv'],
    ['the test rows', ['train', '--plain', 'worked.csv', '--test', 'kept.csv', '-o', 'kept.csv'], 'kept.csv'],
    ['the labels', ['train', '--plain', 'worked.csv', '--labels', 'kept.csv', '-o', 'kept.csv'], 'kept.csv'],
    ['the model of predict', ['predict', 'model.json', 'kept.csv', '-o', 'model.json'], 'model.json'],
    ['the data of predict', ['predict', 'model.json', 'kept.csv', '-o', 'kept.csv'], 'kept.csv'],
  ];

  beforeAll(() => {
    folder.write('kept.csv', worked.csv);
    symlinkSync('kept.csv', folder.at('link.csv'));
  });

  test.each(cases)('%s', async (_, args, name) => {
    const before = folder.read(name);
    expectError(await here(args), 2, `-o ${args.at(-1)} is also an input`);
    expect(folder.read(name)).toBe(before);
  });

  test('nor is it where it comes by standard input', async () => {
    const result = await shell('$cli train --plain - -o kept.csv < kept.csv', { cwd: folder.path });
    expectError(result, 2, /-o kept\.csv is also an input/);
    expect(folder.read('kept.csv')).toBe(worked.csv);
  });
});

describe('files that cannot be written', () => {
  const commands: [string, string[]][] = [
    ['train', ['train', '--plain', 'worked.txt', '-o']],
    ['predict', ['predict', 'model.json', 'worked.csv', '-q', '-o']],
    ['gen', ['gen', 'xor', '-o']],
  ];

  describe.concurrent.each(commands)('%s', (_, args) => {
    test('into a directory that is not there', async () => {
      expectError(
        await here([...args, 'nowhere/file']),
        1,
        /cannot write nowhere\/file: the directory nowhere does not exist$/m,
      );
    });

    test('onto a directory', async () => {
      expectError(await here([...args, 'directory']), 1, /cannot write directory: it is a directory \(EISDIR\)/);
    });

    test.skipIf(!existsSync('/dev/full'))('onto a full disk', async () => {
      expectError(
        await here([...args, '/dev/full']),
        1,
        /cannot write \/dev\/full: no space left on the device \(ENOSPC\)/,
      );
    });

    test.skipIf(process.getuid?.() === 0)('without permission', async () => {
      mkdirSync(folder.at('locked'), { recursive: true, mode: 0o500 });
      expectError(await here([...args, 'locked/file']), 1, /cannot write locked\/file: permission denied/);
      folder.write('read-only', 'old');
      chmodSync(folder.at('read-only'), 0o400);
      expectError(await here([...args, 'read-only']), 1, /cannot write read-only: permission denied/);
      expect(folder.read('read-only')).toBe('old');
    });
  });

  test('what the command reads is not replaced, by whatever name', async () => {
    folder.write('rows.txt', worked.libsvm);
    folder.write('tests.txt', worked.libsvm);
    symlinkSync('rows.txt', folder.at('alias.txt'));
    const model = folder.read('model.json');
    const lines = [
      ['train', '--plain', 'rows.txt', '-o', 'rows.txt'],
      ['train', '--plain', 'rows.txt', '-o', 'alias.txt'],
      ['train', '--plain', 'alias.txt', '-o', './rows.txt'],
      ['train', '--plain', 'rows.txt', '--test', 'tests.txt', '-o', 'tests.txt'],
      ['predict', 'model.json', 'worked.csv', '-o', 'model.json'],
      ['predict', 'model.json', 'rows.txt', '-o', 'alias.txt'],
    ];
    for (const line of lines) {
      expectError(await here(line), 2, /-o \S+ is also an input/);
    }
    expect([folder.read('rows.txt'), folder.read('tests.txt')]).toEqual([worked.libsvm, worked.libsvm]);
    expect(folder.read('model.json')).toBe(model);
  });

  test('a disk that fills up half-way: the old file stays, and no other is left', async () => {
    folder.write('old.txt', 'precious');
    const before = readdirSync(folder.path);
    // Files may not grow beyond 8 blocks of 1,024 bytes: a write fails in the midst of the file.
    const result = await shell('ulimit -f 8; $cli gen separable --rows 5000 -o old.txt', { cwd: folder.path });
    expectError(result, 1, /cannot write old\.txt: the file would be larger than is allowed \(EFBIG\)/);
    expect(folder.read('old.txt')).toBe('precious');
    expect(readdirSync(folder.path)).toEqual(before);
  });

  test.skipIf(!existsSync('/dev/full'))('standard output onto a full disk', async () => {
    const lines = [
      'train --plain worked.txt',
      'inspect worked.txt',
      'gen xor -q',
      'train --help',
      'predict model.json worked.csv -q',
    ];
    const results = lines.map((line) => shell(`$cli ${line} > /dev/full`, { cwd: folder.path }));
    for (const result of await Promise.all(results)) {
      expectError(result, 1, /cannot write to standard output: no space left/);
    }
  });
});

describe.concurrent('wrong usage', () => {
  test.each([
    [['trian', 'x'], /unknown command "trian": do you mean train\?/],
    [['fly'], /unknown command "fly": there are train, tune, predict, inspect, export, compare, gen/],
    [['--fast'], /unknown option "--fast"/],
    [['train'], /usage: perceptron-wasm train DATA/],
    [['train', '--plain', 'a', 'b'], /"b" is one operand too many/],
    [['train', '--plain', 'x', '--epoch', '5'], /unknown option --epoch: do you mean --epochs\?/],
    [['train', '--plain', 'x', '--epochs', 'many'], /--epochs takes an integer of at least 1, got "many"/],
    [['train', '--plain', 'x', '--trainer', 'forest'], /--trainer takes one of primal, dual, pocket, multiclass/],
    [
      ['train', '--plain', 'x', '--trainer', 'primal', '--kernel', 'rbf'],
      /--kernel needs --trainer dual or multiclass/,
    ],
    [['train', '--plain', 'x', '--gamma', '1'], /--gamma needs --kernel rbf or polynomial/],
    [['train', '--plain', 'x', '--kernel', 'rbf', '--degree', '2'], /--degree needs --kernel polynomial/],
    [['train', '--plain', 'x', '--trainer', 'pocket', '--average'], /--average does not go with the pocket/],
    [['train', '--plain', 'x', '--patience', '3'], /--patience needs --validation/],
    [['train', '--plain', 'x', '--test', 'y', '--folds', '3'], /choose one/],
    [['train', '--plain', 'x', '--as', 'liblinear'], /--as needs -o MODEL/],
    [['train', '--plain', 'x', '-o', 'm', '--as', 'sklearn', '--kernel', 'rbf'], /--as sklearn is for linear models/],
    [['train', '--plain', '-', '--test', '-'], /standard input \(-\) can be read only once/],
    [['train', '--plain', 'x', '--json', '-o', '-'], /both write to standard output/],
    [['predict', 'model.json'], /: DATA is missing; usage: perceptron-wasm predict MODEL DATA/],
    [['gen', 'xor', '-o', 'x.npy'], /: gen writes LIBSVM or CSV, not \.npy: -o x\.npy/],
    [['predict'], /: MODEL and DATA are missing; usage: /],
    [['predict', 'worked.csv', 'model.json'], /: the model comes first: predict model\.json worked\.csv/],
    [['predict', '-', '-'], /can be read only once/],
    [['inspect'], /usage: perceptron-wasm inspect DATA\|MODEL/],
    [['compare', 'a', 'b'], /one operand too many/],
    [['gen'], /usage: perceptron-wasm gen separable\|xor\|moons/],
    [['help', 'fly'], /unknown command "fly"/],
  ])('%j', async (args, message) => {
    const result = await here(args);
    expectError(result, 2, message);
    expect(result.stderr).toMatch(/\(see perceptron-wasm( \w+)? --help\)\n$/);
  });
});

test('DEBUG shows the stack', async () => {
  const { stderr, status } = await here(['train', '--plain', 'missing.txt'], { DEBUG: '1' });
  expect(stderr).toMatch(/\n\s+at /);
  expect(stderr).toMatch(/^perceptron-wasm train: cannot read missing\.txt/m);
  expect(status).toBe(1);
});
