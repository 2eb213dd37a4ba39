// The playground: a folder of files that any static host can serve from any sub-path (npm run build:web), and the same folder
// served here with the headers that threads need (npm run web).

import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const package_ = resolve(import.meta.dirname, '..');

/**
 * The built package. Learn has a copy of its own with what it uses and no more: one copy for all parts would hold
 * everything that any of them uses, and a student would load trainers and readers of files for nothing.
 */
function builtPackage(): Plugin {
  const files: Record<string, string> = {
    'perceptron-wasm': 'dist/index.js',
    'perceptron-wasm/io': 'dist/io.js',
    'perceptron-wasm/scalar': 'dist/scalar.js',
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

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [builtPackage(), policyInPage],
  // “Your data” reads and trains in a worker, which is a bundle of its own.
  worker: { format: 'es', plugins: () => [builtPackage()] },
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
