// TextVectorizer: properties that hold for all texts and options, JSON, errors.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotFittedError } from '../../src/index.js';
import { TextVectorizer, type TextVectorizerOptions } from '../../src/prepare/index.js';
import { bits } from '../model/spoiled.js';

const word = fc.constantFrom(
  'The',
  'cat',
  'sat',
  'on',
  'mat',
  'été',
  'ÉTÉ',
  '漢字',
  '😀😀',
  'x',
  '\ud800',
  'e\u0301e',
  '𐐀𐐀',
);
const text = fc.oneof(
  fc.array(word, { maxLength: 60 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const texts = fc.array(text, { minLength: 1, maxLength: 8 }).map((list) => ['cat mat', ...list]);

const ngrams = fc.constantFrom<[number, number]>([1, 1], [1, 2], [2, 3]);
const shared = {
  ngrams,
  tokens: fc.constantFrom<NonNullable<TextVectorizerOptions['tokens']>>('words', 'characters', /\w+/u, /(\S)\S*/),
  lowercase: fc.boolean(),
  binary: fc.boolean(),
  sublinear: fc.boolean(),
  norm: fc.constantFrom('l2', 'l1', 'none'),
  weighting: fc.constantFrom('count', 'tf-idf'),
} as const;
const options: fc.Arbitrary<TextVectorizerOptions> = fc.oneof(
  fc.record({
    ...shared,
    method: fc.constant('hashing' as const),
    features: fc.constantFrom(1, 5, 1000, 2 ** 20),
    signed: fc.boolean(),
  }),
  fc.record({ ...shared, ngrams: fc.constant<[number, number]>([1, 2]), method: fc.constant('vocabulary' as const) }),
);

const partsOf = (vectorizer: TextVectorizer, list: Iterable<string>) => {
  const X = vectorizer.transform(list);
  try {
    const { values, indices, indptr } = X.toParts();
    return { values: bits(values), indices: [...indices], indptr: [...indptr], cols: X.cols };
  } finally {
    X.dispose();
  }
};

test('the row of one text is its row among all', () => {
  fc.assert(
    fc.property(options, texts, (chosen, list) => {
      const vectorizer = new TextVectorizer(chosen).fit(list);
      const X = vectorizer.transform(list);
      list.forEach((each, i) => {
        const { indices, values } = vectorizer.transformOne(each);
        const row = X.row(i);
        expect([...indices]).toEqual([...row.indices]);
        expect(bits(values)).toEqual(bits(row.values));
      });
      X.dispose();
    }),
  );
});

test('any chunks of a stream give the rows of the whole', () => {
  fc.assert(
    fc.property(options, texts, fc.nat(8), (chosen, list, cut) => {
      const vectorizer = new TextVectorizer(chosen).fit(new Set(list));
      const whole = partsOf(vectorizer, list);
      const halves = [list.slice(0, cut), list.slice(cut)].map((part) => partsOf(vectorizer, part.values()));
      expect(halves.flatMap(({ indices }) => indices)).toEqual(whole.indices);
      expect(halves.flatMap(({ values }) => [...values])).toEqual([...whole.values]);
    }),
  );
});

test('JSON comes back to the bit, and so do rows', () => {
  fc.assert(
    fc.property(options, texts, (chosen, list) => {
      const vectorizer = new TextVectorizer(chosen).fit(list);
      const json = JSON.stringify(vectorizer);
      const copy = TextVectorizer.fromJSON(JSON.parse(json), { allowPatterns: true });
      expect(JSON.stringify(copy)).toBe(json);
      const others = [...list, 'another cat 漢字', ''];
      expect(partsOf(copy, others)).toEqual(partsOf(vectorizer, others));
    }),
  );
});

test('fitTransform gives what fit and transform give', () => {
  fc.assert(
    fc.property(options, texts, fc.boolean(), (chosen, list, isPruned) => {
      const all = { ...chosen, ...(isPruned && chosen.method === 'vocabulary' && { maxFeatures: 5 }) };
      const vectorizer = new TextVectorizer(all);
      const X = vectorizer.fitTransform(list.values());
      const twin = new TextVectorizer(all).fit(list);
      const { values, indices, indptr } = X.toParts();
      X.dispose();
      expect({ values: bits(values), indices: [...indices], indptr: [...indptr] }).toEqual(
        (({ cols: _, ...rest }) => rest)(partsOf(twin, list)),
      );
      expect(JSON.stringify(vectorizer)).toBe(JSON.stringify(twin));
    }),
  );
});

test('stages of any size give what fit and transform give', () => {
  fc.assert(
    fc.property(options, texts, (chosen, list) => {
      const plain = new TextVectorizer(chosen).fit(list);
      const staged = plain.unfitted();
      const fitting = staged.fitting(list);
      for (const { count, piece } of fitting.stages) for (let i = 0; i < count; i++) piece(i, i + 1);
      fitting.adopt();
      fitting.release();
      expect(staged.isReady).toBe(true);
      expect(JSON.stringify(staged)).toBe(JSON.stringify(plain));
      const { stages, matrix } = staged.transforming(list);
      for (const { count, piece } of stages) for (let i = 0; i < count; i++) piece(i, i + 1);
      const X = matrix();
      expect(bits(X.toParts().values)).toEqual(partsOf(plain, list).values);
      expect(X.cols).toBe(staged.outputCols);
      X.dispose();
      const third = plain.unfitted();
      third.adopt(staged);
      expect(JSON.stringify(third)).toBe(JSON.stringify(plain));
    }),
  );
});

test('names are the words of a text, those that share a column together', () => {
  const one = new TextVectorizer({ features: 1 });
  expect(one.namesIn('red pears, red apples')(0)).toBe('red | pears | apples');
  const many = new TextVectorizer({ ngrams: [1, 2] });
  const name = many.namesIn('Red pears');
  const { indices } = many.transformOne('Red pears');
  expect(Array.from(indices, name).sort()).toEqual(['pears', 'red', 'red pears']);
  expect(many.featureNames).toBeUndefined();
  const words = new TextVectorizer({ method: 'vocabulary' }).fit(['red pears']);
  expect([0, 1, 2].map(words.namesIn('other'))).toEqual(['pears', 'red', undefined]);
  expect(words.featureNames).toEqual(['pears', 'red']);
});

test('words are in the order of code points, of which UTF-16 has another', () => {
  const words = new TextVectorizer({ method: 'vocabulary' }).fit(['\u{1d7d8}\u{1d7d8} \uff41\uff41 zz']);
  expect(words.featureNames).toEqual(['zz', '\uff41\uff41', '\u{1d7d8}\u{1d7d8}']);
});

test('words that begin alike are in the order of code points, however many there are', () => {
  for (const count of [1, 2, 3, 64, 700]) {
    const words = Array.from({ length: count }, (_, k) => `prefix${'é'.repeat(k % 3)}${(k * 7919) % 1009}`);
    const { featureNames } = new TextVectorizer({ method: 'vocabulary' }).fit(['zz', ...words, 'prefix']);
    const inBytes = ['zz', 'prefix', ...words].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(featureNames).toEqual([...new Set(inBytes)]);
  }
});

test('the names of thousands of words are the words, in ASCII, and where others come among them', () => {
  const ascii = Array.from({ length: 3000 }, (_, k) => `${k.toString(36)}_`);
  const others = Array.from(
    { length: 3000 },
    (_, k) => `${k.toString(36)}${['é', '\u0915', '\u{1d7d8}', 'e'][k % 4]}z`,
  );
  for (const words of [ascii, [...ascii, ...others], others]) {
    const vectorizer = new TextVectorizer({ method: 'vocabulary' }).fit(words);
    expect(new Set(vectorizer.featureNames)).toEqual(new Set(words));
    expect(vectorizer.toJSON().vocabulary).toEqual(vectorizer.featureNames);
  }
});

test('of words that are as frequent, maxFeatures keeps the first by code point', () => {
  const words = new TextVectorizer({ method: 'vocabulary', maxFeatures: 2 }).fit(['bb aa', 'cc cc aa bb']);
  expect(words.featureNames).toEqual(['aa', 'bb']);
});

test('a lone surrogate is U+FFFD', () => {
  const characters = new TextVectorizer({ tokens: 'characters' });
  expect(characters.transformOne('a\ud83d')).toEqual(characters.transformOne('a\ufffd'));
  const split = new TextVectorizer({ tokens: (all) => all.split(' ') });
  expect(split.transformOne('x\udc00')).toEqual(split.transformOne('x\ufffd'));
});

test('tokens of a function and the group of a pattern are counted', () => {
  const list = ['a-b-a', 'C'];
  const ofFunction = new TextVectorizer({ method: 'vocabulary', norm: 'none', tokens: (all) => all.split('-') });
  expect(ofFunction.fit(list).featureNames).toEqual(['a', 'b', 'c']);
  expect([...ofFunction.transformOne('a-b-a').values]).toEqual([2, 1]);
  const pattern = /<(\w)>/;
  const ofGroup = new TextVectorizer({ method: 'vocabulary', tokens: pattern }).fit(['<a> b <C>']);
  expect(ofGroup.featureNames).toEqual(['a', 'c']);
});

test('a function that uses the vectorizer meanwhile does no harm', () => {
  let isInside = false;
  const vectorizer: TextVectorizer = new TextVectorizer({
    tokens: function* (all) {
      for (const each of all.split(' ')) {
        if (!isInside) {
          isInside = true;
          vectorizer.transformOne('quite another text');
          isInside = false;
        }
        yield each;
      }
    },
  });
  const plain = new TextVectorizer({ tokens: /\S+/ });
  expect(vectorizer.transformOne('one two three')).toEqual(plain.transformOne('one two three'));
});

test('a text of 10 MB is counted, and so are small ones after it', () => {
  const long = 'Lorem ipsum dolor sit amet '.repeat(400_000);
  for (const method of ['hashing', 'vocabulary'] as const) {
    const vectorizer = new TextVectorizer({ method, norm: 'none', ...(method === 'hashing' && { signed: false }) });
    const X = vectorizer.fitTransform([long, 'dolor', `${long}é`]);
    expect([...X.row(0).values]).toEqual([400_000, 400_000, 400_000, 400_000, 400_000]);
    expect([...X.row(1).values]).toEqual([1]);
    expect([...X.row(2).values]).toEqual([400_000, 400_000, 400_000, 400_000, 400_000]);
    X.dispose();
  }
});

test('hashing with counts needs no fit', () => {
  const vectorizer = new TextVectorizer();
  expect([vectorizer.isReady, vectorizer.outputCols]).toEqual([true, 2 ** 20]);
  const X = vectorizer.transform(['a word', '']);
  expect([X.rows, X.nonZeros]).toEqual([2, 1]);
  X.dispose();
});

test('sublinear counts keep their sign, and 0 stays 0', () => {
  const vectorizer = new TextVectorizer({ features: 1, sublinear: true, norm: 'none' });
  const values = ['aa aa', 'bb bb', 'aa bb', 'cc cc', 'dd dd'].map((each) => vectorizer.transformOne(each).values[0]);
  for (const value of values) expect([1 + Math.LN2, -1 - Math.LN2, 0]).toContain(value);
});

describe('an error', () => {
  const unfitted = () => new TextVectorizer({ method: 'vocabulary' });
  const never = undefined as never;
  test.each<[string, () => unknown, new (message: string) => Error, string]>([
    [
      'a text that is not a string',
      () => new TextVectorizer().transform(['a', 3 as never]),
      TypeError,
      'texts[1] must be a string, got 3',
    ],
    [
      'a text that is not a string in fit',
      () => unfitted().fit(['a', null as never]),
      TypeError,
      'texts[1] must be a string, got null',
    ],
    [
      'one string',
      () => new TextVectorizer().transform('abc'),
      TypeError,
      '"texts" must be an iterable of strings, got one string, "abc": put it in an array',
    ],
    [
      'no texts',
      () => new TextVectorizer().transform(never),
      TypeError,
      '"texts" must be an iterable of strings, got undefined',
    ],
    [
      'transform before fit',
      () => unfitted().transform(['a']),
      NotFittedError,
      'this TextVectorizer is not fitted yet: call fit before transform',
    ],
    [
      'toJSON before fit',
      () => unfitted().toJSON(),
      NotFittedError,
      'this TextVectorizer is not fitted yet: call fit before toJSON',
    ],
    [
      'texts without words',
      () => unfitted().fit(['', 'a']),
      RangeError,
      'the texts have no words: they are empty, or have stop words alone',
    ],
    [
      'no word left',
      () => new TextVectorizer({ method: 'vocabulary', minDocuments: 2 }).fit(['aa', 'bb']),
      RangeError,
      'none of the 2 words is in at least 2 and at most 2 of the 2 texts: set a lower "minDocuments" or a higher "maxDocumentShare"',
    ],
    [
      'an unknown option',
      () => new TextVectorizer({ ngram_range: [1, 2] } as never),
      RangeError,
      'TextVectorizer has no option "ngram_range": do you mean "ngrams"?',
    ],
    [
      'options that are null',
      () => new TextVectorizer(null as never),
      TypeError,
      'the options of TextVectorizer must be an object, got null',
    ],
    [
      'a method',
      () => new TextVectorizer({ method: 'bag' as never }),
      RangeError,
      `"method" must be one of 'hashing', 'vocabulary', got "bag"`,
    ],
    [
      'features',
      () => new TextVectorizer({ features: 0 }),
      RangeError,
      '"features" must be an integer from 1 to 2147483647, got 0',
    ],
    [
      'features of a vocabulary',
      () => new TextVectorizer({ method: 'vocabulary', features: 9 }),
      RangeError,
      `"features" is an option of method 'hashing' alone`,
    ],
    [
      'minDocuments of hashing',
      () => new TextVectorizer({ minDocuments: 2 }),
      RangeError,
      `"minDocuments" is an option of method 'vocabulary' alone`,
    ],
    [
      'a share',
      () => new TextVectorizer({ method: 'vocabulary', maxDocumentShare: 2 }),
      RangeError,
      '"maxDocumentShare" must be a number above 0, at most 1, got 2',
    ],
    [
      'ngrams that are no pair',
      () => new TextVectorizer({ ngrams: 2 as never }),
      TypeError,
      '"ngrams" must be [least, most], two integers from 1 to 100, ascending, got 2',
    ],
    [
      'ngrams that descend',
      () => new TextVectorizer({ ngrams: [2, 1] }),
      RangeError,
      '"ngrams" must be [least, most], two integers from 1 to 100, ascending, got [2,1]',
    ],
    [
      'tokens',
      () => new TextVectorizer({ tokens: 'letters' as never }),
      RangeError,
      `"tokens" must be 'words', 'characters', a RegExp or a function, got "letters"`,
    ],
    [
      'a pattern with two groups',
      () => new TextVectorizer({ tokens: /(a)(b)/ }),
      RangeError,
      '"tokens" must have one capturing group at most, which is then the token, got 2: use (?:…) for others',
    ],
    [
      'a flag',
      () => new TextVectorizer({ lowercase: 1 as never }),
      TypeError,
      '"lowercase" must be true or false, got 1',
    ],
    [
      'stop words',
      () => new TextVectorizer({ stopWords: 'english' as never }),
      TypeError,
      '"stopWords" must be an array of strings, got "english"',
    ],
    [
      'a stop word',
      () => new TextVectorizer({ stopWords: ['a', 1 as never] }),
      RangeError,
      '"stopWords" must be an array of strings, got ["a",1]',
    ],
    [
      'stop words of characters',
      () => new TextVectorizer({ tokens: 'characters', stopWords: ['a'] }),
      RangeError,
      `"stopWords" are words: they have no meaning with tokens 'characters'`,
    ],
    [
      'a function that gives numbers',
      () => new TextVectorizer({ tokens: () => [1 as never] }).transformOne('a'),
      TypeError,
      '"tokens" must give strings, got 1',
    ],
    [
      'a function in JSON',
      () => new TextVectorizer({ tokens: () => [] }).toJSON(),
      TypeError,
      '"tokens" is a function, which JSON cannot hold: use a RegExp to save this TextVectorizer',
    ],
  ])('says what is wrong with %s', (_what, act, type, message) => {
    let thrown: unknown;
    try {
      act();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(type);
    expect((thrown as Error).message).toContain(message);
  });
});

test('a fit that fails leaves what was learned', () => {
  const vectorizer = new TextVectorizer({ method: 'vocabulary' }).fit(['red pears']);
  const before = JSON.stringify(vectorizer);
  expect(() => vectorizer.fit(['blue', 1 as never])).toThrow(TypeError);
  expect(() => vectorizer.fit([''])).toThrow(RangeError);
  expect(JSON.stringify(vectorizer)).toBe(before);
});
