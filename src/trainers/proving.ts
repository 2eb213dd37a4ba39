// The option `prove` of `diagnose`: whether a plane separates the rows, with a proof.

import type { ArenaRows } from '../data/arenarows.js';
import type { Label } from '../data/labels.js';
import type { DiagnoseOptions, Diagnosis } from '../model/diagnosis.js';
import type { Plane } from '../model/state.js';
import { prover } from '../proof/provider.js';
import { boolean } from '../train/checks.js';

/** The checked option. `obstacle`: why this model cannot have it, if it cannot. @throws TypeError, RangeError, or Error without a prover */
export function wantsProof({ prove: wanted }: DiagnoseOptions, obstacle: string | undefined): boolean {
  const isWanted = wanted !== undefined && boolean(wanted, 'prove');
  if (isWanted && obstacle) throw new RangeError(`"prove" needs ${obstacle}`);
  if (isWanted) prover();
  return isWanted;
}

/** Adds what is proven about these rows. `planes`: some that may separate them. `positive`: the label of sign +1. */
export function addProof(
  diagnosis: Diagnosis,
  rows: ArenaRows,
  signs: Int8Array,
  fitIntercept: boolean,
  planes: readonly Plane[],
  positive: Label,
): Diagnosis {
  return { ...diagnosis, ...prover()(rows, signs, fitIntercept, planes, positive) };
}
