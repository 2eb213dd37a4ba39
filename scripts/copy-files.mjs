// Files beside the bundle: the raw binaries, for those who compile the kernels themselves (exports ./simd.wasm, ./scalar.wasm),
// and the script of worker threads, for pages that forbid inlined ones (exports ./worker.js). The types of ./prove and
// ./scalar, which export nothing. And what the core imports for the prover: not in "sideEffects" of package.json, as prove.js is, so
// bundlers drop it (docs/adr/0025).
import { copyFileSync, writeFileSync } from 'node:fs';

for (const target of ['simd', 'scalar']) copyFileSync(`build/${target}.wasm`, `dist/${target}.wasm`);
copyFileSync('build/worker.js', 'dist/worker.js');
for (const entry of ['prove', 'scalar']) {
  for (const kind of ['ts', 'cts']) writeFileSync(`dist/${entry}.d.${kind}`, 'export {};\n');
}
writeFileSync('dist/prover.js', "import './prove.js';\n");
