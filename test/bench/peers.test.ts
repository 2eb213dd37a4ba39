// The native peers of the benchmark: what native.py answers, and that nothing hangs or stays behind. Without Python and its
// packages only those tests run that do without.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { withFolderLater } from '../../bench/harness/temporary.js';
import { denseRows, liblinear, openblas, share, sklearn, sorted } from '../../bench/peers/guests.js';
import { guest } from '../../bench/peers/javascript.js';
import { liblinearTool } from '../../bench/peers/liblinear.js';
import { Line, type Missing, type Native, numbersOf, openNative } from '../../bench/peers/native.js';
import { calling, play } from '../../bench/peers/turns.js';

/** The worked example of SPEC §10: 7 mistakes in 6 passes end with weights 1, 1 and bias −3. */
const example = denseRows('example', {
  data: Float64Array.of(3, 3, 4, 3, 1, 1),
  rows: 3,
  cols: 2,
  y: Int8Array.of(1, 1, -1),
});

const found = await openNative();
const lacking = 'missing' in found ? found.missing : typeof found.sklearn === 'string' ? '' : found.sklearn.missing;
if (lacking) console.log(`without native peers, see bench/peers/README.md: ${lacking}`);
const native = found as Native;
afterAll(() => (lacking ? undefined : native.close()));

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.skipIf(lacking)('native.py', () => {
  test('has scikit-learn end with the weights of the worked example', () =>
    withFolderLater(async (folder) => {
      await share({ native, folder }, example);
      const to = join(folder, 'weights');
      const fit = await native.perceptron('example', { passes: 6, intercept: true, calls: 3, to });
      expect(fit).toEqual({ ms: [expect.any(Number), expect.any(Number), expect.any(Number)], passes: 6 });
      expect(Array.from(numbersOf(to))).toEqual([1, 1, -3]);
    }));

  test('has LIBLINEAR separate it, and OpenBLAS multiply it', () =>
    withFolderLater(async (folder) => {
      await share({ native, folder }, example);
      expect(await native.liblinear('example', { intercept: true, calls: 1 })).toMatchObject({ accuracy: 1 });
      const to = join(folder, 'gram');
      await native.gram('example', { calls: 1, to });
      expect(Array.from(numbersOf(to))).toEqual([18, 21, 6, 21, 25, 7, 6, 7, 2]);
    }));

  test('reads sparse rows', () =>
    withFolderLater(async (folder) => {
      const [values, indices, indptr] = [
        Float64Array.of(3, 3, 4, 1),
        Uint32Array.of(0, 1, 0, 1),
        Uint32Array.of(0, 2, 3, 4),
      ];
      const arrays = { values, indices, indptr, y: Int8Array.of(1, 1, -1) };
      await share({ native, folder }, { name: 'sparse', rows: 3, cols: 2, arrays });
      const to = join(folder, 'weights');
      await native.perceptron('sparse', { passes: 4, intercept: false, calls: 1, to });
      expect(Array.from(numbersOf(to))).toEqual([3, -1, 0]);
    }));

  test('answers what it cannot do with a sentence, and goes on', async () => {
    await expect(native.gram('nothing', { calls: 1 })).rejects.toThrow(
      /could not do 'gram': ValueError: no rows were loaded as nothing/,
    );
    await expect(native.load('x', { rows: 2, cols: 2 }, { x: '/nonexistent/x' })).rejects.toThrow(/FileNotFoundError/);
    await withFolderLater((folder) => share({ native, folder }, example));
    expect((await native.gram('example', { calls: 2 })).ms).toHaveLength(2);
  });

  test('is checked by those who play: other weights than expected are an error', () =>
    withFolderLater(async (folder) => {
      await share({ native, folder }, example);
      const fits = { passes: 6, intercept: true };
      const { players, skipped } = sorted([
        { name: 'ours', kind: 'ours', measure: calling(() => 1) },
        sklearn({ native, folder }, 'example', { ...fits, expected: Float64Array.of(1, 1, -3) }),
      ]);
      const task = { what: 'worked example', rule: '6 passes', players, skipped };
      const { answers, task: told } = await play(task, { rounds: 2, turnMs: 0 });
      expect(answers).toMatchObject([{ against: 'scikit-learn', rounds: 2 }]);
      expect(told.contenders).toHaveLength(2);

      const wrong = sklearn({ native, folder }, 'example', { ...fits, expected: Float64Array.of(1, 2, -3) });
      await expect((async () => 'measure' in wrong && wrong.measure(1))()).rejects.toThrow(/weights of scikit-learn/);
    }));
});

