/**
 * Importing it makes engine `'wasm-scalar'` available, for platforms without SIMD and for comparisons
 * ([ADR 0014](../docs/adr/0014-scalar-entry.md)). The core is a file beside it, so both have one list of engines.
 *
 * @module perceptron-wasm/scalar
 */

import { scalar } from './engine/wasm/scalar.js';
import { registerScalar } from './index.js';

registerScalar(scalar);
