// Which file of src/ may import which: imports point one way. A folder imports folders to its right in ORDER, and everybody may
// import the leaves. io, prepare, select and cli take the core by its public names, index.ts.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** From what users call down to bytes. Some are still to come. */
const ORDER = ['trainers', 'train', 'encode', 'model', 'proof', 'gram', 'worker', 'async', 'data', 'engine', 'memory'];

/** Without state, so that two copies of them (in the core and in io) do no harm; they import leaves alone. */
const LEAVES = [
  'src/errors.ts',
  'src/escape.ts',
  'src/own.ts',
  'src/random.ts',
  'src/turn.ts',
  'assembly/layout.ts',
  'assembly/exp-constants.ts',
];

/** Files beside the folders: what the package offers. They bind the core together, or to a platform. */
const ENTRIES = ['src/index.ts', 'src/edge.ts', 'src/prove.ts', 'src/scalar.ts'];

/** What those outside of the core may import: files, and folders whose files have no state. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  cli: [
    'src/index.ts',
    'src/cluster/index.ts',
    'src/scalar.ts',
    'src/io/index.ts',
    'src/prepare/index.ts',
    'src/select/index.ts',
    'src/select/curves.ts', // these three are without state; the package does not offer them
    'src/select/maps.ts',
    'src/select/sigmoid.ts',
    'package.json',
  ],
  cluster: [
    'src/index.ts',
    'src/model/json.ts',
    'src/io/index.ts',
    'src/prepare/index.ts',
    'src/select/index.ts',
    'package.json',
  ],
  // And what starts a worker of any script, without state.
  io: [
    'src/index.ts',
    'src/prepare/index.ts',
    'src/select/index.ts',
    'src/worker/handle.ts',
    'src/worker/platform.ts',
    'src/worker/port.ts',
  ],
  prepare: ['src/index.ts', 'src/encode/', 'src/model/json.ts', 'src/data/entries.ts', 'src/data/stages.ts'],
  // Checks of options and labels without state, how tables are recognised, and how many processors there are.
  select: [
    'src/index.ts',
    'src/prepare/index.ts',
    'src/encode/',
    'src/engine/js/exp.ts',
    'src/model/json.ts',
    'src/data/labels.ts',
    'src/data/parts.ts',
    'src/train/checks.ts',
    'src/worker/platform.ts',
  ],
  // Raw values to numbers, for prepare and predict: how saved ones are read, and rows.
  encode: ['src/model/', 'src/data/'],
  // What saved models need to answer: how they are read, plain kernels, and how scores become probabilities. The last test says what
  // it must not bring along.
  predict: ['src/encode/', 'src/model/', 'src/gram/', 'src/data/', 'src/engine/', 'src/select/maps.ts'],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const textOf = ({ from, to }: Import) => `${from} → ${to}`;

/** The folder of src/ that a file is in; a file beside the folders has none. */
const folderOf = (file: string): string | undefined => file.match(/^src\/([^/]+)\//)?.[1];

/** All imports of files by files, types too; both named from the root. */
function importsOf(from: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, from), 'utf8'), true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.') && !name.endsWith('.wasm?module'))
    .map((name) => ({ from, to: join(from, '..', name).replace(/\.js$/, '.ts') }));
}

function isAllowed({ from, to }: Import): boolean {
  if (LEAVES.includes(to)) return true;
  if (LEAVES.includes(from)) return false;
  const [folder, other] = [folderOf(from), folderOf(to)];
  if (folder !== undefined && folder === other) return true;
  if (from === 'src/index.ts' && to === 'src/prove.ts') return true; // for its effect
  if (ENTRIES.includes(from)) return to === 'src/index.ts' || (other !== undefined && ORDER.includes(other));
  const outside = OUTSIDE[folder ?? ''];
  if (outside) return outside.some((each) => (each.endsWith('/') ? to.startsWith(each) : to === each));
  if (folder === undefined || other === undefined) return false;
  const [at, below] = [ORDER.indexOf(folder), ORDER.indexOf(other)];
  return at >= 0 && at < below;
}

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('src', name))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
const imports = files.flatMap(importsOf);

test('every import is of a file that exists', () => {
  expect(imports.length).toBeGreaterThan(300);
  expect(imports.filter(({ to }) => !existsSync(join(root, to))).map(textOf)).toEqual([]);
});

test('every folder has its place in the order', () => {
  const placed = [...ORDER, ...Object.keys(OUTSIDE)];
  const folders = new Set(files.flatMap((file) => folderOf(file) ?? []));
  expect([...folders].filter((folder) => !placed.includes(folder))).toEqual([]);
});

test('imports point one way', () => {
  expect(imports.filter((each) => !isAllowed(each)).map(textOf)).toEqual([]);
});

test('Perceptron alone brings nothing of Gram matrices', async () => {
  const { metafile } = await build({
    stdin: { contents: "export { Perceptron } from './src/index.ts'", resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logOverride: { 'ignored-bare-import': 'silent' }, // of src/prove.ts, as in bundles of the package (docs/adr/0025)
  });
  const [bundle] = Object.values(metafile.outputs);
  const held = Object.entries(bundle?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  expect(held.map(([file]) => file).filter((file) => file.startsWith('src/gram/'))).toEqual([]);
});

test.runIf(existsSync(join(root, 'src/predict/index.ts')))(
  'predict brings neither training nor WebAssembly',
  async () => {
    const { metafile } = await build({
      entryPoints: [join(root, 'src/predict/index.ts')],
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
    });
    const [bundle] = Object.values(metafile.outputs);
    const held = Object.entries(bundle?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const unwanted = /^src\/(trainers|train|gram\/(?!kernel)|worker|async|memory|engine\/(?!js\/))/;
    expect(held.map(([file]) => file).filter((file) => unwanted.test(file))).toEqual([]);
  },
);
