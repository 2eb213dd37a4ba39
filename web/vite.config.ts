// The playground: a folder of files that any static host can serve from any sub-path (npm run build:web), and the same folder
// served here with the headers that threads need (npm run web).

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { licenseTexts } from '../scripts/licenses.js';

const package_ = resolve(import.meta.dirname, '..');

/**
 * The built package. Learn has a copy of its own with what it uses and no more: one copy for all parts would hold
 * everything that any of them uses, and a student would load trainers and readers of files for nothing.
 */
function builtPackage(): Plugin {
  const files: Record<string, string> = {
    'perceptron-wasm': 'dist/index.js',
    'perceptron-wasm/io': 'dist/io.js',
    'perceptron-wasm/prepare': 'dist/prepare.js',
    'perceptron-wasm/scalar': 'dist/scalar.js',
    'perceptron-wasm/select': 'dist/select.js',
    'perceptron-wasm/worker.js?url': 'dist/worker.js?url',
  };
  return {
    name: 'built-package',
    enforce: 'pre',
    resolveId(id, importer = '') {
      const file = files[id];
      if (file === undefined) return undefined;
      const path = resolve(package_, file);
      return file === 'dist/index.js' && /\/web\/src\/learn\//.test(importer) ? `${path}?learn` : path;
    },
  };
}

/**
 * What a page, and whatever runs in it, may load and connect to: its own files. The page has it in a meta element, so that it
 * holds on any host; workers take theirs from the headers that their own file comes with.
 */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const policyInPage: Plugin = {
  name: 'policy-in-page',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replace('{{policy}}', policy) },
};

/**
 * With the first two a page may share memory between threads; with the third a framed page (`?embed=1`) may be of another
 * site; the last binds workers.
 */
export const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': policy,
};

/** The files that the page and its worker are made of; the worker is bundled first. */
const bundled = new Set<string>();

/** The licences of this page and of the packages in it, in a file beside them: minifiers take comments out. */
const licenses = (isPage: boolean): Plugin => ({
  name: 'licenses',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk') for (const file of chunk.moduleIds) bundled.add(file);
    }
    if (!isPage) return;
    const ours = readFileSync(resolve(package_, 'LICENSE'), 'utf8').trim();
    const source = `perceptron-wasm\n\n${ours}\n\nThis page contains parts of:\n\n${licenseTexts(bundled)}`;
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
  },
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'link', attrs: { rel: 'license', href: './licenses.txt' }, injectTo: 'head' }],
  },
});

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [builtPackage(), policyInPage, licenses(true)],
  // “Your data” reads and trains in a worker, which is a bundle of its own.
  worker: {
    format: 'es',
    plugins: () => [builtPackage(), licenses(false)],
    // perceptron-wasm/io loads perceptron-wasm/select when a model needs it; here it is there already.
    rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
  },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // The page's policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  preview: { headers, open: false },
});
