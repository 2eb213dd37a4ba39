// The plane on the screen: units and pixels, and what a line cuts a rectangle into.

import type { Plane, Window } from './types.js';

export type Place = readonly [x: number, y: number];

/** Units to pixels and back. One unit is as long across as up, so that w stands upright on its line. */
export interface Scale {
  readonly width: number;
  readonly height: number;
  /** Pixels of one unit. */
  readonly unit: number;
  /** All that is shown: the wanted window, and what the shape of the picture adds to it. */
  readonly window: Window;
  at(place: Place): Place;
  back(pixels: Place): Place;
}

export function scaleOf(wanted: Window, width: number, height: number): Scale {
  const unit = Math.min(width / (wanted.right - wanted.left), height / (wanted.top - wanted.bottom));
  const middle: Place = [(wanted.left + wanted.right) / 2, (wanted.bottom + wanted.top) / 2];
  const at = ([x, y]: Place): Place => [width / 2 + (x - middle[0]) * unit, height / 2 - (y - middle[1]) * unit];
  const back = ([x, y]: Place): Place => [middle[0] + (x - width / 2) / unit, middle[1] - (y - height / 2) / unit];
  const [left, top] = back([0, 0]);
  const [right, bottom] = back([width, height]);
  return { width, height, unit, window: { left, right, bottom, top }, at, back };
}

const scoreOf = ({ w, b }: Plane, [x, y]: Place): number => w[0] * x + w[1] * y + b;

export const lengthOf = ([x, y]: Place): number => Math.hypot(x, y);

/** Both ends of the line in a window, or nothing if it lies outside: a walk around it, and where the sign changes there is an end. */
export function endsOf(plane: Plane, { left, right, bottom, top }: Window): Place[] {
  const corners: Place[] = [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ];
  const ends: Place[] = [];
  corners.forEach((from, i) => {
    const to = corners[(i + 1) % 4] as Place;
    const before = scoreOf(plane, from);
    const after = scoreOf(plane, to);
    if (before > 0 === after > 0) return;
    const share = before / (before - after);
    ends.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
  });
  return ends.length === 2 ? ends : [];
}

/** The place of the line that is nearest to another place. Undefined without a line. */
export function foot(plane: Plane, from: Place): Place | undefined {
  const { w } = plane;
  const square = w[0] * w[0] + w[1] * w[1];
  if (square === 0) return undefined;
  const share = scoreOf(plane, from) / square;
  return [from[0] - share * w[0], from[1] - share * w[1]];
}

/** How far a place is from the straight way between two others. */
export function distanceTo([x, y]: Place, from: Place, to: Place): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / square));
  return Math.hypot(from[0] + share * dx - x, from[1] + share * dy - y);
}

/** Inside the window, a share of its size away from the edge. */
export function inside([x, y]: Place, { left, right, bottom, top }: Window, share: number): Place {
  const [dx, dy] = [(right - left) * share, (top - bottom) * share];
  return [Math.min(right - dx, Math.max(left + dx, x)), Math.min(top - dy, Math.max(bottom + dy, y))];
}

export const between = (from: Plane, to: Plane, share: number): Plane => ({
  w: [from.w[0] + share * (to.w[0] - from.w[0]), from.w[1] + share * (to.w[1] - from.w[1])],
  b: from.b + share * (to.b - from.b),
});
