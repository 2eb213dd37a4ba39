// Redis and coordinators that die, or do not answer: processes of their own. Results are those of the local calls, to the bit.

import { describe, expect, test, vi } from 'vitest';
import { program } from './redis.js';
import { mixer, mixing, SOON, shards, stage } from './stage.js';

describe.runIf(program)('a cluster', () => {
  const { begin, start, workers, connect, validate, mix, active, sameMix, withAnother, result } = stage();

  test.each([
    ['with an append-only file', ['appendonly yes', 'appendfsync always']],
    ['without a file: its jobs are sent again', []],
  ])('Redis is killed and comes back, %s', async (_, settings) => {
    const server = await begin(...settings);
    await workers(2);
    const on = await connect();
    const call = validate(on);
    await active(2);
    await server.kill();
    await server.start();
    expect(await call).toStrictEqual(result());
    const epochs: number[] = [];
    const second = mix(on, { onEpoch: ({ epoch }: { epoch: number }) => epochs.push(epoch) });
    await vi.waitFor(() => expect(epochs.length).toBeGreaterThan(3), { timeout: 60_000, interval: 1 });
    await server.kill();
    await server.start();
    sameMix(await second);
  });

  test.each([
    ['is killed and does not come back: an error within the patience', 'kill'],
    ['stands still: an error within twice the patience', 'pause'],
  ] as const)(
    'Redis %s',
    async (_, go) => {
      const server = await begin();
      await workers(1);
      const call = validate(await connect({ patienceMs: 2000 }));
      const error = call.catch((e: Error) => e.message);
      await active();
      await server[go]();
      expect(await error).toMatch(
        /^Redis at redis:\/\/127.0.0.1:\d+ went away 2 s ago and has not come back: start it, and ask again/,
      );
      if (go === 'pause') server.resume();
    },
    SOON,
  );

  test('Redis stands still for a while: everybody waits, same bits', async () => {
    const server = await begin();
    await workers(2);
    const call = validate(await connect());
    await active(2);
    server.pause();
    await new Promise((done) => setTimeout(done, 2000)); // longer than the locks
    server.resume();
    expect(await call).toStrictEqual(result());
  });

  test.each([
    ['is away', 'kill', 'start'],
    ['stands still', 'pause', 'resume'],
  ] as const)('a call is cancelled while Redis %s: it ends, and does not wait for Redis', async (_, go, comeBack) => {
    const server = await begin();
    await workers(1);
    const on = await connect({ patienceMs: 1e9 });
    for (const [call, kind, many] of [
      [validate, 'fold', { folds: 60 }],
      [mix, 'pass', { maxEpochs: 1e6 }],
    ] as const) {
      const controller = new AbortController();
      const error = call(on, { signal: controller.signal, ...many }).catch((e: Error) => e.message);
      await active(1, kind);
      await server[go]();
      controller.abort(new Error('enough'));
      expect(await error).toBe('enough');
      await server[comeBack]();
    }
  });

  test.each(['before', 'after'])('a worker is told to end %s Redis went away: it ends', async (when) => {
    const server = await begin();
    const [first] = await workers(1, { graceMs: 1 });
    const call = validate(await connect());
    await active();
    if (when === 'after') await server.kill();
    const ended = first?.kill('SIGTERM');
    if (when === 'before') await server.kill();
    await ended;
    expect(first?.process.exitCode).toBe(0);
    await server.start();
    await workers(1);
    expect(await call).toStrictEqual(result());
  });

  test('the coordinator is killed, and Redis too: the run goes on after the last epoch', async () => {
    const server = await begin('appendonly yes', 'appendfsync always');
    await workers(2);
    const run = { ...mixing, shards, trainer: mixer, runId: 'a-run' };
    const first = start('mix', run);
    await first.said('epoch 4');
    await first.kill();
    await server.kill();
    await server.start();
    const second = start('mix', { ...run, resume: true });
    sameMix(JSON.parse(await second.said(/^\{/)));
    expect(Number(/\d+/.exec(second.lines[0] as string)?.[0])).toBeGreaterThan(4); // earlier epochs were not passed again
  });

  test('the coordinator is killed with a Redis that forgets: the error says so, and a new run has the same bits', async () => {
    const server = await begin();
    await workers(2);
    const run = { ...mixing, shards, trainer: mixer, runId: 'a-run' };
    const first = start('mix', run);
    await first.said('epoch 4');
    await first.kill();
    await server.kill();
    await server.start();
    const on = await connect();
    await expect(mix(on, { runId: 'a-run', resume: true })).rejects.toThrow(/^Redis does not know the run a-run: /);
    sameMix(await mix(on, { runId: 'a-run' }));
  });

  test('a run is resumed with what it was started with, or not at all', async () => {
    await begin();
    await workers(1);
    const first = start('mix', { ...mixing, shards, trainer: mixer, runId: 'b', maxEpochs: 1000 });
    await first.said('epoch 2');
    await first.kill();
    const on = await connect();
    const others = [{ shards: shards.slice(1) }, { read: { maxCols: 99 } }, { cols: 21 }];
    for (const other of others) {
      await expect(mix(on, { runId: 'b', resume: true, ...other })).rejects.toThrow(
        /^the run b was started with another model, other shards, classes, columns or reader options, by another version, or a shard/,
      );
    }
    await on.tasks.forget('perceptron-wasm:run:b');
  });

  test('a run of another version is not resumed', async () => {
    await begin();
    const run = { ...mixing, shards, trainer: mixer, runId: 'c', maxEpochs: 1000 };
    await withAnother(async (script) => {
      await start('worker', {}, script).said(/^ready /);
      const first = start('mix', run, script);
      await first.said('epoch 2');
      await first.kill();
    });
    await workers(1);
    const on = await connect();
    await expect(mix(on, { runId: 'c', resume: true })).rejects.toThrow(
      /^the run c was started with .* another version/,
    );
    await on.tasks.forget('perceptron-wasm:run:c');
  });

  test(
    'Redis is full: an error says so',
    async () => {
      const server = await begin();
      await workers(1);
      const on = await connect();
      await server.redis.config('SET', 'maxmemory', '1');
      await expect(mix(on)).rejects.toThrow(/^Redis at redis:\/\/127.0.0.1:\d+ is full: raise its maxmemory/);
      await server.redis.config('SET', 'maxmemory', '0');
      sameMix(await mix(on));
    },
    SOON,
  );

  test(
    'Redis becomes full while workers do folds: they cannot say so, the coordinator does',
    async () => {
      const server = await begin();
      await workers(2);
      const on = await connect();
      const error = validate(on, { folds: 60 }).catch((e: Error) => e.message);
      await active(2);
      await server.redis.config('SET', 'maxmemory', '1');
      expect(await error).toMatch(/^Redis at redis:\/\/127.0.0.1:\d+ is full: raise its maxmemory/);
      await server.redis.config('SET', 'maxmemory', '0');
      expect(await validate(on)).toStrictEqual(result());
    },
    SOON,
  );

  test('Redis becomes full in the middle of a run', async () => {
    const server = await begin();
    await workers(1);
    const on = await connect();
    const fill = ({ epoch }: { epoch: number }) => {
      if (epoch === 3) server.redis.config('SET', 'maxmemory', '1');
    };
    await expect(mix(on, { maxEpochs: 1e6, onEpoch: fill })).rejects.toThrow(/is full: raise its maxmemory/);
    await server.redis.config('SET', 'maxmemory', '0');
    sameMix(await mix(on));
  });
});
