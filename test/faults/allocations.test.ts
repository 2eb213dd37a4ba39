// Every allocation of every call fails in turn: the call gives the same result another way, or one error that says what had no
// room. Either way the model is as before, and no block is left.

import { afterAll, describe, expect, test } from 'vitest';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type Engine,
  gram,
  gramAsync,
  type Labels,
  MulticlassPerceptron,
  NotFittedError,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  type Rows,
  Scaler,
  SparseMatrix,
  stopThreads,
} from '../../src/index.js';
import { FreeList } from '../../src/memory/freelist.js';
import { Random } from '../../src/random.js';
import { someOf } from '../effort.js';
import { type Fault, failEach } from './nth.js';

const random = Random.seeded(5);
const X = Array.from({ length: 40 }, () => Array.from({ length: 300 }, () => random.below(9) - 4));
const two = X.map((x, i) => (x[0]! + x[1]! + x[2]! > 0 !== (i % 9 === 0) ? 'yes' : 'no'));
const three = X.map((x) => (x[0]! > 1 ? 'c' : x[0]! < -1 ? 'a' : 'b'));
const RBF = { type: 'rbf', gamma: 0.001 } as const;
const short = { maxEpochs: 3, seed: 2 };

afterAll(stopThreads);

/** The arena finds no room, as in a full memory. */
const noRoom = (stays: boolean): Fault => ({ owner: FreeList.prototype, method: 'take', fail: () => -1, stays });
/** The platform refuses to grow the memory. */
const noGrowth = (stays: boolean): Fault => ({
  owner: WebAssembly.Memory.prototype,
  method: 'grow',
  fail: () => {
    throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
  },
  stays,
});
const faults: [string, Fault][] = [
  ['one allocation', noRoom(false)],
  ['one allocation and all later ones', noRoom(true)],
  ['one growth', noGrowth(false)],
  ['one growth and all later ones', noGrowth(true)],
];

const blocksOf = (engine: Engine) => resolveEngine(engine).arena.usage.blocks;

function expectNoRoom(error: unknown): void {
  expect(error).toBeInstanceOf(RangeError);
  expect((error as Error).message).toMatch(/^(block \d: )?no room for |needs all rows in memory, and they do not fit/);
}

// ---- trainers -----------------------------------------------------------------------------------------------

/** What the calls below need of a trainer. */
interface Trainer {
  fit(X: Rows, y: Labels): unknown;
  fitAsync(X: Rows, y: Labels, options?: object): Promise<unknown>;
  fitStream(blocks: Iterable<{ X: Rows; y: Labels }>, options?: object): Promise<unknown>;
  predict(X: Rows): unknown;
  decisionFunction(X: Rows): unknown;
  diagnose(X: Rows, y: Labels): unknown;
  toJSON(): unknown;
}
const as = (model: object) => model as Trainer;
const trainers: [string, Labels, (engine: Engine) => Trainer][] = [
  ['Perceptron', two, (engine) => as(new Perceptron({ ...short, engine }))],
  ['Perceptron, random', two, (engine) => as(new Perceptron({ ...short, order: 'random', engine }))],
  ['Perceptron, held out', two, (engine) => as(new Perceptron({ ...short, validationFraction: 0.2, engine }))],
  ['PocketPerceptron', two, (engine) => as(new PocketPerceptron({ ...short, engine }))],
  ['DualPerceptron, rbf', two, (engine) => as(new DualPerceptron({ ...short, kernel: RBF, engine }))],
  ['DualPerceptron, rows', two, (engine) => as(new DualPerceptron({ ...short, gram: 'rows', engine }))],
  ['MulticlassPerceptron', three, (engine) => as(new MulticlassPerceptron({ ...short, engine }))],
  [
    'MulticlassPerceptron, multinomial, rbf',
    three,
    (engine) => as(new MulticlassPerceptron({ ...short, strategy: 'multinomial', kernel: RBF, engine })),
  ],
];

type Call = (model: Trainer, X: Rows, y: Labels) => unknown;
const calls: [string, Call][] = [
  ['fit', (model, rows, y) => model.fit(rows, y)],
  ['fitAsync', (model, rows, y) => model.fitAsync(rows, y, { threads: 1 })],
  ['fitAsync with threads', (model, rows, y) => model.fitAsync(rows, y, { threads: 2 })],
  ['predict', (model, rows) => model.predict(rows)],
  ['decisionFunction', (model, rows) => model.decisionFunction(rows)],
  ['diagnose', (model, rows, y) => model.diagnose(rows, y)],
];

const some = someOf(trainers, [trainers[0]!, trainers[4]!, trainers[6]!]);

describe.each(someOf(faults, [faults[0]!, faults[3]!]))('%s fails', (_fault, fault) => {
  describe.each(some)('%s', (_name, labels, make) => {
    /** A model that was fitted before, on few rows: the memory is one page, and grows in the call. */
    const prepare = () => {
      const engine = createEngine();
      const model = make(engine);
      const first = Array.from(new Set(Array.from(labels)), (label) => Array.from(labels).indexOf(label));
      const few = [...first, ...first];
      model.fit(
        few.map((i) => X[i]!),
        few.map((i) => labels[i]!),
      );
      return { engine, model, before: JSON.stringify(model) };
    };

    test.each(calls)('in %s', async (name, call) => {
      const text = async ({ model }: Pick<Awaited<ReturnType<typeof prepare>>, 'model'>) =>
        JSON.stringify(await call(model, X, labels));
      const expected = await text(prepare());
      const failed = await failEach<ReturnType<typeof prepare>, string>(fault, {
        prepare,
        call: text,
        check: ({ value, error }, { engine, model, before }) => {
          if (value === undefined) expectNoRoom(error);
          else expect(value).toBe(expected);
          if (value === undefined || !name.startsWith('fit')) expect(JSON.stringify(model)).toBe(before);
          expect(blocksOf(engine), 'blocks of the arena are left').toBe(0);
        },
      });
      expect(failed, 'nothing was there to fail').toBeGreaterThan(0);
    });
  });
});

