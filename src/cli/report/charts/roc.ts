// ROC curves: for each threshold, how much of a class is found against how much of the rest is taken for it.

import { percent } from '../../output.js';
import { chart, linear, points, rule, WIDTH, xAxis, yAxis } from '../axes.js';
import type { Roc } from '../curves.js';
import { type Html, html } from '../html.js';

const HEIGHT = 304;
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

/** From 0 to 100 % both ways, with the diagonal. */
export function unitSquare(across: string, upward: string) {
  const plot = { left: 42, right: WIDTH - 14, top: 24, bottom: HEIGHT - 38 };
  const x = linear(0, 1, plot.left, plot.right);
  const y = linear(0, 1, plot.bottom, plot.top);
  const whole = (share: number): string => percent(share, 0);
  const axes = html`${yAxis(plot, y, QUARTERS, upward, whole)}${xAxis(plot, x, QUARTERS, across, whole)}${rule(x(0), y(0), x(1), y(1), 'dashed')}`;
  return { x, y, axes, height: HEIGHT };
}

export function rocChart(id: string, curves: readonly Roc[], title: string, description: string): Html {
  const { x, y, axes, height } = unitSquare('others taken for it', 'found (recall)');
  const lines = curves.map(
    ({ points: places }, k) =>
      html`<polyline points="${points(places.map(([others, own]) => [x(others), y(own)] as const))}" class="line line-${k}"/>`,
  );
  return chart(id, height, title, description, [axes, lines]);
}
