// Under the plane: which class a click adds, and what can be done with the point that is chosen.

import { button, h } from '../ui/dom.js';
import { classIcon } from './icons.js';
import { colourOf, pointName } from './pointname.js';
import { MOST_POINTS } from './state.js';
import type { Class, Point } from './types.js';

export interface Tools {
  readonly element: HTMLElement;
  update(points: readonly Point[], label: Class, selected: number | undefined): void;
}

export function tools(actions: { label(label: Class): void; add(): void; flip(): void; remove(): void }): Tools {
  const labels = ([1, -1] as const).map((label) => {
    const input = h('input', { type: 'radio', name: 'new-class' });
    input.addEventListener('change', () => actions.label(label));
    return { label, input, element: h('label', { class: 'segment' }, input, classIcon(label), colourOf(label)) };
  });
  const flip = button('Flip', actions.flip, { title: 'Shortcut on a point: Space' });
  const remove = button('Remove', actions.remove, { title: 'Shortcut on a point: Delete' });
  const which = h('p', { class: 'which faint' });
  const add = button('Add a point', actions.add);
  const full = h('p', { hidden: true }, `${MOST_POINTS} points are the most there can be. Remove some to add others.`);
  return {
    element: h(
      'div',
      { class: 'tools' },
      h(
        'div',
        { class: 'row' },
        h(
          'fieldset',
          { class: 'segments' },
          h('legend', { class: 'unseen' }, 'Class of new points'),
          ...labels.map((each) => each.element),
        ),
        add,
      ),
      full,
      h('div', { class: 'row chosen-point' }, which, flip, remove),
    ),
    update(points, label, selected) {
      for (const each of labels) each.input.checked = each.label === label;
      full.hidden = points.length < MOST_POINTS;
      add.setAttribute('aria-disabled', String(!full.hidden));
      const point = selected === undefined ? undefined : points[selected];
      flip.hidden = !point;
      remove.hidden = !point;
      which.textContent =
        point && selected !== undefined
          ? pointName(point, selected)
          : 'Click in the plane to add a point; drag one to move it.';
    },
  };
}
