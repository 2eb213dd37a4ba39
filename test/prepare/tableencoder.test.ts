// TableEncoder: what numbers a table becomes, against values worked out by hand and a Scaler.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { DenseMatrix, NotFittedError, Scaler, SparseMatrix } from '../../src/index.js';
import { inferColumns, type Table, TableEncoder, TextVectorizer } from '../../src/prepare/index.js';
import { asArrow, asColumns, bitsOf, type Records, rowsIn } from './tables.js';

const people: Records = [
  { age: 20, member: true, city: 'Rome' },
  { age: 40, member: false, city: 'Oslo' },
  { age: 60, member: true, city: 'Rome' },
];

describe('the kinds of columns', () => {
  test('numbers are standardised as a Scaler does it, categories come in order of first appearance', () => {
    const encoder = new TableEncoder();
    const X = encoder.fitTransform(people);
    expect(X).toBeInstanceOf(DenseMatrix);
    expect(encoder.featureNames).toEqual(['age', 'member', 'city=Rome', 'city=Oslo']);
    const scaled = new Scaler({ kind: 'standardize' }).fitTransform([[20, 1], [40, 0], [60, 1]]); // biome-ignore format: rows
    const numbers = rowsIn(scaled);
    expect(rowsIn(X)).toEqual([
      [...numbers[0]!, 1, 0],
      [...numbers[1]!, 0, 1],
      [...numbers[2]!, 1, 0],
    ]);
  });

  test('standardize: false keeps numbers, for one column or all', () => {
    expect(rowsIn(new TableEncoder({ standardize: false }).fitTransform(people))[1]).toEqual([40, 0, 0, 1]);
    const one = new TableEncoder({ columns: { age: { type: 'number', standardize: false } } }).fitTransform(people);
    expect(rowsIn(one).map(([age]) => age)).toEqual([20, 40, 60]);
  });

  test('a constant column is only centred', () => {
    expect(rowsIn(new TableEncoder().fitTransform([{ a: 0.1 }, { a: 0.1 }, { a: 0.1 }])).flat()[0]).toBeCloseTo(0, 15);
    expect(new TableEncoder().fit([{ a: 7 }, { a: 7 }]).toJSON().columns[0]).toMatchObject({ mean: 7, scale: 1 });
  });

  test('exact bigints are numbers; 1, 1n and "1" are one category', () => {
    const encoder = new TableEncoder({ columns: { c: 'category' }, standardize: false });
    const X = encoder.fitTransform([{ n: 2n ** 60n, c: 1 }, { n: -5n, c: 1n }, { n: 3, c: '1' }]); // biome-ignore format: rows
    expect(encoder.featureNames).toEqual(['n', 'c=1']);
    expect(rowsIn(X)).toEqual([
      [2 ** 60, 1],
      [-5, 1],
      [3, 1],
    ]);
  });

  test('are guessed from the values, and told with a reason', () => {
    const table = Array.from({ length: 20 }, (_, i) => ({
      id: `user-${i}`,
      on: i % 2 === 0,
      city: i % 3 ? 'Rome' : 'Oslo',
      body: `the words of text ${i}`,
      empty: null,
    }));
    const encoder = new TableEncoder().fit(table);
    expect(encoder.columns).toEqual([
      { name: 'id', kind: 'ignore', reason: 'every value is different, as in an ID', features: 0 },
      { name: 'on', kind: 'number', reason: 'every value is a number', features: 1 },
      { name: 'city', kind: 'category', reason: '2 different values', features: 2 },
      { name: 'body', kind: 'text', reason: '5.0 words a value', features: 14 },
      { name: 'empty', kind: 'ignore', reason: 'every value is missing', features: 0 },
    ]);
    expect(inferColumns(table).map(({ kind }) => kind)).toEqual(encoder.columns.map(({ kind }) => kind));
    expect(inferColumns(table.slice(1))[0]).toMatchObject({ kind: 'category', distinct: 19 });
    expect(new TableEncoder({ columns: { id: 'category' } }).fit(table).columns[0]).toEqual({
      name: 'id',
      kind: 'category',
      reason: 'as the option "columns" says',
      features: 20,
    });
  });

  test('a text column has the features of a TextVectorizer, after the columns before it', () => {
    const texts = ['green pears and apples', 'red apples', 'no fruit at all today'];
    const encoder = new TableEncoder({ standardize: false });
    const X = encoder.fitTransform(texts.map((body, size) => ({ size, body })));
    expect(X).toBeInstanceOf(SparseMatrix);
    const words = new TextVectorizer({ method: 'vocabulary', weighting: 'tf-idf' });
    const expected = rowsIn(words.fitTransform(texts)).map((row, i) => [i, ...row]);
    expect(rowsIn(X)).toEqual(expected);
    expect(encoder.featureNames).toEqual(['size', ...words.featureNames!.map((word) => `body:${word}`)]);
  });

  test('text columns take the options of a TextVectorizer', () => {
    const columns = { body: { type: 'text', method: 'hashing', weighting: 'count', features: 8 } } as const;
    const encoder = new TableEncoder({ columns }).fit([{ body: 'a few words' }, { body: 'more' }]);
    expect(encoder.featureNames.slice(0, 2)).toEqual(['body:#0', 'body:#1']);
    expect(encoder.outputCols).toBe(8);
    const { indices } = encoder.transformOne({ body: 'few' }) as { indices: Uint32Array };
    expect(encoder.namesIn({ body: 'few' })(indices[0]!)).toBe('body:few');
    expect(() => new TableEncoder({ columns: { body: { type: 'text', feature: 8 } as never } })).toThrow(
      'TextVectorizer has no option "feature"',
    );
  });

  test('the result is sparse from 51 columns of categories on; numbers are stored there, also 0', () => {
    const table = (count: number) => Array.from({ length: count }, (_, i) => ({ n: i % 2, c: `c${i}` }));
    const columns = { c: 'category' } as const;
    expect(new TableEncoder({ columns }).fitTransform(table(50))).toBeInstanceOf(DenseMatrix);
    const sparse = new TableEncoder({ columns, standardize: false }).fitTransform(table(51));
    expect(sparse).toBeInstanceOf(SparseMatrix);
    expect((sparse as SparseMatrix).nonZeros).toBe(102);
  });
});

