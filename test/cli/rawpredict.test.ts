// Predicting from raw files, and what is said of files that do not fit or are not in order.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, root, run, useFolder } from './command.js';

const folder = useFolder();
const here = (args: string[], input?: string) => run(args, { cwd: folder.path, ...(input !== undefined && { input }) });

/** Tickets: text, a category, a number with gaps, an ID. */
const tickets = [
  'id,body,plan,size,kind',
  ...Array.from({ length: 40 }, (_, i) => {
    const isBug = i % 2 === 0;
    const body = isBug ? `the page ${i} crashes with an error` : `please send the invoice for month ${i}`;
    return `t${i},${body},${['free', 'pro', 'team'][i % 3]},${i % 7 === 0 ? '' : i * 10},${isBug ? 'bug' : 'billing'}`;
  }),
  '',
].join('\n');

beforeAll(async () => {
  copyFileSync(join(root, 'examples/penguins.csv'), folder.at('penguins.csv'));
  folder.write('tickets.csv', tickets);
  const { status, stderr } = await here(['train', 'tickets.csv', '--label', 'kind', '-o', 'tickets.json']);
  expect(status).toBe(0);
  expect(stderr).toContain(
    'tickets.csv: 4 columns: id left out (its 40 values are all different), body as text, plan as category (3 values), size as number (6 missing: median)',
  );
});