// ---- matrices, Gram matrices, scalers ----------------------------------------------------------------------

interface Disposable {
  dispose(): void;
}
/** Calls that make something to dispose. */
const makers: [string, () => Disposable | Promise<Disposable>][] = [
  ['DenseMatrix.from', () => DenseMatrix.from(X)],
  ['DenseMatrix.allocate', () => DenseMatrix.allocate(40, 300)],
  ['SparseMatrix.fromDense', () => SparseMatrix.fromDense(X)],
  ['gram', () => gram(X, { kernel: RBF })],
  ['gramAsync', () => gramAsync(X, { threads: 2 })],
  ['Scaler', () => new Scaler({ kind: 'standardize' }).fit(X).transform(X)],
  [
    'take and slice',
    () => {
      const whole = SparseMatrix.fromDense(X);
      try {
        const part = whole.slice(2, 30);
        try {
          return part.take([3, 1, 1]);
        } finally {
          part.dispose();
        }
      } finally {
        whole.dispose();
      }
    },
  ],
];

describe.each([faults[0]!, faults[1]!])('%s fails', (_fault, fault) => {
  test.each(makers)('in %s', async (_name, make) => {
    const before = defaultArena.usage.blocks;
    const failed = await failEach(fault, {
      prepare: () => undefined,
      call: make,
      check: ({ value, error }) => {
        if (value) value.dispose();
        else expectNoRoom(error);
        expect(defaultArena.usage.blocks, 'blocks of the arena are left').toBe(before);
      },
    });
    expect(failed, 'nothing was there to fail').toBeGreaterThan(0);
  });

  test('in Pipeline.fit: scaler and model stay as they were', async () => {
    const failed = await failEach(fault, {
      prepare: () => {
        const pipeline = new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron(short));
        pipeline.fit(X.slice(0, 10), two.slice(0, 10));
        return { pipeline, before: JSON.stringify(pipeline) };
      },
      call: ({ pipeline }) => JSON.stringify(pipeline.fit(X, two)),
      check: ({ error }, { pipeline, before }) => {
        if (error === undefined) return;
        expectNoRoom(error);
        expect(JSON.stringify(pipeline)).toBe(before);
      },
    });
    expect(failed).toBeGreaterThan(1);
  });

  test('in fitStream: the model has the blocks before', async () => {
    const blocks = [0, 10, 20, 30].map((at) => ({ X: X.slice(at, at + 10), y: two.slice(at, at + 10) }));
    const classes = ['no', 'yes'];
    const upTo = (count: number) => {
      const model = new Perceptron<string>({ ...short, classes });
      for (const { X: rows, y } of blocks.slice(0, count)) model.partialFit(rows, y);
      return count === 0 ? undefined : [...model.weights];
    };
    const possible = [0, 1, 2, 3, 4].map((count) => JSON.stringify(upTo(count)));
    const failed = await failEach(fault, {
      prepare: () => new Perceptron<string>({ ...short, classes }),
      call: (model) => model.fitStream(blocks),
      check: ({ value, error }, model) => {
        if (!value) expectNoRoom(error);
        let weights: number[] | undefined;
        try {
          weights = [...model.weights];
        } catch (notFitted) {
          expect(notFitted).toBeInstanceOf(NotFittedError);
        }
        expect(possible).toContain(JSON.stringify(weights));
        if (value) expect(JSON.stringify(weights)).toBe(possible[4]);
      },
    });
    expect(failed).toBeGreaterThan(4);
  });
});

// ---- workers ----------------------------------------------------------------------------------------------

test('a worker that does not start, whichever it is: the same model with the threads there are, or one and the reason', async () => {
  const make = () => new MulticlassPerceptron<string>({ ...short, order: 'shuffle' });
  const expected = JSON.stringify(make().fit(X, three));
  const threads = process.getBuiltinModule('node:worker_threads');
  const original = process.getBuiltinModule;
  for (let n = 1, wasReached = true; wasReached; n++) {
    await stopThreads();
    let started = 0;
    class Flaky extends threads.Worker {
      constructor(...args: ConstructorParameters<typeof threads.Worker>) {
        if (++started === n) throw new Error('the platform starts no more workers');
        super(...args);
      }
    }
    process.getBuiltinModule = ((name: string) =>
      name === 'node:worker_threads' ? { ...threads, Worker: Flaky } : original.call(process, name)) as typeof original;
    try {
      const model = await make().fitAsync(X, three, { threads: 3 });
      expect(JSON.stringify(model)).toBe(expected);
      wasReached = started >= n;
      if (wasReached && model.report.threads === 1) {
        expect(model.report.threadsReason).toMatch(/did not start: .*the platform starts no more workers/);
      }
    } finally {
      process.getBuiltinModule = original;
    }
  }
});
