// The commands. main.ts loads them when the arguments of a call are right: this file brings the library along.

import '../scalar.js'; // engine 'wasm-scalar'

export { compareCommand } from './compare.js';
export { exportModel } from './export.js';
export { gen } from './gen.js';
export { inspect } from './inspect.js';
export { predict } from './predict.js';
export { train } from './train.js';
export { tune } from './tune.js';
export { worker } from './worker.js';
