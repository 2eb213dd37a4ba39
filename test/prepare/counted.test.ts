// fitTransform reads texts once: its rows are those of fit and then transform.

import { describe, expect, it } from 'vitest';
import { SparseMatrix } from '../../src/index.js';
import { TableEncoder, type TextVectorizerOptions } from '../../src/prepare/index.js';

const table = {
  columns: {
    body: ['a cat and a dog', null, 'Dog, dog: öl 🙂 x1', '', 'cat öl cat', 'only once here'],
    size: [1, 2.5, Number.NaN, 4, 5, 6],
    title: ['one two', 'two', 'three two', 'two one one', null, 'two'],
  },
};
const choices: [string, TextVectorizerOptions][] = [
  ['TF-IDF', {}],
  ['counts of pairs', { weighting: 'count', ngrams: [1, 2] }],
  ['words of two texts at least', { minDocuments: 2 }],
  ['the three most frequent, binary', { maxFeatures: 3, binary: true }],
  ['hashing', { method: 'hashing', features: 64 }],
  ['hashing with TF-IDF', { method: 'hashing', features: 64, weighting: 'tf-idf' }],
];

describe('TableEncoder.fitTransform', () => {
  it.each(choices)('gives the bits of fit and transform: %s', (_, text) => {
    const options = {
      columns: { body: { type: 'text', ...text }, title: 'text', size: 'number' },
      missing: 'mean',
      indicator: true,
    } as const;
    const [once, twice] = [new TableEncoder(options), new TableEncoder(options)];
    const [X, Z] = [once.fitTransform(table), twice.fit(table).transform(table)];
    expect(X).toBeInstanceOf(SparseMatrix);
    expect((X as SparseMatrix).toParts()).toEqual((Z as SparseMatrix).toParts());
    expect(once.toJSON()).toEqual(twice.toJSON());
    // The kept counts are gone: later rows are read.
    expect((once.transform(table) as SparseMatrix).toParts()).toEqual((Z as SparseMatrix).toParts());
  });
});
