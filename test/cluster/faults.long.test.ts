// Workers that die, and data that are not right: processes of their own. Results are those of the local calls, to the bit.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Perceptron } from '../../src/index.js';
import { readData } from '../../src/io/index.js';
import { crossValidate } from '../../src/select/index.js';
import { program } from './redis.js';
import { type Child, QUEUE, root, SOON, shards, stage } from './stage.js';

describe.runIf(program)('a cluster', () => {
  const { begin, start, workers, connect, validate, mix, active, sameMix, withAnother, result, children } = stage();

  test('a worker is killed in a fold: another one does it', async () => {
    await begin();
    const [first] = await workers(2);
    const call = validate(await connect());
    await active(2);
    await first?.kill();
    expect(await call).toStrictEqual(result());
  });

  test('two of three workers are killed at once', async () => {
    await begin();
    const [first, second] = await workers(3);
    const call = validate(await connect());
    await active(3);
    await Promise.all([first?.kill(), second?.kill()]);
    expect(await call).toStrictEqual(result());
  });

  test('all workers are killed, and another one comes later', async () => {
    await begin();
    const all = await workers(2);
    const call = validate(await connect());
    await active(2);
    await Promise.all(all.map((child) => child.kill()));
    await workers(1);
    expect(await call).toStrictEqual(result());
  });

  test('a worker is stopped in a fold: it gives it back at once', async () => {
    await begin();
    const [first] = await workers(1, { graceMs: 1, lockMs: 60_000 }); // nobody would find it by its lock
    const call = validate(await connect());
    await active();
    await first?.kill('SIGTERM');
    expect(first?.process.exitCode).toBe(0);
    await workers(1);
    expect(await call).toStrictEqual(result());
  });

  test('workers are killed in a pass and between epochs', async () => {
    await begin();
    const deadly = start('worker', { deadly: shards.length + 2 }); // in its second pass
    const epochs: number[] = [];
    const on = await connect();
    let second: Child | undefined;
    const call = mix(on, {
      onEpoch: ({ epoch }: { epoch: number }) => {
        epochs.push(epoch);
        if (epoch !== 3) return;
        second?.kill(); // between epochs
        start('worker', {});
      },
    });
    await new Promise((done) => deadly.process.once('exit', done));
    expect(epochs).toEqual([]);
    second = start('worker', {}); // the only one until it is killed
    sameMix(await call);
    expect(second.process.signalCode).toBe('SIGKILL');
    expect(epochs).toEqual(Array.from({ length: 12 }, (_, k) => k + 1));
  });

  test('a call is cancelled: its jobs are taken back, and what has begun ends', async () => {
    const server = await begin();
    await workers(2);
    const controller = new AbortController();
    const call = validate(await connect(), { folds: 40, signal: controller.signal });
    const error = call.catch((e: Error) => e.message);
    await active(2);
    controller.abort(new Error('enough'));
    expect(await error).toBe('enough');
    await expect.poll(() => server.redis.llen(`${QUEUE}:wait`)).toBe(0);
  });

  test('a worker is stopped in a fold and has the time: it ends it, and begins no other', async () => {
    const server = await begin();
    const [first] = await workers(1, { graceMs: 60_000 });
    const call = validate(await connect());
    await active();
    await first?.kill('SIGTERM');
    expect(first?.process.exitCode).toBe(0);
    expect(await server.redis.llen(`${QUEUE}:active`)).toBe(0);
    const done = (await server.redis.keys('perceptron-wasm:result:fold-*')).length;
    expect(done).toBeGreaterThan(0);
    expect(done + (await server.redis.llen(`${QUEUE}:wait`))).toBe(6);
    await workers(1);
    expect(await call).toStrictEqual(result());
  });

  test('a worker stands still for longer than its lock, and then goes on: another one has done its fold', async () => {
    await begin();
    const [first] = await workers(2);
    const on = await connect();
    const call = validate(on);
    await active(2);
    first?.process.kill('SIGSTOP');
    expect(await call).toStrictEqual(result());
    first?.process.kill('SIGCONT');
    sameMix(await mix(on));
  });

  test(
    'workers of another version only: an error names it, within the patience',
    async () => {
      await begin();
      await withAnother(async (script) => {
        await start('worker', {}, script).said(/^ready /);
        await expect(validate(await connect({ patienceMs: 2000 }))).rejects.toThrow(
          /^no worker of version \S+ has been at redis:\S+ for 2 s: there are workers of version 0.0.1-test only, and results of versions may differ/,
        );
      });
    },
    SOON,
  );

  test(
    'no worker at all: an error says how to start one, within the patience',
    async () => {
      await begin();
      await expect(mix(await connect({ patienceMs: 1000 }))).rejects.toThrow(
        /^no worker of version \S+ has been at redis:\S+ for 1 s: start one with perceptron-wasm worker --redis URL --data-root DIR$/,
      );
    },
    SOON,
  );

  test('a shard that is missing, changes between epochs, or is corrupt is an error that names it', async () => {
    await begin();
    await workers(2);
    const on = await connect();
    await expect(mix(on, { shards: [...shards, 'part-9.svm'] })).rejects.toThrow(
      /^part-9.svm cannot be read: there is no such file below its data root \(on worker/,
    );
    writeFileSync(join(root, 'spoilt.svm'), '1 1:2\n0 1:x\n');
    await expect(mix(on, { shards: [...shards, 'spoilt.svm'] })).rejects.toThrow(
      /^spoilt.svm:2:\d+: this cannot be read as data: see perceptron-wasm inspect \(on worker/,
    );
    copyFileSync(join(root, 'part-0.svm'), join(root, 'changing.svm'));
    const change = ({ epoch }: { epoch: number }) => {
      if (epoch === 2) copyFileSync(join(root, 'part-1.svm'), join(root, 'changing.svm'));
    };
    await expect(mix(on, { shards: [...shards, 'changing.svm'], onEpoch: change })).rejects.toThrow(
      /^changing.svm is not what it was, or not the same everywhere: here its SHA-256/,
    );
    sameMix(await mix(on)); // and the cluster is as good as before
  });

  test('a job that kills every worker is given up, and named', async () => {
    const server = await begin();
    const on = await connect();
    const error = validate(on).catch((e: Error) => e.message);
    let isOver = false;
    error.then(() => {
      isOver = true;
    });
    await expect.poll(() => server.redis.llen(`${QUEUE}:wait`)).toBe(1);
    while (!isOver && children.length < 12) {
      const { process } = start('worker', { deadly: 1, lockMs: 500 });
      await Promise.race([new Promise((done) => process.once('exit', done)), error]);
    }
    expect(await error).toMatch(/^looking at rows.svm stalled again and again: workers died of it, or stood still/);
  });

  test('hundreds of jobs, and a worker that dies again and again', async () => {
    await begin();
    await workers(1);
    const on = await connect();
    const quick = () => new Perceptron<number>({ maxEpochs: 40, order: 'shuffle' });
    const many = { folds: 300, seed: 2 };
    const { X, y } = await readData(join(root, 'rows.svm'));
    const here = await crossValidate(quick() as never, X as never, y, many);
    X.dispose();
    let isOver = false;
    const call = on.crossValidate(quick() as never, { data: 'rows.svm', ...many }).finally(() => {
      isOver = true;
    });
    let deaths = 0;
    while (!isOver) {
      const [flaky] = await workers(1);
      await new Promise((done) => setTimeout(done, 30));
      await flaky?.kill();
      deaths++;
    }
    expect(await call).toStrictEqual(here);
    expect(deaths).toBeGreaterThan(0);
  });
});
