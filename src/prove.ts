/**
 * The prover behind `diagnose(X, y, { prove: true })`. Importing it is enough; Node loads it with the core, bundlers leave it out unless a
 * program imports it ([ADR 0025](../docs/adr/0025-prove-entry.md)). It imports nothing of the core and hands itself over by a name.
 *
 * @module perceptron-wasm/prove
 */

import { prove } from './proof/prove.js';
import { provideProver } from './proof/provider.js';

provideProver(prove);
