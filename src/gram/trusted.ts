// Gram matrices that need no check: cross-validation makes one, and uses parts of it in many fits.

import type { DenseMatrix } from '../data/dense.js';

const trusted = new WeakSet<object>();

export const isTrusted = (matrix: object): boolean => trusted.has(matrix);

/** Says that a matrix is right: made by `gramAsync`, of the rows that it will be used with, and nobody else has it. @internal */
export const trustGram = (matrix: DenseMatrix): void => void trusted.add(matrix);
