// What is in the drawer: kernel, pocket, margin, learning rate, order, many seeds, and the panels of the second look. Loaded when
// the drawer is opened.

import { button, h } from '../ui/dom.js';
import { number } from '../ui/numbers.js';
import { curvePanel } from './panels/curve.js';
import { dualPanel } from './panels/dual.js';
import { marginPanel } from './panels/margin.js';
import { seedWords } from './seedwords.js';
import type { Session } from './session.js';
import type { Setup } from './types.js';

interface Field {
  readonly element: HTMLElement;
  update(setup: Setup): void;
}

/** For ids: labels are tied to their fields by them. */
let fields = 0;

/** A select with its name. */
function choice<K extends 'kernel' | 'order'>(
  session: Session,
  key: K,
  name: string,
  options: Record<Setup[K], string>,
): Field {
  const id = `learn-field-${fields++}`;
  const select = h(
    'select',
    { id },
    ...Object.entries(options).map(([value, text]) => h('option', { value }, String(text))),
  );
  select.addEventListener('change', () => {
    const value = select.value as Setup[K];
    // The pocket keeps straight lines.
    session.change({ [key]: value, ...(key === 'kernel' && value !== 'linear' && { trainer: 'perceptron' }) });
  });
  return {
    element: h('div', { class: 'field' }, h('label', { for: id }, name), select),
    update(setup) {
      select.value = setup[key];
    },
  };
}

/** A slider with its name and its value. */
function slider(
  session: Session,
  key: 'gamma' | 'degree' | 'learningRate' | 'margin',
  name: string,
  values: readonly number[],
  isUsed: (setup: Setup) => boolean,
): Field {
  const id = `learn-field-${fields++}`;
  const input = h('input', { type: 'range', id, min: 0, max: values.length - 1, step: 1 });
  const output = h('output', { for: id, class: 'number' });
  input.addEventListener('input', () => {
    session.changeSoon({ [key]: values[Number(input.value)] ?? session.wanted[key] });
    show(session.wanted[key]);
  });
  const show = (value: number) => {
    output.textContent = number(value);
    input.setAttribute('aria-valuetext', number(value));
  };
  const element = h(
    'div',
    { class: 'field' },
    h('label', { for: id }, name),
    h('div', { class: 'slider' }, input, output),
  );
  return {
    element,
    update(setup) {
      element.hidden = !isUsed(setup);
      const value = setup[key];
      // An address may hold a value between ours: the slider stands at the nearest.
      const nearest = values.reduce(
        (best, each, i) => (Math.abs(each - value) < Math.abs((values[best] ?? 0) - value) ? i : best),
        0,
      );
      input.value = String(nearest);
      show(value);
    },
  };
}

function check(name: string, isOn: () => boolean, turn: (isOn: boolean) => void): Field {
  const input = h('input', { type: 'checkbox' });
  input.addEventListener('change', () => turn(input.checked));
  return {
    element: h('label', { class: 'check' }, input, name),
    update() {
      input.checked = isOn();
    },
  };
}

const hint = (text: string) => h('p', { class: 'faint hint' }, text);

export function settings(session: Session): { element: HTMLElement; update(): void } {
  const [dual, margins, curves] = [dualPanel(), marginPanel(), curvePanel()];
  const kernel = choice(session, 'kernel', 'Border', {
    linear: 'A straight line',
    rbf: 'Bent: RBF kernel',
    polynomial: 'Bent: polynomial kernel',
  });
  const gamma = slider(
    session,
    'gamma',
    'γ: how near is near',
    [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    ({ kernel: k }) => k !== 'linear',
  );
  const degree = slider(session, 'degree', 'Degree', [2, 3, 4, 5], ({ kernel: k }) => k === 'polynomial');
  const pocket = check(
    'Keep the best line in a pocket',
    () => session.setup.trainer === 'pocket',
    (isOn) => session.change(isOn ? { trainer: 'pocket', kernel: 'linear' } : { trainer: 'perceptron' }),
  );
  const always = () => true;
  const margin = slider(session, 'margin', 'Margin μ asked for', [0, 0.5, 1, 2, 5, 10, 20, 50], always);
  // Powers of two, as round numbers are round in binary then: w and b stay short.
  const rate = slider(session, 'learningRate', 'Learning rate η', [0.125, 0.25, 0.5, 1, 2, 4], always);
  const order = choice(session, 'order', 'Order of the points', {
    cyclic: 'One after the other',
    shuffle: 'Shuffled in every epoch',
    random: 'Drawn at random',
  });
  const seed = h('output', { class: 'number' });
  const another = button('Another seed', () =>
    session.change({ seed: session.wanted.seed + 1, ...(session.wanted.order === 'cyclic' && { order: 'shuffle' }) }),
  );
  const seeds = check(
    'Draw the lines of many seeds',
    () => session.hasSeeds,
    (isOn) => session.mode({ hasSeeds: isOn }),
  );
  const seedsSaid = h('p', { class: 'hint' });
  const every = [kernel, gamma, degree, pocket, margin, rate, order, seeds];
  const group = (title: string, ...content: HTMLElement[]) =>
    h('section', { class: 'group' }, h('h2', {}, title), ...content);
  const element = h(
    'div',
    {},
    h(
      'div',
      { class: 'groups' },
      group(
        'Kernel',
        kernel.element,
        gamma.element,
        degree.element,
        hint('A kernel measures how alike two points are. With it the border may bend.'),
      ),
      group(
        'Pocket',
        pocket.element,
        hint('Where no line is right for all points, the pocket remembers the one with the fewest errors so far.'),
      ),
      group(
        'Margin and rate',
        margin.element,
        rate.element,
        hint('A point counts as a mistake until its score is above μ on its own side. η is how big a correction is.'),
      ),
      group(
        'Order and seed',
        order.element,
        h('div', { class: 'row' }, another, h('span', { class: 'faint' }, 'Seed ', seed)),
        seeds.element,
        seedsSaid,
        hint('Another order gives another line: the solution is not unique.'),
      ),
    ),
    h(
      'div',
      { class: 'drawer-panels' },
      group('Primal and dual', dual.element),
      h(
        'div',
        { class: 'group' },
        group('The margin', margins.element),
        group('The loss, and all mistakes', curves.element),
      ),
    ),
  );
  return {
    element,
    update() {
      for (const field of every) field.update(session.wanted);
      for (const panel of [dual, margins, curves]) panel.update(session.trace, session.steps);
      seedsSaid.textContent = session.hasSeeds ? seedWords(session.setup, session.seedLines) : '';
      seed.textContent = String(session.setup.seed);
    },
  };
}