describe('predict', () => {
  test('takes the file that was trained on, and tells the accuracy', async () => {
    const { stdout, stderr, status } = await here(['predict', 'tickets.json', 'tickets.csv']);
    expect(status).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(40);
    expect(stderr).toContain('accuracy 100.00 % (40 of 40)');
  });

  test('finds columns by name in any order, from another format, without labels; others are ignored and said', async () => {
    const record = { size: null, extra: 'x', plan: 'pro', body: 'the page crashes' };
    const { stdout, stderr, status } = await here(
      ['predict', 'tickets.json', '-', '--scores'],
      `${JSON.stringify(record)}\n${JSON.stringify({ ...record, body: 'send the invoice please' })}\n`,
    );
    expect(stderr).toContain('"extra" ignored: tickets.json does not know this column');
    expect(status).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(',')[0])).toEqual(['prediction', 'bug', 'billing', '']);
  });

  test('takes one record on one line, from a file and from a pipe', async () => {
    const line = `${JSON.stringify({ type: 'new', size: 3, plan: 'pro', body: 'the page crashes' })}\n`;
    folder.write('one.jsonl', line);
    const file = await here(['predict', 'tickets.json', 'one.jsonl']);
    expect({ status: file.status, stdout: file.stdout }).toEqual({ status: 0, stdout: 'bug\n' });
    expect((await here(['predict', 'tickets.json', '-'], line.trimEnd())).stdout).toBe('bug\n');
    expect((await here(['inspect', 'one.jsonl'])).stdout).toContain('one.jsonl: 1 row × 4 columns, JSON');
    expect((await here(['inspect', 'tickets.json'])).stdout).toContain('a perceptron of tables');
    expectError(await here(['predict', 'one.jsonl', 'tickets.json']), 2, 'the model comes first');
  });

  test.each([
    ['found to be', []],
    ['said to be', ['--header', 'no']],
  ])('takes a file %s without a header, as that of training', async (_, header) => {
    const rows = Array.from({ length: 12 }, (_, i) => (i % 2 ? `${i},red,,no` : `${i},blue,${i},yes`));
    folder.write('bare.csv', `${rows.join('\n')}\n`);
    const trained = await here(['train', 'bare.csv', '--label', '3', ...header, '-o', 'bare.json', '-q']);
    expect(trained.status, trained.stderr).toBe(0);
    expect(JSON.parse(folder.read('bare.json')).data.header).toBe(false);
    expect((await here(['predict', 'bare.json', 'bare.csv'])).stderr).toContain('(12 of 12)');
    expect((await here(['predict', 'bare.json', '-'], '4,blue,4\n5,red,\n')).stdout).toBe('yes\nno\n');
    const one = await here(['predict', 'bare.json', '-'], '5,red,\n');
    expect([one.stdout, one.stderr.includes('is not there')]).toEqual(['no\n', false]);
    expectError(await here(['predict', 'bare.json', '-'], '4,blue\n'), 1, 'no column "x3", which bare.json needs');
  });

  test('finds columns without names behind a label that is not there', async () => {
    const words = (i: number) => (i % 2 ? 'red' : 'blue');
    const rows = Array.from({ length: 24 }, (_, i) => [`${i}`, i % 2 ? 'no' : 'yes', `k${i}`, words(i), `${i % 5}`]);
    const without = (...left: number[]) =>
      rows.map((row) => row.filter((_, j) => !left.includes(j)).join(',')).join('\n');
    folder.write('middle.csv', without());
    const options = ['--label', '1', '--ignore', '2', '--header', 'no'];
    const trained = await here(['train', 'middle.csv', ...options, '-o', 'middle.json']);
    expect(trained.stderr).toContain('the label is column 1 "x2" (it was asked for)');
    const { stdout } = await here(['predict', 'middle.json', 'middle.csv']);
    const bare = await here(['predict', 'middle.json', '-'], without(1));
    expect(bare.stdout).toBe(stdout);
    expect(bare.stderr).toContain('the label of training, column 1, is not there: the columns behind it are one place');
    expectError(
      await here(['predict', 'middle.json', '-'], without(1, 3)),
      1,
      'no column "x4", which middle.json needs',
    );
  });

  test('knows the label by its column of the file, whatever is left out before it', async () => {
    const options = ['--ignore', 'id', '--ignore', 'body'];
    const trained = await here(['train', 'tickets.csv', '--label', '4', ...options, '-o', 'fourth.json']);
    expect(trained.stderr).toContain('the label is column 4 "kind" (it was asked for)');
    expect(JSON.parse(folder.read('fourth.json')).data.label).toEqual({ index: 4, name: 'kind' });
    const byName = await here(['train', 'tickets.csv', '--label', 'kind', ...options, '-o', 'named.json']);
    expect(byName.stderr).toContain('the label is column 4 "kind"');
    expect(folder.read('named.json')).toBe(folder.read('fourth.json'));
    const { stdout, stderr } = await here(['predict', 'fourth.json', 'tickets.csv']);
    expect(stderr).toContain('the label is column 4 "kind" (as in training)');
    expect((await here(['predict', 'fourth.json', 'tickets.csv', '--label', '4'])).stdout).toBe(stdout);
  });

  test('counts categories that it does not know in one warning', async () => {
    const { stderr, status } = await here(
      ['predict', 'tickets.json', '-'],
      'body,plan,size\nthe page crashes,gold,1\nthe page crashes,gold,2\n',
    );
    expect(status).toBe(0);
    expect(stderr).toContain(
      'warning: standard input: 2 values of categories the model does not know, such as "plan=gold"',
    );
  });

  test('goes on with what is wrong in a file, in one warning', async () => {
    const { stdout, stderr, status } = await here(
      ['predict', 'tickets.json', '-'],
      'body,plan,size,kind\nthe page crashes,free,x2,bug\nthe page crashes,free\n',
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'bug\nbug\n' });
    expect(stderr).toContain(
      'warning: standard input: 2 problems: the first is standard input:2:23: expected a number in "size", got "x2": it is read as missing\n',
    );
    expect(stderr).toContain('accuracy 100.00 % (1 of 1)');
    expect(stderr).not.toContain('constant');
  });

  test('bug: columns of one name, and columns without a name, have the names that train gave them', async () => {
    folder.write('twice.csv', ',size,,size,kind\na,1,b,9,no\nb,7,a,8,yes\na,2,b,7,no\nb,8,a,9,yes\n');
    const trained = await here(['train', 'twice.csv', '--label', 'kind', '--missing', 'median', '-o', 'twice.json']);
    expect(trained.stderr).toContain('x1 as category (2 values), size as number, x3 as category (2 values), size.2 as');
    const { stdout, stderr } = await here(['predict', 'twice.json', 'twice.csv']);
    expect(stdout).toBe('no\nyes\nno\nyes\n');
    expect(stderr).not.toContain('ignored');
    // One row alone, in another order, without the label.
    const again = await here(['predict', 'twice.json', '-'], 'size,,x3,size.2\n1,a,b,9\n');
    expectError(again, 1, 'standard input has no column "x1", which twice.json needs: do you mean "x2"?');
    expect((await here(['predict', 'twice.json', '-'], 'size,x1,x3,size\n1,a,b,9\n')).stdout).toBe('no\n');
  });

  test('refuses a file without a column, with a name that is near', async () => {
    expectError(
      await here(['predict', 'tickets.json', '-'], 'text,Plan,size\na b c,pro,1\n'),
      1,
      'standard input has no column "body" and 1 other, which tickets.json needs',
    );
    expectError(
      await here(['predict', 'tickets.json', '-'], 'body,Plan,size\na b c,pro,1\n'),
      1,
      'standard input has no column "plan", which tickets.json needs: do you mean "Plan"?',
    );
  });
});

