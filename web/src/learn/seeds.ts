// "The solution is not unique": the lines that the same points lead to when they are looked at in other orders (SPEC §10).

import { Perceptron } from 'perceptron-wasm';
import { isLearnable } from './trace.js';
import type { Plane, Setup } from './types.js';

export interface SeedLine {
  readonly seed: number;
  readonly plane: Plane;
  /** Whether it separates the points; else it is where training was left. */
  readonly converged: boolean;
  readonly mistakes: number;
}

/** Samples that one shuffle may look at: few milliseconds, however many points there are. */
const MOST_SAMPLES = 40_000;

/** The epochs that a shuffle is given. */
export const epochsOf = ({ points, maxEpochs }: Setup): number =>
  Math.min(maxEpochs, Math.ceil(MOST_SAMPLES / points.length));

/**
 * The last lines of seeds 0 … count − 1 in order 'shuffle', straight ones; none if there is nothing to learn. One by one, so
 * that the page can do other things between them.
 */
export function* seedLines(setup: Setup, count = 30): Generator<SeedLine> {
  const { points, learningRate, margin } = setup;
  if (!isLearnable(points)) return;
  const rows = points.map(({ x, y }) => [x, y]);
  const labels = points.map(({ label }): number => label);
  const maxEpochs = epochsOf(setup);
  for (let seed = 0; seed < count; seed++) {
    const trainer = new Perceptron({ learningRate, margin, maxEpochs, order: 'shuffle', seed });
    const { weights, bias, report } = trainer.fit(rows, labels);
    const plane: Plane = { w: [weights[0] as number, weights[1] as number], b: bias };
    yield { seed, plane, converged: report.converged, mistakes: report.mistakes };
  }
}
