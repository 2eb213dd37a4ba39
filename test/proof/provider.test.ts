// `perceptron-wasm/prove`: where a bundler left the prover out, `diagnose` says what to import.

import { expect, test, vi } from 'vitest';
import { DualPerceptron, MulticlassPerceptron, Perceptron } from '../../src/index.js';

const X = [
  [0, 0],
  [1, 1],
  [0, 1],
  [1, 0],
];
const y = [0, 0, 1, 1];

test.each([Perceptron, DualPerceptron, MulticlassPerceptron])(
  'without the prover %o diagnoses, and "prove" is an error that says what to import; with it, it proves',
  async (Trainer) => {
    const model = new Trainer<number>({ maxEpochs: 1 }).fit(X, y);
    expect(Reflect.deleteProperty(globalThis, Symbol.for('perceptron-wasm/prove'))).toBe(true);
    expect(model.diagnose(X, y)).toMatchObject({ samples: 4 });
    expect(() => model.diagnose(X, y, { prove: true })).toThrow(
      new Error(`"prove" needs the prover, which bundlers leave out: add "import 'perceptron-wasm/prove'"`),
    );
    vi.resetModules();
    await import('../../src/prove.js');
    expect(model.diagnose(X, y, { prove: true }).separable).toBe('no');
  },
);
