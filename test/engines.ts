// The one list of engines; suites loop over it.

import '../src/scalar.js'; // 'wasm-scalar'
import type { EngineKind } from '../src/index.js';

export const engines: readonly EngineKind[] = ['wasm-simd', 'wasm-scalar', 'js'];
