import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DenseMatrix, type Label, type Rows, SparseMatrix } from '../../src/index.js';
import { csvLines, libsvmLines, predictionLines, readCsv, readLibsvm } from '../../src/io/index.js';
import { runs } from '../effort.js';
import { bytesOf, plain } from './helpers.js';

const joined = (chunks: Iterable<string>): string => [...chunks].join('');

const X = [
  [0, 1.5, -0],
  [2, 0, 1e-7],
];

describe('libsvmLines', () => {
  test('writes what is not 0, of rows of any form', () => {
    const expected = '1 2:1.5 3:-0\n-1 1:2 3:1e-7\n';
    const parts = { values: [1.5, -0, 2, 1e-7], indices: [1, 2, 0, 2], indptr: [0, 2, 4], cols: 3 };
    const dense = DenseMatrix.from(X);
    const sparse = SparseMatrix.from(parts);
    for (const rows of [X, dense, { data: Float64Array.from(X.flat()), rows: 2, cols: 3 }, sparse, parts]) {
      expect(joined(libsvmLines(rows, [1, -1]))).toBe(expected);
    }
    dense.dispose();
    sparse.dispose();
  });

  test('refuses labels that are not numbers, rows that are not finite, and lengths that differ', () => {
    expect(() => joined(libsvmLines(X, ['a', 'b']))).toThrow(
      new TypeError('y[0] must be a finite number in LIBSVM text, got "a": number your classes'),
    );
    expect(() => joined(libsvmLines(X, [1]))).toThrow(new RangeError('y has 1 labels, X has 2 rows'));
    expect(() => joined(libsvmLines([[1], [NaN]], [1, 2]))).toThrow(new RangeError('X[1][0] is NaN'));
    expect(() => joined(libsvmLines([[1], [1, 2]], [1, 2]))).toThrow(
      new RangeError('X row 1 has 2 values, expected 1'),
    );
    expect(() => joined(libsvmLines({ values: [1], indices: [3], indptr: [0, 1], cols: 3 }, [1]))).toThrow(
      new RangeError('X.indices[0] must be an integer from 0 to 2, got 3'),
    );
    expect(() => joined(libsvmLines(7 as unknown as Rows, [1]))).toThrow(new TypeError('X must be rows, got 7'));
  });

  test('comes in chunks, however many rows there are', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => [i, i]);
    const chunks = [...libsvmLines(rows, new Float64Array(20_000))];
    expect(chunks.length).toBeGreaterThan(3);
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(70_000);
  });
});

describe('csvLines', () => {
  test('writes a header, all values, and labels in quotes where they need them', () => {
    expect(joined(csvLines(X, ['a,b', 'say "no"']))).toBe('x1,x2,x3,label\n0,1.5,-0,"a,b"\n2,0,1e-7,"say ""no"""\n');
    expect(joined(csvLines(SparseMatrix.fromDense(X), [1, 2], { featureNames: ['p', 'q', 'r;'], label: 'kind' }))).toBe(
      'p,q,"r;",kind\n0,1.5,0,1\n2,0,1e-7,2\n',
    );
    expect(joined(csvLines(X, []))).toBe('x1,x2,x3\n0,1.5,-0\n2,0,1e-7\n');
  });

  test('refuses names that are too few, and labels that would not come back', () => {
    expect(() => joined(csvLines(X, [1, 2], { featureNames: ['a'] }))).toThrow(
      new RangeError('"featureNames" has 1 names, X has 3 columns'),
    );
    expect(() => joined(csvLines(X, ['a', '']))).toThrow(
      new RangeError('y[1] is an empty string, which CSV cannot tell from a missing label'),
    );
    expect(() => joined(csvLines(X, [1, Infinity]))).toThrow(new RangeError('y[1] is Infinity'));
    expect(() => joined(csvLines(X, ['a', 'b\0']))).toThrow(
      new RangeError('y[1] is "b\\u0000": control characters are not text'),
    );
  });
});

describe('predictionLines', () => {
  test('writes predictions alone, with a score, or with one for each class', () => {
    expect(joined(predictionLines(['cat', 'a,b']))).toBe('prediction\ncat\n"a,b"\n');
    expect(joined(predictionLines([1, -1], Float64Array.of(0.5, -0)))).toBe('prediction,score\n1,0.5\n-1,-0\n');
    const table = { data: Float64Array.of(1, 2, 3, 4), rows: 2, cols: 2 };
    expect(joined(predictionLines([true, false], table))).toBe('prediction,score_0,score_1\ntrue,1,2\nfalse,3,4\n');
    expect(joined(predictionLines(['x', 'y,'], table, ['x', 'y,']))).toBe(
      'prediction,score_x,"score_y,"\nx,1,2\n"y,",3,4\n',
    );
    expect(joined(predictionLines([]))).toBe('prediction\n');
  });

  test('refuses scores and classes of other lengths', () => {
    expect(() => joined(predictionLines([1, 2], Float64Array.of(1)))).toThrow(
      new RangeError('there are 2 predictions, but scores of 1 rows'),
    );
    const table = { data: Float64Array.of(1, 2), rows: 1, cols: 2 };
    expect(() => joined(predictionLines([1], table, [1, 2, 3]))).toThrow(
      new RangeError('"classes" has 3 entries, but there are scores for 2 classes'),
    );
  });
});

describe('what is written and read again is the same, to the bit', () => {
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -0, 1, 0.1));
  const awkward = fc.constantFrom(...Array.from('",;\t\r\n \ufeffaé'), 'nan', '1', 'Infinity', 'NA', 'null');
  const words = fc.oneof(
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc.array(awkward, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  );
  const sized = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }))
    .chain(([rows, cols]) =>
      fc.tuple(
        fc.array(fc.array(value, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }),
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: rows, maxLength: rows }),
        fc.array(words, { minLength: rows, maxLength: rows }),
      ),
    );
  const positive = (y: readonly Label[]) => y.map((label) => (label === 0 ? 0 : label));

  test('LIBSVM', async () => {
    await fc.assert(
      fc.asyncProperty(sized, async ([rows, y]) => {
        const cols = rows[0]?.length ?? 0;
        const back = plain(await readLibsvm(bytesOf(joined(libsvmLines(rows, y))), { cols }));
        expect(back.y).toEqual(positive(y));
        const stored = rows.map((row) => row.map((v, j) => [j, v]).filter(([, v]) => !Object.is(v, 0)));
        expect(back.values).toEqual(stored);
      }),
      { numRuns: runs(200) },
    );
  });

  test('CSV, with numbers or words for labels', async () => {
    await fc.assert(
      fc.asyncProperty(sized, fc.boolean(), async ([rows, numbers, words], areNumbers) => {
        // A label in front that is surely a word: words that are all numbers come back as numbers.
        const y: Label[] = areNumbers ? numbers : ['word', ...words.slice(1)];
        const back = plain(await readCsv(bytesOf(joined(csvLines(rows, y)))));
        expect(back.values).toEqual(rows);
        expect(back.y).toEqual(positive(y));
        expect(back.label?.name).toBe('label');
      }),
      { numRuns: runs(200) },
    );
  });
});
