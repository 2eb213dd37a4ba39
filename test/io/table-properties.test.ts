// Properties of readTable: any split of the bytes gives the same table, any bytes give a table or a DataError, and numbers keep their text.

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODE, markOf, numberIn, textOf } from '../../src/io/cells.js';
import { DataError, readTable, type Source, type TableData, type TableOptions } from '../../src/io/index.js';
import { uniqueNames } from '../../src/io/layout.js';
import { NumberScanner } from '../../src/io/numbers.js';
import { reading } from '../../src/io/reading.js';
import { readTableFrom } from '../../src/io/table.js';
import { resolveTableOptions } from '../../src/io/tabletypes.js';
import { runs } from '../effort.js';
import { bytesOf, inChunks } from './helpers.js';

async function outcome(read: Promise<TableData>): Promise<TableData | string> {
  return read.catch((error: unknown) => {
    if (!(error instanceof DataError)) throw error;
    return error.message;
  });
}

/** With a window that gets so many bytes at once, so that every field is cut somewhere. */
const withStep = (source: Source, options: TableOptions, step: number) => {
  const settings = resolveTableOptions(options);
  return reading(source, settings.read, (window) => readTableFrom(window, settings), step);
};

const number = fc.oneof(
  fc.double().map(String),
  fc.integer().map(String),
  fc.constantFrom('1.50', '007', '1e999', '1,5'),
);
const cell = fc.oneof(
  { weight: 5, arbitrary: number },
  { weight: 3, arbitrary: fc.constantFrom('', 'NA', '"NA"', '?', 'a', 'b', 'yes', 'true', 'some words of text', 'é') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('"x,\ny"', '"x ""y"" z"', '"', '"a" b', ' p ', '\r', '""', '"1"', '\t', ';'),
  },
);
const csvText = fc
  .tuple(fc.constantFrom(',', ';', '\t'), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .chain(([delimiter, lineEnd, isRagged]) =>
    fc
      .array(fc.array(cell, { minLength: isRagged ? 1 : 3, maxLength: isRagged ? 4 : 3 }), {
        minLength: 1,
        maxLength: 8,
      })
      .map((rows) => ['id', 'b', 'b'].join(delimiter) + lineEnd + rows.map((row) => row.join(delimiter)).join(lineEnd)),
  );
const jsonLine = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'é', '__proto__'), fc.jsonValue()).map((v) => JSON.stringify(v)),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '{', '[1]', '7', '{"a":1}}', '"x', '{"a":"\\"}"}', 'null,') },
);
const jsonText = fc
  .tuple(fc.array(jsonLine, { minLength: 1, maxLength: 6 }), fc.boolean())
  .map(([lines, isList]) => (isList ? `[${lines.join(',\n')}]` : lines.join('\n')));

/** Texts whose fields are cut by the window are behind what the detection looks at. */
const longCsv = csvText.map((text) => `a,b,c\n${'17,x y,"18"\n'.repeat(450)}${text}`);
const longJson = jsonText.map((text) => `${'{"a":17,"b":"x"}\n'.repeat(300)}${text}`);
const longList = jsonText.map((text) => `[${'{"a":17,"b":"x"},\n'.repeat(300)}${text}`);

test('columns that are left out change nothing about the others, wherever the window ends', async () => {
  await fc.assert(
    fc.asyncProperty(longCsv, fc.integer({ min: 17, max: 90 }), async (text, step) => {
      const whole = await outcome(readTable(bytesOf(text)));
      if (typeof whole === 'string' || whole.names.length !== 3) return;
      for (const ignore of [[0], [1], [2], [0, 2]]) {
        const left = whole.names.filter((_, j) => !ignore.includes(j));
        const part = await withStep(bytesOf(text), { ignore, label: null }, step);
        expect(part.columns).toEqual(Object.fromEntries(left.map((name) => [name, whole.columns[name]])));
        expect(part.rows).toBe(whole.rows);
      }
    }),
    { numRuns: runs(24) },
  );
});

