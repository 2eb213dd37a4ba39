// Points by mouse, finger and keyboard. A click in an empty place adds a point, dragging moves one, a click on a point
// chooses it; the keys do the same for the point that has the focus.

import { tickStep } from 'd3-array';
import { inside, type Place } from './geometry.js';
import type { PlaneView } from './plane.js';
import { pointAt } from './state.js';
import type { Class, Point } from './types.js';

export interface Editor {
  readonly points: readonly Point[];
  /** Of new points. */
  readonly label: Class;
  add(point: Point): void;
  move(index: number, place: Place): void;
  flip(index: number): void;
  remove(index: number): void;
  select(index: number | undefined): void;
}

/** Pixels: from a point that is still meant by a pointer there, and a movement that is no click any more. */
const REACH = { mouse: 14, touch: 24 };
const STILL = 5;

/** A seventieth of the window's smaller side, about: the same on all screens. Addresses hold thousandths. */
function stepOf({ scale: { window } }: PlaneView): number {
  const size = Math.min(window.right - window.left, window.top - window.bottom);
  return Math.max(0.001, tickStep(0, size, 70));
}

/** Round numbers that are easily hit and easily read. */
export function snapped(view: PlaneView, place: Place): Place {
  const { window } = view.scale;
  const step = stepOf(view);
  const [x, y] = inside(place, window, 0.02);
  const round = (value: number) => Number((Math.round(value / step) * step).toFixed(6));
  return [round(x), round(y)];
}

export function editable(view: PlaneView, editor: Editor): void {
  const [, picture] = view.layers;
  let down: { pointer: number; pixels: Place; index: number | undefined; isMoved: boolean } | undefined;

  const pixelsOf = (event: PointerEvent): Place => {
    const { left, top } = picture.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const nearest = (pixels: Place, reach: number): number | undefined => {
    let found: number | undefined;
    let best = reach;
    editor.points.forEach(({ x, y }, i) => {
      const [px, py] = view.scale.at([x, y]);
      const distance = Math.hypot(px - pixels[0], py - pixels[1]);
      if (distance <= best) [found, best] = [i, distance];
    });
    return found;
  };

  picture.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    const pixels = pixelsOf(event);
    const index = nearest(pixels, event.pointerType === 'mouse' ? REACH.mouse : REACH.touch);
    down = { pointer: event.pointerId, pixels, index, isMoved: false };
    // Wherever it goes, it is told here when it is let go.
    picture.setPointerCapture(event.pointerId);
    if (index !== undefined) editor.select(index);
  });
  picture.addEventListener('pointermove', (event) => {
    const pixels = pixelsOf(event);
    if (!down) {
      picture.classList.toggle('over-point', nearest(pixels, REACH.mouse) !== undefined);
      return;
    }
    if (event.pointerId !== down.pointer) return;
    if (Math.hypot(pixels[0] - down.pixels[0], pixels[1] - down.pixels[1]) > STILL) down.isMoved = true;
    if (down.isMoved && down.index !== undefined) view.carry(down.index, snapped(view, view.scale.back(pixels)));
  });
  picture.addEventListener('pointerup', (event) => {
    if (event.pointerId !== down?.pointer) return;
    const { index, isMoved } = down;
    down = undefined;
    const place = snapped(view, view.scale.back(pixelsOf(event)));
    if (index !== undefined) {
      if (isMoved) editor.move(index, place);
      view.focus(index);
    } else if (!isMoved) {
      const label = (event.shiftKey ? -editor.label : editor.label) as Class;
      editor.add(pointAt(place[0], place[1], label));
    }
  });
  picture.addEventListener('pointercancel', (event) => {
    if (event.pointerId !== down?.pointer) return;
    const { index } = down;
    const point = index === undefined ? undefined : editor.points[index];
    if (index !== undefined && point) view.carry(index, [point.x, point.y]);
    down = undefined;
  });

  const ARROWS: Readonly<Record<string, Place>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
  };
  picture.addEventListener('focusin', (event) => {
    const index = indexOf(event.target);
    if (index !== undefined) editor.select(index);
  });
  // Points are buttons for those who hear the page: what presses them may be no pointer and no key.
  picture.addEventListener('click', (event) => {
    const index = event.detail === 0 ? indexOf(event.target) : undefined;
    if (index !== undefined) editor.flip(index);
  });
  picture.addEventListener('keydown', (event) => {
    const index = indexOf(event.target);
    const point = index === undefined ? undefined : editor.points[index];
    if (index === undefined || !point || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = editor.points.length - 1;
    const goTo: Readonly<Record<string, number>> = {
      PageUp: Math.max(0, index - 1),
      PageDown: Math.min(last, index + 1),
      Home: 0,
      End: last,
    };
    const arrow = ARROWS[event.key];
    const target = goTo[event.key];
    if (arrow) {
      const step = stepOf(view) * (event.shiftKey ? 10 : 1);
      const [x, y] = snapped(view, [point.x + arrow[0] * step, point.y + arrow[1] * step]);
      // The other coordinate stays as it is, round or not.
      editor.move(index, arrow[0] === 0 ? [point.x, y] : [x, point.y]);
    } else if (target !== undefined) view.focus(target);
    else if (event.key === ' ' || event.key === 'Enter') editor.flip(index);
    else if (event.key === 'Delete' || event.key === 'Backspace') editor.remove(index);
    else return;
    event.preventDefault();
  });
}

/** Which point an event is about. */
function indexOf(target: EventTarget | null): number | undefined {
  const item = target instanceof Element ? target.closest('.points > *') : null;
  const index = item ? [...(item.parentElement?.children ?? [])].indexOf(item) : -1;
  return index < 0 ? undefined : index;
}
