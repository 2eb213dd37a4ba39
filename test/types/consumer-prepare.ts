// A consumer's code of `perceptron-wasm/prepare`: every public export once, with no library but es2022's. Compiled by
// test/package.long.test.ts against the packed package, and by `npm run typecheck`; never run.

import { type AnyModel, Perceptron, Scaler } from 'perceptron-wasm';
import { loadModel, Pipeline } from 'perceptron-wasm/prepare';

declare const json: unknown;

const pipeline = new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron<string>());
const loaded: AnyModel<string> = loadModel<string>(json);

export { loaded, pipeline };
