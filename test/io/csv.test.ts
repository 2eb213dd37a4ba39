import { describe, expect, test } from 'vitest';
import { DenseMatrix } from '../../src/index.js';
import { type ReadOptions, readCsv, readData } from '../../src/io/index.js';
import { bytesOf, dataErrorOf, inChunks, plain } from './helpers.js';

const read = async (text: string, options?: ReadOptions) => plain(await readCsv(bytesOf(text), options));
const failure = async (text: string, options?: ReadOptions) => {
  const { message } = await dataErrorOf(() => readCsv(bytesOf(text), { name: 'x.csv', ...options }));
  return message;
};

describe('CSV', () => {
  test('with a header becomes dense rows, labels and names', async () => {
    expect(await read('width,height,species\n1,2.5,cat\n-3,4e2,dog\n')).toEqual({
      rows: 2,
      cols: 2,
      values: [
        [1, 2.5],
        [-3, 400],
      ],
      y: ['cat', 'dog'],
      featureNames: ['width', 'height'],
      label: { index: 2, name: 'species', reason: 'it is the only column of words' },
      format: 'csv',
      delimiter: ',',
    });
    const { X } = await readCsv(bytesOf('1,2\n'));
    expect(X).toBeInstanceOf(DenseMatrix);
    X.dispose();
  });

  test('without a header has no names', async () => {
    expect(await read('1,2,cat\n3,4,dog')).toEqual({
      rows: 2,
      cols: 2,
      values: [
        [1, 2],
        [3, 4],
      ],
      y: ['cat', 'dog'],
      label: { index: 2, reason: 'it is the only column of words' },
      format: 'csv',
      delimiter: ',',
    });
  });

  test.each([
    ['tabs', 'a\tb\ty\n1\t2\t0\n', '\t'],
    ['semicolons', 'a;b;y\n1;2;0\n', ';'],
    ['commas, though words have semicolons', 'a,b,y\n1,2,"p;q;r;s"\n', ','],
    ['semicolons, though names have commas', '"a,1";"b,2";"y"\n1;2;0\n', ';'],
  ] as const)('with %s between the fields is recognised', async (_, text, delimiter) => {
    expect(await read(text)).toMatchObject({ values: [[1, 2]], delimiter });
  });

  test('may have quotes, with delimiters, quotes and line breaks in them', async () => {
    const text = '"a ""big"" one","b,b",class\r\n"1", "2" ,"x, ""y""\r\nz"\r\n3,4," padded "\r\n';
    expect(await read(text)).toMatchObject({
      featureNames: ['a "big" one', 'b,b'],
      values: [
        [1, 2],
        [3, 4],
      ],
      y: ['x, "y"\r\nz', ' padded '],
    });
  });

  test('may have a byte order mark, blank lines, spaces around fields, Windows line ends, no last line end', async () => {
    expect(await read('\ufeffa, b ,y\r\n\r\n 1,2 , x\r\n\n3,4,z')).toMatchObject({
      featureNames: ['a', 'b'],
      values: [
        [1, 2],
        [3, 4],
      ],
      y: ['x', 'z'],
    });
  });

  test('has labels that are numbers if all of them are, else strings', async () => {
    expect((await read('1,1.0\n2,"2"\n3,-0\n')).y).toEqual([1, 2, 0]);
    expect((await read('1,1.0\n2,2\n3,x\n')).y).toEqual(['1.0', '2', 'x']);
    expect((await read('1,"NA"\n2,Na\n3,"null"\n')).y).toEqual(['NA', 'Na', 'null']);
    expect((await read('1,añb\n2,日本\n3,"nan"\n')).y).toEqual(['añb', '日本', 'nan']);
  });
});

