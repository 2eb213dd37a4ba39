// Whether one line can split the points: two finite sets can be split exactly if their convex hulls do not meet, and two convex
// shapes in the plane do not meet exactly if their shadows on one of the axes below do not (the separating axis theorem).
// Training that did not end proves nothing; "no line can" is said only where this is so.
//
// Points are thousandths of up to a thousand units (state.ts): counted in thousandths all products and sums below are whole
// numbers under 2⁵³, and nothing is rounded.

import type { Class, Point } from './types.js';

/** Positive if c lies left of the way from a to b. */
const turn = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

/** The corners of the smallest convex shape around the points, in order (Andrew's monotone chain). */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const chain = (way: readonly Point[]): Point[] => {
    const kept: Point[] = [];
    for (const point of way) {
      for (let n = kept.length; n >= 2 && turn(kept[n - 2] as Point, kept[n - 1] as Point, point) <= 0; n--) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  const hull = [...chain(sorted), ...chain(sorted.reverse())];
  return hull.length > 0 ? hull : sorted.slice(0, 1);
}

/** Whether some line has all points of one class on one side, and all of the other on the other, none on the line. */
export function isSeparable(points: readonly Point[]): boolean {
  const inThousandths = ({ x, y, label }: Point): Point => ({
    x: Math.round(1000 * x),
    y: Math.round(1000 * y),
    label,
  });
  const of = (label: Class) => hullOf(points.filter((point) => point.label === label).map(inThousandths));
  const [plus, minus] = [of(1), of(-1)];
  const [first, other] = [plus[0], minus[0]];
  if (!first || !other) return true;
  const axes: [number, number][] = [[other.x - first.x, other.y - first.y]];
  for (const hull of [plus, minus]) {
    hull.forEach((a, k) => {
      const b = hull[(k + 1) % hull.length] as Point;
      // The edge's normal; and the edge itself, for points that all lie on one line.
      axes.push([a.y - b.y, b.x - a.x], [b.x - a.x, b.y - a.y]);
    });
  }
  return axes.some(([u, v]) => {
    const shadow = (hull: Point[]) => hull.map((point) => u * point.x + v * point.y);
    const [p, m] = [shadow(plus), shadow(minus)];
    return Math.max(...p) < Math.min(...m) || Math.max(...m) < Math.min(...p);
  });
}
