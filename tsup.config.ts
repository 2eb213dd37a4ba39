import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { licenseTexts } from './scripts/licenses.js';

const terserOptions = {
  ecma: 2020,
  compress: { passes: 3, lhs_constants: false },
  // In lines: Node shows the line of an uncaught error above its message.
  format: { max_line_len: 400 },
} as const;

const shared: Options = {
  target: 'es2022',
  platform: 'neutral',
  // esbuild's minifier and then terser: 0.5 KB gzip less than esbuild alone, 0.2 less than terser alone.
  minify: 'terser',
  terserOptions,
  sourcemap: false,
  removeNodeProtocol: false,
};

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * The core, the readers, prepare and select are files beside whoever imports them, not copies inside: matrices are known to one copy of
 * the core alone.
 */
const CORE = /^\.\.?\/index\.js$/;
const beside = (isEdge = false): Plugin => ({
  name: 'beside',
  setup({ initialOptions, onResolve }) {
    const isCjs = initialOptions.format === 'cjs';
    const besides = (name: string) => ({ path: `./${name}.${isCjs ? 'cjs' : 'js'}`, external: true });
    // require, not import(): the names that a minified CommonJS file exports are hidden from import().
    if (isCjs) initialOptions.supported = { ...initialOptions.supported, 'dynamic-import': false };
    onResolve({ filter: CORE }, () => besides(isEdge ? 'edge' : 'index'));
    onResolve({ filter: /^\.\.\/io\/index\.js$/ }, () => besides('io'));
    onResolve({ filter: /^\.\/team\.js$/ }, () => besides('io-threads')); // loaded when a reader starts threads
    onResolve({ filter: /^\.\.\/prepare\/index\.js$/ }, () => besides(isEdge ? 'edge-prepare' : 'prepare'));
    onResolve({ filter: /^\.\.\/select\/index\.js$/ }, () => besides(isEdge ? 'edge-select' : 'select'));
    onResolve({ filter: /^\.\.\/cluster\/index\.js$/ }, () => besides('cluster'));
    onResolve({ filter: /^\.\.\/scalar\.js$/ }, () => ({ path: './scalar.js', external: true, sideEffects: true }));
  },
});

/**
 * An ES module of the core loads the prover as a file beside it, by one that bundlers drop (scripts/copy-files.mjs). The CommonJS file
 * needs no other.
 */
const withProver: Plugin = {
  name: 'with-prover',
  setup({ initialOptions: { format }, onResolve }) {
    const inside = { path: resolve('src/prove.ts'), sideEffects: true };
    const beside = { path: './prover.js', external: true, sideEffects: true };
    onResolve({ filter: /^\.\/prove\.js$/ }, () => (format === 'cjs' ? inside : beside));
  },
};

/** The folders of the core from the kernels up. */
const LAYERS = ['engine/js', 'engine', 'async', 'gram', 'memory', 'proof', 'data', 'model', 'train', 'trainers'];

/**
 * Puts the files of a folder next to each other. gzip looks back 32 kB: in the order in which files first import one another, the core
 * is 0.9 kB larger (docs/adr/0030). Files that nothing uses stay out.
 */
const byLayers: Plugin = {
  name: 'by-layers',
  setup({ initialOptions, onLoad }) {
    initialOptions.logOverride = { ...initialOptions.logOverride, 'ignored-bare-import': 'silent' };
    const files = LAYERS.flatMap((folder) => {
      const names = readdirSync(`src/${folder}`).filter((name) => name.endsWith('.ts'));
      return names.sort().map((name) => `import './${folder}/${name}';\n`);
    });
    onLoad({ filter: /[\\/]src[\\/]index\.ts$/ }, ({ path }) => ({
      contents: files.join('') + readFileSync(path, 'utf8'),
      loader: 'ts',
    }));
  },
};

