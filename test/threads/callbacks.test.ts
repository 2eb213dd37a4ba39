// Callbacks while threads are at work: those that throw, stop, look, or train in turn; options that are wrong; how often they
// are called.

import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type Epoch,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  type Progress,
  Scaler,
  stopThreads,
} from '../../src/index.js';
import { poolsNow } from '../../src/worker/pool.js';
import { checkError } from '../bad-input/refusals.js';
import {
  type AnyTrainer,
  flatRows,
  leavesNothing,
  outcomeOf,
  rejection,
  stopper,
  until,
  xor,
  xorLabels,
} from './helpers.js';

const noisy = flatRows({ rows: 500, cols: 120, noise: 0.4 });
const small = flatRows({ rows: 20, cols: 120 });

const before = leavesNothing();

type Make = (options: object) => AnyTrainer;
const trainers: [string, Make][] = [
  ['Perceptron', (o) => new Perceptron<number>({ maxEpochs: 5000, ...o }) as never],
  ['shuffle', (o) => new Perceptron<number>({ maxEpochs: 5000, order: 'shuffle', ...o }) as never],
  ['random', (o) => new Perceptron<number>({ maxEpochs: 5000, order: 'random', ...o }) as never],
  ['batch', (o) => new Perceptron<number>({ maxEpochs: 5000, order: 'batch', ...o }) as never],
  ['pocket', (o) => new PocketPerceptron<number>({ maxEpochs: 5000, ...o }) as never],
  ['dual', (o) => new DualPerceptron<number>({ maxEpochs: 5000, ...o }) as never],
  ['one-vs-rest', (o) => new MulticlassPerceptron<number>({ maxEpochs: 5000, ...o }) as never],
  ['multinomial', (o) => new MulticlassPerceptron<number>({ maxEpochs: 5000, strategy: 'multinomial', ...o }) as never],
  [
    'pipeline',
    (o) => {
      const model = new Perceptron<number>({ maxEpochs: 5000, ...o });
      return new Pipeline<number>(new Scaler({ kind: 'unit-ball' }), model) as never;
    },
  ],
];

describe.each(trainers)('%s', (_, make) => {
  test.each([1, 2, 'auto'] as const)(
    'an error of a callback is that of the fit, which changes nothing (threads: %s)',
    async (threads) => {
      const boom = new Error('boom');
      let countdown = Number.POSITIVE_INFINITY;
      const thrower = () => {
        if (--countdown === 0) throw boom;
      };
      for (const place of ['own onEpoch', 'onEpoch', 'onProgress', 'onUpdate']) {
        const own = place === 'own onEpoch' ? { onEpoch: thrower } : place === 'onUpdate' ? { onUpdate: thrower } : {};
        const options = place === 'onEpoch' || place === 'onProgress' ? { [place]: thrower } : {};
        const model = make(own);
        model.fit(small.X, small.y);
        const earlier = outcomeOf(model);
        for (const after of [1, place.startsWith('o') && place !== 'own onEpoch' ? 1 : 3]) {
          countdown = after;
          const control = stopper();
          const fit = model.fitAsync(noisy.X, noisy.y, { ...options, threads, signal: control.signal });
          expect(await rejection(fit), place).toBe(boom);
          expect(outcomeOf(model)).toBe(earlier);
          expect(defaultArena.usage).toMatchObject({ blocks: before().blocks, liveBytes: before().liveBytes });
          expect(poolsNow().busy).toBe(0);
        }
        countdown = Number.POSITIVE_INFINITY;
        await model.fitAsync(small.X, small.y, { threads });
        expect(outcomeOf(model)).toBe(earlier);
      }
    },
  );

  test('onEpoch that returns false stops the fit, which keeps what it has', async () => {
    const stopsAt = (n: number) => (e: Epoch<number>) => e.epoch < n;
    const whole = make({ onEpoch: stopsAt(3) });
    whole.fit(noisy.X, noisy.y);
    expect(whole.report).toMatchObject({ stopReason: 'stopped', epochs: 3 });
    for (const threads of [1, 2, 3]) {
      const model = make({ onEpoch: stopsAt(3) });
      await model.fitAsync(noisy.X, noisy.y, { threads });
      expect(outcomeOf(model)).toBe(outcomeOf(whole));
      const other = make({});
      await other.fitAsync(noisy.X, noisy.y, { threads, onEpoch: () => false });
      expect(other.report.stopReason).toBe('stopped');
    }
  });

  test('snapshot() inside is the model so far, on its own', async () => {
    const heard: [number, string, number][] = [];
    const onEpoch = ({ epoch, mistakes, snapshot }: Epoch<number>) => {
      const model = snapshot();
      model.predict(noisy.X); // in the same memory, while workers may be at theirs
      heard.push([epoch, JSON.stringify(model), mistakes]);
      return epoch < 3;
    };
    make({ onEpoch }).fit(noisy.X, noisy.y);
    const expected = heard.splice(0);
    await make({ onEpoch }).fitAsync(noisy.X, noisy.y, { threads: 2 });
    expect(heard.length).toBe(3);
    for (const [i, [, json]] of heard.entries()) expect(json === expected[i]![1], `pass ${i + 1}`).toBe(true);
    // The option's own, at passes of its choice.
    let seen: AnyTrainer | undefined;
    const later = make({});
    await later.fitAsync(noisy.X, noisy.y, {
      threads: 2,
      onEpoch: (e: Epoch<number>) => {
        seen = e.snapshot() as never;
        return false;
      },
    });
    expect(JSON.stringify(seen)).toBe(JSON.stringify((later as unknown as { model?: unknown }).model ?? later));
  });
});

