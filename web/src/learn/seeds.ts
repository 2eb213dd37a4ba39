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

/** The last lines of seeds 0 … count − 1 in order 'shuffle', straight ones; none if there is nothing to learn. */
export function seedLines({ points, learningRate, margin, maxEpochs }: Setup, count = 30): readonly SeedLine[] {
  if (!isLearnable(points)) return [];
  const rows = points.map(({ x, y }) => [x, y]);
  const labels = points.map(({ label }): number => label);
  return Array.from({ length: count }, (_, seed) => {
    const trainer = new Perceptron({ learningRate, margin, maxEpochs, order: 'shuffle', seed });
    const { weights, bias, report } = trainer.fit(rows, labels);
    const plane: Plane = { w: [weights[0] as number, weights[1] as number], b: bias };
    return { seed, plane, converged: report.converged, mistakes: report.mistakes };
  });
}

/** What they have in common, in words. */
export function seedWords(lines: readonly SeedLine[]): string {
  const separating = lines.filter(({ converged }) => converged);
  if (lines.length === 0) return 'Points of both classes are needed first.';
  if (separating.length === 0) return `${lines.length} orders of the points, and no line that splits them.`;
  // A line is the same when its numbers are a multiple of each other's.
  const directions = separating.map(({ plane: { w, b } }) => {
    const length = Math.hypot(w[0], w[1], b);
    return [w[0], w[1], b].map((value) => Math.round((value / length) * 1e6)).join(' ');
  });
  const different = new Set(directions).size;
  const mistakes = separating.map((line) => line.mistakes);
  const [least, most] = [Math.min(...mistakes), Math.max(...mistakes)];
  const range = least === most ? `${least}` : `${least} to ${most}`;
  const lead = `The same points in ${lines.length} different orders: ${different} different ${different === 1 ? 'line' : 'lines'}`;
  return `${lead}, after ${range} mistakes. ${different === 1 ? 'It splits' : 'Each of them splits'} the points.`;
}
