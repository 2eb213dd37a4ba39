// What the panels of Learn have in common.

import './panels.css';
import { h } from '../../ui/dom.js';
import { table } from '../../ui/table.js';
import type { Trace } from '../types.js';

export interface Panel {
  readonly element: HTMLElement;
  /** Shows how it stands after so many steps. Only needed while the panel can be seen. */
  update(trace: Trace, steps: number): void;
}

/** The numbers of a picture, folded; made only when somebody opens it, and then kept up to date. */
export function folded(
  title: string,
  summary = 'As a table',
): {
  readonly element: HTMLDetailsElement;
  /** `of`: what the rows are of; where that is still the same they need not be made again. */
  show(head: readonly string[], rows: () => readonly (readonly (string | number)[])[], of?: object): void;
} {
  const place = h('div');
  const element = h('details', { class: 'panel-table' }, h('summary', {}, summary), place);
  let fill = () => {};
  let filled: object | undefined;
  element.addEventListener('toggle', () => element.open && fill());
  return {
    element,
    show(head, rows, of) {
      fill = () => {
        if (of !== undefined && of === filled) return;
        place.replaceChildren(table(title, head, rows()));
        filled = of;
      };
      if (element.open) fill();
    },
  };
}
