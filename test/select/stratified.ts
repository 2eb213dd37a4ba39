// The folds of crossValidate with stratify: true, for tests that do the same by hand.

import { deal, type Fold, foldsFrom, rowsByClass } from '../../src/select/folds.js';

export function stratified(y: readonly (string | number)[], folds: number, seed: number): Fold[] {
  const classes = [...new Set(y)].sort((a, b) => (a < b ? -1 : 1));
  const codes = Uint32Array.from(y, (label) => classes.indexOf(label));
  return foldsFrom(deal(rowsByClass(codes, classes.length), y.length, folds, seed), folds);
}
