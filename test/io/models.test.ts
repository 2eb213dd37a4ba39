// saveModel and readModel: every model round-trips to the bit, files are what JSON.stringify gives, and there is never a half file.

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { NotFittedError, Perceptron } from '../../src/index.js';
import { DataError, readModel, type SavableModel, saveModel } from '../../src/io/index.js';
import { Calibrated, calibrate } from '../../src/select/index.js';
import { bytesOf, folder, inChunks } from './helpers.js';
import { models, numbers, X, y } from './models.js';

const files = folder();

/** A stream that keeps what is written to it, slowly. */
function kept(highWaterMark = 1) {
  const chunks: Uint8Array[] = [];
  const state = { isClosed: false, reason: undefined as unknown, pending: 0, most: 0 };
  const stream = new WritableStream<Uint8Array>(
    {
      async write(chunk) {
        await new Promise((resolve) => setImmediate(resolve));
        chunks.push(chunk);
      },
      close() {
        state.isClosed = true;
      },
      abort(reason) {
        state.reason = reason;
      },
    },
    { highWaterMark },
  );
  return { stream, state, text: () => Buffer.concat(chunks).toString(), chunks };
}

describe.each(Object.entries(models))('%s', (_, make) => {
  const model = make();
  const text = JSON.stringify(model);

  test('saveModel writes what JSON.stringify gives, byte for byte', async () => {
    const { stream, state, text: written } = kept();
    await saveModel(model, stream);
    expect(written()).toBe(text);
    expect(state.isClosed).toBe(true);
  });

  test('readModel reads what JSON.stringify gives, to the bit, in whatever chunks', async () => {
    for (const source of [
      bytesOf(text),
      inChunks(bytesOf(text), 3, 1, 50),
      bytesOf(JSON.stringify(model.toJSON(), null, 2)),
    ]) {
      const copy = await readModel(source);
      expect(copy.constructor).toBe(model.constructor);
      expect(JSON.stringify(copy)).toBe(text);
    }
  });

  test('a file makes the round trip, compressed or not', async () => {
    for (const name of ['model.json', 'model.json.gz']) {
      await saveModel(model, files.path(name));
      const copy = await readModel(files.path(name));
      expect(JSON.stringify(copy)).toBe(text);
    }
    expect(readFileSync(files.path('model.json'), 'utf8')).toBe(text);
    expect(gunzipSync(readFileSync(files.path('model.json.gz'))).toString()).toBe(text);
  });
});

test('readModel reads calibrated models, and names what is wrong in them', async () => {
  const model = await calibrate(new Perceptron<string>(), X, y, { folds: 2, threads: 1 });
  const json = JSON.parse(JSON.stringify(model));
  const copy = await readModel<string>(bytesOf(JSON.stringify(json)));
  expect(copy).toBeInstanceOf(Calibrated);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
  expect(copy.predictProbability?.(X)).toEqual(model.predictProbability(X));
  await expect(readModel(bytesOf(JSON.stringify({ ...json, maps: [] })))).rejects.toThrow(
    new DataError('this is not a valid model: model JSON: maps must have 1 values, got 0', { source: '<input>' }),
  );
});

test('training goes on from a file exactly as without it', async () => {
  for (const name of ['perceptron, all options', 'dual, in two blocks']) {
    const model = models[name]?.() as Perceptron<string>;
    await saveModel(model, files.path('half.json'));
    const copy = (await readModel<string>(files.path('half.json'))) as Perceptron<string>;
    expect(JSON.stringify(copy.partialFit(X, y))).toBe(JSON.stringify(model.partialFit(X, y)));
    expect(copy.predict(X)).toEqual(model.predict(X));
  }
});

