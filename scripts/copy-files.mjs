// Files beside the bundle: the raw binaries, for those who compile the kernels themselves (exports ./simd.wasm, ./scalar.wasm),
// and the script of worker threads, for pages that forbid inlined ones (exports ./worker.js).
import { copyFileSync } from 'node:fs';

for (const target of ['simd', 'scalar']) copyFileSync(`build/${target}.wasm`, `dist/${target}.wasm`);
copyFileSync('build/worker.js', 'dist/worker.js');
