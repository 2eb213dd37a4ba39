// Lengths and errors in the space of a kernel, with their rounding: ‖w‖² = Σ c_i c_j K_ij, R² = max K_ii + B² (SPEC §4).

import { finish } from '../async/pausing.js';
import type { ArenaRows } from '../data/arenarows.js';
import { countKept, type KeptRows } from '../data/kept.js';
import { squaredNormsOf } from '../data/products.js';
import type { BoundEngine } from '../engine/contract.js';
import { pairsOf } from '../gram/densepairs.js';
import type { KernelFunction } from '../gram/kernel.js';
import { ALONE } from '../worker/threads.js';
import { down, EPS, kernelError, largest, up } from './bracket.js';
import { type Expansion, expand } from './dual.js';
import { withRows } from './linear.js';

/** A plane in the space of the kernel, or those of all classes as one vector. */
export interface KernelPlane {
  /** ‖w‖, and bounds of ‖w̃‖. */
  readonly plain: number;
  readonly length: readonly [least: number, most: number];
  /** A bound of the rounding error of a score. */
  readonly error: number;
}

/** At least Σ |c|. */
export const spreadOf = (list: Float64Array): number =>
  up(list.reduce((sum, c) => sum + Math.abs(c), 0) * (1 + EPS * list.length));

/** A power of two that brings the largest value near 1: products with it are exact, and squares do not underflow. */
function scaleOf(lists: readonly Float64Array[]): number {
  const most = lists.reduce((sum, list) => list.reduce((a, c) => Math.max(a, Math.abs(c)), sum), 0);
  return most > 0 ? 2 ** -Math.max(-1000, Math.min(1000, Math.floor(Math.log2(most)))) : 1;
}

/** R of the rows times √`factor`, and at least that. */
export function kernelRadius(
  rows: ArenaRows,
  kernel: KernelFunction,
  scaling: number,
  engine: BoundEngine,
  factor: 1 | 2,
) {
  const pairs = pairsOf(engine, rows, kernel);
  try {
    const squares = factor * (largest(finish(pairs.diagonal(ALONE))) + scaling * scaling);
    const { error } = kernelError(kernel, largest(squaredNormsOf(rows, engine)), rows.cols);
    return { radius: Math.sqrt(squares), mostRadius: up(Math.sqrt(up(squares + factor * error))) };
  } finally {
    pairs.release();
  }
}

/** The size of each group of expansions over the same support vectors. All kernels are computed once. */
export function kernelPlanes(
  groups: readonly (readonly Expansion[])[],
  data: KeptRows,
  kernel: KernelFunction,
  scaling: number,
  rows: ArenaRows,
  engine: BoundEngine,
): KernelPlane[] {
  const count = countKept(data);
  const scales = groups.map((group) => scaleOf(group.map((e) => e.coefficients)));
  const lists = groups.map((group, g) =>
    group.map(({ coefficients }) => coefficients.map((c) => c * (scales[g] as number))),
  );
  let norms = largest(squaredNormsOf(rows, engine));
  const parts =
    count === 0
      ? []
      : withRows(data, rows.cols, engine, (own) => {
          norms = Math.max(norms, largest(squaredNormsOf(own, engine)));
          return expand(lists.flat(), data, kernel, own, engine);
        });
  const { most, error } = kernelError(kernel, norms, rows.cols);
  // Of each term c K of a score: K is wrong, and the sum is rounded.
  const ofTerm = error + EPS * (count + 4) * most;
  let at = 0;
  return groups.map((group, g) => {
    const own = lists[g] as Float64Array[];
    const scale = scales[g] as number;
    let squares = 0;
    for (const list of own) {
      const part = parts[at++];
      for (let i = 0; part && i < part.length; i++) squares += (list[i] as number) * (part[i] as number);
    }
    // Not negative in exact arithmetic if the kernel function is positive semidefinite.
    squares = Math.max(0, squares);
    const spread = own.reduce((sum, list) => sum + spreadOf(list), 0);
    const biases = group.map(({ bias }) => (scaling > 0 ? (scale * bias) / scaling : 0));
    const all = biases.reduce((sum, b) => sum + b * b, squares);
    const slack = up(spread * spread * (ofTerm + EPS * (count + 4) * most) + EPS * group.length * all);
    return {
      plain: Math.sqrt(squares) / scale,
      length: [down(Math.sqrt(Math.max(0, down(all - slack))) / scale), up(Math.sqrt(up(all + slack)) / scale)],
      error: up((spread / scale) * ofTerm + EPS * group.reduce((sum, { bias }) => sum + Math.abs(bias), 0)),
    };
  });
}
