// How the core finds the prover, a file of its own (src/prove.ts): by a name of the whole program, so that every copy of the core,
// ES module or CommonJS, has it as soon as anybody has loaded it.

import type { prove } from './prove.js';

type Prove = typeof prove;

const NAME = Symbol.for('perceptron-wasm/prove');
const program = globalThis as { [NAME]?: Prove };

/** Makes `diagnose(…, { prove: true })` possible. */
export function provideProver(prover: Prove): void {
  program[NAME] = prover;
}

/** The prover. @throws Error if this program does not have it */
export function prover(): Prove {
  const found = program[NAME];
  if (!found) {
    throw new Error(`"prove" needs the prover, which bundlers leave out: add "import 'perceptron-wasm/prove'"`);
  }
  return found;
}
