// w as an arrow that stands on its line, and the correction that has just made it: w_old + η y x.

import { svg } from '../ui/dom.js';
import { number } from '../ui/numbers.js';
import { shownPlaneAt, shownStep } from './dust.js';
import { distanceTo, endsOf, foot, inside, lengthOf, type Place, type Scale } from './geometry.js';
import { arrowOf, nameAt, pathOf } from './marks.js';
import { stepAt } from './trace.js';
import type { Class, Plane, Trace, Window } from './types.js';

export interface Arrows {
  readonly nodes: readonly SVGElement[];
  /** Another moment: what is corrected, and where on the line there is room for w. */
  settle(trace: Trace, steps: number, scale: Scale): void;
  /** With the plane of that moment, or one on the way to it. */
  draw(plane: Plane | undefined, scale: Scale): void;
}

/** The longest w of a trace, as a share of the picture. */
const LONGEST = 0.3;
/** Pixels between w and the points: more is not better. */
const ROOM = 44;
/** Pixels between w and a correction that would lie upon it; and the sine of the angle below which it would. */
const ASIDE = 11;
const ALONG = 0.25;
/** Shares of the picture: w stands where the line is nearest to one of these. */
const ANCHORS: readonly Place[] = [
  [0.5, 0.5],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.25, 0.25],
  [0.75, 0.75],
];

export function arrows(): Arrows {
  const path = (name: string) => svg('path', { class: name });
  const text = (name: string) => svg('text', { class: name, 'text-anchor': 'middle' });
  const [ghost, arrow, change] = [path('ghost'), path('arrow'), path('change')];
  const [arrowName, changeName] = [text('arrow-name'), text('change-name')];
  let known: Trace | undefined;
  /** The longest w of all steps, so that lengths can be compared from step to step. */
  let longest = 1;
  let anchor = 0;
  let before: Plane | undefined;
  let label: Class = 1;
  /** What is added, or taken away: η x. */
  let correction = 'x';

  /** Where the tips of arrows are that stand at a place of the line. */
  const tipsFrom = (base: Place, { window, at }: Scale) => {
    const factor = Math.min(1, (LONGEST * (window.right - window.left)) / longest);
    return ({ w }: Plane): Place => at([base[0] + w[0] * factor, base[1] + w[1] * factor]);
  };

  /** How good a place is: far from points, inside the picture, and the one of the step before. */
  function roomAt(each: number, plane: Plane, { setup: { points } }: Trace, scale: Scale): number {
    const base = baseOn(holderOf(plane, before), each, scale.window);
    if (!base) return 0;
    const start = scale.at(base);
    const tips = [plane, before ?? plane].map(tipsFrom(base, scale));
    const nearest = points.reduce(
      (least, { x, y }) => Math.min(least, ...tips.map((tip) => distanceTo(scale.at([x, y]), start, tip))),
      ROOM,
    );
    const isOutside = tips.some(([x, y]) => x < 0 || y < 0 || x > scale.width || y > scale.height);
    return nearest - (isOutside ? ROOM : 0) + (each === anchor ? ROOM / 5 : 0);
  }

  function drawChange(start: Place, tip: Place, old: Place, scale: Scale): void {
    const [dx, dy] = [tip[0] - old[0], tip[1] - old[1]];
    const length = Math.hypot(dx, dy);
    if (length < 2) return;
    // The longer one of both tells the direction: one of them may be nothing.
    const [far, near] = lengthOf([tip[0] - start[0], tip[1] - start[1]]) > 1 ? [tip, old] : [old, tip];
    const size = Math.hypot(far[0] - start[0], far[1] - start[1]) || 1;
    const across: Place = [(far[1] - start[1]) / size, (start[0] - far[0]) / size];
    const isAlong = Math.abs(dx * across[0] + dy * across[1]) / length < ALONG;
    const [ax, ay] = isAlong ? [across[0] * ASIDE, across[1] * ASIDE] : [0, 0];
    // What w was before: where it is not hidden by what it is now.
    if (!isAlong || near === tip) ghost.setAttribute('d', pathOf([start, old], false));
    const kind = label === 1 ? 'plus' : 'minus';
    change.setAttribute('d', arrowOf([old[0] + ax, old[1] + ay], [tip[0] + ax, tip[1] + ay], 3.4));
    change.setAttribute('class', `change ${kind}`);
    changeName.setAttribute('class', `change-name ${kind}`);
    const middle: Place = [(old[0] + tip[0]) / 2 + ax, (old[1] + tip[1]) / 2 + ay];
    const [nx, ny] = isAlong ? across : awayFrom(start, middle, [dx / length, dy / length]);
    nameAt(changeName, `${label === 1 ? '+' : '−'} ${correction}`, [middle[0] + nx * 23, middle[1] + ny * 18], scale);
  }

  return {
    nodes: [ghost, arrow, change, arrowName, changeName],
    settle(trace, steps, scale) {
      if (trace !== known) {
        known = trace;
        longest = trace.steps.reduce((most, { after }) => Math.max(most, after ? lengthOf(after.w) : 0), 0);
      }
      const step = stepAt(trace, steps);
      before = step?.isMistake ? shownStep(trace, step).before : undefined;
      label = trace.setup.points[step?.index ?? 0]?.label ?? 1;
      const { learningRate } = trace.setup;
      correction = learningRate === 1 ? 'x' : `${number(learningRate)} x`;
      const plane = shownPlaneAt(trace, steps);
      if (!plane) return;
      const rooms = ANCHORS.map((_, each) => roomAt(each, plane, trace, scale));
      anchor = rooms.indexOf(Math.max(...rooms));
    },
    draw(plane, scale) {
      for (const each of [ghost, arrow, change]) each.setAttribute('d', '');
      for (const each of [arrowName, changeName]) each.textContent = '';
      const base = plane && baseOn(holderOf(plane, before), anchor, scale.window);
      if (!base) return;
      const tipOf = tipsFrom(base, scale);
      const [start, tip] = [scale.at(base), tipOf(plane)];
      arrow.setAttribute('d', arrowOf(start, tip, 4));
      if (lengthOf(plane.w) > 0) nameAt(arrowName, 'w', besides(start, tip, -15), scale);
      if (before) drawChange(start, tip, tipOf(before), scale);
    },
  };
}

