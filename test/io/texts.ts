// Texts for property tests of readers: nearly right ones, and right ones; and what came of reading them.

import fc from 'fast-check';
import { DataError, type Dataset } from '../../src/io/index.js';
import { plain, withoutLeak } from './helpers.js';

/** What came of it, as something to compare. */
export async function outcome(read: () => Promise<Dataset>): Promise<unknown> {
  return withoutLeak(async () => {
    try {
      return plain(await read());
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      return error.message;
    }
  });
}

const joined = (separator: string) => (parts: readonly string[]) => parts.join(separator);
const few = { minLength: 1, maxLength: 5 };

const number = fc.oneof(
  fc.double({ noNaN: true }).map(String),
  fc.integer().map(String),
  fc.constantFrom('0', '-0', '1.', '.5', '1e5', '1e999', 'nan', '', '1,5', '00', '1e', '+3'),
);
const pair = fc.tuple(fc.integer({ min: 0, max: 12 }), number).map(([index, value]) => `${index}:${value}`);
const libsvmField = fc.oneof(
  { weight: 20, arbitrary: pair },
  { weight: 1, arbitrary: fc.constantFrom('qid:3', '#', '# x', '\r', ':', '1', '1:2:3', '\u0000') },
);
const libsvmLine = fc
  .tuple(fc.constantFrom('1', '-1', '+1', '2.5', '', '#', 'a'), fc.uniqueArray(libsvmField, { maxLength: 4 }))
  .map(([label, fields]) => [label, ...fields.sort()].join(' '));
/** Right by construction, so that what is read is compared as often as what is refused. */
const finite = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()).map(String);
const rightLibsvmLine = fc
  .tuple(
    fc.constantFrom('1', '-1', '+1', '2.5', '1 qid:4'),
    fc.dictionary(fc.integer({ min: 1, max: 99 }).map(String), finite),
  )
  .map(([label, row]) => [label, ...Object.entries(row).map(([index, value]) => `${index}:${value}`)].join(' '));
const lineEnds = fc.constantFrom('\n', '\r\n', ' # note\n', '\n\n');
const rightLibsvm = fc.tuple(fc.array(rightLibsvmLine, few), lineEnds).map(([lines, end]) => lines.join(end));
export const libsvmText = fc.oneof(rightLibsvm, fc.array(libsvmLine, few).map(joined('\n')));

const csvField = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: -99, max: 99 }).map(String) },
  { weight: 5, arbitrary: number },
  {
    weight: 2,
    arbitrary: fc.constantFrom('a', 'label', '"x"', '"x,\ny"', '"1"', '"', '""', 'é', ' 1 ', '1;2', '\t', '\r'),
  },
);
const rightCsvField = fc.oneof(
  finite,
  finite.map((text) => `"${text}"`),
  finite.map((text) => ` ${text} `),
);
const csvParts = fc
  .tuple(fc.constantFrom(',', ';', '\t'), fc.constantFrom('\n', '\r\n'), fc.integer({ min: 2, max: 4 }), fc.boolean())
  .chain(([delimiter, lineEnd, columns, isRight]) => {
    const fields = fc.array(isRight ? rightCsvField : csvField, { minLength: columns, maxLength: columns });
    const rows = fc.array(fields.map(joined(delimiter)), few).map(joined(lineEnd));
    return rows.map((text) => ({ text, row: new Array<string>(columns).fill('17').join(delimiter) + lineEnd }));
  });
export const csvText = csvParts.map(({ text }) => text);

/** What readers look at before they begin comes at once: texts whose fields are to be cut are behind that. */
const BEFORE = 5000;
export const longLibsvm = libsvmText.map((text) => `#${'x'.repeat(BEFORE)}\n${text}`);
export const longCsv = csvParts.map(({ text, row }) => row.repeat(Math.ceil(BEFORE / row.length)) + text);
