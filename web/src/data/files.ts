// Where data comes from: dropped anywhere on the page, chosen, pasted from a spreadsheet, or one of the examples.

import { button, h } from '../ui/dom.js';
import { type Example, examples } from './examples.js';

export interface Chooser {
  readonly element: HTMLElement;
  /** There is data: choosing another is no longer the main thing. */
  setSmall(): void;
  /** Takes what is dropped or pasted anywhere on the page, until the answer is called. */
  listen(): () => void;
}

export interface Chosen {
  onFiles(files: readonly File[], hasFolder: boolean): void;
  /** Rows that were pasted, or dropped as text. */
  onText(file: File): void;
  onExample(example: Example): void;
}

/** Text that is more than a word: rows from a spreadsheet come with tabs between the values. */
function pastedFile(data: DataTransfer): File | undefined {
  const text = data.getData('text/plain');
  return /\S\s*\n\s*\S/.test(text) ? new File([text], text.includes('\t') ? 'pasted.tsv' : 'pasted.csv') : undefined;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

const hasFolder = (data: DataTransfer): boolean =>
  [...data.items].some((item) => item.kind === 'file' && item.webkitGetAsEntry()?.isDirectory === true);

export function chooser({ onFiles, onText, onExample }: Chosen): Chooser {
  const input = h('input', { type: 'file', multiple: true, hidden: true, 'aria-label': 'Files' });
  const choose = button('Choose a file', () => input.click(), { class: 'main' });
  const zone = h(
    'div',
    { class: 'data-drop' },
    h('p', { class: 'data-drop-title' }, 'Drop a file here'),
    h(
      'p',
      { class: 'faint' },
      'CSV, TSV, JSON, LIBSVM or NumPy .npy, also packed as .gz. Or paste rows from a spreadsheet.',
    ),
    choose,
    input,
  );
  const list = h('div', { class: 'data-examples', role: 'group', 'aria-label': 'Examples' });
  for (const example of examples) {
    const one = button(example.name, () => onExample(example));
    one.append(h('span', { class: 'faint' }, example.about));
    list.append(one);
  }
  const element = h(
    'section',
    { class: 'data-choose', 'aria-label': 'Choose data' },
    zone,
    h('p', { class: 'data-or faint' }, 'Or begin with an example:'),
    list,
  );

  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    input.value = ''; // so that the same file can be chosen again, changed
    if (files.length > 0) onFiles(files, false);
  });

  return {
    element,
    setSmall() {
      element.classList.add('is-small');
      choose.classList.remove('main');
      choose.textContent = 'Choose another file';
    },
    listen: () => listenTo(zone, onFiles, onText),
  };
}

/** Anywhere on the page: a file that misses the zone would replace the page, and all work on it. Answers how to end it. */
function listenTo(zone: HTMLElement, onFiles: Chosen['onFiles'], onText: Chosen['onText']): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let depth = 0;
  const mark = (): void => void zone.classList.toggle('is-over', depth > 0);
  addEventListener(
    'dragenter',
    () => {
      depth++;
      mark();
    },
    { signal },
  );
  addEventListener(
    'dragleave',
    () => {
      depth = Math.max(0, depth - 1);
      mark();
    },
    { signal },
  );
  addEventListener('dragover', (event) => event.preventDefault(), { signal });
  addEventListener(
    'drop',
    (event) => {
      event.preventDefault();
      depth = 0;
      mark();
      const { dataTransfer } = event;
      if (!dataTransfer) return;
      const isFolder = hasFolder(dataTransfer);
      const files = [...dataTransfer.files];
      if (files.length > 0 || isFolder) return onFiles(files, isFolder);
      const text = pastedFile(dataTransfer);
      if (text) onText(text);
    },
    { signal },
  );
  addEventListener(
    'paste',
    ({ clipboardData, target }) => {
      if (isTyping(target) || !clipboardData) return;
      const files = [...clipboardData.files];
      if (files.length > 0) return onFiles(files, false);
      const text = pastedFile(clipboardData);
      if (text) onText(text);
    },
    { signal },
  );
  return () => listening.abort();
}

/** Which of several files are taken: one, or a matrix and its labels. */
export function pick(files: readonly File[]): { file: File; labels?: File; said?: string } | undefined {
  const [first, second] = files;
  if (!first) return undefined;
  const isMatrix = ({ name }: File): boolean => /\.npy(\.gz)?$/i.test(name);
  const isLabels = ({ name }: File): boolean => /(^|[^a-z])(y|labels?|targets?|classes)([^a-z]|$)/i.test(name);
  if (second && files.length === 2 && files.some(isMatrix)) {
    const [small, large] = first.size <= second.size ? [first, second] : [second, first];
    const labels = isLabels(first) !== isLabels(second) ? (isLabels(first) ? first : second) : small;
    const file = labels === small ? large : small;
    if (isMatrix(file)) {
      return { file, labels, said: `“${file.name}” is taken as the rows, and “${labels.name}” as their labels.` };
    }
  }
  if (!second) return { file: first };
  return { file: first, said: `Of ${files.length} files, “${first.name}” is used: one file at a time.` };
}