test('a fit started inside another’s onEpoch, of both kinds, on the same matrix', async () => {
  const X = DenseMatrix.from(noisy.X);
  const o = { maxEpochs: 5 };
  const expected = outcomeOf(new Perceptron<number>(o).fit(X, noisy.y));
  for (const threads of [1, 2, 'auto'] as const) {
    const inner: Promise<AnyTrainer>[] = [];
    const within: string[] = [];
    const onEpoch = () => {
      inner.push(new Perceptron<number>(o).fitAsync(X, noisy.y, { threads }) as never);
      within.push(outcomeOf(new Perceptron<number>(o).fit(X, noisy.y)));
    };
    const outer = await new Perceptron<number>({ ...o, onEpoch }).fitAsync(X, noisy.y, { threads });
    expect(within.length).toBe(5);
    const all = [outcomeOf(outer), ...within, ...(await Promise.all(inner)).map(outcomeOf)];
    expect(new Set(all)).toEqual(new Set([expected]));
  }
  X.dispose();
});

test('a matrix disposed of, and memory grown, inside callbacks', async () => {
  const expected = outcomeOf(new Perceptron<number>({ maxEpochs: 9 }).fit(noisy.X, noisy.y));
  for (const threads of [1, 2]) {
    const X = DenseMatrix.from(noisy.X);
    const made: DenseMatrix[] = [];
    const onEpoch = () => {
      X.dispose();
      made.push(DenseMatrix.allocate(700, 1000));
      made.at(-1)!.data.fill(5);
    };
    const model = await new Perceptron<number>({ maxEpochs: 9, onEpoch }).fitAsync(X, noisy.y, { threads });
    expect(outcomeOf(model)).toBe(expected);
    for (const matrix of made) matrix.dispose();
  }
});

test('an abort from inside a callback is heard at once', async () => {
  for (const threads of [1, 2]) {
    for (const keepPartial of [false, true]) {
      const control = stopper();
      const passes: number[] = [];
      const model = new Perceptron<number>({
        maxEpochs: 1e9,
        onEpoch: ({ epoch }) => {
          passes.push(epoch);
          if (epoch === 4) control.abort();
        },
      });
      const fit = model.fitAsync(noisy.X, noisy.y, { threads, signal: control.signal, keepPartial });
      if (keepPartial) expect((await fit).report.stopReason).toBe('aborted');
      else expect(await rejection(fit)).toBe(control.signal.reason);
      expect(passes).toEqual([1, 2, 3, 4]);
    }
  }
});

// ---- how often ------------------------------------------------------------------------------------------

describe.each([1, 2, 'auto'] as const)('threads: %s', (threads) => {
  test('the option onEpoch is told at most 20 times a second, and of the last pass', async () => {
    const ends: [string, object, typeof noisy][] = [
      ['max-epochs', { maxEpochs: 150 }, noisy],
      ['separated', {}, flatRows({ rows: 300, cols: 50, gap: 0.002 })],
      ['early-stop', { validationFraction: 0.3, patience: 10 }, noisy],
      ['max-epochs', { maxEpochs: 1 }, noisy],
    ];
    for (const [stopReason, options, { X, y }] of ends) {
      const told: number[] = [];
      const all: number[] = [];
      const progress: Progress[] = [];
      let clock = 0;
      const now = vi.spyOn(performance, 'now').mockImplementation(() => clock++); // ms
      const model = await new Perceptron<number>({ ...options, onEpoch: ({ epoch }) => void all.push(epoch) }).fitAsync(
        X,
        y,
        {
          threads,
          onEpoch: ({ epoch }) => void told.push(epoch),
          onProgress: (p) => void progress.push(p),
        },
      );
      now.mockRestore();
      const most = 2 + clock / 50;
      expect(model.report.stopReason).toBe(stopReason);
      expect(told.at(-1)).toBe(model.report.epochs);
      expect(new Set(told).size).toBe(told.length);
      expect(told.length).toBeLessThanOrEqual(most);
      expect(progress.length).toBeLessThanOrEqual(most);
      expect(all).toEqual(Array.from({ length: model.report.epochs }, (_, i) => i + 1));
      for (const { epoch, done, total } of progress) {
        expect(epoch).toBeGreaterThan(0);
        expect(done).toBeLessThanOrEqual(total);
      }
    }
  });

  test('of a long fit both are told again and again', async () => {
    const control = stopper();
    let [epochs, progress] = [0, 0];
    const fit = new Perceptron<number>({ maxEpochs: 1e9 }).fitAsync(noisy.X, noisy.y, {
      threads,
      signal: control.signal,
      keepPartial: true,
      onEpoch: () => void epochs++,
      onProgress: () => void progress++,
    });
    await until(() => Math.min(epochs, progress) >= 3);
    control.abort();
    expect((await fit).report.stopReason).toBe('aborted');
  });
});

