// At the right of the plane: one sentence about what just happened, the next thing to try, and the numbers.

import { addressOf } from '../address.js';
import { button, h } from '../ui/dom.js';
import { counted } from '../ui/numbers.js';
import { shownPlaneAt } from './dust.js';
import { type EquationRow, equationAt, lineText } from './equation.js';
import { lengthOf } from './geometry.js';
import type { Session } from './session.js';
import { symbols } from './symbols.js';
import { mistakesAt, stepAt } from './trace.js';
import { nearWords, type Offer, sentenceAt, statusAt, YOUR_TURN } from './words.js';

export interface Explain {
  readonly sentence: HTMLElement;
  readonly numbers: HTMLElement;
  update(): void;
}

export function explain(session: Session, accept: (offer: Offer) => void): Explain {
  const said = h('p', { class: 'sentence' });
  const first = h(
    'p',
    { class: 'faint' },
    'A perceptron starts with nothing, and learns from its mistakes. Step to its first one.',
  );
  const tour = h('a', { href: addressOf('learn', new URLSearchParams({ tour: '1' })) }, 'take the guided tour');
  const yours = h(
    'p',
    { class: 'faint', hidden: true },
    'Reset and step through it yourself, drag a point to another place, or ',
    tour,
    '.',
  );
  const meanings = symbols();
  const offered = h('div', { class: 'offer', hidden: true });
  const body = h('tbody');
  const where = h('p', { class: 'where faint number' });
  const slow = h(
    'p',
    { class: 'faint engine', hidden: true },
    'Calculated by plain JavaScript: WebAssembly is forbidden or missing here. The numbers are the same.',
  );
  return {
    sentence: h('div', { class: 'sentence-box' }, said, offered, first, yours),
    numbers: h(
      'div',
      { class: 'numbers' },
      where,
      h(
        'div',
        { class: 'equation' },
        h('table', {}, h('caption', { class: 'unseen' }, 'The last step in numbers'), body),
      ),
      meanings.element,
      slow,
    ),
    update() {
      const { trace, steps, isPlaying, opening } = session;
      const sentence = `${sentenceAt(trace, steps)}${opening === 'over' ? ` ${YOUR_TURN}` : ''}`;
      if (said.textContent !== sentence) said.textContent = sentence;
      said.classList.toggle('separated', statusAt(trace, steps) === 'separated');
      const { offer } = session;
      offered.hidden = !offer;
      if (offer && offered.textContent !== offer.text) {
        offered.replaceChildren(button(offer.text, () => accept(offer), { class: 'main' }));
      }
      const step = stepAt(trace, steps);
      const plane = shownPlaneAt(trace, steps);
      const line = !plane
        ? ''
        : lengthOf(plane.w) > 0
          ? `line ${lineText(plane)}`
          : steps === 0
            ? 'no line yet'
            : 'no line';
      first.hidden = step !== undefined || isPlaying || trace.steps.length === 0 || session.tour !== undefined;
      yours.hidden = opening !== 'over';
      const isOver = statusAt(trace, steps) === 'separated';
      const epoch = isOver ? counted(trace.report.epochs, 'epoch') : `epoch ${step?.epoch ?? 1}`;
      where.textContent = [epoch, counted(mistakesAt(trace, steps), 'mistake'), line, nearWords(trace, steps)]
        .filter((text) => text !== '')
        .join(' · ');
      where.hidden = trace.steps.length === 0;
      meanings.update(trace.setup, step === undefined && session.tour === undefined);
      slow.hidden = trace.steps.length === 0 || trace.report.engine !== 'js';
      body.replaceChildren(...equationAt(trace, steps).map(rowOf));
    },
  };
}

/** w ← w + η y x | = (3, 3) − 1·(1, 1) | = (2, 2). */
function rowOf({ kind, left, rule, numbers, result }: EquationRow): HTMLTableRowElement {
  const cell = (name: string, text: string) => h('td', { class: name }, text);
  return h(
    'tr',
    { class: `row-${kind}` },
    h('th', { scope: 'row' }, left),
    cell('rule', rule === '' ? '' : `${kind === 'check' ? '=' : '←'} ${rule}`),
    cell('numbers', numbers === '' ? '' : `= ${numbers}`),
    cell('result', `= ${result}`),
  );
}
