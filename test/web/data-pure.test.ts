// Options in the address, commands, lines of a file, words about results: what needs no browser.

import { gzipSync } from 'node:zlib';
import { Perceptron } from 'perceptron-wasm';
import { describe, expect, test } from 'vitest';
import { choiceFrom, defaults, paramsOf, suited, textbook } from '../../web/src/data/choice.js';
import { columnFor, commandFor, modelName } from '../../web/src/data/commandline.js';
import { pick } from '../../web/src/data/files.js';
import { columnCalled } from '../../web/src/data/labelcolumn.js';
import { remediesFor } from '../../web/src/data/results/advice.js';
import { headline } from '../../web/src/data/results/story.js';
import type { Results, Summary } from '../../web/src/data/types.js';
import { short } from '../../web/src/data/words.js';
import { heaviest } from '../../web/src/data/work/heaviest.js';
import { linesOf, textOf } from '../../web/src/data/work/lines.js';
import { storyOf } from '../../web/src/data/work/story.js';

const summary: Summary = {
  data: 1,
  file: 'my data.csv',
  bytes: 1,
  format: 'csv',
  rows: 4,
  cols: 2,
  hasHeader: true,
  columns: ['a', 'b', 'kind'],
  ignored: [],
  classes: [
    { label: 'x', rows: 2 },
    { label: 'y', rows: 2 },
  ],
  notes: [],
  readMs: 1,
};

const sparse = { ...summary, nonZeros: 5 };

describe('the address', () => {
  test('has what is not as usual, and gives it back', () => {
    const choice = {
      ...defaults,
      trainer: 'dual',
      kernel: 'rbf',
      gamma: 0.5,
      intercept: false,
      order: 'shuffle',
    } as const;
    expect(paramsOf(choice).toString()).toBe('trainer=dual&gamma=0.5&order=shuffle&intercept=0');
    expect(choiceFrom(paramsOf(choice))).toEqual(choice);
    expect(paramsOf(defaults).toString()).toBe('');
    expect(choiceFrom(paramsOf(textbook))).toEqual(textbook);
  });

  test('nonsense in it counts for nothing', () => {
    const params = new URLSearchParams('trainer=magic&epochs=-3&gamma=&seed=1.5&heldout=2&eta=0&extra=1');
    expect(choiceFrom(params)).toEqual(defaults);
  });
});

test('what does not suit the data is left as usual', () => {
  const three = { ...summary, classes: [...summary.classes, { label: 'z', rows: 1 }] };
  expect(suited({ ...defaults, trainer: 'pocket' }, three).trainer).toBe('primal');
  expect(suited({ ...defaults, scale: 'standardize' }, sparse).scale).toBe('none');
  expect(suited({ ...defaults, scale: 'unit-ball' }, sparse).scale).toBe('unit-ball');
  // The numbers of a table are standardised already.
  expect(suited({ ...defaults, scale: 'unit-ball' }, { ...summary, table: [] }).scale).toBe('none');
});

