// Hundreds of rounds of start, kill, abort and stop in a random order that is the same in every run: every promise settles, with
// the right bits or with an error that is allowed, and nothing is left behind. SOAK_SEED=n is another order.

import { afterAll, expect, test } from 'vitest';
import {
  type DenseMatrix,
  DualPerceptron,
  gram,
  gramAsync,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  stopThreads,
} from '../../src/index.js';
import { Random } from '../../src/random.js';
import { poolsNow, threadsOf } from '../../src/worker/pool.js';
import { bitsOf } from '../sparse-samples.js';
import {
  type AnyTrainer,
  DEADLINE,
  flatRows,
  leavesNothing,
  outcomeOf,
  type Started,
  start,
  until,
} from './helpers.js';

leavesNothing();
afterAll(stopThreads);

const ROUNDS = 400;
const ENDED = /worker thread.* ended/;
const { X, y } = flatRows({ rows: 300, cols: 60, noise: 0.3, contradicts: true });
const codes = y.map((_, i) => i % 4);

interface Work {
  readonly name: string;
  /** Starts it; it ends by itself, with what `bits` must then tell. */
  readonly run: (options: object) => Promise<unknown>;
  readonly bits: (value: unknown) => string;
  readonly expected: string;
}

/** A fit that ends by itself, and what it must come to. */
function fitting(name: string, make: () => AnyTrainer, labels: number[]): Work {
  const whole = make();
  whole.fit(X, labels);
  const run = (options: object) => make().fitAsync(X, labels, options);
  return { name, run, bits: (value) => outcomeOf(value as AnyTrainer), expected: outcomeOf(whole) };
}

const kernel = { type: 'rbf', gamma: 0.05 } as const;

/** The bits of a matrix, which is then given back. */
function taken(matrix: DenseMatrix): string {
  const bits = bitsOf(matrix.data as Float64Array);
  matrix.dispose();
  return bits;
}

const finite: Work[] = [
  fitting('cyclic', () => new Perceptron<number>({ maxEpochs: 40 }) as never, y),
  fitting('shuffle', () => new Perceptron<number>({ maxEpochs: 20, order: 'shuffle', average: true }) as never, y),
  fitting('batch', () => new Perceptron<number>({ maxEpochs: 20, order: 'batch' }) as never, y),
  fitting('pocket', () => new PocketPerceptron<number>({ maxEpochs: 2 }) as never, y),
  fitting('dual', () => new DualPerceptron<number>({ maxEpochs: 9, kernel }) as never, y),
  fitting('Gram rows', () => new DualPerceptron<number>({ maxEpochs: 3, kernel, gram: 'rows' }) as never, y),
  fitting('one-vs-rest', () => new MulticlassPerceptron<number>({ maxEpochs: 5 }) as never, codes),
  {
    name: 'gramAsync',
    run: ({ onEpoch: _, ...options }: { onEpoch?: unknown }) => gramAsync(X, { kernel, ...options }),
    bits: (value) => taken(value as DenseMatrix),
    expected: taken(gram(X, { kernel })),
  },
];

/** Fits that end when they are told to. */
const endless: ((options: object) => Promise<unknown>)[] = [
  (options) => new Perceptron<number>({ maxEpochs: 1e9 }).fitAsync(X, y, options),
  (options) => new Perceptron<number>({ maxEpochs: 1e9, order: 'shuffle' }).fitAsync(X, y, options),
  (options) => new DualPerceptron<number>({ maxEpochs: 1e9 }).fitAsync(X, y, options),
  (options) => new MulticlassPerceptron<number>({ maxEpochs: 1e9 }).fitAsync(X, codes, options),
];

/** Waits for a promise, which must settle within the deadline. */
async function within<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not settled within ${DEADLINE / 1000} s: ${what}`)), DEADLINE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test(`${ROUNDS} rounds of start, kill, abort and stop`, { timeout: 20 * DEADLINE }, async () => {
  const random = Random.seeded(Number(process.env.SOAK_SEED ?? 1));
  const oneOf = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
  const ends = { right: 0, aborted: 0, ended: 0 };

  for (let round = 0; round < ROUNDS; round++) {
    const told: string[] = [];
    const running: { work: Work | undefined; started: Started }[] = [];
    const begin = () => {
      const threads = oneOf([2, 2, 3, 4, 'auto'] as const);
      const work = random.below(3) ? oneOf(finite) : undefined;
      const run = work?.run ?? oneOf(endless);
      running.push({ work, started: start((options) => run({ ...options, threads })) });
      told.push(`${work?.name ?? 'endless'} on ${threads}`);
    };
    const stops: Promise<unknown>[] = [];
    const acts: [string, () => unknown][] = [
      ['start', begin],
      ['kill one', () => oneOf([...threadsOf(), undefined])?.kill()],
      ['kill all', () => Promise.all(threadsOf().map((thread) => thread.kill()))],
      ['kill and go on', () => void threadsOf().map((thread) => thread.kill())],
      ['abort one', () => oneOf(running)?.started.abort()],
      ['stopThreads', () => void stops.push(stopThreads())],
      // Some work on the caller's thread alone, and are never busy.
      [
        'busy',
        () => until(() => poolsNow().busy > 0 || running.every(({ started: { end, epochs } }) => end || epochs > 0)),
      ],
      ['a turn', turn],
    ];
    begin();
    for (let step = random.below(10); step >= 0; step--) {
      const [name, act] = oneOf(acts);
      told.push(name);
      await act();
    }
    const story = `round ${round}: ${told.join(', ')}`;
    // What ends by itself does so; what does not is told to.
    for (const { work, started } of running) if (!work) started.abort();
    await within(story, Promise.all(running.map(({ started }) => started.ended)));
    await within(`${story}; stopThreads`, Promise.all(stops));
    for (const { work, started } of running) {
      const { end } = started;
      if (end && 'value' in end) {
        expect(work?.bits(end.value) === work?.expected, story).toBe(true);
        ends.right++;
      } else if (end?.error === started.signal.reason) {
        expect(started.signal.aborted, story).toBe(true);
        ends.aborted++;
      } else {
        expect(String(end?.error), story).toMatch(ENDED);
        ends.ended++;
      }
    }
    await until(() => poolsNow().busy === 0);
  }
  console.info('The soak’s calls ended so:', ends);
  expect(Math.min(...Object.values(ends))).toBeGreaterThan(0);
});
