// The entry for runtimes that refuse to compile bytes (conditions `workerd` and `edge-light`): there the
// kernels come as modules that the platform compiled when it deployed the code.

import { provideModules } from './engine/wasm/load.js';
import { neverShare } from './memory/backing.js';
import scalar from './scalar.wasm?module';
import simd from './simd.wasm?module';

neverShare();
provideModules({ simd, scalar });

export * from './index.js';
