// The raw binaries beside the bundle, for those who compile the kernels themselves (exports ./simd.wasm, ./scalar.wasm).
import { copyFileSync } from 'node:fs';

for (const target of ['simd', 'scalar']) copyFileSync(`build/${target}.wasm`, `dist/${target}.wasm`);
