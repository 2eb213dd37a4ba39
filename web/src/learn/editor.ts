// What is done to points, whoever does it: the session learns anew, and a sentence says what happened.

import { counted } from '../ui/numbers.js';
import { speak } from '../ui/speak.js';
import { type Editor, snapped } from './editing.js';
import type { PlaneView } from './plane.js';
import { colourOf, placeOf, pointName } from './pointname.js';
import type { Session } from './session.js';
import { MOST_POINTS, pointAt } from './state.js';
import type { Class, Point } from './types.js';

export interface PointEditor extends Editor {
  readonly selected: number | undefined;
  setLabel(label: Class): void;
  /** By keyboard: into the middle, or the nearest place to it that is free, to be moved from there. */
  addInMiddle(): void;
  /** Other points altogether. */
  forget(): void;
}

export function pointEditor(session: Session, view: PlaneView, onSelect: () => void): PointEditor {
  let label: Class = 1;
  let selected: number | undefined;
  const points = () => session.wanted.points;
  const having = (index: number, point: Point) => ({
    points: points().map((each, i) => (i === index ? point : each)),
  });

  const editor: PointEditor = {
    get points() {
      return points();
    },
    get label() {
      return label;
    },
    get selected() {
      return selected;
    },
    setLabel(next) {
      label = next;
      onSelect();
    },
    select(index) {
      if (selected === index) return;
      selected = index;
      onSelect();
    },
    forget() {
      selected = undefined;
    },
    add(point) {
      if (points().length >= MOST_POINTS) {
        speak(`There are ${MOST_POINTS} points already. Remove some first.`);
        return;
      }
      selected = points().length;
      session.change({ points: [...points(), point] });
      view.focus(selected);
      speak(`Added: ${pointName(point, selected)}.`);
    },
    addInMiddle() {
      const { left, right, bottom, top } = view.scale.window;
      const step = (right - left) / 14;
      const isTaken = (x: number, y: number) => points().some((each) => Math.hypot(each.x - x, each.y - y) < step / 2);
      let [x, y] = snapped(view, [(left + right) / 2, (bottom + top) / 2]);
      while (isTaken(x, y) && x + step < right) [x, y] = snapped(view, [x + step, y]);
      editor.add(pointAt(x, y, label));
    },
    move(index, [x, y]) {
      const point = points()[index];
      if (!point) return;
      const moved = pointAt(x, y, point.label);
      session.changeSoon(having(index, moved));
      view.carry(index, [moved.x, moved.y]);
      speak(placeOf(moved));
    },
    flip(index) {
      const point = points()[index];
      if (!point) return;
      const flipped: Class = point.label === 1 ? -1 : 1;
      session.change(having(index, { ...point, label: flipped }));
      speak(`Point ${index + 1} is ${colourOf(flipped)} now.`);
    },
    remove(index) {
      const hadFocus = view.hasFocus();
      const left = points().filter((_, i) => i !== index);
      selected = left.length === 0 ? undefined : Math.min(index, left.length - 1);
      session.change({ points: left });
      if (hadFocus && selected !== undefined) view.focus(selected);
      speak(`Removed point ${index + 1}. ${counted(left.length, 'point')} left.`);
    },
  };
  return editor;
}
