// The parser of model files gives what JSON.parse gives, in whatever chunks the text comes, and refuses what JSON.parse refuses.

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DataError } from '../../src/io/index.js';
import { jsonChunks } from '../../src/io/jsontext.js';
import { readJson } from '../../src/io/modelfile.js';
import { resolveOptions } from '../../src/io/options.js';
import { reading } from '../../src/io/reading.js';
import { bytesOf, inChunks } from './helpers.js';

interface How {
  /** Bytes that the window gets at once. */
  step?: number;
  /** The lengths of the source's chunks. */
  chunks?: number[];
  mostNumbers?: number;
  unpacked?: string[];
}

/** The value in this text. */
async function parse(
  text: string | Uint8Array,
  { step, chunks = [7], mostNumbers, unpacked }: How = {},
): Promise<unknown> {
  const bytes = typeof text === 'string' ? bytesOf(text) : text;
  const settings = resolveOptions({ name: 'm.json' }, 'a test');
  const read = (window: Parameters<typeof readJson>[0]) => readJson(window, mostNumbers ?? Infinity, unpacked ?? []);
  return reading(inChunks(bytes, ...chunks), settings, read, step);
}

const isNumeric = (value: unknown) => typeof value === 'number' || value === '-0';

/** What the parser gives for a value of JSON.parse: lists of numbers are typed, and "-0" in them is −0. */
function packed(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isList = value.every(isNumeric) && value.some((v) => typeof v === 'number');
    return isList ? Float64Array.from(value, (v) => (v === '-0' ? -0 : v)) : value.map(packed);
  }
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  for (const [key, field] of Object.entries(value)) {
    Object.defineProperty(copy, key, { value: packed(field), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** JSON.parse of bytes; undefined if they are not JSON in UTF-8. */
function parsed(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

/** Expects the same value, −0 and prototypes included. */
function expectSame(got: unknown, value: unknown): void {
  if (!isDeepStrictEqual(got, packed(value))) expect(got).toStrictEqual(packed(value));
  expect(isDeepStrictEqual(got, packed(value))).toBe(true);
}

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(-0, 0, 5e-324, 1.7976931348623157e308, 0.1, 1e21, 1e-7),
);
const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', '', 'a'));
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null)),
    fc.array(fc.oneof({ weight: 8, arbitrary: number }, { weight: 1, arbitrary: fc.constant('-0') })),
    fc.array(tie('document')),
    fc.dictionary(key, tie('document')),
  ),
}));
const chunks = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 });
const step = fc.integer({ min: 1, max: 40 });
const spaces = fc.constantFrom(undefined, 1, '\t', '\r\n ');

