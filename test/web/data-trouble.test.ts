// Broken files get a sentence that a person understands, and a button where one can help.

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { doubts, whyNot } from '../../web/src/data/summary.js';
import type { ReadRequest, Trouble } from '../../web/src/data/types.js';
import { Session } from '../../web/src/data/work/session.js';
import { readingTrouble } from '../../web/src/data/work/trouble.js';

const rows = 'a,b,label\n1,2,x\n3,4,y\n';

async function troubleWith(name: string, bytes: string | Uint8Array, change: Partial<ReadRequest> = {}) {
  const request: ReadRequest = { file: new File([bytes as BlobPart], name), ignore: [], ...change };
  const session = new Session();
  try {
    const summary = await session.read(request);
    return { summary };
  } catch (error) {
    return { trouble: await readingTrouble(error, request), request };
  } finally {
    session.dispose();
  }
}

const binary = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('a file that is no data', () => {
  test.each<[name: string, bytes: string | Uint8Array, title: RegExp, remedy: RegExp]>([
    ['empty.csv', '', /“empty.csv” cannot be read/, /rows of numbers/],
    ['picture.png', binary('\x89PNG\r\n\x1a\n\0\0\0'), /picture/, /table of numbers/],
    ['junk.bin', Uint8Array.from({ length: 500 }, (_, i) => (i * 37) % 256), /junk.bin/, /table of numbers/],
    ['paper.pdf', binary('%PDF-1.7\n%\xe2\xe3\n1 0 obj\n'), /PDF/, /CSV/],
    ['sheet.xlsx', binary('PK\x03\x04\x14\0\x06\0'), /spreadsheet/, /save the sheet as CSV/],
    ['old.xls', binary('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), /spreadsheet/, /CSV/],
    ['page.csv', '<!DOCTYPE html>\n<html><title>404, sorry</title></html>\n', /web page/, /download/],
    ['data.json', '[{"a": 1, "b": "x"},\n{"a":', /JSON/, /CSV/],
    ['model.json', '{"type":"pipeline","version":1}\n', /trained model, not data/, /perceptron-wasm predict/],
    ['ragged.csv', 'a,b,label\n1,2,x\n3,4\n', /Line 3 of “ragged.csv”/, /as many values/],
    ['unlabelled.csv', 'a,b,label\n1,2,\n3,4,y\n', /Line 2/, /Fill the gap/],
    ['names.csv', 'a,b,label\n', /names.csv/, /rows of numbers/],
    ['huge.txt', '+1 2147483647:1\n-1 2:1\n', /Line 1/, /typo/],
    ['cut.csv.gz', gzipSync(rows.repeat(500)).subarray(0, 60), /cut.csv.gz/, /not complete/],
    ['comma.csv', 'a;b;label\n1,5;2;x\n3;4;y\n', /Line 2/, /point in decimals/],
    ['latin.csv', binary('gr\xf6\xdfe,b,label\n1,2,x\n3,4,y\n'), /Line 1/, /UTF-8/],
    ['quote.csv', 'a,b,label\n1,2,"x\n3,4,y\n', /Line 2/, /quote/],
    ['flat.npy', binary(`${"\x93NUMPY\x01\0v\0{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }".padEnd(127)}\n${'\0'.repeat(24)}`), /NumPy/, /matrix/], // biome-ignore format: one file
  ])('%s', async (name, bytes, title, remedy) => {
    const { trouble } = await troubleWith(name, bytes);
    expect(trouble?.title).toMatch(title);
    expect(trouble?.remedy).toMatch(remedy);
    // Nothing that only programmers can do.
    expect(`${trouble?.detail}${trouble?.remedy}`).not.toMatch(/"(ignore|label|header|maxCols)"|readNpy|null/);
  });
});

/** What a click on the button of this text leads to. */
async function clicked(trouble: Trouble | undefined, request: ReadRequest | undefined, text: string) {
  const fix = trouble?.fixes.find((one) => one.text === text);
  if (!fix || !request) throw new Error(`there is no “${text}” among ${trouble?.fixes.map((one) => one.text)}`);
  const session = new Session();
  try {
    return await session.read({ ...request, ...fix.change });
  } finally {
    session.dispose();
  }
}

describe('a button helps', () => {
  test('with a row that is too short: take it as missing', async () => {
    const { trouble, request } = await troubleWith('t.csv', 'a,b,label\n1,2,x\n3,4\n5,6,y\n');
    const summary = await clicked(trouble, request, 'Take it as missing, and go on');
    expect([summary.rows, summary.notes.join(' ')]).toEqual([2, expect.stringContaining('without a label')]);
  });

  test('with a first line that may be names or data', async () => {
    const { trouble, request } = await troubleWith('t.csv', 'a,2,label\n1,2,x\n3,4,y\n');
    expect((await clicked(trouble, request, 'The first line has the names')).hasHeader).toBe(true);
  });
});

describe('a table', () => {
  test('of words is read as the command line reads it', async () => {
    const { summary } = await troubleWith('t.csv', 'a,city,label\n1,Paris,x\n3,London,y\n4,,x\n');
    expect(summary?.table?.map(({ name, kind, missing }) => [name, kind, missing])).toEqual([
      ['a', 'number', 0],
      ['city', 'category', 1],
    ]);
    expect([summary?.label?.name, summary?.rows]).toEqual(['label', 3]);
  });

  test('leaves a column without values out', async () => {
    const { summary } = await troubleWith('t.csv', 'a,b,label,\n1,2,x,\n3,4,y,\n');
    expect([summary?.cols, summary?.label?.name]).toEqual([2, 'label']);
  });

  test('of which nobody knows the label says so, and columns of words are offered', async () => {
    const { summary } = await troubleWith('t.csv', 'näme,b,kind of\nann,2,x\nbob,4,y\n');
    expect(summary && whyNot(summary)).toMatch(/Which column of “t.csv” has the answers/);
  });

  test('of JSON, a list of records or a record on each line', async () => {
    const records = [{ a: 1, city: 'Paris', label: 'x' }, { a: 2, city: 'Rome', label: 'y' }].map((one) => JSON.stringify(one)); // biome-ignore format: two records
    for (const [name, text] of [
      ['t.json', `[${records}]`],
      ['t.jsonl', records.join('\n')],
    ] as const) {
      // biome-ignore format: two files
      const { summary } = await troubleWith(name, text);
      expect([summary?.rows, summary?.cols, summary?.label?.name]).toEqual([2, 2, 'label']);
    }
  });
});

describe('data that can be read, and is odd', () => {
  test('one class only', async () => {
    const { summary } = await troubleWith('one.csv', 'a,b,label\n1,2,x\n3,4,x\n');
    expect(summary && whyNot(summary)).toMatch(/one class \(“x”\).*another column/);
  });

  test('a measurement as the label', async () => {
    const { summary } = await troubleWith(
      'm.csv',
      Array.from({ length: 20 }, (_, i) => `${i % 3},${i * 1.7}`).join('\n'),
    );
    expect(summary && doubts(summary)[0]).toMatch(/20 classes for 20 rows/);
  });

  test('row names of pandas', async () => {
    const { summary } = await troubleWith('p.csv', ',a,label\n0,1.5,x\n1,2.5,y\n2,1,x\n');
    expect(summary && doubts(summary)[0]).toMatch(/counts the rows.*leave it out below/);
  });

  test('a matrix without labels', async () => {
    const { summary } = await troubleWith('X.npy', binary(`${"\x93NUMPY\x01\0v\0{'descr': '<f8', 'fortran_order': False, 'shape': (3, 1), }".padEnd(127)}\n${'\0'.repeat(24)}`)); // biome-ignore format: one file
    expect(summary && whyNot(summary)).toMatch(/labels/);
  });
});
