// What a cluster costs beside the local calls: `npm run bench:cluster`. It starts a redis-server of its own (REDIS_SERVER, or
// on the PATH) and worker processes on this machine; contestants take turns, and the medians of the rounds are printed.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Perceptron } from 'perceptron-wasm';
import { type Cluster, connectCluster, trainMixed } from 'perceptron-wasm/cluster';
import { readData } from 'perceptron-wasm/io';
import { crossValidate } from 'perceptron-wasm/select';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const FOLDS = 20;
const folder = mkdtempSync(join(tmpdir(), 'perceptron-bench-'));
const cli = fileURLToPath(new URL('dist/cli.js', import.meta.resolve('perceptron-wasm/package.json')));
const running: ChildProcess[] = [];
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const port = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    server.close(() => resolve(port));
  });
});
const url = `redis://127.0.0.1:${port}`;
const program = process.env.REDIS_SERVER ?? 'redis-server';
running.push(
  spawn(program, ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''], { stdio: 'ignore' }),
);

/** Starts worker processes, and ends them with `work`. */
async function withWorkers<T>(count: number, work: (workers: readonly ChildProcess[]) => Promise<T>): Promise<T> {
  const workers = Array.from({ length: count }, () =>
    spawn(process.execPath, [cli, 'worker', '--redis', url, '--data-root', folder, '--threads', '1'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  running.push(...workers);
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.stderr?.once('data', resolve))));
  try {
    return await work(workers);
  } finally {
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))));
  }
}

/** The processor time of processes so far, in milliseconds, where the system tells (Linux): it does not depend on who else is there. */
const cpuOf = (workers: readonly ChildProcess[]): number =>
  workers.reduce((sum, { pid }) => {
    const path = `/proc/${pid}/stat`;
    if (!existsSync(path)) return Number.NaN;
    const fields = readFileSync(path, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return sum + 10 * (Number(fields[11]) + Number(fields[12]));
  }, 0);

const cpuHere = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const median = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] as number;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** A text of noise around a plane: `rows` × `cols`, dense in LIBSVM or CSV. */
function csv(rows: number, cols: number, seed: number): string {
  let state = seed;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 23 - 1;
  };
  return `${Array.from({ length: rows }, () => {
    const x = Array.from({ length: cols }, () => draw().toFixed(3));
    return `${x.join()},${Number(x[0]) + draw() > 0 ? 1 : 0}`;
  }).join('\n')}\n`;
}

const say = (what: string, found: string, target: string) =>
  console.log(`${what.padEnd(66)}${found.padStart(12)}   target ${target}`);
const ms = (value: number) => `${value.toFixed(2)} ms`;

writeFileSync(join(folder, 'rows.csv'), csv(20_000, 500, 1));
const { X, y } = await readData(join(folder, 'rows.csv'));
let cluster: Cluster = await connectCluster({ url });
const again = async () => {
  await cluster.close();
  cluster = await connectCluster({ url });
};
console.log(
  `Node ${process.version}, ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}, medians of ${ROUNDS} rounds`,
);

const empty = { name: 'nothing', job: { kind: 'nothing' } } as const;
const jobs = (cluster as unknown as { tasks: { run(tasks: readonly object[], options: object): Promise<unknown> } })
  .tasks;
await withWorkers(1, async () => {
  for (let i = 0; i < 50; i++) await jobs.run([empty], {}); // warm
  const single: number[] = [];
  for (let i = 0; i < 200; i++) single.push(await timed(() => jobs.run([empty], {})));
  say('an empty job', ms(median(single)), '2.50');
  const bulk: number[] = [];
  for (let i = 0; i < 5; i++) bulk.push((await timed(() => jobs.run(Array(500).fill(empty), {}))) / 500);
  say('an empty job among 500', ms(median(bulk)), '1.00');
});

/** A new seed each time: known folds are not computed again. */
let seed = 0;
const model = () => new Perceptron({ maxEpochs: 20 });
const serial = () =>
  timed(() => crossValidate(model() as never, X as never, y, { folds: FOLDS, seed: ++seed, threads: 1 }));
const remote = () =>
  timed(() => cluster.crossValidate(model() as never, { data: 'rows.csv', folds: FOLDS, seed: ++seed }));
for (const [workers, target] of [
  [1, '1.10'],
  [2, '0.63'],
] as const) {
  await withWorkers(workers, async (processes) => {
    await remote(); // workers read the file
    const ratios: number[] = [];
    const works: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = cpuOf(processes) + cpuHere();
      const there = await remote();
      const between = [cpuOf(processes) + cpuHere(), cpuHere()] as const;
      ratios.push(there / (await serial()));
      works.push((between[0] - before) / (cpuHere() - between[1]));
    }
    say(
      `${FOLDS} folds of 20,000 × 500: ${workers} worker(s), time against one thread here`,
      `${median(ratios).toFixed(2)}×`,
      `${target}×`,
    );
    say('… the same in processor time', `${median(works).toFixed(2)}×`, '1.10×');
    if (workers === 2) say('… faster by', `${(1 / median(ratios)).toFixed(2)}×`, '1.60×');
  });
}
await withWorkers(1, async () => {
  const call = () => cluster.crossValidate(model() as never, { data: 'rows.csv', folds: 10, seed: 1_000_000 });
  await call();
  const known: number[] = [];
  for (let i = 0; i < 10; i++) known.push(await timed(call));
  say('10 finished folds asked again', ms(median(known)), '20');
});
X.dispose();
await again();

// Four shards of 250 rows at d = 10⁴: 20 MB each.
const cols = 10_000;
const shards = Array.from({ length: 4 }, (_, k) => `part-${k}.csv`);
for (const [k, name] of shards.entries()) writeFileSync(join(folder, name), csv(250, cols, k + 7));
const mix = { classes: [0, 1], cols, maxEpochs: 21 };
const everyEpoch = (list: number[]) => ({
  onEpoch: ({ elapsedMs }: { elapsedMs: number }) => void list.push(elapsedMs),
});
/** The median time of an epoch but for the first, which reads the files. */
const epochMs = (ends: readonly number[]) => median(ends.slice(1).map((end, k) => end - (ends[k] as number)));
await withWorkers(2, async () => {
  const more: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [here, there]: [number[], number[]] = [[], []];
    await trainMixed(new Perceptron({ average: true }), {
      ...mix,
      shards: shards.map((name) => join(folder, name)),
      ...everyEpoch(here),
    });
    await cluster.trainMixed(new Perceptron({ average: true }), { ...mix, shards, ...everyEpoch(there) });
    alone.push(epochMs(here));
    more.push(epochMs(there) - epochMs(here));
  }
  say(`an epoch of 4 shards at d = 10⁴ with 2 workers, beyond ${ms(median(alone))} here`, ms(median(more)), '40');
});
await cluster.close();
process.exit(0);