/** Where the correction took all of w away, the line that was there holds what is left to show. */
const holderOf = (plane: Plane, before: Plane | undefined): Plane =>
  before && lengthOf(plane.w) === 0 ? before : plane;

/**
 * On the part of the line that is seen, not too near to its ends; with none to be seen, at the edge that is nearest to it.
 * Undefined without a line.
 */
function baseOn(plane: Plane, anchor: number, window: Window): Place | undefined {
  const { left, right, bottom, top } = window;
  const [across, up] = ANCHORS[anchor] ?? [0.5, 0.5];
  const place = foot(plane, [left + across * (right - left), bottom + up * (top - bottom)]);
  const [from, to] = endsOf(plane, window);
  if (!place || !from || !to) return place && inside(place, window, 0.06);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const share = ((place[0] - from[0]) * dx + (place[1] - from[1]) * dy) / (dx * dx + dy * dy);
  const kept = Math.min(0.85, Math.max(0.15, share));
  return [from[0] + kept * dx, from[1] + kept * dy];
}

/** Beside the middle of an arrow, so many pixels to its right. */
function besides(from: Place, to: Place, distance: number): Place {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  return [(from[0] + to[0]) / 2 + (dy / length) * distance, (from[1] + to[1]) / 2 - (dx / length) * distance];
}

/** Of both directions across a way, the one that leads away from where w stands. */
function awayFrom(start: Place, middle: Place, [dx, dy]: Place): Place {
  const away = (middle[0] - start[0]) * -dy + (middle[1] - start[1]) * dx;
  return away >= 0 ? [-dy, dx] : [dy, -dx];
}
