// What a wide screen shows at once and a phone keeps folded.

import { h } from '../ui/dom.js';

const phone = matchMedia('(max-width: 700px)');

export interface Fold {
  readonly element: HTMLDetailsElement;
  close(): void;
}

/** On a phone a title to open; else its content, always open, without the title. */
export function fold(title: string, name: string, ...content: HTMLElement[]): Fold {
  const element = h('details', { class: `fold ${name}` }, h('summary', {}, title), ...content);
  const follow = () => {
    element.open = !phone.matches;
  };
  follow();
  phone.addEventListener('change', follow);
  return { element, close: () => phone.removeEventListener('change', follow) };
}