describe('saveModel', () => {
  const model = new Perceptron({ maxEpochs: 3 }).fit(X, y);
  const text = JSON.stringify(model);

  test('takes a file: URL, and follows a link', async () => {
    await saveModel(model, pathToFileURL(files.path('a model.json')));
    expect(readFileSync(files.path('a model.json'), 'utf8')).toBe(text);
    symlinkSync(files.path('a model.json'), files.path('link.json'));
    await saveModel(models.pocket?.() as Perceptron, files.path('link.json'));
    expect(readFileSync(files.path('a model.json'), 'utf8')).toContain('"pocket-perceptron"');
    expect(readdirSync(files.path('.'))).toContain('link.json');
  });

  test('keeps the mode of a file that it replaces', async () => {
    const path = files.file('secret.json', 'old');
    chmodSync(path, 0o600);
    await saveModel(model, path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('a file that only its owner may read is so from the first byte of the new one on', async () => {
    const path = files.path('secret.json');
    await saveModel(new Perceptron().fit(X, y), path);
    chmodSync(path, 0o600);
    const modes: number[] = [];
    const look = () => {
      for (const name of readdirSync(files.path('.'))) {
        if (name.endsWith('.tmp')) modes.push(statSync(files.path(name)).mode & 0o777);
      }
      return 1;
    };
    const model = new Perceptron().fit(X, y);
    await saveModel(
      {
        toJSON: () => ({}),
        packed: () => ({ ...model.packed(), extra: { [Symbol.iterator]: () => [look()].values() } }),
      } as SavableModel,
      path,
    );
    expect(modes).toEqual([0o600]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('waits for a slow stream: what it holds does not grow with the model', async () => {
    const cols = 200_000;
    const large = new Perceptron({ maxEpochs: 1 }).fit(
      [Float64Array.from({ length: cols }, (_, k) => Math.sin(k)), new Float64Array(cols)],
      [1, 0],
    );
    const queued: number[] = [];
    let held = 0;
    const stream = new WritableStream<Uint8Array>(
      {
        async write(chunk) {
          queued.push(held);
          await new Promise((resolve) => setImmediate(resolve));
          held -= chunk.length;
        },
      },
      {
        highWaterMark: 1,
        size: (chunk) => {
          held += chunk?.length ?? 0;
          return 1;
        },
      },
    );
    await saveModel(large, stream);
    expect(queued.length).toBeGreaterThan(20);
    expect(Math.max(...queued)).toBeLessThan(1_000_000);
  });

  test('a stream that fails gives its own error', async () => {
    const full = new Error('the disk is full');
    const stream = new WritableStream<Uint8Array>({
      write() {
        throw full;
      },
    });
    await expect(saveModel(model, stream)).rejects.toBe(full);
  });

  test('a model that fails half way aborts the stream, and leaves the older file and no other', async () => {
    const broken = Object.assign(Object.create(null), {
      toJSON: () => ({}),
      packed: () => ({
        ...model.packed(),
        rows: (function* () {
          for (let k = 0; k < 100_000; k++) yield [k];
          throw new RangeError('no more rows');
        })(),
      }),
    });
    const { stream, state, chunks } = kept();
    await expect(saveModel(broken, stream)).rejects.toThrow('no more rows');
    expect(chunks.length).toBeGreaterThan(0);
    expect(state.reason).toBeInstanceOf(RangeError);
    mkdirSync(files.path('own'));
    for (const name of ['model.json', 'model.json.gz']) {
      const path = files.file(`own/${name}`, 'older');
      await expect(saveModel(broken, path)).rejects.toThrow(DataError);
      expect(readFileSync(path, 'utf8')).toBe('older');
    }
    expect(readdirSync(files.path('own')).sort()).toEqual(['model.json', 'model.json.gz']);
  });

  test('names what it cannot write to', async () => {
    const path = files.path('nowhere/model.json');
    const folder = files.path('nowhere');
    const missing = `${path}: cannot be written: the directory ${folder} does not exist`;
    for (const target of [path, pathToFileURL(path)]) {
      await expect(saveModel(model, target)).rejects.toThrow(
        new DataError(missing.slice(path.length + 2), { source: path }),
      );
    }
    await expect(saveModel(model, files.path('.'))).rejects.toThrow(/cannot be written: E/);
    // Not the temporary file beside it, which nobody has named.
    const long = files.path('x'.repeat(300));
    await expect(saveModel(model, files.path('.'))).rejects.not.toThrow(/\.tmp/);
    await expect(saveModel(model, long)).rejects.toThrow(
      new DataError('cannot be written: ENAMETOOLONG: name too long', { source: long }),
    );
    const takes = 'saveModel takes a path or a WritableStream, got';
    await expect(saveModel(model, 'https://example.org/model.json')).rejects.toThrow(
      `${takes} "https://example.org/model.json"`,
    );
    await expect(saveModel(model, new URL('https://example.org'))).rejects.toThrow(`${takes} an object`);
    for (const target of [undefined, null, 3]) {
      await expect(saveModel(model, target as unknown as string)).rejects.toThrow(new TypeError(`${takes} ${target}`));
    }
  });

  test('a foreign toJSON is written as JSON.stringify would', async () => {
    const content = {
      at: new Date(0),
      nothing: undefined,
      call: () => 1,
      symbol: Symbol('s'),
      list: [undefined, () => 1, Symbol('s'), new Date(1), null, -0, NaN, Infinity, 'x\n'],
      boxed: [new Number(-0), new String('s'), new Boolean(false)],
      own: { toJSON: (key: string) => ({ key }) },
      nested: { toJSON: () => undefined },
      typed: Float64Array.of(1, -0),
      set: new Set([1]),
      holes: new Array(2),
      deep: [[], {}, [{}], { a: [] }],
    };
    const foreign = { toJSON: () => content };
    const { stream, text: written } = kept();
    await saveModel(foreign, stream);
    expect(written()).toBe(JSON.stringify(foreign));
    const loop: Record<string, unknown> = {};
    loop.loop = { loop };
    await expect(saveModel({ toJSON: () => loop }, kept().stream)).rejects.toThrow(TypeError);
    await expect(saveModel({ toJSON: () => ({ big: 1n }) }, kept().stream)).rejects.toThrow(TypeError);
  });

  test('a subclass with its own toJSON is saved with it', async () => {
    class Dated extends Perceptron {
      override toJSON() {
        return { ...super.toJSON(), data: { savedAt: new Date(0) } };
      }
    }
    const dated = new Dated({ maxEpochs: 3 }).fit(X, y);
    const { stream, text: written } = kept();
    await saveModel(dated, stream);
    expect(written()).toBe(JSON.stringify(dated));
    expect(written()).toContain('"savedAt":"1970-');
  });

  test('takes fitted models only', async () => {
    await expect(saveModel(new Perceptron(), files.path('unfitted.json'))).rejects.toThrow(NotFittedError);
    await expect(saveModel(X as unknown as Perceptron, 'x')).rejects.toThrow(
      'saveModel takes a model, got an array of 40',
    );
    expect(readdirSync(files.path('.'))).not.toContain('unfitted.json');
  });
});

describe('readModel', () => {
  const text = JSON.stringify(new Perceptron({ maxEpochs: 3 }).fit(X, y));

  test('reads every kind of source', async () => {
    const bytes = bytesOf(text);
    const path = files.file('m.json', bytes);
    const packed = new Uint8Array(gzipSync(bytes));
    for (const source of [
      path,
      pathToFileURL(path),
      new Blob([text]),
      new Blob([text]).stream(),
      packed,
      new Blob([packed]),
    ]) {
      expect(JSON.stringify(await readModel(source))).toBe(text);
    }
    expect(JSON.stringify(await readModel(bytesOf(`\ufeff \n${text}\n`)))).toBe(text);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['half a file', text.slice(0, 300), 'a.json: byte 300 in '],
    ['nothing', '', 'a.json: this is empty: there is nothing in it'],
    ['other text', 'label,x\n1,2\n', 'a.json: byte 0: expected a value, got "l"'],
    [
      'a list',
      '[1, 2]',
      'a.json: this is not a valid model: model JSON: the model must be an object, got a Float64Array of 2',
    ],
    ['a string', '"text"', 'a.json: this is not a valid model: model JSON must be an object, got a string'],
    ['a number', '1', 'a.json: this is not a valid model: model JSON: the model must be an object, got 1'],
    [
      'another type',
      text.replace('"perceptron"', '"forest"'),
      'a.json: this is not a valid model: model JSON: type must be',
    ],
    [
      'a missing field',
      text.replace('"sigma"', '"sigmoid"'),
      'model JSON: training.sigma must be a number ≥ 0, got undefined',
    ],
    [
      'an infinite weight',
      text.replace(/"weights":\[[^,]*,/, '"weights":[1e999,'),
      'model JSON: weights[0] must be a finite number, got Infinity',
    ],
    ['NUL bytes', new Uint8Array(5000), 'a.json: this is binary data, expected text: byte 0 is 0'],
    ['a broken gzip', gzipSync(text).subarray(0, 100), 'a.json: this gzip file is cut off'],
  ])('refuses %s, naming the place', async (_, content, message) => {
    const bytes = typeof content === 'string' ? bytesOf(content) : new Uint8Array(content);
    const error: unknown = await readModel(bytes, { name: 'a.json' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataError);
    expect((error as DataError).message).toContain(message);
  });

  test('refuses other options', async () => {
    await expect(readModel(bytesOf(text), { cols: 3 } as object)).rejects.toThrow('readModel has no option "cols"');
    await expect(readModel(bytesOf(text), { maxBytes: 0 })).rejects.toThrow(
      '"maxBytes" must be a number of at least 1, got 0',
    );
  });

  test('stops when it is told', async () => {
    await expect(readModel(bytesOf(text), { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
  });

  test('numeric labels and options stay plain arrays', async () => {
    const model = new Perceptron({ classes: [0, 1], initialWeights: [1, 2, 3] }).fit(
      X,
      numbers.map((n) => (n % 2 === 0 ? 0 : 1)),
    );
    const copy = (await readModel(bytesOf(JSON.stringify(model)))) as Perceptron<number>;
    expect(copy.classes).toEqual([0, 1]);
    expect(copy.toJSON()).toStrictEqual(model.toJSON());
  });
});
