// Fields of a form: a name, a control, a sentence about it; each reads and shows one value.

import { h } from '../ui/dom.js';
import { type NumberKey, readers } from './choice.js';
import { NUMBER_WORDS } from './words.js';

export interface Field<T> {
  readonly element: HTMLElement;
  read(): { readonly value: T } | 'wrong';
  set(value: T): void;
  focus(): void;
  /** Which of the words can be chosen now. */
  allow?(isAllowed: (word: string) => boolean): void;
}

let made = 0;
const nextId = (): string => `data-field-${++made}`;

function framed(control: HTMLElement, name: string, hint: string): HTMLElement {
  const id = nextId();
  control.id = id;
  control.setAttribute('aria-describedby', `${id}-hint`);
  return h(
    'div',
    { class: 'data-field' },
    h('label', { for: id }, name),
    control,
    h('p', { class: 'faint', id: `${id}-hint` }, hint),
  );
}

export interface SelectField<T> extends Field<T> {
  /** The same for values of another type. */
  mapped<U>(from: (value: T) => U, to: (value: U) => T): Field<U>;
}

/** `usual`: a first entry for no choice. */
export function selectField<T extends string>(
  name: string,
  words: readonly T[],
  names: Readonly<Record<T, string>>,
  hint: string,
): SelectField<T>;
export function selectField<T extends string>(
  name: string,
  words: readonly T[],
  names: Readonly<Record<T, string>>,
  hint: string,
  usual: string,
): SelectField<T | undefined>;
export function selectField<T extends string>(
  name: string,
  words: readonly T[],
  names: Readonly<Record<T, string>>,
  hint: string,
  usual?: string,
): SelectField<T | undefined> {
  const select = h('select');
  if (usual !== undefined) select.append(h('option', { value: '' }, usual));
  for (const word of words) select.append(h('option', { value: word }, names[word]));
  const field: Field<T | undefined> = {
    element: framed(select, name, hint),
    read: () => ({ value: select.value === '' ? undefined : (select.value as T) }),
    set(value) {
      select.value = value ?? '';
    },
    focus: () => select.focus(),
    allow(isAllowed) {
      for (const option of select.options) option.disabled = option.value !== '' && !isAllowed(option.value);
    },
  };
  return {
    ...field,
    mapped: (from, to) => ({
      ...field,
      read: () => {
        const found = field.read();
        return found === 'wrong' ? found : { value: from(found.value) };
      },
      set: (value) => field.set(to(value)),
    }),
  };
}

/** What may be written in it is what may stand in the address. `mayBeEmpty`: that means no choice. */
export function numberField(key: NumberKey, name: string, hint: string, mayBeEmpty: true): Field<number | undefined>;
export function numberField(key: NumberKey, name: string, hint: string): Field<number>;
export function numberField(
  key: NumberKey,
  name: string,
  hint: string,
  mayBeEmpty = false,
): Field<number> | Field<number | undefined> {
  const input = h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off' });
  const element = framed(input, name, hint);
  const hintId = `${input.id}-hint`;
  const wrongId = `${input.id}-wrong`;
  const said = h('p', { class: 'data-wrong', id: wrongId, hidden: true }, `Write ${NUMBER_WORDS[key]}.`);
  element.append(said);
  const read = (): { value: number | undefined } | 'wrong' => {
    const text = input.value.trim();
    const value = text === '' && mayBeEmpty ? undefined : readers[key](text);
    const isWrong = value === undefined && !(text === '' && mayBeEmpty);
    said.hidden = !isWrong;
    input.setAttribute('aria-invalid', String(isWrong));
    input.setAttribute('aria-describedby', isWrong ? `${wrongId} ${hintId}` : hintId);
    return isWrong ? 'wrong' : { value };
  };
  return {
    element,
    read,
    set(value: number | undefined) {
      input.value = value === undefined ? '' : String(value);
      read();
    },
    focus: () => input.focus(),
  } as Field<number | undefined>;
}

export function checkField(name: string, hint: string): Field<boolean> {
  const box = h('input', { type: 'checkbox' });
  const id = nextId();
  box.setAttribute('aria-describedby', id);
  return {
    element: h(
      'div',
      { class: 'data-field' },
      h('label', { class: 'data-check' }, box, name),
      h('p', { class: 'faint', id }, hint),
    ),
    read: () => ({ value: box.checked }),
    set(value) {
      box.checked = value;
    },
    focus: () => box.focus(),
  };
}

/** One of a few, each with a sentence of its own. */
export function radioCards<T extends string>(
  group: string,
  words: readonly T[],
  names: Readonly<Record<T, { readonly name: string; readonly hint: string }>>,
): Field<T> & { allow(isAllowed: (word: string) => boolean): void } {
  const cards = words.map((word) => {
    const radio = h('input', { type: 'radio', name: group, value: word });
    const { name, hint } = names[word];
    const card = h('label', { class: 'data-card' }, radio, h('strong', {}, name), h('span', { class: 'faint' }, hint));
    return { word, radio, card };
  });
  return {
    element: h(
      'div',
      { class: 'data-cards', role: 'radiogroup', 'aria-labelledby': 'data-learner' },
      ...cards.map(({ card }) => card),
    ),
    read: () => ({ value: (cards.find(({ radio }) => radio.checked) ?? cards[0])?.word as T }),
    set(value) {
      for (const { word, radio } of cards) radio.checked = word === value;
    },
    focus: () => cards.find(({ radio }) => radio.checked)?.radio.focus(),
    allow(isAllowed) {
      for (const { word, card, radio } of cards) {
        card.hidden = !isAllowed(word);
        radio.disabled = card.hidden;
      }
    },
  };
}
