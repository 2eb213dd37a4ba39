// How far it is, and a way to end it.

import { button, h } from '../ui/dom.js';
import { bytes, counted, number } from '../ui/numbers.js';
import type { Progress } from './types.js';

export interface ProgressBar {
  readonly element: HTMLElement;
  show(progress: Progress): void;
}

/** The look at the rows can be left once it has taken this long: a second click on the button that ended training is not meant for it. */
const PATIENCE_MS = 1000;

/** `most`: epochs at most. `onDrop`: it is trained, and nobody wants to wait for the look at all rows. */
export function progressBar(
  title: string,
  cancel: string,
  most: number,
  onCancel: () => void,
  onDrop: () => void = () => {},
): ProgressBar {
  const bar = h('progress', { max: 1, 'aria-label': title });
  const text = h('p', { class: 'faint number' }, 'Getting ready …');
  const end = button(cancel, () => {
    end.disabled = true;
    onCancel();
  });
  const drop = button(
    'Cancel',
    () => {
      drop.disabled = true;
      onDrop();
    },
    { hidden: true },
  );
  let lookedSince: number | undefined;
  function offerToLeave(): void {
    lookedSince ??= performance.now();
    if (!drop.hidden || performance.now() - lookedSince < PATIENCE_MS) return;
    drop.hidden = false;
    if (hadFocus && document.activeElement === document.body) drop.focus();
  }
  /** Whether the button that ends training was in use when there was nothing left to end. */
  let hadFocus = false;
  return {
    element: h(
      'section',
      { class: 'card data-progress', 'aria-label': title },
      h('h2', {}, title),
      bar,
      h('div', { class: 'row' }, text, end, drop),
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
          const { epoch, share, mistakes, isTrial } = progress;
          bar.value = (epoch - 1 + share) / most;
          const last = mistakes === undefined ? '' : ` · ${counted(mistakes, 'mistake')} in the last one`;
          const why = isTrial ? 'Once more, without the rows held out: ' : '';
          text.textContent = `${why}Epoch ${number(epoch)} of at most ${number(most)}${last}`;
          break;
        }
        case 'looking':
          hadFocus ||= end === document.activeElement;
          end.hidden = true; // it is trained: there is nothing left to stop early
          offerToLeave();
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
