// The labels of a NumPy matrix: a file of their own.

import { button, h } from '../ui/dom.js';

export function labelsChooser(current: string | undefined, onFile: (file: File) => void): HTMLElement {
  const input = h('input', { type: 'file', hidden: true, 'aria-label': 'File with labels' });
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) onFile(file);
  });
  const text = current === undefined ? 'Choose the labels' : 'Choose other labels';
  return h(
    'div',
    { class: 'data-labels' },
    h('p', { class: 'faint' }, 'Another .npy with one number for each row, or text with one label a line.'),
    button(text, () => input.click(), { name: 'labels', class: current === undefined ? 'main' : undefined }),
    input,
  );
}
