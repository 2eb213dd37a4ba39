// A soak: mixed fits, aborts, streams, saved models and Gram matrices, round after round, in Node or in a page of Chromium. Prints
// the memory in use every minute, and fails if it grows. Run after `npm run build`:
//
//   npm run soak -- [--minutes 60] [--page] [--seed 1]

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

type Library = typeof import('perceptron-wasm');

/** What a stretch of rounds did. */
interface Done {
  rounds: number;
  aborted: number;
  faults: string[];
}

/** Rounds until the time is over. It runs in a page too: nothing from outside but its arguments. */
async function soak(library: Library, ms: number, seed: number): Promise<Done> {
  const { DualPerceptron, MulticlassPerceptron, Perceptron, PocketPerceptron, gramAsync, loadModel } = library;
  let state = seed >>> 0 || 1;
  const below = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const end = performance.now() + ms;
  const done: Done = { rounds: 0, aborted: 0, faults: [] };
  const make = [
    () => new Perceptron({ maxEpochs: 30, average: below(2) === 0, order: below(2) ? 'shuffle' : 'cyclic' }),
    () => new PocketPerceptron({ maxEpochs: 2 }),
    () => new DualPerceptron({ maxEpochs: 10, kernel: { type: 'rbf', gamma: 0.1 } }),
    () => new MulticlassPerceptron({ maxEpochs: 10, strategy: below(2) ? 'multinomial' : 'one-vs-rest' }),
  ] as const;
  while (performance.now() < end) {
    done.rounds++;
    const [rows, cols] = [20 + below(400), 1 + below(300)];
    const data = Float64Array.from({ length: rows * cols }, () => below(2001) / 1000 - 1);
    const y = Array.from({ length: rows }, (_, i) => (i < 2 ? i : below(2)));
    const X = { data, rows, cols };
    const model = (make[below(4)] as (typeof make)[0])();
    const controller = new AbortController();
    const delay = setTimeout(() => controller.abort(), below(4) === 0 ? below(30) : 60_000);
    try {
      const kind = below(5);
      if (kind === 0) model.fit(X, y);
      else if (kind === 1) (await gramAsync(X, { signal: controller.signal, threads: 1 + below(3) })).dispose();
      else if (kind === 2 && model instanceof Perceptron) {
        const half = (rows >> 1) * cols;
        const parts = [data.slice(0, half), data.slice(half)];
        const blocks = parts.map((part, k) => ({
          X: { data: part, rows: part.length / cols, cols },
          y: k ? y.slice(rows >> 1) : y.slice(0, rows >> 1),
        }));
        await new Perceptron<number>({ classes: [0, 1] }).fitStream(blocks, { signal: controller.signal });
      } else
        await model.fitAsync(X, y, { signal: controller.signal, threads: 1 + below(3), keepPartial: below(2) === 0 });
      if (kind !== 1 && kind !== 2) {
        const copy = loadModel(JSON.parse(JSON.stringify(model)));
        if (copy.predict(X).join() !== model.predict(X).join()) done.faults.push('a loaded model predicts otherwise');
      }
    } catch (error) {
      if ((error as Error).name === 'AbortError') done.aborted++;
      else done.faults.push(String(error));
    } finally {
      clearTimeout(delay);
    }
    await new Promise((next) => setTimeout(next, 0));
  }
  return done;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    page: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);

/** A place to run in: rounds for some time, and the bytes in use after a collection. */
interface Place {
  run(ms: number, seed: number): Promise<Done>;
  bytes(): Promise<number>;
  close(): Promise<void>;
}

async function inNode(): Promise<Place> {
  const library: Library = await import('perceptron-wasm');
  return {
    run: (ms, from) => soak(library, ms, from),
    async bytes() {
      await library.stopThreads();
      globalThis.gc?.();
      await new Promise((next) => setTimeout(next, 100));
      globalThis.gc?.();
      return process.memoryUsage().rss;
    },
    close: () => library.stopThreads(),
  };
}

async function inPage(): Promise<Place> {
  const server = createServer((request, response) => {
    const name = basename(request.url ?? '');
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    const isScript = name.endsWith('.js');
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? readFileSync(join(resolve('dist'), name)) : '<!doctype html><title>soak</title>');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--js-flags=--expose-gc'],
  });
  const page = await browser.newPage();
  await page.goto(address);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return {
    run: (ms, from) =>
      page.evaluate(
        async ([text, time, first]) => {
          const library = await import(new URL('/index.js', location.href).href);
          return new Function(`return (${text})`)()(library, time, first);
        },
        [soak.toString().replaceAll('__name', '(x=>x)'), ms, from] as const,
      ),
    async bytes() {
      await session.send('HeapProfiler.collectGarbage');
      const measured = await page.evaluate(() =>
        (performance as unknown as { measureUserAgentSpecificMemory(): Promise<{ bytes: number }> })
          .measureUserAgentSpecificMemory()
          .then(({ bytes }) => bytes),
      );
      return measured;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

const place = await (values.page ? inPage() : inNode());
const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
const total: Done = { rounds: 0, aborted: 0, faults: [] };
const measured: number[] = [];
try {
  for (let minute = 1; minute <= minutes; minute++) {
    const { rounds, aborted, faults } = await place.run(60_000, seed + minute);
    total.rounds += rounds;
    total.aborted += aborted;
    total.faults.push(...faults);
    measured.push(await place.bytes());
    console.log(
      `minute ${minute}: ${total.rounds} rounds, ${total.aborted} aborted, ${mebibytes(measured.at(-1) as number)} MiB`,
    );
  }
} finally {
  await place.close();
}

/** The median of the first and of the last quarter: a leak raises the second. */
const median = (list: number[]) => [...list].sort((a, b) => a - b)[list.length >> 1] as number;
const quarter = Math.max(1, measured.length >> 2);
const [first, last] = [median(measured.slice(0, quarter)), median(measured.slice(-quarter))];
console.log(
  `${mebibytes(first)} MiB in the first quarter, ${mebibytes(last)} MiB in the last; faults: ${total.faults.length}`,
);
for (const fault of new Set(total.faults)) console.log(fault);
if (total.faults.length > 0 || last > 1.1 * first + 2 ** 24) process.exitCode = 1;
