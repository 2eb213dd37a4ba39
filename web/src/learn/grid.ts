// Light lines at round numbers, and the numbers at the edge.

import { ticks } from 'd3-array';
import { svg } from '../ui/dom.js';
import { number } from '../ui/numbers.js';
import type { Scale } from './geometry.js';

export function drawGrid(layer: SVGGElement, { window, width, height, at }: Scale): void {
  const count = Math.max(3, Math.round(width / 90));
  const nodes: SVGElement[] = [];
  const path = (d: string, value: number) => svg('path', { class: value === 0 ? 'axis' : 'rule', d });
  const text = (words: string, x: number, y: number, anchor: string) =>
    svg('text', { class: 'tick', x, y, 'text-anchor': anchor }, words);
  for (const value of ticks(window.left, window.right, count)) {
    const x = Math.round(at([value, 0])[0]) + 0.5;
    nodes.push(path(`M${x} 0V${height}`, value));
    // None in the corners: they are for the names of the axes.
    if (x > 20 && x < width - 48) nodes.push(text(number(value), x + 4, height - 7, 'start'));
  }
  for (const value of ticks(window.bottom, window.top, count)) {
    const y = Math.round(at([0, value])[1]) + 0.5;
    nodes.push(path(`M0 ${y}H${width}`, value));
    if (y > 36 && y < height - 20) nodes.push(text(number(value), 7, y - 4, 'start'));
  }
  nodes.push(text('x₁', width - 8, height - 7, 'end'), text('x₂', 7, 16, 'start'));
  layer.replaceChildren(...nodes);
}
