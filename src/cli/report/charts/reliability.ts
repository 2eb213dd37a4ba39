// Reliability: how often what was said with probability p came true. A perfect model is on the diagonal.

import type { ReliabilityBin } from '../../../select/curves.js';
import { chart, points, px, rule } from '../axes.js';
import { intervalOf } from '../curves.js';
import { type Html, html } from '../html.js';
import { unitSquare } from './roc.js';

export function reliabilityChart(
  id: string,
  bins: readonly ReliabilityBin[],
  title: string,
  description: string,
): Html {
  const { x, y, axes, height } = unitSquare('probability given', 'came true');
  const most = bins.reduce((high, { rows }) => Math.max(high, rows), 1);
  const places = bins.map((bin) => [x(bin.meanPredicted), y(bin.sharePositive)] as const);
  const marks = bins.map((bin, k) => {
    const [at, middle] = places[k] as readonly [number, number];
    const [low, high] = intervalOf(bin);
    // The area of a dot is the number of rows.
    const radius = Math.max(2.5, 9 * Math.sqrt(bin.rows / most));
    return html`${rule(at, y(low), at, y(high), 'whisker')}<circle cx="${px(at)}" cy="${px(middle)}" r="${px(radius)}" class="dot"/>`;
  });
  return chart(id, height, title, description, [
    axes,
    html`<polyline points="${points(places)}" class="line accent-line"/>`,
    marks,
  ]);
}
