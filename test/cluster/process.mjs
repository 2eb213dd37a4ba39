// A process of a cluster, for tests: a worker, or a coordinator that mixes. It ends with its parent.
//
//   node process.mjs ENTRY worker OPTIONS        says "ready NAME"; `deadly: N`: it dies when it opens its Nth file, in a job
//   node process.mjs ENTRY mix OPTIONS           says "epoch N" after each, and then the model and the report

import { createRequire, syncBuiltinESMExports } from 'node:module';

const [entry, what, text] = process.argv.slice(2);
const { url, deadly, graceMs, ...options } = JSON.parse(text);
if (deadly) {
  const files = createRequire(import.meta.url)('node:fs/promises');
  const { open } = files;
  let count = 0;
  files.open = (...args) => (++count < deadly ? open(...args) : process.kill(process.pid, 'SIGKILL'));
  syncBuiltinESMExports();
}
const { connectCluster, startWorker } = await import(entry);
const { Perceptron } = await import(new URL('./index.js', entry).href);

process.stdin.resume().on('end', () => process.exit(1));
const say = (line) => process.stdout.write(`${line}\n`);

if (what === 'worker') {
  const worker = await startWorker({ url, ...options });
  process.on('SIGTERM', async () => {
    await worker.close(graceMs);
    process.exit(0);
  });
  say(`ready ${worker.name}`);
} else {
  const { trainer, ...mix } = options;
  const cluster = await connectCluster({ url });
  const mixed = await cluster.trainMixed(new Perceptron(trainer), {
    ...mix,
    onEpoch: ({ epoch }) => say(`epoch ${epoch}`),
  });
  say(JSON.stringify({ model: mixed.model, report: mixed.report }));
  process.exit(0);
}
