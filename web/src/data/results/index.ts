// What came of it: one sentence first, then one picture at a time, then the model to keep.

import { h } from '../../ui/dom.js';
import type { Choice } from '../choice.js';
import type { ReadRequest, Results } from '../types.js';
import { short } from '../words.js';
import { adviceView } from './advice.js';
import { confusionView } from './confusion.js';
import { hardestView } from './hardest.js';
import { keepView } from './keep.js';
import { marginsView } from './margins.js';
import { mistakesView } from './mistakes.js';
import { headline, storyView } from './story.js';
import { weightsView } from './weights.js';

export interface ResultActions {
  /** Trains once more with other options. */
  retry(change: Partial<Choice>): void;
  download(): Promise<Blob>;
}

export function resultsView(results: Results, request: ReadRequest, actions: ResultActions): HTMLElement {
  const pictures = [
    mistakesView(results),
    confusionView(results),
    marginsView(results),
    weightsView(results),
    hardestView(results),
  ];
  return h(
    'section',
    { class: 'data-results', 'aria-labelledby': 'data-outcome' },
    h('p', { class: 'data-of faint' }, `The result for ${short(results.summary.file)}`),
    h('h2', { id: 'data-outcome', class: 'data-headline', tabindex: -1 }, headline(results)),
    storyView(results),
    adviceView(results, actions.retry),
    h('div', { class: 'data-pictures' }, ...pictures),
    keepView(results, request, actions.download),
  );
}
