// How fast do texts become rows? Descriptions of Debian packages where they are, else texts of made words, against what one writes
// in JavaScript and, where it is installed, scikit-learn's HashingVectorizer and TfidfVectorizer. Each call makes the whole matrix.
// The first call of a process takes several times as long as those when the compilers have warmed up: both are told, apart.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { TextVectorizer, type TextVectorizerOptions } from 'perceptron-wasm/prepare';
import * as baseline from '../baseline/text.js';
import { descriptions } from '../data/descriptions.js';
import { consume, contestInRounds, contestOfPromises, ratioOf } from '../harness/measure.js';
import { type Answer, BASELINE, byMode, type Findings, tellLater, whenFull } from '../harness/question.js';
import type { Timing } from '../harness/results.js';
import { type Missing, type Native, openNative } from '../peers/native.js';

const ROUNDS = byMode({ smoke: 1, quick: 3, full: 9 });
/** Calls until a call takes as long as the one before. */
const WARM_UP = byMode({ smoke: 1, quick: 8, full: 20 });
const COLD_ROUNDS = byMode({ smoke: 1, quick: 1, full: 7 });
const texts = descriptions(byMode({ smoke: 100, quick: 2000, full: 8000 }));

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

function rowsOf(options: TextVectorizerOptions): number {
  const X = new TextVectorizer(options).fitTransform(texts);
  const { nonZeros } = X;
  X.dispose();
  return nonZeros;
}

/** In a process of its own: the milliseconds of the first call. */
function first(name: string, { options, baseline: plain }: Task): number {
  const started = performance.now();
  consume(name === BASELINE && plain ? plain() : rowsOf(options));
  return performance.now() - started;
}

/** The first calls of fresh processes, in turns with what one writes in JavaScript. */
function firstCalls(k: number): Timing[] {
  const measure = (name: string) => () => {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), name, String(k)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the process for ${name} failed: ${stderr}`);
    return Number(stdout);
  };
  const names = TASKS[k]?.baseline ? ['ours', BASELINE] : ['ours'];
  return contestInRounds(
    names.map((name) => ({ name: `${name}, first call`, measure: measure(name) })),
    COLD_ROUNDS,
  );
}

async function compare(k: number, native: Native | Missing): Promise<Findings> {
  const { what, options, peer, baseline } = TASKS[k] as Task;
  const cold = firstCalls(k);
  let nonZeros = 0;
  const contestants: { name: string; run: () => number | Promise<number> }[] = [
    {
      name: 'ours',
      run: () => {
        nonZeros = rowsOf(options);
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
  for (let call = 1; call < WARM_UP; call++)
    for (const { name, run } of contestants) if (name !== 'scikit-learn') consume(await run());
  const timings = await contestOfPromises(contestants, ROUNDS);
  const [ours, ...others] = timings as [Timing, ...Timing[]];
  const [coldOurs, coldBaseline] = cold as [Timing, Timing | undefined];
  const aSecond = ({ ms }: Timing) => Math.round((1000 * texts.length) / ms).toLocaleString('en');
  const answers = others.map((other): Answer => {
    const target = other.name === 'scikit-learn' ? whenFull({ target: { atLeast: 2 } }) : {};
    return { what, ...ratioOf(other, ours), against: other.name, ...target };
  });
  return {
    answers: [
      ...answers,
      ...(coldBaseline
        ? [{ what: `${what}, first call of a process`, ...ratioOf(coldBaseline, coldOurs), against: BASELINE }]
        : []),
    ],
    timings: [...timings, ...cold],
    notes: [
      `${texts.length} texts; ours: ${aSecond(ours)} a second after ${WARM_UP} calls, ${aSecond(coldOurs)} in the first call of a process`,
      ...('missing' in native ? [`without scikit-learn: ${native.missing}`] : []),
    ],
  };
}

async function ask(): Promise<void> {
  const native = await openNative();
  try {
    if (!('missing' in native)) await native.texts(texts);
    for (const [k, task] of TASKS.entries()) {
      await tellLater(`How fast do texts become rows? (${task.what})`, () => compare(k, native));
    }
  } finally {
    if (!('missing' in native)) await native.close();
  }
}

const [, , name, k] = process.argv;
if (name === undefined) await ask();
else console.log(first(name, TASKS[Number(k)] as Task));
