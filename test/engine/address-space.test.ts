// Little address space (`ulimit -v`): a WebAssembly.Memory reserves some 10 GB of it, a plain buffer only its size.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'perceptron-limits-'));
const bundle = join(folder, 'bundle.mjs');

beforeAll(() => {
  const stdin = { contents: `export * from './src/index.ts';`, resolveDir: root };
  buildSync({ stdin, bundle: true, format: 'esm', platform: 'node', outfile: bundle });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Trains the worked example in a process of 4 GB of address space; gives its report, or the error's message. */
function trained(options: string, flags: readonly string[] = []): unknown {
  const code = `
    import { Perceptron, createEngine } from '${pathToFileURL(bundle).href}';
    const tell = (value) => console.log(JSON.stringify(value));
    const train = (options) => new Perceptron(options).fit([[3, 3], [4, 3], [1, 1]], [1, 1, -1]).report;
    try { tell(train(${options})) } catch (error) { tell(error.message) }`;
  const line = 'ulimit -v 4000000 && exec "$0" "$@"';
  const args = ['--norc', '-c', line, process.execPath, ...flags, '--input-type=module', '-e', code];
  const { stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8', timeout: 60_000 });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const CAUSE =
  'WebAssembly.Memory(): could not allocate memory; with little address space (ulimit -v), start node with --disable-wasm-trap-handler';

describe.skipIf(process.platform !== 'linux')('where address space is limited', () => {
  test.each(["{ engine: 'js' }", "{ engine: createEngine({ kind: 'js' }) }"])('the js engine works: %s', (options) => {
    const report = trained(options);
    expect(report).toMatchObject({ engine: 'js', mistakes: 7, converged: true });
    expect(report).not.toHaveProperty('engineReason');
  });

  test("'auto' falls back to js, and the report names the cause and the flag", () => {
    expect(trained('{}')).toMatchObject({
      engine: 'js',
      mistakes: 7,
      engineReason: `no wasm-simd: ${CAUSE}; no wasm-scalar: ${CAUSE}`,
    });
  });

  test.each(["'wasm-simd'", "createEngine({ kind: 'wasm-simd' })"])(
    'engine %s names the cause and the flag',
    (engine) => {
      expect(trained(`{ engine: ${engine} }`)).toBe(`engine 'wasm-simd' is not available: ${CAUSE}`);
    },
  );

  test('the flag helps', () => {
    const flags = ['--disable-wasm-trap-handler'];
    expect(trained("{ engine: 'wasm-simd' }", flags)).toMatchObject({ engine: 'wasm-simd', mistakes: 7 });
  });
});
