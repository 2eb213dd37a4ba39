// How large the package is, as its users load it; fails where a limit is exceeded. Run after `npm run build`.
//
// Bundles are made from dist/ as a user's bundler makes them (esbuild: minified, tree-shaken, chunks split off). A size is that of the
// entry with every chunk that it imports statically, gzip -9 each; what a dynamic import() loads later does not count.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

const dist = (file: string) => resolve('dist', file);
const packed = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }).length;

/** The outputs that an output loads at once: itself, and what these import statically. */
function loadedBy(path: string, outputs: Metafile['outputs'], found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement' && !external) loadedBy(next, outputs, found);
  }
  return found;
}

/** The size of what a script loads; `external`: files that whoever loads it has already. */
async function bundled(script: string, external: string[] = []): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: script, resolveDir: process.cwd(), sourcefile: 'entry.js' },
    outdir: 'out',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    treeShaking: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    external,
    // The core's import of the prover (docs/adr/0025), and that of the kernels by the chunk of threads, which uses nothing of them.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint !== undefined)?.[0];
  if (entry === undefined) throw new Error('esbuild made no entry');
  const loaded = [...loadedBy(entry, metafile.outputs)].map((path) => resolve(path));
  return outputFiles
    .filter(({ path }) => loaded.includes(path))
    .reduce((sum, { contents }) => sum + packed(contents), 0);
}

/** Bytes, gzip -9 but for the kernels, which are as they are; and the most that they may be. Limits go down as the core does, never up unnoticed. */
interface Size {
  readonly name: string;
  readonly limit: number;
  readonly bytes: number;
}

if (!existsSync(dist('index.js'))) throw new Error('there is no dist/: run `npm run build` first');
const everything = (file: string) => `export * from ${JSON.stringify(dist(file))};`;
const core = dist('index.js');
const sizes: Size[] = [
  {
    name: 'Perceptron alone',
    limit: 46_000, // docs/adr/0030 says what it is made of
    bytes: await bundled(`export { Perceptron } from ${JSON.stringify(core)};`),
  },
  { name: 'whole core', limit: 77_900, bytes: await bundled(everything('index.js')) },
  { name: 'io, beside the core', limit: 37_900, bytes: await bundled(everything('io.js'), [core]) }, // docs/adr/0029
  { name: 'threads of io', limit: 9_000, bytes: packed(readFileSync(dist('io-threads.js'))) }, // docs/adr/0029: loaded for large files
  { name: 'prepare, beside it', limit: 16_500, bytes: await bundled(everything('prepare.js'), [core]) },
  {
    name: 'select, beside both',
    limit: 17_200,
    bytes: await bundled(everything('select.js'), [core, dist('prepare.js')]),
  },
  {
    name: 'cluster, beside them',
    limit: 16_600, // Node alone loads it: coordinator, worker and mixing; 0.5 kB of it checks what comes from the queue
    bytes: await bundled(everything('cluster.js'), [
      ...[core, dist('io.js'), dist('prepare.js'), dist('select.js')],
      ...['node:*', 'bullmq', 'ioredis'],
    ]),
  },
  {
    name: 'scalar, beside it',
    limit: 7_200,
    bytes: await bundled(`import ${JSON.stringify(dist('scalar.js'))};`, [core]),
  },
  ...(existsSync(dist('predict.js'))
    ? [
        // The contract's 12,000 are for the file as it is published; webpack's and Vite's minifiers make it smaller, esbuild's larger.
        { name: 'predict, published', limit: 12_000, bytes: packed(readFileSync(dist('predict.js'))) },
        { name: 'predict, by esbuild', limit: 12_600, bytes: await bundled(everything('predict.js')) },
      ]
    : []),
  { name: 'worker script', limit: 500, bytes: packed(readFileSync(dist('worker.js'))) },
  { name: 'simd.wasm, raw', limit: 24_300, bytes: readFileSync(dist('simd.wasm')).length },
  { name: 'scalar.wasm, raw', limit: 16_000, bytes: readFileSync(dist('scalar.wasm')).length },
];

const number = (value: number) => value.toLocaleString('en');
console.log(`${''.padEnd(20)}${'bytes'.padStart(8)}${'limit'.padStart(8)}`);
for (const { name, limit, bytes } of sizes) {
  const remark = bytes > limit ? `  ${number(bytes - limit)} too many` : '';
  console.log(`${name.padEnd(20)}${number(bytes).padStart(8)}${number(limit).padStart(8)}${remark}`);
}
if (sizes.some(({ bytes, limit }) => bytes > limit)) process.exitCode = 1;
