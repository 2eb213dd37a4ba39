// The shapes of the pictures, as SVG paths: points of both classes, arrows, polygons.

import type { Place, Scale } from './geometry.js';
import type { Class } from './types.js';

const digits = (value: number): number => Math.round(value * 100) / 100;

/** A circle or a triangle of about the same area around (0, 0). */
export function shapeOf(label: Class, radius: number): string {
  if (label === 1)
    return `M${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
  const half = digits(radius * 1.17);
  return `M0 ${digits(-radius * 1.3)}L${half} ${digits(radius * 0.78)}H${-half}z`;
}

export function pathOf(places: readonly Place[], isClosed: boolean): string {
  if (places.length < 2) return '';
  return `M${places.map(([x, y]) => `${digits(x)} ${digits(y)}`).join('L')}${isClosed ? 'z' : ''}`;
}

/** An arrow in pixels, to be filled: a shaft and a head that ends at `to`. Empty if there is no room for a head. */
export function arrowOf(from: Place, to: Place, thickness: number): string {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length < 2) return '';
  const head = Math.min(length, 4.2 * thickness);
  const along = (distance: number, side: number): Place => [
    from[0] + (dx * distance - dy * side) / length,
    from[1] + (dy * distance + dx * side) / length,
  ];
  const half = thickness / 2;
  const neck = length - head;
  const wing = Math.min(1.7 * thickness, head / 2);
  return pathOf(
    [along(0, half), along(neck, half), along(neck, wing), to, along(neck, -wing), along(neck, -half), along(0, -half)],
    true,
  );
}

/** Puts a name at a place, but not over the edge. */
export function nameAt(node: SVGTextElement, words: string, [x, y]: Place, { width, height }: Scale): void {
  node.textContent = words;
  node.setAttribute('x', Math.min(width - 20, Math.max(20, x)).toFixed(1));
  node.setAttribute('y', (Math.min(height - 12, Math.max(12, y)) + 5).toFixed(1));
}
