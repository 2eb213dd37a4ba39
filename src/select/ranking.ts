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

/** Two classes: by how much the second is ahead. @param model a trainer or a pipeline */
export function rankingOf(model: { readonly classes: readonly Label[] }, scores: Scores): Scores {
  if (scores instanceof Float64Array) return scores;
  const { data, rows, cols } = scores;
  const trainer = get(model as Shape, 'model') ?? (model as Shape);
  if (cols > 2 && get(trainer, 'settings')?.strategy !== 'multinomial') return scores;
  const leads = data.map((score, at) => {
    const own = at % cols;
    const others = data.slice(at - own, at - own + cols);
    others[own] = -Infinity;
    return score - others.reduce((a, b) => Math.max(a, b));
  });
  return cols === 2 ? leads.filter((_, at) => at % 2) : { data: leads, rows, cols };
}
