// The model at work on a second file, and probabilities for all answers.

import { button, h } from '../../ui/dom.js';
import { bytes, counted, number, percent } from '../../ui/numbers.js';
import { save } from '../../ui/save.js';
import { speak } from '../../ui/speak.js';
import { table } from '../../ui/table.js';
import type { Client } from '../client.js';
import { troubleBox, troubleOf } from '../troublebox.js';
import type { Predicted, Progress, Results } from '../types.js';
import { short } from '../words.js';

const answersName = (file: string): string => `${file.replace(/(\.[a-z]+)+$/i, '')}.answers.csv`;

function answersView(found: Predicted): HTMLElement {
  const { file, rows, counts, right, notes, head, first, blob } = found;
  const list = counts.slice(0, 8).map(({ name, value }) => `${short(name)} ${number(value)}`);
  const more = counts.length > list.length ? ` · and ${number(counts.length - list.length)} more` : '';
  const sentence = `${counted(rows, 'answer')} for ${short(file)}: ${list.join(' · ')}${more}.`;
  const known =
    right &&
    `The file has the right answers for ${number(right.rows)} of them: ${percent(right.right / right.rows)} agree.`;
  speak([sentence, known ?? ''].join(' '));
  return h(
    'div',
    { class: 'data-answers' },
    h('p', {}, h('strong', {}, sentence)),
    known && h('p', {}, known),
    ...notes.map((note) => h('p', { class: 'data-doubt' }, note)),
    table(
      `The first ${first.length}`,
      ['row', ...head],
      first.map((cells, k) => [
        number(k + 1),
        ...cells.map((cell, j) =>
          j === 0
            ? short(cell)
            : head[j]?.startsWith('probability')
              ? Number(cell).toFixed(4)
              : number(Number(cell), 4),
        ),
      ]),
    ),
    h(
      'div',
      { class: 'row' },
      button('Download the answers', () => save(blob, answersName(file)), { class: 'main' }),
      h('span', { class: 'faint' }, `${answersName(file)}: a line for each row, in the same order`),
    ),
  );
}

/** `onProbabilities`: from now on, answers have them. */
export function anotherView({ model, summary }: Results, ask: Client['ask'], onProbabilities: () => void): HTMLElement {
  const input = h('input', { type: 'file', hidden: true, 'aria-label': 'A file of questions' });
  const said = h('div');
  const choose = button('Choose a file to answer', () => input.click());
  let last: File | undefined;
  async function answer(file: File): Promise<void> {
    last = file;
    const far = h('p', { class: 'faint' }, `Reading ${short(file.name)} …`);
    const onProgress = (progress: Progress): void => {
      if (progress.kind === 'reading') far.textContent = `Read ${bytes(progress.bytes)} of ${short(file.name)} …`;
      if (progress.kind === 'looking') far.textContent = `Answered ${number(progress.done ?? 0)} of ${counted(progress.rows ?? 0, 'row')} …`; // biome-ignore format: one line
    };
    said.replaceChildren(far);
    try {
      const found = await ask({ do: 'predict', model, file }, { onProgress });
      if (last === file) said.replaceChildren(...(found ? [answersView(found)] : []));
    } catch (error) {
      if (last === file) said.replaceChildren(troubleBox({ ...troubleOf(error), fixes: [] }, () => {}, undefined));
    }
  }
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    input.value = '';
    if (file) void answer(file);
  });

  const offer = 'Trains up to six more times, to learn how often a score is right.';
  const told = h('span', { class: 'faint' }, offer);
  const calibrate = button('Add probabilities', () => void learn());
  let learning: AbortController | undefined;
  async function learn(): Promise<void> {
    if (learning) return learning.abort();
    learning = new AbortController();
    calibrate.textContent = 'Stop';
    told.textContent = 'Learning how often a score is right …';
    try {
      const isDone = await ask({ do: 'calibrate', model }, { stop: learning.signal });
      calibrate.hidden = isDone === true;
      told.textContent = isDone
        ? 'Answers now come with probabilities, here and in files. The model to download has none.'
        : offer;
      if (isDone) onProbabilities();
      if (isDone && last) void answer(last);
    } catch (error) {
      const { title, detail } = troubleOf(error);
      told.textContent = detail || title;
    } finally {
      learning = undefined;
      calibrate.textContent = 'Add probabilities';
      speak(told.textContent ?? '');
    }
  }
  const what = summary.format === 'libsvm' || summary.format === 'npy' ? 'of the same kind' : 'with the same columns';
  return h(
    'section',
    { class: 'card data-another', 'aria-labelledby': 'data-another' },
    h('h3', { id: 'data-another' }, 'Answer a whole file'),
    h(
      'div',
      { class: 'row' },
      choose,
      input,
      h('span', { class: 'faint' }, `Another file ${what}; if it has the answers too, they are compared.`),
    ),
    said,
    h('div', { class: 'row data-calibrate' }, calibrate, told),
  );
}