describe('the parser', () => {
  test('gives what JSON.parse gives, in whatever chunks', async () => {
    await fc.assert(
      fc.asyncProperty(document, chunks, step, spaces, async (value, chunks, step, space) => {
        const text = JSON.stringify(value, null, space);
        expectSame(await parse(text, { chunks, step }), JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('accepts a damaged text if and only if JSON.parse does, and names the byte if not', async () => {
    const damage = fc.record({
      at: fc.nat(),
      deleted: fc.nat({ max: 3 }),
      inserted: fc.oneof(
        fc.constantFrom(
          ...['"', ',', ':', '[', ']', '{', '}', '-', '+', '.', 'e', '0', '\\', ' ', '\n', '"-0"', 'nul', '\u0001'],
        ),
        fc.constantFrom('00', '1.', '.5', '1e', '-', '1e999', 'true', '"\\ud800"', '"\\x"', '\ufeff'),
      ),
    });
    await fc.assert(
      fc.asyncProperty(document, damage, chunks, step, async (value, { at, deleted, inserted }, chunks, step) => {
        const text = JSON.stringify(value);
        const p = at % (text.length + 1);
        const bytes = bytesOf(text.slice(0, p) + inserted + text.slice(p + deleted));
        const right = parsed(bytes);
        if (right) {
          expectSame(await parse(bytes, { chunks, step }), right.value);
          return;
        }
        const error: unknown = await parse(bytes, { chunks, step }).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(DataError);
        expect((error as DataError).message).toMatch(/^m\.json: byte \d+/);
      }),
      { numRuns: 500 },
    );
  });

  test('accepts any bytes if and only if JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(document, fc.nat(), fc.nat({ max: 255 }), step, async (value, at, byte, step) => {
        const bytes = bytesOf(JSON.stringify(value));
        bytes[at % bytes.length] = byte;
        const right = parsed(bytes);
        if (right) expectSame(await parse(bytes, { step }), right.value);
        else await expect(parse(bytes, { step })).rejects.toThrow(/^m\.json: byte \d+/);
      }),
      { numRuns: 400 },
    );
  });

  test('reads lists of any length in one piece', async () => {
    const value = Array.from({ length: 40 }, (_, k) => Array.from({ length: k * k * 3 }, (_, i) => Math.sin(i) / 3));
    expect(await parse(JSON.stringify(value), { chunks: [5000] })).toStrictEqual(packed(value));
  });

  test('leaves lists plain below the keys that it is told', async () => {
    const value = {
      options: { a: [1, '-0'], b: [{ c: [2] }] },
      weights: [1, '-0'],
      classes: [0, 1],
      deep: { classes: [[1]] },
    };
    expect(await parse(JSON.stringify(value), { unpacked: ['options', 'classes'] })).toStrictEqual({
      ...value,
      weights: Float64Array.of(1, -0),
    });
  });

  test('a list that turns out not to be one of numbers keeps "-0" apart from −0', async () => {
    expect(await parse('[-0, "-0", 1, null, "-0"]')).toStrictEqual([-0, '-0', 1, null, '-0']);
    expect(await parse('["-0", "-0"]')).toStrictEqual(['-0', '-0']);
    expect(await parse('[-0, "-0"]')).toStrictEqual(Float64Array.of(-0, -0));
  });

  test('__proto__ is a field like any other, and the last of equal keys counts', async () => {
    const value = (await parse('{"__proto__": {"polluted": true}, "a": 1, "a": [2]}')) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect('polluted' in value).toBe(false);
    expect(value.a).toStrictEqual(Float64Array.of(2));
  });
});

describe('an error names the field and the byte', () => {
  test.each<[string, string]>([
    ['', 'byte 0: expected a value, got the end of it'],
    ['{"a": [1, 2', 'byte 11 in a[2]: expected a comma or the end of the list or object, got the end of it'],
    ['{"supports": {"rows": [[1], [2, x]]}}', 'byte 32 in supports.rows[1][1]: expected a value, got "x"'],
    ['{"a": 1 "b": 2}', 'byte 8 in a: expected a comma or the end of the list or object, got "\\""'],
    ['{"an odd key": +1}', 'byte 15 in ["an odd key"]: expected a value, got "+"'],
    ['[1, 02]', 'byte 4 in [1]: expected a number, got "02"'],
    ['[1, 2.]', 'byte 4 in [1]: expected a number, got "2."'],
    ['[1] 2', 'byte 4: expected nothing more, got "2"'],
    ['{"a"; 1}', 'byte 4 in a: expected a colon, got ";"'],
    ['{a: 1}', 'byte 1: expected a key in quotes or }, got "a"'],
    ['{"a": 1,}', 'byte 8 in a: expected a key in quotes, got "}"'],
    ['["a\nb"]', 'byte 3 in [0]: expected a quote, got the control character 10'],
    ['["\\x"]', 'byte 1 in [0]: expected a string of valid UTF-8 and escapes, got "\\"\\\\x\\""'],
    ['["abc', 'byte 5 in [0]: expected a quote, got the end of it'],
    ['[tru]', 'byte 1 in [0]: expected a value or ], got "t"'],
  ])('%j: %s', async (text, message) => {
    for (const step of [1, 3, 1000]) await expect(parse(text, { step })).rejects.toThrow(`m.json: ${message}`);
  });
});

describe('limits, so that no text takes more memory than a model', () => {
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  test.each<[string, string, string]>([
    ['depth', deep(65), 'byte 64 in [0]'.concat('[0]'.repeat(63), ': it is nested more than 64 deep')],
    ['the length of a number', `[1.${'1'.repeat(5000)}]`, 'byte 1 in [0]: a number of more than 4096 bytes'],
    ['the length of a string', `["${'a'.repeat(2 ** 20)}"]`, 'byte 1 in [0]: a string of more than 1048576 bytes'],
    ['the length of a key', `{"${'a'.repeat(2 ** 20)}": 1}`, 'byte 1: a string of more than 1048576 bytes'],
  ])('%s', async (_, text, message) => {
    await expect(parse(text, { chunks: [2 ** 16] })).rejects.toThrow(`m.json: ${message}`);
  });

  test('the memory of numbers, in all lists together', async () => {
    const text = '{"a": [1, 2, 3], "b": [[4], [5, "-0"]]}';
    expect(await parse(text, { mostNumbers: 6 })).toBeDefined();
    await expect(parse(text, { mostNumbers: 5 })).rejects.toThrow(
      'm.json: byte 32 in b[1][1]: its numbers take more than 40 bytes of memory, and "maxBytes" allows no more',
    );
    await expect(parse(text, { mostNumbers: 1 })).rejects.toThrow('m.json: byte 10 in a[1]: its numbers take');
  });

  test('a text within the limits is read', async () => {
    const text = `{"${'k'.repeat(2 ** 20 - 10)}": ${deep(60)}, "n": [1.${'1'.repeat(4000)}]}`;
    expect(await parse(text, { chunks: [2 ** 16] })).toStrictEqual(packed(JSON.parse(text)));
  });
});

describe('the writer', () => {
  test('gives the text of JSON.stringify, chunk by chunk', () => {
    fc.assert(
      fc.property(document, (value) => {
        const text = JSON.stringify(value, (_, v) => (Object.is(v, -0) ? '-0' : v));
        expect([...jsonChunks(value)].join('')).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('takes typed arrays, iterables and generators for lists', () => {
    const long = Float64Array.from({ length: 10_000 }, (_, k) => Math.sin(k));
    long[5000] = -0;
    const rows = (function* () {
      yield Float32Array.of(0.1, -0);
      yield { columns: Uint32Array.of(1, 2), values: new Float64Array() };
    })();
    const text = [...jsonChunks({ long, rows, set: new Set(['a']), gone: undefined, odd: [NaN, undefined] })].join('');
    expect(text).toBe(
      JSON.stringify({
        long: Array.from(long, (v) => (Object.is(v, -0) ? '-0' : v)),
        rows: [[Math.fround(0.1), '-0'], { columns: [1, 2], values: [] }],
        set: ['a'],
        odd: [null, null],
      }),
    );
  });
});
