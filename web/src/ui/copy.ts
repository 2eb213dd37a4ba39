// To the clipboard, and what to do where the browser refuses it.

import { button, h } from './dom.js';
import { speak } from './speak.js';

/** A button that copies a text; beside it stands what came of it, and the text itself where the clipboard is closed. */
export function copyButton(name: string, text: () => string): HTMLElement {
  const said = h('span', { class: 'faint' });
  const fallback = h('div');
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function copy(): Promise<void> {
    clearTimeout(timer);
    fallback.replaceChildren();
    try {
      await navigator.clipboard.writeText(text());
      said.textContent = 'Copied.';
      timer = setTimeout(() => said.replaceChildren(), 4000);
      speak('Copied.');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      said.textContent = 'The browser did not allow it. Copy the text from here:';
      const area = h('textarea', { readonly: true, rows: 8, 'aria-label': `${name}: the text`, title: why });
      area.value = text();
      fallback.append(area);
      area.focus();
      area.select();
      speak('The browser did not allow it. The text is selected: copy it from here.');
    }
  }
  return h(
    'div',
    { class: 'copy' },
    h(
      'div',
      { class: 'row' },
      button(name, () => void copy()),
      said,
    ),
    fallback,
  );
}
