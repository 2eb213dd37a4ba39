// Files of a TextVectorizer that are wrong: refused with a sentence that names the field.

import { expect, test } from 'vitest';
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
    'model JSON: "features" must be an integer from 1 to 2147483647, got 0',
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
    'model JSON: vocabulary has 2 words, but only 1 different ones',
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
    'model JSON: vocabulary must be an array of words',
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
    'model JSON: columns[1] must be an integer from 4 to 7, ascending, got 2',
  ],
  [
    'a column too many',
    hashed,
    (json) => Object.assign(json, { columns: [3, 8] }),
    RangeError,
    'model JSON: columns[1] must be an integer from 4 to 7, ascending, got 8',
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

test('a pattern is loaded if that is allowed, with its flags', () => {
  const copy = TextVectorizer.fromJSON(pattern(), { allowPatterns: true });
  expect(copy.toJSON().options.tokens).toEqual({ pattern: '\\w+', flags: 'gu' });
});

test('text is not JSON', () => {
  expect(() => TextVectorizer.fromJSON('{}')).toThrow(
    /^model JSON must be an object, got a string: use JSON.parse first$/,
  );
});
