// Which perceptron, with which options: the few that matter first, all others folded away.

import { button, h } from '../ui/dom.js';
import {
  type Choice,
  defaults,
  KERNELS,
  LEARNERS,
  ORDERS,
  SCALES,
  STRATEGIES,
  scalesFor,
  suited,
  textbook,
} from './choice.js';
import { checkField, type Field, numberField, radioCards, selectField } from './fields.js';
import type { Summary } from './types.js';
import { KERNEL_WORDS, ORDER_WORDS, SCALE_WORDS, STRATEGY_WORDS, TRAINERS } from './words.js';

export interface Form {
  readonly element: HTMLElement;
  /** What is chosen; undefined where a field has something that cannot be, which is then shown. */
  read(): Choice | undefined;
  set(choice: Choice): void;
  /** Only what suits this data. */
  suit(summary: Summary): void;
}

export function optionsForm(first: Choice, onChange: (choice: Choice) => void): Form {
  let choice = first;
  let data: Summary | undefined;
  const isMany = (): boolean => (data?.classes.length ?? 2) > 2;

  const trainer = radioCards('trainer', LEARNERS, TRAINERS);
  const fields: { readonly [K in keyof Choice]: Field<Choice[K]> } = {
    trainer,
    kernel: selectField('Kernel', KERNELS, KERNEL_WORDS, 'What bends the border.'),
    gamma: numberField('gamma', 'Gamma', 'How near is near: larger bends more. Empty: 1 / columns.', true),
    degree: numberField('degree', 'Degree', 'How many columns are multiplied.'),
    coef0: numberField('coef0', 'Constant', 'Added before the power is taken.'),
    scale: selectField(
      'Scale the columns',
      SCALES,
      SCALE_WORDS,
      'Large columns drown small ones unless they are scaled.',
    ),
    epochs: numberField('epochs', 'Epochs at most', 'How often it may go through all rows.'),
    order: selectField(
      'Order of the rows',
      ORDERS,
      ORDER_WORDS,
      'Sorted rows are better shuffled. The usual order of a pocket: drawn at random.',
      'The usual: shuffled',
    ),
    seed: numberField('seed', 'Seed', 'For shuffled and random orders: same seed, same bits.'),
    eta: numberField('eta', 'Learning rate', 'How far a mistake moves the border.'),
    margin: numberField('margin', 'Margin', 'A row this close to the border counts as a mistake, too.'),
    intercept: checkField('Learn a bias', 'Without it the border goes through the origin.'),
    constant: numberField(
      'constant',
      'Constant feature',
      'The bias is its weight. Empty: 0.1 for rows that are mostly zeros, else 1.',
      true,
    ),
    balanced: checkField('Balance the classes', 'Rows of rare classes count more.'),
    ratchet: checkField('Ratchet', 'Looks at all rows only when a border has proven itself; for many rows.'),
    strategy: selectField('More than two classes', STRATEGIES, STRATEGY_WORDS, 'How classes compete.'),
    heldout: selectField<string>(
      'Hold out for a test',
      ['0', '0.1', '0.2', '0.3'],
      {
        '0': 'None: train on all rows',
        '0.1': '10 % of the rows',
        '0.2': '20 % of the rows',
        '0.3': '30 % of the rows',
      },
      'Trains once more without these rows, and asks that model about them: how it does on new ones. Yours learns from all rows.',
    ).mapped(Number, String),
  };
  const list = Object.entries(fields) as [keyof Choice, Field<Choice[keyof Choice]>][];

  const kernelPart = h(
    'div',
    { class: 'row data-fields' },
    fields.kernel.element,
    fields.gamma.element,
    fields.degree.element,
    fields.coef0.element,
  );
  const folded = [
    'epochs',
    'order',
    'heldout',
    'seed',
    'eta',
    'margin',
    'strategy',
    'intercept',
    'constant',
    'balanced',
    'ratchet',
  ] as const;
  const starts = [
    { settings: defaults, element: button('Recommended', () => start(defaults)) },
    { settings: textbook, element: button('Plain textbook', () => start(textbook)) },
  ];
  const moreTitle = h('summary');
  const more = h(
    'details',
    { class: 'data-more' },
    moreTitle,
    h('div', { class: 'data-grid' }, ...folded.map((key) => fields[key].element)),
  );
  const element = h(
    'form',
    { class: 'card data-options', 'aria-labelledby': 'data-learner', novalidate: true },
    h('h2', { id: 'data-learner' }, 'What should learn?'),
    h(
      'p',
      { class: 'row data-starts' },
      ...starts.map(({ element }) => element),
      h(
        'span',
        { class: 'faint' },
        'The recommended settings scale, shuffle and average. The textbook does none of these.',
      ),
    ),
    trainer.element,
    kernelPart,
    h('div', { class: 'row data-fields' }, fields.scale.element),
    more,
  );

  /** Only what means something with what is chosen. */
  function arrange(): void {
    const shown = suited(choice, data);
    const isKernel = shown.trainer === 'dual';
    trainer.allow((word) => !(isMany() && word === 'pocket'));
    fields.scale.allow?.((word) => scalesFor(data).some((scale) => scale === word));
    fields.scale.element.hidden = scalesFor(data).length < 2;
    kernelPart.hidden = !isKernel;
    fields.gamma.element.hidden = shown.kernel === 'linear';
    fields.degree.element.hidden = shown.kernel !== 'polynomial';
    fields.coef0.element.hidden = shown.kernel !== 'polynomial';
    fields.ratchet.element.hidden = shown.trainer !== 'pocket';
    fields.strategy.element.hidden = !isMany();
    for (const { settings, element: one } of starts) {
      const these = suited(settings, data);
      one.setAttribute('aria-pressed', String(list.every(([key]) => shown[key] === these[key])));
    }
    const changed = folded.filter((key) => choice[key] !== defaults[key]).length;
    moreTitle.textContent = `More options${changed > 0 ? ` (${changed} changed)` : ''}`;
  }

  function read(): Choice | undefined {
    const values: Partial<Record<keyof Choice, unknown>> = {};
    let wrong: Field<never> | undefined;
    for (const [key, field] of list) {
      const value = field.read();
      if (value !== 'wrong') values[key] = value.value;
      // What nobody sees nobody can mend, and it means nothing now: it stays what it was.
      else if (field.element.closest('[hidden]')) values[key] = choice[key];
      else wrong ??= field as Field<never>;
    }
    if (wrong) {
      if (more.contains(wrong.element)) more.open = true;
      wrong.focus();
      return undefined;
    }
    return values as unknown as Choice;
  }

  function set(next: Choice): void {
    choice = next;
    const shown = suited(next, data);
    for (const [key, field] of list) field.set(shown[key]);
    arrange();
  }

  /** Begins again with these settings. */
  function start(settings: Choice): void {
    set(settings);
    onChange(settings);
  }

  element.addEventListener('change', () => {
    const values = list.map(([key, field]) => [key, field.read()] as const);
    // A field with nonsense in it says so itself; the others count.
    const good = values.flatMap(([key, value]) => (value === 'wrong' ? [] : [[key, value.value] as const]));
    choice = { ...choice, ...Object.fromEntries(good) };
    arrange();
    onChange(choice);
  });
  set(first);

  return {
    element,
    read,
    set,
    suit(summary) {
      data = summary;
      set(choice);
    },
  };
}
