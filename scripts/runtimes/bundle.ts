// The program as one file: for runtimes that have files, for pages, and for workerd, which takes compiled kernels.

import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/** The package as it is published, in the place of its sources. */
const published = (core: 'index' | 'edge'): Plugin => ({
  name: 'published',
  setup({ onResolve }) {
    onResolve({ filter: /\/src\/(index|scalar)\.js$/ }, ({ path }) => ({
      // The edge's core has the scalar kernels.
      path: resolve(root, 'dist', path.endsWith('index.js') || core === 'edge' ? `${core}.js` : 'scalar.js'),
    }));
  },
});

/** The text of the program. `main`: what it does, besides exporting `digest`. */
export async function bundle(core: 'index' | 'edge', main = ''): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { digest } from './program.ts'; export { digest, expectedHash } from './program.ts';\n${main}`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['*.wasm?module', 'node:*'],
    plugins: [published(core)],
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  return (outputFiles[0] as (typeof outputFiles)[0]).text;
}
