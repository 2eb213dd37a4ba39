// Isotonic regression: the ascending steps nearest to the shares of positive rows, by pooling adjacent violators (Ayer et al. 1955).
// Equal scores are one point with their mean, as in scikit-learn's IsotonicRegression.

import type { Levels } from './curves.js';
import type { IsotonicMap } from './maps.js';

/** The map that fits rows best among those that never fall. Linear time. */
export function fitIsotonic({ scores, positive, negative }: Levels): IsotonicMap {
  const count = scores.length;
  // Pools of neighbours: the first point of each, and the weights of its positive and of all its rows. Levels descend.
  const first = new Uint32Array(count);
  const [hits, weights] = [new Float64Array(count), new Float64Array(count)];
  const share = (pool: number): number => (hits[pool] as number) / (weights[pool] as number);
  let pools = 0;
  for (let k = 0; k < count; k++) {
    const at = count - 1 - k;
    first[pools] = k;
    hits[pools] = positive[at] as number;
    weights[pools] = (positive[at] as number) + (negative[at] as number);
    for (; pools > 0 && share(pools - 1) >= share(pools); pools--) {
      hits[pools - 1] = (hits[pools - 1] as number) + (hits[pools] as number);
      weights[pools - 1] = (weights[pools - 1] as number) + (weights[pools] as number);
    }
    pools++;
  }
  // Of each pool its first and its last score: between them the map is constant.
  const [ends, probabilities]: [number[], number[]] = [[], []];
  for (let pool = 0; pool < pools; pool++) {
    const [from, to] = [first[pool] as number, (pool + 1 < pools ? (first[pool + 1] as number) : count) - 1];
    for (const k of from === to ? [from] : [from, to]) {
      ends.push(scores[count - 1 - k] as number);
      probabilities.push(share(pool));
    }
  }
  return { scores: Float64Array.from(ends), probabilities: Float64Array.from(probabilities) };
}
