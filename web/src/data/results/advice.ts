// What to try next, each with the button that tries it.

import { button, h } from '../../ui/dom.js';
import type { Choice } from '../choice.js';
import type { Results } from '../types.js';

interface Remedy {
  readonly why: string;
  readonly text: string;
  readonly change: Partial<Choice>;
}

/** A border that bends, or bends more. */
function bending({ trainer, kernel }: Choice, gamma: number): Remedy {
  if (trainer !== 'dual' || kernel === 'linear') {
    const why = 'There may be no straight border at all.';
    return { why, text: 'Bend the border', change: { trainer: 'dual', kernel: 'rbf' } };
  }
  return kernel === 'rbf'
    ? { why: 'The border may need to bend more.', text: 'Bend it more', change: { gamma: 4 * gamma } }
    : { why: 'Another kernel bends in another way.', text: 'Use the RBF kernel', change: { kernel: 'rbf' } };
}

export function remediesFor({ report, choice, summary }: Results): Remedy[] {
  const isMany = summary.classes.length > 2;
  const isSparse = summary.nonZeros !== undefined;
  const codes = report.advice.map(({ code }) => code);
  const gamma = choice.gamma ?? 1 / summary.cols;
  const found: Remedy[] = [];
  if (codes.includes('sorted-labels')) {
    found.push({
      why: 'The rows come sorted by class, and the last class has the last word.',
      text: 'Shuffle the rows',
      change: { order: 'shuffle' },
    });
  }
  if (codes.includes('unscaled')) {
    found.push({
      why: 'The columns differ in size by far, and the large ones decide.',
      text: 'Scale the columns',
      change: { scale: isSparse ? 'unit-ball' : 'standardize' },
    });
  }
  if (codes.includes('not-separated') && found.length === 0) {
    if (choice.trainer === 'primal') {
      found.push({
        why: 'The border went back and forth; its mean is steadier.',
        text: 'Average',
        change: { trainer: 'averaged' },
      });
    }
    if (choice.trainer === 'primal' && !isMany) {
      found.push({
        why: 'It may end on a bad moment; a pocket keeps the best one.',
        text: 'Use a pocket',
        change: { trainer: 'pocket' },
      });
    }
    found.push(bending(choice, gamma));
  }
  if (codes.includes('memorised')) {
    found.push({
      why: 'Nearly all rows were learned by heart: new ones may surprise it.',
      text: 'Bend it less',
      change: { gamma: gamma / 4 },
    });
  }
  return found;
}

export function adviceView(results: Results, retry: (change: Partial<Choice>) => void): HTMLElement | undefined {
  const remedies = remediesFor(results);
  if (remedies.length === 0) return undefined;
  return h(
    'div',
    { class: 'card data-advice' },
    h('h3', {}, 'To try next'),
    h(
      'ul',
      {},
      ...remedies.map(({ why, text, change }) =>
        h(
          'li',
          {},
          h('span', {}, why),
          button(text, () => retry(change)),
        ),
      ),
    ),
  );
}
