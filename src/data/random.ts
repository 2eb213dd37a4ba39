// Random numbers (src/random.ts) that can shuffle in slices.

import { type Pace, PIECE, type Sliced } from '../async/sliced.js';
import { Random as Plain } from '../random.js';

export class Random extends Plain {
  static override seeded(seed: number): Random {
    return new Random(Plain.seeded(seed).state);
  }

  /** `shuffle` in slices, of values as a view of the moment. */
  *shuffling(values: () => Uint32Array, pace: Pace): Sliced<void> {
    for (let from = values().length - 1; from > 0; from -= PIECE) {
      this.shufflePart(values(), from, Math.max(0, from - PIECE));
      if (pace.due()) yield;
    }
  }
}
