// referencePlane: the known plane that `diagnose` compares a model with.

import type { DiagnoseOptions } from '../model/diagnosis.js';
import type { Plane } from '../model/state.js';
import { finite, vector } from '../train/checks.js';

/** The plane in the options, if any. @throws TypeError or RangeError naming what is wrong */
export function referencePlane(options: DiagnoseOptions, cols: number, fitIntercept: boolean): Plane | undefined {
  const { reference } = options;
  const referenceBias = finite(options.referenceBias ?? 0, 'referenceBias');
  if (reference === undefined) {
    if (options.referenceBias !== undefined) throw new RangeError('"referenceBias" needs a "reference"');
    return undefined;
  }
  const weights = vector(reference, 'reference');
  if (weights.length !== cols)
    throw new RangeError(`"reference" has ${weights.length} values, the model was fitted on ${cols} columns`);
  if (weights.every((w) => w === 0)) throw new RangeError('"reference" must not be all zeros: it has no direction');
  if (referenceBias && !fitIntercept) {
    throw new RangeError('"referenceBias" must be 0 without an intercept (fitIntercept: false)');
  }
  return { weights, bias: referenceBias };
}
