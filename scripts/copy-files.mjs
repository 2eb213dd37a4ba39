// Files beside the bundle: the raw binaries, for those who compile the kernels themselves (exports ./simd.wasm, ./scalar.wasm),
// and the script of worker threads, for pages that forbid inlined ones (exports ./worker.js). And the types of ./scalar, which
// exports nothing.
import { copyFileSync, writeFileSync } from 'node:fs';

for (const target of ['simd', 'scalar']) copyFileSync(`build/${target}.wasm`, `dist/${target}.wasm`);
copyFileSync('build/worker.js', 'dist/worker.js');
for (const kind of ['ts', 'cts']) writeFileSync(`dist/scalar.d.${kind}`, 'export {};\n');