describe('missing values', () => {
  const holes: Records = [{ n: 1, c: 'b' }, { n: null, c: 'a' }, { n: 4, c: null }, { n: 4, c: 'a' }, { n: 10, c: 'b' }, {}]; // biome-ignore format: rows

  test.each([
    ['mean', 19 / 4, [0, 0]],
    ['median', 4, [0, 0]],
    ['most-frequent', 4, [0, 1]],
    ['zero', 0, [0, 0]],
  ] as const)('%s: numbers become %d, categories %j', (missing, fill, category) => {
    const encoder = new TableEncoder({ missing, standardize: false });
    const rows = rowsIn(encoder.fitTransform(holes));
    expect(encoder.featureNames).toEqual(['n', 'c=b', 'c=a']);
    expect(rows[1]).toEqual([fill, 0, 1]);
    expect(rows[2]).toEqual([4, ...category]);
    expect(rows[5]).toEqual([fill, ...category]);
  });

  test('the median of an even number of values is their mean, also at the end of the range', () => {
    const fill = (...values: number[]) =>
      new TableEncoder({ missing: 'median', standardize: false })
        .fit([...values, null].map((n) => ({ n })))
        .transformOne({ n: null });
    expect(fill(3, 1, 2, 10)).toEqual(Float64Array.of(2.5));
    expect(fill(Number.MAX_VALUE, Number.MAX_VALUE)).toEqual(Float64Array.of(Number.MAX_VALUE));
  });

  test('standardised numbers are those of a Scaler on the filled column', () => {
    const encoder = new TableEncoder({ missing: 'mean' });
    const filled = holes.map(({ n }) => [(n as number | null) ?? 19 / 4]);
    const expected = rowsIn(new Scaler({ kind: 'standardize' }).fitTransform(filled)).flat();
    expect(rowsIn(encoder.fitTransform(holes)).map(([n]) => n)).toEqual(expected);
  });

  test('indicator: a column beside each that has missing values in fit', () => {
    const encoder = new TableEncoder({ missing: 'zero', indicator: true, standardize: false });
    const table = [
      { n: 1, full: 2, body: 'some words that count' },
      { n: NaN, full: 3, body: undefined },
    ];
    encoder.fit(table);
    const { featureNames } = encoder;
    expect(featureNames.filter((name) => !name.startsWith('body:'))).toEqual([
      'n',
      'n is missing',
      'full',
      'body is missing',
    ]);
    const [first, second] = rowsIn(encoder.transform(table));
    expect([first![1], second![1], first!.at(-1), second!.at(-1)]).toEqual([0, 1, 0, 1]);
    const names = encoder.namesIn(table[1]);
    featureNames.forEach((name, k) => void expect(names(k)).toBe(name));
    expect(names(featureNames.length)).toBeUndefined();
  });

  test('a rule of one column stands before that of the encoder', () => {
    const columns = { n: { type: 'number', missing: 'zero' } } as const;
    const encoder = new TableEncoder({ columns, standardize: false });
    expect(rowsIn(encoder.fitTransform([{ n: null, m: 1 }, { n: 5, m: 2 }]))[0]).toEqual([0, 1]); // biome-ignore format: rows
  });
});