// ---- wrong options --------------------------------------------------------------------------------------

test.each(trainers)('%s: wrong options are refused, and nothing is started', async (_, make) => {
  const { threads } = poolsNow();
  const model = make({});
  model.fit(small.X, small.y);
  const earlier = outcomeOf(model);
  const refused = (options: object) => rejection(model.fitAsync(xor, xorLabels, options));
  for (const value of [0, -1, 1.5, NaN, Infinity, 2n, 'all', '2', '', null, true, [2], {}]) {
    const expected = /^"threads" must be 'auto' or an integer of at least 1, got /;
    checkError(await refused({ threads: value }), RangeError, expected);
  }
  for (const workerUrl of [5, true, {}, ['a'], () => 'a', null]) {
    checkError(await refused({ workerUrl }), TypeError, /^"workerUrl" must be .*, got /);
  }
  for (const name of ['onEpoch', 'onProgress'])
    checkError(await refused({ [name]: 5 }), TypeError, /must be a function/);
  checkError(await refused({ keepPartial: 1 }), TypeError, /^"keepPartial" must be/);
  checkError(await refused({ signal: 1 }), TypeError, /^"signal" must be an AbortSignal/);
  expect(outcomeOf(model)).toBe(earlier);
  expect(poolsNow().threads).toBe(threads);
});

describe('workerUrl', () => {
  const outcome = JSON.stringify(new Perceptron<number>({ maxEpochs: 9 }).fit(noisy.X, noisy.y));
  /** In a memory of its own, where no worker was started yet. */
  const fit = (workerUrl: string | URL) =>
    new Perceptron<number>({ maxEpochs: 9, engine: createEngine() }).fitAsync(noisy.X, noisy.y, {
      threads: 2,
      workerUrl,
    });
  const script = new URL('../../build/worker.js', import.meta.url);
  const inlined = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`);
  /** A script whose places in records are others; and one from before scripts had versions. */
  const source = readFileSync(script, 'utf8');
  const version = /"[0-9a-f]{8}"/;
  const doctored = inlined(source.replace(version, '"00000000"'));
  const older = inlined(source.replace(version, 'void 0'));

  test.each([
    ['a URL', script],
    ['a string', script.href],
  ])('the script may come from a file: %s', async (_, url) => {
    const model = await fit(url);
    expect(JSON.stringify(model)).toBe(outcome);
    expect(model.report.threadsReason).toBe(undefined);
  });

  test.each([
    ['that is not there', new URL('nowhere.js', script)],
    ['that is no script', new URL('../package.json', script)],
    ['of a strange kind', 'https://localhost/worker.js'],
    ['that cannot be read', 'no such thing'],
    ['that does something else', new URL('data:text/javascript,0')],
    ['of another version', doctored],
  ])('one %s: the same bits on one thread, and the reason', async (_, url) => {
    const model = await fit(url);
    expect(JSON.stringify(model)).toBe(outcome);
    expect(model.report.threads).toBe(1);
    expect(model.report.threadsReason).toMatch(/worker/);
  });

  test('one of another version gets no work, where others have started either', async () => {
    const stale = inlined(`const { parentPort } = process.getBuiltinModule('node:worker_threads');
      parentPort.on('message', (message) =>
        parentPort.postMessage('module' in message ? { value: '00000000' } : { error: 'it was given work' }));`);
    await stopThreads();
    const engine = createEngine();
    const ask = (options: object) =>
      new Perceptron<number>({ maxEpochs: 9, engine }).fitAsync(noisy.X, noisy.y, options);
    expect((await ask({ threads: 4, workerUrl: stale })).report.threads).toBe(1);
    await ask({ threads: 2 });
    const fits = Array.from({ length: 8 }, () => ask({ threads: 4, workerUrl: stale }));
    for (const model of await Promise.all(fits)) expect(JSON.stringify(model)).toBe(outcome);
    expect(poolsNow().threads).toBe(2);
  });

  test('one of another version is found out', async () => {
    expect(source).toMatch(version);
    for (const url of [doctored, older]) {
      expect((await fit(url)).report.threadsReason).toBe(
        `worker threads did not start: ${url} is perceptron-wasm/worker.js of another version`,
      );
    }
  });
});

test('snapshot() is refused when its memory is gone or at work, and harms nobody', async () => {
  const late: (() => unknown)[] = [];
  const onEpoch = ({ snapshot }: { snapshot(): unknown }) => void late.push(snapshot);
  new Perceptron<number>({ maxEpochs: 2, onEpoch }).fit([[0], [1], [2]], [0, 1, 0]);
  await new Perceptron<number>({ maxEpochs: 2, onEpoch }).fitAsync([[0], [1], [2]], [0, 1, 0], { threads: 2 });
  expect(late.length).toBe(4);
  for (const snapshot of late) expect(snapshot).toThrow('inside onEpoch');
});
