// How fast do texts become rows? Descriptions of Debian packages where they are, else texts of made words, against what one writes
// in JavaScript and, where it is installed, scikit-learn's HashingVectorizer and TfidfVectorizer. Each call makes the whole matrix.

import { TextVectorizer, type TextVectorizerOptions } from 'perceptron-wasm/prepare';
import * as baseline from '../baseline/text.js';
import { descriptions } from '../data/descriptions.js';
import { contestOfPromises, ratioOf } from '../harness/measure.js';
import { type Answer, BASELINE, byMode, type Findings, tellLater, whenFull } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { type Missing, type Native, openNative } from '../peers/native.js';

const ROUNDS = byMode({ smoke: 1, quick: 3, full: 9 });
const texts = descriptions(byMode({ smoke: 100, quick: 8000, full: 8000 }));

interface Task {
  what: string;
  options: TextVectorizerOptions;
  /** The class in scikit-learn and its options. */
  peer: [name: string, options: Record<string, unknown>];
  baseline?: () => number;
}

const TASKS: readonly Task[] = [
  {
    what: 'hashing words',
    options: {},
    peer: ['HashingVectorizer', {}],
    baseline: () => baseline.hashed(texts, 2 ** 20).length,
  },
  {
    what: 'hashing words and pairs',
    options: { ngrams: [1, 2] },
    peer: ['HashingVectorizer', { ngram_range: [1, 2] }],
  },
  {
    what: 'TF-IDF, vocabulary and rows',
    options: { method: 'vocabulary', weighting: 'tf-idf' },
    peer: ['TfidfVectorizer', {}],
    baseline: () => baseline.tfidf(texts).length,
  },
];

async function compare({ what, options, peer, baseline }: Task, native: Native | Missing): Promise<Findings> {
  let nonZeros = 0;
  const contestants: { name: string; run: () => number | Promise<number> }[] = [
    {
      name: 'ours',
      run: () => {
        const X = new TextVectorizer(options).fitTransform(texts);
        nonZeros = X.nonZeros;
        X.dispose();
        return nonZeros;
      },
    },
  ];
  if (baseline) contestants.push({ name: BASELINE, run: baseline });
  if (!('missing' in native)) {
    contestants.push({
      name: 'scikit-learn',
      run: async () => {
        const theirs = (await native.vectorize(...peer)).nonZeros;
        if (theirs !== nonZeros) throw new Error(`${what}: ${nonZeros} values, scikit-learn has ${theirs}`);
        return theirs;
      },
    });
  }
  const timings = await contestOfPromises(contestants, ROUNDS);
  const [ours, ...others] = timings as [Timing, ...Timing[]];
  const answers = others.map((other): Answer => {
    const target = other.name === 'scikit-learn' ? whenFull({ target: { atLeast: 2 } }) : {};
    return { what, ...ratioOf(other, ours), against: other.name, ...target };
  });
  return {
    answers,
    timings,
    notes: [
      `${texts.length} texts; ours: ${Math.round((1000 * texts.length) / ours.ms).toLocaleString('en')} a second`,
      ...('missing' in native ? [`without scikit-learn: ${native.missing}`] : []),
    ],
  };
}

const native = await openNative();
try {
  if (!('missing' in native)) await native.texts(texts);
  for (const task of TASKS) {
    await tellLater(`How fast do texts become rows? (${task.what})`, () => compare(task, native));
  }
} finally {
  if (!('missing' in native)) await native.close();
}
