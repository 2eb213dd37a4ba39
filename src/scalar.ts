// `perceptron-wasm/scalar`: importing it makes engine 'wasm-scalar' available, for platforms without SIMD and for
// comparisons (docs/adr/0014). The core is a file beside it, so both have one list of engines.

import { scalar } from './engine/wasm/scalar.js';
import { registerScalar } from './index.js';

registerScalar(scalar);