describe('the header', () => {
  test.each([
    ['words above numbers', 'a,b\n1,2\n', ['a']],
    ['words, and a label column of words', 'a,b,kind\n1,2,x\n', ['a', 'b']],
    ['a name left empty', ',a,label\n0,1,x\n', ['', 'a']],
    ['columns counted through, and a label', '0,1,2,label\n1,2,3,x\n', ['0', '1', '2']],
    ['years, and a word above labels that are numbers', '2019,2020,died\n1,2,0\n', ['2019', '2020']],
    ['years that are not counted through', 'age,2010,2020,died\n1,2,3,0\n', ['age', '2010', '2020']],
    ['years behind a word', 'age,2010,2020\n1,2,3\n', ['age', '2010']],
    ['integers, and a word above labels that are numbers', '10,7,died\n1.5,2,0\n', ['10', '7']],
    ['integers, and a name left empty', ',10,died\n1,2,0\n', ['', '10']],
  ])('is taken for one: %s', async (_, text, featureNames) => {
    expect(await read(text)).toMatchObject({ rows: 1, featureNames });
  });

  test.each([
    ['numbers and a label', '1,2,cat\n3,4,dog\n'],
    ['a label that is a letter, as a name might be', '1,2,y\n3,4,n\n'],
    ['numbers alone', '0,1,2\n1,0,2\n'],
    ['years and a label', '2019,2020,cat\n2018,2021,dog\n'],
    ['a label of words, if the second is a number', '3,4,cat\n3,4,7\n3,4,dog\n'],
  ])('is not taken for one: %s', async (_, text) => {
    const { rows, featureNames } = await read(text);
    expect([rows, featureNames]).toEqual([text.trimEnd().split('\n').length, undefined]);
  });

  test('a first row with one word among its numbers is a mistake in it, not a header', async () => {
    expect(await failure('1.5,abc,2,0\n3,4,5,1\n')).toBe(
      'x.csv:1:5: expected a number in field 2, got "abc"; leave the column out with "ignore" if it is no feature (or read words with readTable), or say "header": true if these are names',
    );
    expect(await failure('nan,1,2\n3,4,5\n')).toBe(
      'x.csv:1:1: expected a number in field 1, got "nan"; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    );
    expect(await failure(',1,2\n3,4,5\n')).toBe(
      'x.csv:1:1: expected a number in field 1, got an empty field; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    );
  });
});

describe('a first column without a name', () => {
  const note = (guess: string) =>
    `column 0 has no name and counts the rows: is it ${guess}? leave it out with "ignore"`;

  test('that counts the rows is read, and a note tells of it', async () => {
    const fromR = '"","a","y"\n"1",5,0\n"2",6,1\n"3",7,0\n';
    expect(await read(fromR)).toMatchObject({ featureNames: ['', 'a'], notes: [note("R's row names")] });
    expect(await read(',a,y\n0,5,0\n1,6,1\n')).toMatchObject({ cols: 2, notes: [note("pandas' index")] });
    const left = await read(fromR, { ignore: [0] });
    expect(left).toMatchObject({ values: [[5], [6], [7]], featureNames: ['a'] });
    expect(left).not.toHaveProperty('notes');
  });

  test('that does not count them, or has a name, or is the label, is nothing to note', async () => {
    for (const text of [',a,y\n1,5,0\n3,6,1\n', 'n,a,y\n1,5,0\n2,6,1\n', ',a,y\n1,5,0\n']) {
      expect(await read(text)).not.toHaveProperty('notes');
    }
    expect(await read(',a,b\n1,5,0\n2,6,1\n', { label: 0 })).not.toHaveProperty('notes');
  });
});

describe('the option `header`', () => {
  test('says that the first row has names, whatever is in it', async () => {
    expect(await read('1.5,2.5,3\n3,4,5\n', { header: true })).toMatchObject({
      values: [[3, 4]],
      featureNames: ['1.5', '2.5'],
      label: { index: 2, name: '3' },
    });
    expect(await failure('1,2,3\n', { header: true })).toBe('x.csv: there are no rows in it: only a header');
  });

  test('says that it has none', async () => {
    const { y, featureNames } = await read('1.5,2.5,died\n3,4,0\n', { header: false });
    expect([y, featureNames]).toEqual([['died', '0'], undefined]);
    expect(await failure('a,b\n1,2\n', { header: false })).toBe(
      'x.csv:1:1: expected a number in field 1, got "a"; leave the column out with "ignore" if it is no feature (or read words with readTable)',
    );
    expect(await failure('a,b\n1,2\n', { header: false, label: 'b' })).toBe(
      'x.csv:1: there is no column "b": the first line has no names, so give the label\'s index',
    );
  });

  test('is asked for where a word stands above labels that are numbers, beside what is no name', async () => {
    for (const first of ['1.5,2', '3,3']) {
      expect(await failure(`${first},died\n1,2,0\n`)).toBe(
        'x.csv:1: the first line has "died" where others have numbers, and numbers beside it: say whether it is a header ("header")',
      );
    }
  });
});

describe('the label column', () => {
  const text = 'a,b,c\n1,2,3\n4,5,6\n';

  test.each([
    ['a', { index: 0, name: 'a', reason: 'it was asked for' }, [1, 4]],
    [1, { index: 1, name: 'b', reason: 'it was asked for' }, [2, 5]],
    [-3, { index: 0, name: 'a', reason: 'it was asked for' }, [1, 4]],
    [undefined, { index: 2, name: 'c', reason: 'it is the last column' }, [3, 6]],
  ])('is the one asked for: %j', async (label, expected, y) => {
    const found = await read(text, label === undefined ? {} : { label });
    expect(found).toMatchObject({ label: expected, y, cols: 2 });
  });

  test.each([
    ['Target,a,b\n1,2,3\n', { index: 0, name: 'Target', reason: 'it is called "Target"' }],
    ['y,class,b\n1,2,3\n', { index: 1, name: 'class', reason: 'it is called "class"' }],
    ['a,kind,b\n1,cat,3\n', { index: 1, name: 'kind', reason: 'it is the only column of words' }],
    ['1,cat,3\n4,dog,5\n', { index: 1, reason: 'it is the only column of words' }],
  ])('is found, with the reason: %j', async (data, label) => {
    expect((await read(data)).label).toEqual(label);
  });

  test('may not be there: null, or as many columns as the model has', async () => {
    for (const options of [{ label: null }, { cols: 3 }]) {
      const found = await read(text, options);
      expect(found).toMatchObject({ cols: 3, y: [], featureNames: ['a', 'b', 'c'] });
      expect(found).not.toHaveProperty('label');
    }
    expect(await read(text, { cols: 2 })).toMatchObject({ cols: 2, y: [3, 6] });
    expect(await read('x,y\n1,2\n', { cols: 2 })).toMatchObject({ cols: 2, y: [] });
  });

  test('a name in the first line makes it a header, whatever else it has', async () => {
    expect(await read('1,2,out\n3,4,5\n', { label: 'out' })).toMatchObject({ featureNames: ['1', '2'], y: [5] });
  });

  test.each([
    [{ label: 'q' }, text, 'x.csv:1: there is no column "q"; there are "a", "b", "c"'],
    [
      { label: 'q' },
      '1,2\n',
      'x.csv:1: there is no column "q": the first line has no names, so give the label\'s index',
    ],
    [{ label: 'a' }, 'a,a,b\n1,2,3\n', 'x.csv:1: two columns are called "a": give the label\'s index'],
    [{ label: 3 }, text, 'x.csv: "label" is column 3, but there are 3: 0 to 2, or -1 for the last'],
    [{ label: -4 }, text, 'x.csv: "label" is column -4, but there are 3: 0 to 2, or -1 for the last'],
    [{ cols: 4 }, text, 'x.csv: expected 4 columns of features, got 2, with field 3 ("c") as the label'],
    [
      { cols: 2 },
      'a,class\n1,2\n',
      'x.csv: expected 2 columns of features, got 1, with field 2 ("class") as the label',
    ],
    [{ cols: 4, label: null }, text, 'x.csv: expected 4 columns of features, got 3, and no label'],
    [{ label: 0 }, '1\n2\n', 'x.csv: there is one column only, the label: expected features beside it'],
    [{ maxCols: 2 }, '1,2,3,4\n', 'x.csv: its first line has more than 2 columns, and "maxCols" allows no more'],
    [
      {},
      'when,who,x\nmon,bob,3\n',
      'x.csv: columns "when", "who" hold words: say which one is the label ("label"), and leave out the others ("ignore"): features are numbers (or read words with readTable, see perceptron-wasm/prepare)',
    ],
    [
      {},
      '1\n2\n',
      'x.csv:1: expected at least two columns with commas, tabs or semicolons between them, got one (label: null if it has no label)',
    ],
  ])('is refused: %j of %j', async (options, data, message) => {
    expect(await failure(data, options)).toBe(message);
  });
});

describe('columns to ignore', () => {
  const text = 'sample,a,b,note,kind\nS000,1,2,"x, y",p\nS001,3,4,é,q\n';
  const values = [
    [1, 2],
    [3, 4],
  ];

  test.each([[['sample', 'note']], [[0, 3]], [[-5, 'note', -2]]])(
    'are left out by name or index, and so are their names: %j',
    async (ignore) => {
      expect(await read(text, { ignore })).toMatchObject({
        values,
        y: ['p', 'q'],
        featureNames: ['a', 'b'],
        label: { index: 4, name: 'kind', reason: 'it is the only column of words' },
      });
    },
  );

  test('are not counted by `cols`, and are no labels', async () => {
    expect(await read(text, { ignore: ['sample', 'note'], cols: 2 })).toMatchObject({ values, y: ['p', 'q'] });
    expect(await read(text, { ignore: [0, 3, 4], cols: 2 })).toMatchObject({ values, y: [] });
    expect(await read('label,a,b,id\n1,2,3,4\n', { ignore: ['label', 'id'] })).toMatchObject({
      values: [[2]],
      y: [3],
      label: { index: 2, name: 'b', reason: 'it is the last column that is not ignored' },
    });
    expect(await failure(text, { ignore: [0, 3], cols: 4 })).toBe(
      'x.csv: expected 4 columns of features, got 2, with field 5 ("kind") as the label',
    );
  });

  test('may hold anything that is CSV: the place of what is wrong behind them is right', async () => {
    expect(await failure('id,a,y\n"é\nb",1,0\n"é\nüb",w,0\n', { ignore: ['id'] })).toBe(
      'x.csv:5:5: expected a number in field 2 ("a"), got "w"; leave the column out with "ignore" if it is no feature (or read words with readTable)',
    );
    expect(await read('id,a,y\n,1,0\nNaN,2,1\n7,3,0\n', { ignore: [0] })).toMatchObject({ values: [[1], [2], [3]] });
    expect(await read('a,y,id\n1,0,7\n2,1,\n3,0,x', { ignore: [-1] })).toMatchObject({ values: [[1], [2], [3]] });
  });

  test.each([
    [{ ignore: ['smaple'] }, 'x.csv:1: there is no column "smaple"; there are "sample", "a", "b", "note", "kind"'],
    [{ ignore: [5] }, 'x.csv: "ignore" has column 5, but there are 5: 0 to 4, or -1 for the last'],
    [{ ignore: [-6] }, 'x.csv: "ignore" has column -6, but there are 5: 0 to 4, or -1 for the last'],
    [{ ignore: ['kind'], label: -1 }, 'x.csv: column -1 is the label, so it cannot be in "ignore"'],
    [{ ignore: [4], label: 'kind' }, 'x.csv: column "kind" is the label, so it cannot be in "ignore"'],
    [
      { ignore: [0, 1, 2, 3] },
      'x.csv: there is one column only that is not ignored, the label: expected features beside it',
    ],
    [{ ignore: [0, 1, 2, 3, 4], label: null }, 'x.csv: there is no column that is not ignored'],
    [{ ignore: [0, 1, 2, 3, 4] }, 'x.csv: there is no column that is not ignored'],
  ])('are refused: %j', async (options, message) => {
    expect(await failure(text, options)).toBe(message);
  });

  test('are refused by a name where there are none, or two', async () => {
    expect(await failure('1,2\n', { ignore: ['id'] })).toBe(
      'x.csv:1: there is no column "id": the first line has no names, so give its index',
    );
    expect(await failure('id,id,a,y\n1,2,3,4\n', { ignore: ['id'] })).toBe(
      'x.csv:1: two columns are called "id": give its index',
    );
  });

  test('the error for a word tells of them', async () => {
    expect(await failure(text, { label: 'kind', ignore: ['note'] })).toBe(
      'x.csv:2:1: expected a number in field 1 ("sample"), got "S000"; leave the column out with "ignore" if it is no feature (or read words with readTable)',
    );
  });

  test('may be what a delimiter at the end of every line makes', async () => {
    expect(await read('a,b,y,\n1,2,0,\n3,4,1,\n', { ignore: [-1] })).toMatchObject({ values, y: [0, 1] });
  });

  test('are of CSV alone', async () => {
    const wrong = new RangeError('"ignore" is for CSV only: all columns of LIBSVM text are read');
    await expect(readData(bytesOf('1 1:2 2:3\n'), { ignore: [0] })).rejects.toThrow(wrong);
  });
});

describe('CSV that is wrong is refused with its place:', () => {
  test.each([
    [
      'a,b,c\n1,,2\n',
      '2:3: expected a number in field 2 ("b"), got an empty field; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    [
      'a,b,c\n1,2,3\n1,"",2\n',
      '3:4: expected a number in field 2 ("b"), got an empty field; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    [
      'a,b,c\n1,2,3\n4,x y,6\n',
      '3:3: expected a number in field 2 ("b"), got "x y"; leave the column out with "ignore" if it is no feature (or read words with readTable)',
    ],
    [
      '1,2,3\n4,NaN,6\n',
      '2:3: expected a number in field 2, got "NaN"; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    ['1,2,3\n4,-inf,6\n', '2:3: expected a number in field 2, got "-inf"'],
    ['1,2,3\n4,1e999,6\n', '2:3: expected a number that a float64 can hold in field 2, got "1e999"'],
    [
      '1,2,3\n4,0x1F,6\n',
      '2:3: expected a number in field 2, got "0x1F"; leave the column out with "ignore" if it is no feature (or read words with readTable)',
    ],
    ['a,b,c\n1,2\n', '2:3: expected 3 fields in a line, as in the first, got 2'],
    ['a,b,c\n1,2,3,4\n', '2:6: expected 3 fields in a line, as in the first, got more'],
    ['a,b,c\n1,2,3\n4,5,6,\n', '3:6: expected 3 fields in a line, as in the first, got more: it ends with a delimiter'],
    [
      '1,2,x\n3,4,\n',
      '2:5: expected a label in field 3, got an empty field, a row without a label; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    [
      '1,2,x\n3,4,',
      '2:5: expected a label in field 3, got an empty field, a row without a label; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    [
      '1,2,x\n3,4,nan\n',
      '2:5: expected a label in field 3, got "nan", a row without a label; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    [
      '1,2,x\n3,4,NA\n',
      '2:5: expected a label in field 3, got "NA", a row without a label; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    [
      '1,2,x\n3,4,N/A\n',
      '2:5: expected a label in field 3, got "N/A", a row without a label; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    [
      '1,2,x\n3,4,null\n',
      '2:5: expected a label in field 3, got "null", a row without a label; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    ['1,2,x\n3,4,inf\n', '2:5: expected a label in field 3, got "inf"'],
    [
      'a,b,c\n1,2,NA\n3,4,0\n',
      '2:5: expected a label in field 3 ("c"), got "NA", a row without a label; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    [
      '1,2,3\n4,NA,6\n',
      '2:3: expected a number in field 2, got "NA"; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    [
      '1,2,3\n4,null,6\n',
      '2:3: expected a number in field 2, got "null"; fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)',
    ],
    ['a,b,c\n1,2,3,\r\n', '2:6: expected 3 fields in a line, as in the first, got more: it ends with a delimiter'],
    [
      '1,2,0,\n4,5,1,\n',
      '1: every line ends with ",", so that its last field is empty: take that off, or leave the column out with "ignore": [-1]',
    ],
    [
      'a;b;y;\n1;2;0;\n4;5;1;\n',
      '1: every line ends with ";", so that its last field is empty: take that off, or leave the column out with "ignore": [-1]',
    ],
    [
      'review,stars,y\n1,2,0\n"I liked it, very much.",5,1\n',
      '3:2: expected a number in field 1 ("review"), got "I liked it, very much."; text must be turned into numbers first (read it with readTable, see perceptron-wasm/prepare), or its column left out with "ignore"',
    ],
    [
      'a,b,y\n"x\ny",2,3\n',
      '2:2: expected a number in field 1 ("a"), got "x\\ny"; leave the column out with "ignore" if it is no feature (or read words with readTable)',
    ],
    [
      'a,y,b\n1,"x\nzz",2\n3,q,w\n',
      '4:5: expected a number in field 3 ("b"), got "w"; leave the column out with "ignore" if it is no feature (or read words with readTable)',
    ],
    [
      'a,y,b\n1,äöü€😀,x\n',
      '2:9: expected a number in field 3 ("b"), got "x"; leave the column out with "ignore" if it is no feature (or read words with readTable)',
    ],
    ['1,2,"x\n3,4,y\n', '1:5: expected a closing quote before the end: this one is never closed'],
    ['1,"2"3,x\n', '1:6: expected the end of the field behind its closing quote, got "3"'],
    ['1,2\r3,4\r', '1:4: expected a line feed behind the carriage return'],
    [
      'a;b;label\n1,5;2;x\n',
      '2:1: expected a number in field 1 ("a"), got "1,5": write decimals with a point, and no separators of thousands',
    ],
    [
      'a,b,label\n1,2,x\n1,"1.234,5",x\n',
      '3:4: expected a number in field 2 ("b"), got "1.234,5": write decimals with a point, and no separators of thousands',
    ],
  ])('%j', async (text, message) => {
    expect(await failure(text)).toBe(`x.csv:${message}`);
  });

  test('text that is not UTF-8', async () => {
    const latin1 = Uint8Array.from([...bytesOf('1,caf'), 0xe9, ...bytesOf('\n2,x\n')]);
    const { message } = await dataErrorOf(() => readCsv(latin1, { name: 'x.csv' }));
    expect(message).toBe('x.csv:1:6: expected UTF-8, got "caf�": save the file as UTF-8');
    const utf16 = Uint8Array.from([0xff, 0xfe, 0x31, 0, 0x2c, 0]);
    const wide = await dataErrorOf(() => readCsv(utf16, { name: 'x.csv' }));
    expect(wide.message).toBe('x.csv: this is UTF-16, expected UTF-8: save it as UTF-8');
  });

  test.each([
    ['', 'x.csv: this is empty: there is nothing in it'],
    ['\ufeff', 'x.csv: there are no rows in it: only blank lines'],
    ['\r\n\n\n', 'x.csv: there are no rows in it: only blank lines'],
    ['a,b,c\n', 'x.csv: there are no rows in it: only a header'],
    ['\u0001\u0002,\u0003', 'x.csv: this is binary data, expected text: byte 0 is 1'],
  ])('no data at all: %j', async (text, message) => {
    expect(await failure(text)).toBe(message);
  });
});

describe('long lines', () => {
  test('a row of 100,000 fields is read, and so is a longer header', async () => {
    const count = 100_000;
    const names = Array.from({ length: count }, (_, j) => `a_rather_long_name_${j}`);
    const text = `${names.join(',')},y\n${'1.25,'.repeat(count)}x\n`;
    const { X, featureNames, y } = await readCsv(inChunks(bytesOf(text), 100_000));
    expect([X.rows, X.cols, featureNames?.at(-1), y[0]]).toEqual([1, count, `a_rather_long_name_${count - 1}`, 'x']);
    X.dispose();
  });

  test('a field of more than 64 KiB is refused: a word, a number, a quote that is never closed', async () => {
    const many = 30_000_000;
    for (const [text, place] of [
      ['x'.repeat(many), '1:1'],
      [`1,${'x'.repeat(many)}`, '1:3'],
      [`1,2,3\n4,0.${'1'.repeat(many)}`, '2:3'],
      [`1,2,3\n4,0.${'1'.repeat(70_000)},5\n`, '2:3'],
      [`1,2,"${'x\n'.repeat(many / 2)}`, '1:5'],
    ] as const) {
      expect(await failure(text)).toContain(`x.csv:${place}: a field of more than 65536 bytes, beginning with `);
    }
  });

  test('a label of many digits is told from a number at once', async () => {
    const label = `${'1'.repeat(60_000)}x`;
    expect((await read(`1,3\n2,${label}\n`)).y).toEqual(['3', label]);
  });

  test('a line with more fields than `maxCols` is refused before it is all there', async () => {
    let bytes = 0;
    async function* endless() {
      for (;;) {
        bytes += 2 ** 16;
        yield new Uint8Array(2 ** 16).fill(44);
      }
    }
    const error = await dataErrorOf(() => readCsv(endless(), { maxCols: 1000 }));
    expect(error.message).toBe('<input>: its first line has more than 1000 columns, and "maxCols" allows no more');
    expect(bytes).toBeLessThan(2 ** 20);
  });
});