test('any chunks give the same table', async () => {
  let tables = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(csvText, jsonText),
      fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
      async (text, some) => {
        const bytes = bytesOf(text);
        const whole = await outcome(readTable(bytes));
        if (typeof whole === 'object') tables++;
        expect(await outcome(readTable(inChunks(bytes, ...some, 2)))).toEqual(whole);
        expect(await outcome(readTable(inChunks(gzipSync(bytes), ...some, 2)))).toEqual(whole);
      },
    ),
    { numRuns: runs(150) },
  );
  expect(tables).toBeGreaterThan(runs(100));
  await fc.assert(
    fc.asyncProperty(fc.oneof(longCsv, longJson, longList), fc.integer({ min: 1, max: 12 }), async (text, step) => {
      const bytes = bytesOf(text);
      expect(await outcome(withStep(bytes, {}, step))).toEqual(await outcome(readTable(bytes)));
    }),
    { numRuns: runs(60) },
  );
});

test('any bytes give a table or a DataError', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.string().map(bytesOf)), async (bytes) => {
      await outcome(readTable(bytes));
      await outcome(readTable(Uint8Array.from([...bytesOf('PAR1'), ...bytes, ...bytesOf('PAR1')])));
      await outcome(readTable(bytes, { format: 'json' }));
    }),
    { numRuns: runs(150) },
  );
});

test('a table has as many values in each column as rows, and as many problems as it says', async () => {
  await fc.assert(
    fc.asyncProperty(csvText, async (text) => {
      const table = await outcome(readTable(bytesOf(text)));
      if (typeof table === 'string') return;
      expect(table.names).toEqual(Object.keys(table.columns));
      expect(table.names).toEqual(table.schema.map(({ name }) => name));
      for (const { name, missing } of table.schema) {
        const values = table.columns[name] as ArrayLike<unknown>;
        expect(values.length).toBe(table.rows);
        expect(Array.from(values).filter((value) => value === null || Number.isNaN(value))).toHaveLength(missing);
      }
      expect(table.problems).toHaveLength(table.problemCount);
    }),
    { numRuns: runs(150) },
  );
});

test('a number and its mark give its text back, unless it has an exponent or many digits', () => {
  const scanner = new NumberScanner();
  const digits = fc.stringMatching(/^\d{1,15}$/);
  const text = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      digits,
      fc.constantFrom('', '.'),
      fc.oneof(digits, fc.constant('')),
      fc.boolean(),
    )
    .map(([sign, before, point, behind, isBare]) => {
      const whole = before.replace(/^0+(?=\d)/, '');
      const left = Math.max(0, 15 - whole.length);
      return `${sign}${isBare && point && behind ? '' : whole}${point}${point ? behind.slice(0, left) : ''}`;
    })
    .filter((each) => /\d/.test(each));
  fc.assert(
    fc.property(text, (each) => {
      const bytes = bytesOf(`${each}\n`);
      const value = scanner.read(bytes, 0);
      expect(scanner.end).toBe(each.length);
      const mark = markOf(bytes, 0, each.length, value, scanner.isPlain);
      expect(mark).not.toBe(CODE);
      expect(textOf(value, mark)).toBe(each);
      expect(numberIn(each)).toEqual({ value, mark });
    }),
    { numRuns: 2000 },
  );
  for (const odd of ['', 'x', '1x', '1 ', '٣', '1e999', '007', '12345678901234567890', '1'.repeat(70)]) {
    expect(numberIn(odd)).toBeUndefined();
  }
  expect(numberIn('1e5')).toMatchObject({ value: 1e5 });
});

test('names of columns are all different, and names that are different already stay', () => {
  const name: fc.Arbitrary<string> = fc.constantFrom('', 'a', 'a.2', 'x1', 'x2', 'b');
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), (texts) => {
      const names = uniqueNames(texts);
      expect(new Set(names).size).toBe(texts.length);
      names.forEach((each, j) => {
        if (texts[j] !== '' && texts.indexOf(texts[j] as string) === j) expect(each).toBe(texts[j]);
      });
    }),
  );
});