describe.skipIf(lacking)('a process', () => {
  const start = async (): Promise<{ line: Line; pid: number }> => {
    const line = new Line(native.python);
    await line.ask({ do: 'hello', packages: [] });
    return { line, pid: line.pid as number };
  };
  /** Work for minutes. */
  const work = (line: Line) =>
    withFolderLater(async (folder) => {
      await line.ask({ do: 'hello', packages: ['numpy'] });
      const [rows, cols, x] = [200, 200, join(folder, 'x')];
      writeFileSync(x, new Float64Array(rows * cols));
      await line.ask({ do: 'load', name: 'x', rows, cols, files: { x } });
      return () => line.ask({ do: 'gram', on: 'x', calls: 1_000_000 });
    });

  test('that dies in the middle is an error, then and afterwards', async () => {
    const { line, pid } = await start();
    const endless = (await work(line))();
    process.kill(pid, 'SIGKILL');
    await expect(endless).rejects.toThrow(/ended with SIGKILL/);
    await expect(line.ask({ do: 'hello', packages: [] })).rejects.toThrow(/ended with SIGKILL/);
    await line.close();
  });

  test('that is closed in the middle ends', async () => {
    const { line, pid } = await start();
    const endless = (await work(line))();
    const refused = expect(endless).rejects.toThrow(/was told to end/);
    // Of its own accord, however busy the machine is: nobody kills it before the test is over.
    expect(await line.close(10 * 60_000)).toBeNull();
    await refused;
    expect(isRunning(pid)).toBe(false);
  });

  test('that misses its deadline is an error, and ended', async () => {
    const { line, pid } = await start();
    await work(line);
    await expect(line.ask({ do: 'gram', on: 'x', calls: 1_000_000 }, 50)).rejects.toThrow(
      /did not answer 'gram' within 0.05 s/,
    );
    await line.close();
    expect(isRunning(pid)).toBe(false);
  });

  test('answers an unknown command with a sentence', async () => {
    const { line } = await start();
    await expect(line.ask({ do: 'sing' })).rejects.toThrow(/there is no command sing/);
    await line.close();
  });
});

describe('absent', () => {
  test('Python is told', async () => {
    expect(await openNative({ pythons: ['/nonexistent/python3', 'nobody-s-python'] })).toEqual({
      missing: expect.stringMatching(/^\/nonexistent\/python3 cannot be run .*; nobody-s-python cannot be run/),
    });
  });

  test.skipIf(!existsSync('/bin/true'))('Python that is something else is told', async () => {
    expect(await openNative({ pythons: ['/bin/true'] })).toEqual({ missing: '/bin/true ended with exit status 0' });
  });

  test.skipIf(lacking)('packages are told', () =>
    withFolderLater(async (folder) => {
      const bare = join(folder, 'python3');
      // Isolated and without its folders of packages.
      writeFileSync(bare, `#!/bin/sh\nexec ${native.python} -I -S "$@"\n`, { mode: 0o755 });
      expect(await openNative({ pythons: [bare] })).toEqual({
        missing: expect.stringMatching(/No module named 'numpy', No module named 'sklearn'/),
      });
    }),
  );

  test('peers are skipped, each with the reason', () =>
    withFolderLater(async (folder) => {
      const house = { native: { missing: 'python3 is absent' } satisfies Missing, folder };
      vi.stubEnv('PATH', '/nonexistent');
      try {
        await share(house, example);
        const work = { flops: 0, bytes: 0, resident: 0 };
        expect(
          sorted([
            sklearn(house, 'example', { passes: 6, intercept: true }),
            liblinear(house, example, { intercept: true, ours: 1 }),
            openblas(house, 'example', { expected: new Float64Array(9), work, kernels: '' }),
          ]),
        ).toEqual({
          players: [],
          skipped: [
            { name: 'scikit-learn', why: 'python3 is absent' },
            { name: 'LIBLINEAR', why: 'python3 is absent; liblinear-train is not on the PATH' },
            { name: 'OpenBLAS', why: 'python3 is absent' },
          ],
        });
      } finally {
        vi.unstubAllEnvs();
      }
    }));

  test('packages of npm are skipped; other errors are errors', async () => {
    const error = Object.assign(new Error("Cannot find package 'nobody'"), { code: 'ERR_MODULE_NOT_FOUND' });
    const why = "not installed: Cannot find package 'nobody'";
    expect(await guest('nobody', () => Promise.reject(error))).toEqual({ name: 'nobody', why });
    await expect(guest('nobody', () => Promise.reject(new Error('weights differ')))).rejects.toThrow('weights differ');
  });

  test("scikit-learn leaves LIBLINEAR's own tool, where there is one", ({ skip }) =>
    withFolderLater(async (folder) => {
      const tool = liblinearTool(example, { folder, intercept: true });
      if ('missing' in tool) return skip(tool.missing);
      expect(tool.train()).toBeGreaterThan(0);
      expect(tool.accuracy()).toBe(1);
      const player = liblinear({ native: { missing: '' }, folder }, example, { intercept: true, ours: 1 });
      expect(player).toMatchObject({ name: 'LIBLINEAR (liblinear-train)', otherAlgorithm: true });
    }));
});
