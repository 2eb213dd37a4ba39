// A box that says what went wrong, and what to do.

import { button, h } from '../ui/dom.js';
import { speak } from '../ui/speak.js';
import { Troubled } from './client.js';
import type { Fix, Trouble } from './types.js';

/** An error for people: what was explained as it is, and what nobody foresaw with the one thing that helps most often. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Troubled) return error.trouble;
  const message = error instanceof Error ? error.message : String(error);
  const isMissing = /import|fetch|load|network/i.test(message);
  return {
    title: isMissing ? 'A part of this page could not be loaded' : 'Something went wrong on this page',
    detail: message,
    remedy: isMissing
      ? 'Is the network gone, or is there a newer version of the page? Load it again, and choose the file once more.'
      : 'Try again. If it happens again, load the page again and choose the file once more.',
    fixes: [],
  };
}

/** Says it, aloud too. */
export function troubleBox(trouble: Trouble, tryFix: (fix: Fix) => void, kept: string | undefined): HTMLElement {
  const { title, detail, remedy, fixes } = trouble;
  speak([title, remedy].join('. '));
  return h(
    'div',
    { class: 'trouble data-trouble' },
    h('h2', { tabindex: -1 }, title),
    detail !== '' && h('p', {}, detail),
    h('p', { class: 'data-remedy' }, remedy),
    fixes.length > 0 && h('div', { class: 'row' }, ...fixes.map((fix) => button(fix.text, () => tryFix(fix)))),
    kept !== undefined && h('p', { class: 'faint' }, kept),
  );
}
