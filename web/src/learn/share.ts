// The address of what is shown, to be given to somebody else.

import { button, h } from '../ui/dom.js';
import { speak } from '../ui/speak.js';
import { icon } from './icons.js';

/** The page's address without `embed`, whatever part it shows. */
export function plainAddress(hash: string): string {
  const url = new URL(location.href);
  url.searchParams.delete('embed');
  url.hash = hash;
  return url.href;
}

export function shareButton(address: () => string): HTMLElement {
  const text = h('span', { class: 'share-text' }, 'Copy link');
  const field = h('input', { type: 'text', readonly: true, 'aria-label': 'The address of this picture', hidden: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const share = async () => {
    const link = address();
    try {
      await navigator.clipboard.writeText(link);
      field.hidden = true;
      text.textContent = 'Copied';
      speak('The address of this picture was copied.');
      clearTimeout(timer);
      timer = setTimeout(() => {
        text.textContent = 'Copy link';
      }, 2000);
    } catch {
      // Not allowed here, as in many frames: the address to be copied by hand.
      field.hidden = false;
      field.value = link;
      field.focus();
      field.select();
      speak('Here is the address of this picture, ready to be copied.');
    }
  };
  const made = button('', () => void share(), { class: 'share', title: 'The address of just this picture' });
  made.append(icon('link'), text);
  return h('div', { class: 'sharing' }, field, made);
}
