// What a straight line says of every place: the farther from it, the deeper the colour. With it the places that are too near, the
// lines that were there before, and what the latest mistake pulls at.

import { setAttribute, svg } from '../ui/dom.js';
import { shownPlaneAt } from './dust.js';
import { endsOf, foot, lengthOf, type Place, type Scale } from './geometry.js';
import { pathOf } from './marks.js';
import { scoreOn, stepAt } from './trace.js';
import type { Plane, Point, Trace } from './types.js';

/** From deep orange over the line to deep blue: offsets, and classes that have the colours. */
const STOPS = [
  [0, 'minus far'],
  [0.32, 'minus middle'],
  [0.5, 'minus near'],
  [0.5, 'plus near'],
  [0.68, 'plus middle'],
  [1, 'plus far'],
] as const;

/** Where the colour is deepest, as a share of the picture's smaller side. */
const REACH = 0.75;

/** Earlier lines that are still to be seen, and how clearly. */
const TRAIL = [0.42, 0.3, 0.21, 0.14, 0.09];

/** Of the ring around the point that pulls. */
const RING = 18;

/**
 * The score that counts as near: μ where a margin is asked for, else that of the nearest point once all are right. Undefined
 * where there is neither.
 */
export function nearScore(trace: Trace, steps: number): number | undefined {
  const { points, margin } = trace.setup;
  if (steps <= 0) return undefined;
  if (margin > 0) return margin;
  const plane = shownPlaneAt(trace, steps);
  const scoreAt = (x: number, y: number) => (plane ? scoreOn(plane, x, y) : trace.scoreAt(steps, x, y));
  const least = Math.min(...points.map(({ x, y, label }) => label * scoreAt(x, y)));
  return least > 0 && Number.isFinite(least) ? least : undefined;
}

/** Lines that were there before, the latest first; none twice in a row. */
function earlierPlanes(trace: Trace, steps: number, most = TRAIL.length): Plane[] {
  const found: Plane[] = [];
  for (let k = Math.min(steps, trace.steps.length) - 1; k >= 0 && found.length < most; k--) {
    const { isMistake, before } = trace.steps[k] as Trace['steps'][number];
    if (isMistake && before && lengthOf(before.w) > 0) found.push(before);
  }
  return found;
}

export interface Field {
  /** Under the grid, and over it. */
  readonly under: readonly SVGElement[];
  readonly over: readonly SVGElement[];
  /** Another moment. */
  settle(trace: Trace, steps: number, scale: Scale): void;
  /** With the plane of that moment, or one on the way to it. */
  draw(plane: Plane | undefined, scale: Scale): void;
}

export function field(): Field {
  const gradient = svg(
    'linearGradient',
    { id: 'learn-field', gradientUnits: 'userSpaceOnUse' },
    ...STOPS.map(([offset, name]) => svg('stop', { offset, class: name })),
  );
  const area = svg('rect', { class: 'field', width: '100%', height: '100%' });
  const contour = svg('path', { class: 'contour' });
  const trail = svg('g', { class: 'trail' });
  const pull = svg('path', { class: 'pull' });
  let near: number | undefined;
  let point: Point | undefined;

  const ends = (plane: Plane, scale: Scale) => endsOf(plane, scale.window).map(scale.at);

  function shade(plane: Plane, { at, window, width, height }: Scale): void {
    const length = lengthOf(plane.w);
    if (length === 0) {
      setAttribute(area, 'class', `field ${plane.b === 0 ? 'none' : plane.b > 0 ? 'plus' : 'minus'}`);
      return;
    }
    setAttribute(area, 'class', 'field');
    const middle: Place = [(window.left + window.right) / 2, (window.bottom + window.top) / 2];
    const [x, y] = at(foot(plane, middle) ?? middle);
    const reach = (REACH * Math.min(width, height)) / length;
    const [dx, dy] = [plane.w[0] * reach, -plane.w[1] * reach];
    for (const [name, value] of [
      ['x1', x - dx],
      ['y1', y - dy],
      ['x2', x + dx],
      ['y2', y + dy],
    ] as const) {
      gradient.setAttribute(name, value.toFixed(1));
    }
  }

  return {
    under: [svg('defs', {}, gradient), area],
    over: [trail, contour, pull],
    settle(trace, steps, scale) {
      near = nearScore(trace, steps);
      const step = stepAt(trace, steps);
      point = step?.isMistake ? trace.setup.points[step.index] : undefined;
      trail.replaceChildren(
        ...earlierPlanes(trace, steps).map((plane, k) =>
          svg('path', { d: pathOf(ends(plane, scale), false), 'stroke-opacity': TRAIL[k] }),
        ),
      );
    },
    draw(plane, scale) {
      setAttribute(area, 'visibility', plane ? undefined : 'hidden');
      const isLine = plane !== undefined && lengthOf(plane.w) > 0;
      if (plane) shade(plane, scale);
      const sides = isLine && near !== undefined ? [near, -near] : [];
      contour.setAttribute(
        'd',
        sides.map((side) => pathOf(ends({ w: plane?.w ?? [0, 0], b: (plane?.b ?? 0) - side }, scale), false)).join(''),
      );
      pull.setAttribute('d', isLine && point ? pullOf(plane, point, scale) : '');
      setAttribute(pull, 'class', `pull ${point?.label === 1 ? 'plus' : 'minus'}`);
    },
  };
}

/** From the ring around the point straight to the line. */
function pullOf(plane: Plane, { x, y }: Point, { at }: Scale): string {
  const [from, to] = [at([x, y]), at(foot(plane, [x, y]) ?? [x, y])];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length <= RING) return '';
  return pathOf([[from[0] + (dx / length) * RING, from[1] + (dy / length) * RING], to], false);
}