describe('the command', () => {
  test('is what one would type', () => {
    expect(commandFor({ ...textbook, trainer: 'averaged', epochs: 50 }, summary, { label: 2 })).toBe(
      "npx perceptron-wasm train 'my data.csv' --label kind --plain --trainer primal --average --epochs 50 -o 'my data.model.json'",
    );
  });

  test('names every recommended setting', () => {
    const options = '--average --scale standardize --order shuffle --epochs 100';
    expect(commandFor(defaults, summary)).toContain(` --plain --trainer primal ${options} --holdout 0.2 -o`);
    const three = [...summary.classes, { label: 'z', rows: 2 }];
    expect(commandFor(defaults, { ...summary, classes: three })).toContain(
      ` --plain --trainer multiclass ${options} --strategy multinomial --holdout 0.2 -o`,
    );
    expect(commandFor(suited(defaults, sparse), sparse)).toContain(
      ' --plain --trainer primal --average --order shuffle --intercept-scaling 0.1 --epochs 100 --holdout 0.2 -o',
    );
    expect(commandFor({ ...defaults, trainer: 'pocket' }, summary)).toContain(
      ' --plain --trainer pocket --scale standardize --epochs 100 --holdout 0.2 -o',
    );
  });

  test('says what columns are, where that was said here', () => {
    const kinds = { a: 'category', b: 'text' } as const;
    const words = commandFor(textbook, { ...summary, table: [] }, { kinds, fillGaps: true });
    expect(words).toContain(' --missing median --category a --text b --plain');
  });

  test('names a column by its number where its name could be taken for something else', () => {
    expect(columnFor(0, ['7', 'b'])).toBe(0);
    expect(columnFor(0, ['-x', 'b'])).toBe(0);
    expect(columnFor(1, ['b', 'b'])).toBe(1);
    expect(columnFor(1, ['a', 'b c'])).toBe('b c');
  });

  test('quotes for a shell', () => {
    expect(commandFor(textbook, { ...summary, file: "it's.csv" })).toBe(
      `npx perceptron-wasm train 'it'\\''s.csv' --plain --trainer primal -o 'it'\\''s.model.json'`,
    );
    const hostile = { ...summary, file: 'a\n\u001b[201~;x.csv' };
    expect(commandFor(defaults, hostile)).toContain(` train $'a\\012\\033[201~;x.csv' --plain`);
  });

  test('a file whose name begins as an option does is no option', () => {
    const odd = { ...summary, file: '-x.csv', labelsFile: '-y.txt' };
    expect(commandFor(textbook, odd)).toBe(
      'npx perceptron-wasm train ./-x.csv --labels ./-y.txt --plain --trainer primal -o ./-x.model.json',
    );
  });

  test('calls the model after the data', () => {
    expect(modelName('a.b.csv.gz')).toBe('a.b.model.json');
    expect(modelName('data')).toBe('data.model.json');
  });
});

describe('lines', () => {
  const csv = { format: 'csv', hasHeader: true } as const;

  test.each([
    ['a,b\n1,2\n\n3,4\r\n\r\n5,6', [0, 1, 2], [2, 4, 6]],
    ['a,"b\nc"\n1,"x\n\ny"\n2,z\n', [0, 1], [3, 6]],
    ['a,b\n5" pipe,1\n6,2\n7" pipe,3\n', [0, 1, 2], [2, 3, 4]],
    ['a,b\n1, "x ""y\n"" z"\n2,"",\n', [0, 1], [2, 4]],
    ['a,b\r1,2\r\r3,4\r"x\ny",5\r6,7', [0, 1, 2, 3], [2, 4, 5, 7]],
  ])('of CSV: blank lines, line breaks in quotes, and lines that end with CR count: %j', async (text, rows, lines) => {
    const found = await linesOf(await textOf(new Blob([text])), rows, csv);
    expect(rows.map((row) => found.get(row))).toEqual(lines);
  });

  test('of LIBSVM: comments and blank lines are no rows; gzip is unpacked', async () => {
    const text = '# hello\n1 1:2\n\n  # more\n-1 2:1 # behind\n';
    const found = await linesOf(await textOf(new Blob([gzipSync(text)])), [0, 1], {
      format: 'libsvm',
      hasHeader: false,
    });
    expect([...found]).toEqual([[0, 2], [1, 5]]); // biome-ignore format: one line
  });
});

test('the heaviest are those furthest from 0, the first among equals', () => {
  expect(heaviest([1, -5, 0, 5, 2], String, 3)).toEqual([
    { name: '1', value: -5 },
    { name: '3', value: 5 },
    { name: '4', value: 2 },
  ]);
});

test('of two files, one is the matrix and one has its labels', () => {
  const file = (name: string, size: number) => new File(['x'.repeat(size)], name);
  expect(pick([file('y.npy', 10), file('X.npy', 100)])).toMatchObject({
    file: { name: 'X.npy' },
    labels: { name: 'y.npy' },
  });
  expect(pick([file('rows.npy', 100), file('kinds.txt', 20)])).toMatchObject({ labels: { name: 'kinds.txt' } });
  expect(pick([file('a.csv', 1), file('b.csv', 1)])).toMatchObject({
    file: { name: 'a.csv' },
    said: expect.stringContaining('a.csv'),
  });
  expect(pick([])).toBeUndefined();
});

