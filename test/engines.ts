// The one list of engines; suites loop over it.

import '../src/scalar.js'; // 'wasm-scalar'
import type { EngineKind } from '../src/index.js';
import { someOf } from './effort.js';

export const engines: readonly EngineKind[] = ['wasm-simd', 'wasm-scalar', 'js'];

/** For suites that take long: `npm test` leaves one out, `npm run test:long` has them all. */
export const someEngines = someOf(engines, ['wasm-simd', 'js']);
