// The entry `perceptron-wasm/scalar` calls this (docs/adr/0014).

import { chooseAgain } from './engine.js';
import { type Binary, provideScalar } from './wasm/load.js';

/** Makes engine 'wasm-scalar' available. */
export function registerScalar(binary: Binary): void {
  provideScalar(binary);
  chooseAgain();
}
