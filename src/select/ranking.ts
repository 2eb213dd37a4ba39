// What rows are ranked by, class by class, for ROC curves and average precision: decisionFunction's scores, if each says something
// alone. Those of a multinomial model do not: adding one number to all scores of a row changes no answer. Its lead over the best
// other class does.

import type { Label } from '../index.js';
import { get } from '../own.js';
import type { Scores } from './jobs.js';

interface Shape {
  readonly model?: Shape;
  readonly settings?: { readonly strategy?: string };
}

const isMultinomial = (model: Shape): boolean => {
  const trainer = get(model, 'model') ?? model;
  return get(trainer, 'settings')?.strategy === 'multinomial';
};

/** Two classes: by how much the second is ahead. @param model a trainer or a pipeline */
export function rankingOf(model: { readonly classes: readonly Label[] }, scores: Scores): Scores {
  if (scores instanceof Float64Array) return scores;
  const { data, rows, cols } = scores;
  const at = (i: number, k: number) => data[i * cols + k] as number;
  if (cols === 2) return Float64Array.from({ length: rows }, (_, i) => at(i, 1) - at(i, 0));
  if (!isMultinomial(model as Shape)) return scores;
  const leads = data.map((score, place) => {
    const [i, own] = [Math.floor(place / cols), place % cols];
    let best = -Infinity;
    for (let k = 0; k < cols; k++) if (k !== own) best = Math.max(best, at(i, k));
    return score - best;
  });
  return { data: leads, rows, cols };
}
