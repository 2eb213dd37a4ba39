// What the lines of many seeds have in common, in words.

import { counted, number } from '../ui/numbers.js';
import { epochsOf, type SeedLine } from './seeds.js';
import { isLearnable } from './trace.js';
import type { Setup } from './types.js';

export function seedWords(setup: Setup, lines: readonly SeedLine[]): string {
  if (!isLearnable(setup.points)) return 'Points of both classes are needed first.';
  if (lines.length === 0) return '';
  const separating = lines.filter(({ converged }) => converged);
  const epochs = counted(epochsOf(setup), 'epoch');
  const lead = `The same points in ${counted(lines.length, 'shuffle')}:`;
  if (separating.length === 0) return `${lead} no line that splits them was found within ${epochs}.`;
  // A line is the same when its numbers are a multiple of each other's.
  const directions = separating.map(({ plane: { w, b } }) => {
    const length = Math.hypot(w[0], w[1], b);
    return [w[0], w[1], b].map((value) => Math.round((value / length) * 1e6)).join(' ');
  });
  const different = new Set(directions).size;
  const mistakes = separating.map((line) => line.mistakes);
  const [least, most] = [Math.min(...mistakes), Math.max(...mistakes)];
  const range = least === most ? counted(least, 'mistake') : `${number(least)} to ${counted(most, 'mistake')}`;
  const found = different === 1 ? 'always one line' : `${number(different)} different lines`;
  const all = different === 1 ? 'It splits' : 'Each of them splits';
  const said = `${lead} ${found}, after ${range}. ${all} the points.`;
  const others = lines.length - separating.length;
  if (others === 0) return said;
  const was = others === 1 ? 'and is' : 'and are';
  return `${said} ${counted(others, 'shuffle')} found none within ${epochs}, ${was} not drawn.`;
}
