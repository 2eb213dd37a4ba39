// A box that says what went wrong, and what to do.

import { button, h } from '../ui/dom.js';
import { speak } from '../ui/speak.js';
import type { Fix, Trouble } from './types.js';

/** Says it, aloud too. */
export function troubleBox(trouble: Trouble, tryFix: (fix: Fix) => void, kept: string | undefined): HTMLElement {
  const { title, detail, remedy, fixes } = trouble;
  speak([title, remedy].join('. '));
  return h(
    'div',
    { class: 'trouble data-trouble' },
    h('h2', {}, title),
    detail !== '' && h('p', {}, detail),
    h('p', { class: 'data-remedy' }, remedy),
    fixes.length > 0 && h('div', { class: 'row' }, ...fixes.map((fix) => button(fix.text, () => tryFix(fix)))),
    kept !== undefined && h('p', { class: 'faint' }, kept),
  );
}