describe('properties', () => {
  const cell = {
    number: fc.option(fc.double({ noNaN: true, min: -1e6, max: 1e6 })),
    flag: fc.option(fc.boolean()),
    'a category': fc.option(fc.constantFrom('x', 'y', '', 'ä', '__proto__')),
    text: fc.option(fc.array(fc.constantFrom('red', 'green', 'pear', 'no'), { maxLength: 6 }).map((w) => w.join(' '))),
  };
  const tables = fc.array(fc.record(cell), { minLength: 2, maxLength: 30 });
  const columns = { number: 'number', flag: 'number', 'a category': 'category', text: 'text' } as const;
  const rules = fc.record({
    missing: fc.constantFrom('mean', 'median', 'most-frequent', 'zero'),
    indicator: fc.boolean(),
    standardize: fc.boolean(),
  });
  /** An encoder, if each column has a value and a word. */
  const fitted = (table: Records, options: object): TableEncoder | undefined => {
    const isFull = Object.keys(cell).every((name) => table.some((row) => row[name] !== null));
    if (!isFull || !table.some(({ text }) => text)) return undefined;
    return new TableEncoder({ columns, ...options }).fit(table);
  };

  test('every form and order of columns gives the same bits; one row alone those among others; JSON keeps them', () => {
    fc.assert(
      fc.property(tables, rules, (table, options) => {
        const encoder = fitted(table, options);
        if (!encoder) return;
        const expected = bitsOf(encoder.transform(table));
        const backwards = table.map((row) => Object.fromEntries(Object.entries({ extra: 1, ...row }).reverse()));
        const forms: Table[] = [asColumns(table), asArrow(table), backwards, asColumns(backwards), asArrow(backwards)];
        for (const form of forms) expect(bitsOf(encoder.transform(form))).toEqual(expected);
        for (const form of [asColumns(table), asArrow(table)]) {
          expect(JSON.stringify(new TableEncoder({ columns, ...options }).fit(form))).toBe(JSON.stringify(encoder));
        }
        const copy = TableEncoder.fromJSON(JSON.parse(JSON.stringify(encoder)));
        expect(JSON.stringify(copy)).toBe(JSON.stringify(encoder));
        expect(bitsOf(copy.transform(table))).toEqual(expected);
        expect(JSON.stringify(copy.unfitted().fit(table))).toBe(JSON.stringify(encoder));
        expect(copy.featureNames).toEqual(encoder.featureNames);
        expect(copy.columns).toEqual(encoder.columns);
        table.forEach((row, i) => {
          const { indices, values } = copy.transformOne(row) as { indices: Uint32Array; values: Float64Array };
          const alone = new Float64Array(expected.cols);
          indices.forEach((column, k) => {
            alone[column] = values[k]!;
          });
          const among = expected.bits.subarray(i * expected.cols, (i + 1) * expected.cols);
          expect(new BigUint64Array(alone.buffer)).toEqual(among.slice());
        });
      }),
      { numRuns: 60 },
    );
  });

  test('stages in any pieces give the same as one call', () => {
    const table = Array.from({ length: 500 }, (_, i) => ({
      n: i % 7 ? i : null,
      c: `c${i % 60}`,
      t: `word${i % 9} and more`,
    }));
    const encoder = new TableEncoder({ missing: 'mean' });
    const inPieces = (stages: readonly { count: number; size: number; piece(from: number, to: number): void }[]) => {
      for (const stage of stages) {
        const { count, size } = stage;
        for (let from = 0; from < count; from += size) stage.piece(from, Math.min(count, from + size));
      }
    };
    const fitting = encoder.fitting(table);
    inPieces(fitting.stages);
    expect(encoder.isReady).toBe(false);
    fitting.adopt();
    fitting.release();
    expect(JSON.stringify(encoder)).toBe(JSON.stringify(new TableEncoder({ missing: 'mean' }).fit(table)));
    const transforming = encoder.transforming(table);
    inPieces(transforming.stages);
    expect(bitsOf(transforming.matrix())).toEqual(bitsOf(encoder.transform(table)));
  });
});

test('before fit: a NotFittedError; adopt takes over what another learned; no block is left', () => {
  const { blocks } = defaultArena.usage;
  const encoder = new TableEncoder();
  for (const act of [
    () => encoder.transform(people),
    () => encoder.toJSON(),
    () => encoder.featureNames,
    () => encoder.columns,
  ]) {
    expect(act).toThrow(NotFittedError);
  }
  expect(encoder.isReady).toBe(false);
  const draft = encoder.unfitted().fit(people);
  encoder.adopt(draft);
  expect(JSON.stringify(encoder)).toBe(JSON.stringify(draft));
  encoder.transform(people).dispose();
  expect(defaultArena.usage.blocks).toBe(blocks);
});

test('a getter that asks the same encoder again while a row is read harms neither row', () => {
  const encoder = new TableEncoder({ standardize: false }).fit([{ a: 1, b: 2 }, { a: 3, b: 4 }]); // biome-ignore format: rows
  const inner: unknown[] = [];
  const row = {
    a: 1,
    get b() {
      inner.push(encoder.transformOne({ a: 8, b: 9 }));
      return 2;
    },
  };
  expect(encoder.transformOne(row)).toEqual(Float64Array.of(1, 2));
  expect(inner).toEqual([Float64Array.of(8, 9)]);
});
