// The complete kernel ABI. Arguments are byte offsets into the one imported memory, counts, and numbers;
// `element` says how values of X are stored (layout.ts). Kernels allocate nothing,
// check nothing and keep no state: their files state the preconditions.

export { applyDual, runDual, scanDual } from './dual';
export { exp, exps, power } from './exp';
export { integerTile, interleave_f32, interleave_f64, mirror, pairPanel, pairRow, tile } from './gram';
export { transform } from './kernel';
export { runMany } from './many';
export { squaredNorms } from './norms';
export { apply, run, scan } from './primal';
export { rowDot } from './dot';
export { scores } from './scores';
export { step } from './step';
export { countColumns, fillColumns, pairSparse, placeColumns, planeDots, sparseNorms } from './sparse';
export { nthWrong, tally } from './tally';

// The hot loops. Each is exported so that V8 tiers it up on its own and tests can call it.
export { dot_f32, dot_f64, dots12_f32, dots12_f64, dots4_f32, dots4_f64, dots8_f32, dots8_f64 } from './dot';
export { halfDots2, split } from './halves';
export { integerAxpy, integerDots4, integerPanel, integerWiden } from './integers';
export { sparseAxpy, sparseDot } from './sparse';
export { axpy_f32, axpy_f64, seekOne, stepDots4_f32, stepDots4_f64 } from './step';
export { seekAny, seekUnit } from './seek';
