// Files of a TextVectorizer that are wrong: refused with a sentence that names the field.

import { expect, test } from 'vitest';
import { digestOf } from '../../src/encode/settings.js';
import { textFrom } from '../../src/encode/text.js';
import { TextVectorizer } from '../../src/prepare/index.js';

type Json = Record<string, unknown> & { options: Record<string, unknown> };

const saved = (vectorizer: TextVectorizer): Json => JSON.parse(JSON.stringify(vectorizer));
const words = () => saved(new TextVectorizer({ method: 'vocabulary', weighting: 'tf-idf' }).fit(['red pears', 'red']));
const hashed = () => saved(new TextVectorizer({ weighting: 'tf-idf', features: 8 }).fit(['red pears', 'red']));
const pattern = () => saved(new TextVectorizer({ tokens: /\w+/u }));

const EDITED = 'options are not those that this file was saved with: its digest differs';

test.each<[string, () => Json, (json: Json) => void, new (message: string) => Error, string]>([
  [
    'another type',
    words,
    (json) => Object.assign(json, { type: 'scaler' }),
    RangeError,
    'model JSON: type must be "text-vectorizer", got "scaler"',
  ],
  [
    'another version',
    words,
    (json) => Object.assign(json, { version: 2 }),
    RangeError,
    'model JSON: version 2 is not known here',
  ],
  ['edited hash settings', hashed, (json) => Object.assign(json.options, { features: 9 }), RangeError, EDITED],
  ['edited n-grams', words, (json) => Object.assign(json.options, { ngrams: [1, 2] }), RangeError, EDITED],
  ['no digest', words, (json) => Object.assign(json, { digest: undefined }), RangeError, EDITED],
  [
    'wrong settings',
    hashed,
    (json) => Object.assign(json.options, { features: 0 }),
    RangeError,
    'model JSON: options.features must be an integer from 1 to 2147483647, got 0',
  ],
  [
    'no options',
    words,
    (json) => Object.assign(json, { options: 1 }),
    TypeError,
    'model JSON: options must be an object, got 1',
  ],
  ['a pattern', pattern, () => {}, RangeError, 'load files that you trust with { allowPatterns: true }'],
  [
    'too few idf',
    words,
    (json) => Object.assign(json, { idf: [1] }),
    RangeError,
    'model JSON: idf must have 2 values, got 1',
  ],
  [
    'an idf of 0',
    words,
    (json) => Object.assign(json, { idf: [1, 0] }),
    RangeError,
    'model JSON: idf[1] must be a number > 0, got 0',
  ],
  [
    'a word twice',
    words,
    (json) => Object.assign(json, { vocabulary: ['a', 'a'] }),
    RangeError,
    'model JSON: vocabulary must be one or more different words, got an array of 2',
  ],
  [
    'a word that is a number',
    words,
    (json) => Object.assign(json, { vocabulary: ['a', 1] }),
    TypeError,
    'model JSON: vocabulary[1] must be a string, got 1',
  ],
  [
    'no words',
    words,
    (json) => Object.assign(json, { vocabulary: [] }),
    RangeError,
    'model JSON: vocabulary must be one or more different words, got an array of 0',
  ],
  [
    'no count of texts',
    words,
    (json) => Object.assign(json, { documents: -1 }),
    RangeError,
    'model JSON: documents must be an integer ≥ 0, got -1',
  ],
  [
    'columns that descend',
    hashed,
    (json) => Object.assign(json, { columns: [3, 2] }),
    RangeError,
    'model JSON: columns[1] must be an integer above 3 and below 8, got 2',
  ],
  [
    'a column too many',
    hashed,
    (json) => Object.assign(json, { columns: [3, 8] }),
    RangeError,
    'model JSON: columns[1] must be an integer above 3 and below 8, got 8',
  ],
])('a file with %s is refused', (_what, make, spoil, type, message) => {
  const json = make();
  spoil(json);
  const thrown = (load: () => unknown): unknown => {
    try {
      return load();
    } catch (error) {
      return error;
    }
  };
  const error = thrown(() => TextVectorizer.fromJSON(json));
  expect(error).toBeInstanceOf(type);
  expect((error as Error).message).toContain(message);
  const nested = thrown(() => textFrom(json, 'steps[0]')) as Error;
  expect(nested.message).toMatch(/^model JSON: steps\[0\][.:]/);
});

test.each<[string, unknown, string]>([
  ['method', 'guessing', '"hashing" or "vocabulary"'],
  ['features', 2 ** 31, 'an integer from 1 to 2147483647'],
  ['features', undefined, 'an integer from 1 to 2147483647'],
  ['tokens', 'lines', '"words" or "characters"'],
  ['ngrams', [1, 1e9], 'an integer from 1 to 100'],
  ['ngrams', [2, 1], 'two integers, ascending'],
  ['ngrams', [1, 2, 3], 'two integers, ascending'],
  ['ngrams', [], 'two integers, ascending'],
  ['lowercase', 1, 'true or false'],
  ['weighting', 'bm25', '"count" or "tf-idf"'],
  ['norm', 'max', '"l2" or "l1" or "none"'],
  ['stopWords', 'the', 'an array'],
  ['stopWords', [1], 'a string'],
])('options.%s = %j is refused, whatever the digest says', (name, value, expected) => {
  const json = hashed();
  json.options[name] = value;
  json.digest = digestOf(json.options);
  for (const load of [textFrom, TextVectorizer.fromJSON]) {
    expect(() => load(json)).toThrow(`must be ${expected}, got`);
    expect(() => load(json)).toThrow(`model JSON: options.${name}`);
  }
});

test('options that only fit needs are checked where fit is', () => {
  const json = words();
  json.options.maxDocumentShare = 2;
  json.digest = digestOf(json.options);
  expect(() => TextVectorizer.fromJSON(json)).toThrow(
    'model JSON: "maxDocumentShare" must be a number above 0, at most 1, got 2',
  );
});

test('the order of the options in a file does not matter', () => {
  const json = hashed();
  json.options = Object.fromEntries(Object.entries(json.options).reverse());
  expect(JSON.stringify(TextVectorizer.fromJSON(json))).toBe(JSON.stringify(hashed()));
});

test('a pattern is loaded if that is allowed, with its flags', () => {
  const copy = TextVectorizer.fromJSON(pattern(), { allowPatterns: true });
  expect(copy.toJSON().options.tokens).toEqual({ pattern: '\\w+', flags: 'gu' });
});

test('text is not JSON', () => {
  expect(() => TextVectorizer.fromJSON('{}')).toThrow(
    /^model JSON must be an object, got a string: use JSON.parse first$/,
  );
});
