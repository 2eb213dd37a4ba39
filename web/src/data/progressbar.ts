// How far it is, and a way to end it.

import { button, h } from '../ui/dom.js';
import { bytes, counted, number } from '../ui/numbers.js';
import type { Progress } from './types.js';

export interface ProgressBar {
  readonly element: HTMLElement;
  show(progress: Progress): void;
}

/** `most`: passes at most. */
export function progressBar(title: string, cancel: string, most: number, onCancel: () => void): ProgressBar {
  const bar = h('progress', { max: 1, 'aria-label': title });
  const text = h('p', { class: 'faint number' }, 'Getting ready …');
  const end = button(cancel, () => {
    end.disabled = true;
    onCancel();
  });
  return {
    element: h(
      'section',
      { class: 'card data-progress', 'aria-label': title },
      h('h2', {}, title),
      bar,
      h('div', { class: 'row' }, text, end),
    ),
    show(progress) {
      switch (progress.kind) {
        case 'reading': {
          const { bytes: done, totalBytes, rows } = progress;
          if (totalBytes !== undefined) bar.value = done / totalBytes;
          const size = totalBytes === undefined ? bytes(done) : `${bytes(done)} of ${bytes(totalBytes)}`;
          text.textContent = `${size} · ${counted(rows, 'row')}`;
          break;
        }
        case 'training': {
          const { epoch, share, mistakes } = progress;
          bar.value = (epoch - 1 + share) / most;
          const last = mistakes === undefined ? '' : ` · ${counted(mistakes, 'mistake')} in the last one`;
          text.textContent = `Pass ${number(epoch)} of at most ${number(most)}${last}`;
          break;
        }
        case 'looking':
          end.hidden = true; // it is trained: there is nothing left to stop early
          if (progress.done === undefined || progress.rows === undefined) {
            bar.removeAttribute('value');
            text.textContent =
              'It is trained. Now all rows are looked at once more: with a kernel, that takes a while.';
          } else {
            bar.value = progress.done / progress.rows;
            text.textContent = `It is trained. Looked at ${number(progress.done)} of ${counted(progress.rows, 'row')} once more.`;
          }
          break;
      }
    },
  };
}
