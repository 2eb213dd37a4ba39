// What came of it: one sentence first, then the model at work, then one picture at a time, then the model to keep.

import { h } from '../../ui/dom.js';
import type { Choice } from '../choice.js';
import type { Client } from '../client.js';
import type { ReadRequest, Results } from '../types.js';
import { short } from '../words.js';
import { adviceView } from './advice.js';
import { anotherView } from './another.js';
import { confusionView } from './confusion.js';
import { byHeart, evaluationView } from './evaluation.js';
import { hardestView } from './hardest.js';
import { keepView } from './keep.js';
import { marginsView } from './margins.js';
import { mistakesView } from './mistakes.js';
import { headline, storyView } from './story.js';
import { tryView } from './tryrow.js';
import { viewView } from './view.js';
import { weightsView } from './weights.js';

export interface ResultActions {
  /** Trains once more with other options. */
  retry(change: Partial<Choice>): void;
  /** Asks the worker; undefined: other work has begun since. */
  readonly ask: Client['ask'];
}

export function resultsView(results: Results, request: ReadRequest, { retry, ask }: ResultActions): HTMLElement {
  const pictures = [
    viewView(results),
    evaluationView(results),
    mistakesView(results),
    confusionView(results),
    marginsView(results),
    weightsView(results),
    hardestView(results),
  ];
  const tried = tryView(results, ask);
  const heart = byHeart(results);
  return h(
    'section',
    { class: 'data-results', 'aria-labelledby': 'data-outcome' },
    h('p', { class: 'data-of faint' }, `The result for ${short(results.summary.file)}`),
    h('h2', { id: 'data-outcome', class: 'data-headline', tabindex: -1 }, headline(results)),
    heart !== undefined && h('p', { class: 'data-doubt' }, heart),
    storyView(results),
    adviceView(results, retry),
    tried,
    anotherView(results, ask, () => tried.dispatchEvent(new Event('again'))),
    h('div', { class: 'data-pictures' }, ...pictures),
    keepView(results, request, async () => (await ask({ do: 'save', model: results.model })) as Blob),
  );
}