describe('a table', () => {
  test('is judged by folds and by other rows', async () => {
    const folds = await here(['train', 'tickets.csv', '--label', 'kind', '--folds', '4', '-q']);
    expect(folds.stdout).toMatch(
      /^unseen {3}\d+\.\d\d % ± \d+\.\d\d in 4 folds; balanced [\d.]+ %; always \w+: [\d.]+ %\n$/,
    );
    const other = await here(['train', 'tickets.csv', '--label', 'kind', '--test', 'tickets.csv', '-q']);
    expect(other.stdout).toMatch(
      /^test {5}100\.00 % \(40 of 40\); balanced 100\.00 %; always \w+: [\d.]+ % {2}tickets\.csv\n$/,
    );
  });

  test('takes columns as they are said to be', async () => {
    const { stderr } = await here([
      'train',
      'tickets.csv',
      '--label',
      'kind',
      '--category',
      'id',
      '--text',
      'plan',
      '--missing',
      'zero',
    ]);
    expect(stderr).toContain(
      'id as category (40 values), body as text, plan as text, size as number (6 missing: zero)',
    );
    const { stderr: left } = await here([
      'train',
      'tickets.csv',
      '--label',
      'kind',
      '--ignore',
      'id',
      '--ignore',
      'body',
    ]);
    expect(left).toContain('2 columns: plan as category (3 values), size as number (6 missing: median)');
  });

  test('is standardised anyway, and can be scaled into the unit ball', async () => {
    const { stderr, status } = await here(['train', 'tickets.csv', '--label', 'kind', '--scale', 'standardize']);
    expect({ status, said: /standardised anyway/.test(stderr) }).toEqual({ status: 0, said: true });
    const ball = await here([
      'train',
      'tickets.csv',
      '--label',
      'kind',
      '--scale',
      'unit-ball',
      '-o',
      'ball.json',
      '-q',
    ]);
    expect(ball.status).toBe(0);
    expect((await here(['predict', 'ball.json', 'tickets.csv'])).stderr).toContain('accuracy 100.00 %');
    expectError(
      { ...(await here(['train', 'tickets.csv', '--label', 'kind', '--scale', 'centre', '-q'])) },
      1,
      '--scale centre is not for tables',
    );
  });

  test('far down a file of numbers is found, and the file read again', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i % 17},${i % 5},${i % 2 ? 'a' : 'b'}`);
    rows[19_000] = ',3,a';
    folder.write('long.csv', `x,y,label\n${rows.join('\n')}\n`);
    const { stderr, status } = await here(['train', 'long.csv', '--epochs', '2']);
    expect(status).toBe(0);
    expect(stderr).toContain('x as number (1 missing: median)');
    const piped = await here(['train', '-', '--epochs', '2'], folder.read('long.csv'));
    expectError(piped, 1, /standard input:19002:1: .*--missing median/);
    const asked = await here(['train', '-', '--epochs', '2', '--missing', 'median'], folder.read('long.csv'));
    expect(asked.status).toBe(0);
  });

  test('with problems is read as --missing says, and inspect names the command for it', async () => {
    const messy = `${tickets}t40,a page,free,many,bug\nt41,a page,free\n`;
    folder.write('messy.csv', messy);
    const { stdout } = await here(['inspect', 'messy.csv', '--label', 'kind']);
    const command = 'train messy.csv --label kind --missing median';
    expect(stdout.trimEnd().endsWith(`perceptron-wasm ${command}`)).toBe(true);
    const { status, stderr } = await here([...command.split(' '), '--test', 'messy.csv']);
    expect(status, stderr).toBe(0);
    expect(stderr.match(/warning: messy.csv: 2 problems: the first is messy.csv:42:/g)).toHaveLength(2);
    expect(stderr.match(/warning: messy.csv: 1 row without a label left out/g)).toHaveLength(2);
    expectError(
      await here(['train', '-', '-q', '--label', 'kind'], 'a,kind\nx,1\ny,\nx,2\n'),
      1,
      'row 2 has no label: fill it in, or leave such rows out with --missing median',
    );
  });

  test('is told of in words of the command', async () => {
    const { stderr } = await here(['train', '-', '--label', '1'], 'u,v\nx,yes\ny,no\nx,yes\n');
    expect(stderr).toContain('say --header no if it is data');
  });

  test('refuses gaps if told to', async () => {
    const { status, stderr } = await here(['train', 'tickets.csv', '--label', 'kind', '--missing', 'refuse', '-q']);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^perceptron-wasm train: .*"size".*missing/);
  });
});

test('a file of numbers without gaps gives the model of a file of numbers', async () => {
  folder.write('plain.csv', 'a,b,kind\n1,2,x\n3,1,y\n2,5,x\n9,1,y\n');
  await here(['train', 'plain.csv', '-o', 'plain.json', '-q']);
  expect(JSON.parse(folder.read('plain.json'))).toMatchObject({ type: 'pipeline', model: { type: 'perceptron' } });
  await here(['train', 'plain.csv', '--plain', '-o', 'plain.json', '-q']);
  expect(JSON.parse(folder.read('plain.json')).type).toBe('perceptron');
});

/** Twenty rows of numbers and these two. */
const numbersWith = (first: string, second: string): string =>
  `a,b,kind\n1,,x\n2,5,y\n${first},5,x\n${second},5,y\n${Array.from({ length: 20 }, (_, i) => `${i},4,x`).join('\n')}\n`;

describe('bad input is one sentence', () => {
  test('a model whose settings of words or whose parts were edited', async () => {
    const json = JSON.parse(folder.read('tickets.json'));
    const [encoder] = json.steps;
    const at = encoder.columns.findIndex(({ text }: { text?: object }) => text);
    const edited = structuredClone(json);
    edited.steps[0].columns[at].text.options.ngrams = [1, 2];
    folder.write('edited.json', JSON.stringify(edited));
    const message = `edited.json is not a valid model: .*steps\\[0\\].columns\\[${at}\\].text.options are not those that this file was saved with`;
    expectError(await here(['predict', 'edited.json', 'tickets.csv']), 1, new RegExp(message));
    folder.write(
      'parts.json',
      JSON.stringify({ ...json, steps: [{ ...encoder, columns: encoder.columns.slice(0, 2) }] }),
    );
    expectError(
      await here(['predict', 'parts.json', 'tickets.csv']),
      1,
      /parts\.json is not a valid model: .*steps\[0\] makes \d+ columns, but the model takes \d+/,
    );
  });

  test.each([
    ['one column of the label', 'kind\na\nb\n', ['--label', 'kind'], /no features/],
    ['no rows', 'body,kind\n', ['--label', 'kind'], /no rows/],
    ['no label named', 'a,b,c\nx,y,1\ny,x,2\nx,x,3\n', [], /--label/],
    ['a label that is not there', 'a,b,kind\nx,y,1\ny,x,2\n', ['--label', 'Kind'], /do you mean "kind"\?/],
    [
      'a text column that is not there',
      'a,body,kind\n1,x y z,1\n2,y x z,2\n',
      ['--label', 'kind', '--text', 'boby'],
      /"boby".*do you mean "body"\?/,
    ],
    ['rows without labels', 'a,kind\nx,1\ny,\nx,2\n', ['--label', 'kind'], /no label/],
    ['two columns of a name', 'a,a,kind\nx,1,1\ny,2,2\n', ['--label', 'kind'], /"a"/],
    ['one class', 'a,kind\nx,1\ny,1\n', ['--label', 'kind'], /one class only/],
    ['NaN and Infinity among numbers', numbersWith('nan', '1e999'), ['--label', 'kind'], /:5:1: .*"a", got "1e999"/],
    [
      'a category of too many values',
      `id,kind\n${Array.from({ length: 100_005 }, (_, i) => `v${i},${i % 2}`).join('\n')}\n`,
      ['--label', 'kind', '--category', 'id'],
      /column "id" has more than 100000 different values, by row 100000: leave it out with --ignore .* or take its words with --text$/m,
    ],
    ['JSON that is cut', '[{"a":1,"kind":"x"},{"a":', ['--label', 'kind'], /./],
    ['JSON that is no table', '[1, 2, 3]', ['--label', 'kind'], /./],
  ])('%s', async (_, content, args, message) => {
    expectError(await here(['train', '-', '-q', ...args], content), 1, message);
  });
});
