// Small pictures on buttons; the words beside them say the same.

import { svg } from '../ui/dom.js';
import { shapeOf } from './marks.js';
import type { Class, Point, Window } from './types.js';

const PATHS = {
  step: 'M3 2.5v11l7-5.5zM11 2.5h2.4v11H11z',
  play: 'M4 2.2v11.6L13.5 8z',
  pause: 'M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z',
  reset: 'M8 2.4a5.6 5.6 0 1 0 5.6 5.6h-1.9A3.7 3.7 0 1 1 8 4.3v2.4l4-3.4L8 0z',
  link: 'M6.4 9.6a2.6 2.6 0 0 0 3.7 0l2.5-2.5a2.6 2.6 0 1 0-3.7-3.7l-.9.9-1.1-1.1.9-.9a4.2 4.2 0 1 1 5.9 5.9l-2.5 2.5a4.2 4.2 0 0 1-5.9 0zM9.6 6.4a2.6 2.6 0 0 0-3.7 0L3.4 8.9a2.6 2.6 0 1 0 3.7 3.7l.9-.9 1.1 1.1-.9.9a4.2 4.2 0 1 1-5.9-5.9l2.5-2.5a4.2 4.2 0 0 1 5.9 0z',
} as const;

export const icon = (name: keyof typeof PATHS): SVGSVGElement =>
  svg('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': true }, svg('path', { d: PATHS[name] }));

export const classIcon = (label: Class): SVGSVGElement =>
  svg(
    'svg',
    { class: label === 1 ? 'icon plus' : 'icon minus', viewBox: '-8 -8 16 16', 'aria-hidden': true },
    svg('path', { d: shapeOf(label, 6) }),
  );

/** All points in a picture as small as a stamp. */
export function stamp(points: readonly Point[], { left, right, bottom, top }: Window): SVGSVGElement {
  const radius = points.length > 10 ? 2.1 : 3.6;
  const at = ({ x, y }: Point) => [
    (((x - left) / (right - left)) * 64).toFixed(1),
    (((top - y) / (top - bottom)) * 64).toFixed(1),
  ];
  return svg(
    'svg',
    { class: 'stamp', viewBox: '0 0 64 64', 'aria-hidden': true },
    ...points.map((point) =>
      svg('path', {
        class: point.label === 1 ? 'plus' : 'minus',
        d: shapeOf(point.label, radius),
        transform: `translate(${at(point).join(' ')})`,
      }),
    ),
  );
}