describe('what to try next', () => {
  const after = (code: 'sorted-labels' | 'unscaled' | 'not-separated' | 'memorised', change: object, of = summary) =>
    remediesFor({
      report: { advice: [{ code, message: '' }] },
      choice: { ...textbook, ...change },
      summary: of,
    } as unknown as Results).map((remedy) => remedy.change);

  test('goes with what was tried', () => {
    expect(after('sorted-labels', {})).toEqual([{ order: 'shuffle' }]);
    expect(after('unscaled', {})).toEqual([{ scale: 'standardize' }]);
    expect(after('unscaled', {}, { ...summary, nonZeros: 5 })).toEqual([{ scale: 'unit-ball' }]);
    const straight = { trainer: 'dual', kernel: 'rbf' };
    expect(after('not-separated', {})).toEqual([{ trainer: 'averaged' }, { trainer: 'pocket' }, straight]);
    expect(after('not-separated', { trainer: 'pocket' })).toEqual([straight]);
    expect(after('not-separated', { trainer: 'dual', gamma: 2 })).toEqual([{ gamma: 8 }]);
    expect(after('not-separated', { trainer: 'dual', kernel: 'polynomial' })).toEqual([{ kernel: 'rbf' }]);
    expect(after('memorised', { trainer: 'dual' })).toEqual([{ gamma: 0.125 }]);
  });
});

describe('the headline', () => {
  const of = (change: object) =>
    headline({
      report: { converged: true, stopReason: 'separated' },
      choice: defaults,
      classes: ['x', 'y'],
      training: { right: 80, rows: 80 },
      ...change,
    } as unknown as Results);

  test('of two classes, of three, and of a bent border', () => {
    expect(of({})).toBe('Separated. A straight border splits all 80 rows.');
    expect(of({ classes: ['x', 'y', 'z'] })).toBe('Separated. Straight borders tell all 80 rows of 3 classes apart.');
    expect(of({ choice: { ...defaults, trainer: 'dual' } })).toBe('Separated. A bent border splits all 80 rows.');
  });

  test('is about the rows held out, where there are some', () => {
    expect(of({ heldOut: { right: 15, rows: 20 } })).toBe('Right on 75 % of 20 rows it had not seen.');
  });

  test('tells how far it came, where it was stopped', () => {
    expect(of({ report: { stopReason: 'aborted' } })).toBe('Stopped. So far it is right on 100 % of the rows.');
  });
});

test('a column is called by its name, or else by its number from 0', () => {
  const columns = ['a', '3', undefined, 'b c', ''];
  expect(['a', ' b c ', '3', '2', 'column 4', '5', '-1', ''].map((text) => columnCalled(text, columns))).toEqual([
    0,
    3,
    1,
    2,
    4,
    undefined,
    undefined,
    undefined,
  ]);
});

test('long names are cut, never within a character', () => {
  expect(short('species')).toBe('species');
  expect(short('x'.repeat(100_000))).toBe(`${'x'.repeat(59)}…`);
  expect(short(`${'x'.repeat(58)}${'😀'.repeat(10)}`)).toBe(`${'x'.repeat(58)}…`);
});

test('a bound on mistakes is told where it says something', () => {
  const [X, y] = [
    [[3], [1]],
    [1, -1],
  ];
  const model = new Perceptron().fit(X, y);
  const { report } = model;
  const story = (mistakeBound: number) => storyOf(report, { ...model.diagnose(X, y), mistakeBound }, false);
  expect(story(100 * report.mistakes)).toMatch(/; no perceptron run .* can make more than 1,000 mistakes here\.$/);
  expect(story(100 * report.mistakes + 1)).toMatch(/^Separated after [^;]*; margin between [^;]*\.$/);
});
