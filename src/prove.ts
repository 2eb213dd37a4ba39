// `perceptron-wasm/prove`: the prover behind `diagnose(…, { prove: true })`. Node loads it with the core; bundlers leave it out
// unless a program imports it (docs/adr/0025). It imports nothing of the core and hands itself over by a name.

import { prove } from './proof/prove.js';
import { provideProver } from './proof/provider.js';

provideProver(prove);