/** What others wrote comes with their licences. */
const licenses: Plugin = {
  name: 'licenses',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      const texts = licenseTexts(Object.keys(metafile?.inputs ?? {}));
      mkdirSync('dist', { recursive: true });
      writeFileSync(
        'dist/cli.licenses.txt',
        `The command (cli.js and the files that it loads) contains parts of:\n\n${texts}`,
      );
    });
  },
};

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts' },
    format: ['esm', 'cjs'],
    esbuildPlugins: [withProver, byLayers],
    // esbuild, as a user's bundler, makes 2 % less of functions and constants that are not inlined (docs/adr/0024); others the same.
    terserOptions: {
      ...terserOptions,
      compress: { ...terserOptions.compress, reduce_funcs: false, reduce_vars: false },
    },
    // Members marked @internal are for the trainers among themselves.
    dts: { compilerOptions: { ignoreDeprecations: '6.0', stripInternal: true } },
    esbuildOptions(options) {
      options.minify = true;
      // First in the bundle: that much text in the middle would push half of the code out of gzip's window (another 0.5 KB).
      options.inject = ['src/engine/wasm/simd.ts'];
    },
  },
  {
    ...shared,
    entry: { edge: 'src/edge.ts' },
    format: ['esm'],
    external: [/\.wasm\?module$/],
    esbuildPlugins: [withProver, byLayers],
    esbuildOptions(options) {
      options.minify = true;
    },
  },
  {
    ...shared,
    entry: { cli: 'src/cli/main.ts' },
    format: ['esm'],
    splitting: true, // a command is loaded when it is called
    platform: 'node',
    noExternal: ['cli-progress'],
    esbuildPlugins: [beside(), licenses],
    // cli-progress is CommonJS and asks for parts of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    esbuildOptions(options) {
      options.minify = true;
    },
  },
  {
    ...shared,
    entry: {
      io: 'src/io/index.ts',
      'io-threads': 'src/io/team.ts',
      prepare: 'src/prepare/index.ts',
      select: 'src/select/index.ts',
    },
    format: ['esm', 'cjs'],
    // Each whole in its own file.
    splitting: false,
    external: ['hyparquet'], // an optional peer
    esbuildPlugins: [beside()],
    esbuildOptions(options) {
      options.minify = true;
    },
  },
  {
    ...shared,
    entry: { cluster: 'src/cluster/index.ts' },
    format: ['esm', 'cjs'],
    platform: 'node',
    external: ['bullmq', 'ioredis'], // optional peers
    esbuildPlugins: [beside()],
    esbuildOptions(options) {
      options.minify = true;
    },
  },
  {
    ...shared,
    entry: { prove: 'src/prove.ts', scalar: 'src/scalar.ts' },
    format: ['esm', 'cjs'],
    esbuildPlugins: [beside()],
    esbuildOptions(options) {
      options.minify = true;
    },
  },
  {
    ...shared,
    entry: {
      'edge-io': 'src/io/index.ts',
      'edge-prepare': 'src/prepare/index.ts',
      'edge-select': 'src/select/index.ts',
    },
    format: ['esm'],
    splitting: false,
    external: ['hyparquet'],
    esbuildPlugins: [beside(true)],
    esbuildOptions(options) {
      options.minify = true;
    },
  },
  {
    ...shared,
    entry: { predict: 'src/predict/index.ts' },
    format: ['esm', 'cjs'],
    // Long lines: those of 400 characters take 110 bytes of the 12,000 that this file may have.
    terserOptions: { ...terserOptions, format: { max_line_len: 3000 } },
    dts: { compilerOptions: { ignoreDeprecations: '6.0', stripInternal: true } },
    esbuildOptions(options) {
      options.minify = true;
    },
  },
  ...['cluster', 'io', 'prepare', 'select'].map(
    (name): Options => ({
      entry: { [name]: `src/${name}/index.ts` },
      format: ['esm', 'cjs'],
      external: [CORE, /^\.\.\/prepare\/index\.js$/, ...(name === 'cluster' ? [/^\.\.\/(io|select)\/index\.js$/] : [])], // scripts/beside-types.mjs puts the right one in
      dts: { only: true, compilerOptions: { ignoreDeprecations: '6.0', stripInternal: true } },
    }),
  ),
]);
