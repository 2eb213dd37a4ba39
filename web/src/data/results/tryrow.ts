// “Try a row”: a form made from the columns, and beside it the answer, how sure it is, and what decided.

import { barChart } from '../../ui/chart.js';
import { button, h } from '../../ui/dom.js';
import { number } from '../../ui/numbers.js';
import { speak } from '../../ui/speak.js';
import type { Client } from '../client.js';
import { troubleOf } from '../troublebox.js';
import type { Answer, Cell, Results, RowField, Sample, Weight } from '../types.js';
import { short } from '../words.js';

/** Whoever types is told of the answer when they pause. */
const PAUSE_MS = 250;

interface Control {
  readonly element: HTMLElement;
  /** undefined: what is written there is no number. */
  read(): Cell | undefined;
  set(cell: Cell): void;
}

function controlFor({ name, kind, values }: RowField, onChange: () => void): Control {
  const control = values
    ? h(
        'select',
        {},
        h('option', { value: '' }, '(none)'),
        ...values.map((value) => h('option', { value }, short(value))),
      )
    : kind === 'text'
      ? h('textarea', { rows: 3 })
      : h('input', { type: 'text', autocomplete: 'off', ...(kind === 'number' && { inputmode: 'decimal' }) });
  control.addEventListener('input', onChange);
  return {
    element: h(
      'label',
      { class: `data-field ${kind === 'text' ? 'is-wide' : ''}` },
      h('span', {}, short(name)),
      control,
    ),
    read() {
      const text = control.value.trim();
      if (kind !== 'number') return text === '' ? null : control.value;
      const value = text === '' ? null : Number(text);
      const isWrong = Number.isNaN(value);
      control.setAttribute('aria-invalid', String(isWrong));
      return isWrong ? undefined : value;
    },
    set(cell) {
      control.value = cell === null ? '' : String(cell);
      control.setAttribute('aria-invalid', 'false');
    },
  };
}

/** No probability that was learned is surer than this. */
const chance = (share: number): string =>
  share < 0.0005 ? 'under 0.1 %' : share > 0.9995 ? 'over 99.9 %' : `${(100 * share).toFixed(1)} %`;

/** "99.8 % sure. Score 1.8: above 0 it is spam." */
function sureness({ score, scores, probabilities, label }: Answer): string {
  const own = probabilities?.find(({ name }) => name === label);
  const sure = own ? `${chance(own.value)} sure. ` : '';
  if (scores.length === 0)
    return `${sure}Score ${number(score, 3)}: ${score >= 0 ? 'from 0 up' : 'below 0'} it is ${short(label)}.`;
  const other = Math.max(...scores.filter(({ name }) => name !== label).map(({ value }) => value));
  const next = scores.find(({ name, value }) => name !== label && value === other)?.name ?? '';
  return `${sure}Score ${number(score, 3)}, against ${number(other, 3)} for ${short(next)}, the next best.`;
}

const barsOf = (parts: readonly Weight[]) =>
  parts.map(({ name, value }) => ({
    name: short(name),
    value,
    class: value > 0 ? 'good' : 'bad',
    text: `${value > 0 ? '+' : ''}${number(value, 3)}`,
  }));

export function tryView({ form, model, summary, choice }: Results, ask: Client['ask']): HTMLElement {
  const isBent = choice.trainer === 'dual' && choice.kernel !== 'linear';
  const label = h('p', { class: 'data-answer' }, '…');
  const sure = h('p', {});
  const optionsFor = (parts: readonly Weight[]) => ({
    label: isBent ? 'What decided: the rows it is like' : 'What decided',
    value: 'part of the score',
    bars: barsOf(parts),
  });
  const chart = barChart(optionsFor([]));
  const probabilities = h('p', { class: 'faint', hidden: true });
  const wrong = h('p', { class: 'data-wrong', hidden: true });
  const from = h('p', { class: 'faint' });
  let base: Sample = form.samples[0] as Sample;
  let at = 0;
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const controls = form.fields.map((field) => ({ field, ...controlFor(field, later) }));

  function later(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void answer(true), PAUSE_MS);
  }

  function complain(sentence: string | undefined): void {
    wrong.hidden = sentence === undefined;
    wrong.textContent = sentence ?? '';
  }

  async function answer(isSpoken: boolean): Promise<void> {
    const cells = [...base.cells];
    let isWrong = false;
    let isOther = false;
    for (const { field, read } of controls) {
      const cell = read();
      if (cell === undefined) isWrong = true;
      else {
        isOther ||= cell !== base.cells[field.cell];
        cells[field.cell] = cell;
      }
    }
    const which = `row ${number(base.row)} of ${short(summary.file)}, which is ${short(base.label)}`;
    from.textContent = isOther ? `Begun with ${which}.` : `This is ${which}.`;
    const hasGaps = summary.table !== undefined || summary.nonZeros !== undefined;
    if (isWrong || (!hasGaps && cells.includes(null))) return complain('Write a number in every field, such as 1.5.');
    const mine = ++asked;
    try {
      const found = await ask({ do: 'try', model, cells });
      if (mine !== asked || !found) return; // somebody has typed on, or trains again
      complain(undefined);
      label.textContent = short(found.label);
      sure.textContent = sureness(found);
      chart.update(optionsFor(found.parts));
      probabilities.hidden = found.probabilities === undefined;
      probabilities.textContent = (found.probabilities ?? [])
        .map(({ name, value }) => `${short(name)} ${chance(value)}`)
        .join(' · ');
      if (isSpoken) speak(`${found.label}. ${sureness(found)}`);
    } catch (error) {
      if (mine === asked) complain(troubleOf(error).detail || troubleOf(error).title);
    }
  }

  function begin(sample: Sample): void {
    base = sample;
    for (const { field, set } of controls) set(sample.cells[field.cell] ?? null);
  }
  const another = button('Another row', () => {
    at = (at + 1) % form.samples.length;
    begin(form.samples[at] as Sample);
    void answer(true);
  });
  const hidden = form.columns - form.fields.length;
  begin(base);
  void answer(false);

  const element = h(
    'section',
    { class: 'card data-try', 'aria-labelledby': 'data-try' },
    h('h3', { id: 'data-try' }, 'Try a row'),
    h(
      'div',
      { class: 'data-try-sides' },
      h(
        'div',
        { class: 'data-try-form' },
        h('div', { class: 'row' }, from, form.samples.length > 1 && another),
        h('div', { class: 'data-grid' }, ...controls.map((control) => control.element)),
        wrong,
        hidden > 0 &&
          h(
            'p',
            { class: 'faint' },
            `The ${form.fields.length} columns that weigh most; ${number(hidden)} others stay as they are in that row.`,
          ),
      ),
      h(
        'div',
        { class: 'data-try-answer' },
        h('p', { class: 'faint' }, 'The answer'),
        label,
        sure,
        probabilities,
        chart.element,
        h(
          'p',
          { class: 'faint' },
          'To the right speaks for this answer, to the left against it; together they are the score.',
        ),
      ),
    ),
  );
  // What the model has learned since, such as probabilities.
  element.addEventListener('again', () => void answer(false));
  return element;
}
