// Mistakes by epoch: a bar for each of a few epochs; for many, their mean as a line in a band from the fewest to the most.

import { count } from '../../output.js';
import { bar, chart, linear, points, ticks, WIDTH, widthOf, xAxis, yAxis } from '../axes.js';
import { type Html, html } from '../html.js';

/** Some epochs that follow each other. */
export interface Span {
  /** From 1. */
  readonly first: number;
  readonly last: number;
  readonly fewest: number;
  readonly most: number;
  readonly total: number;
}

const MOST_BARS = 50;
/** More epochs than this are drawn as means. */
export const MOST_POINTS = 120;
const HEIGHT = 220;

/** The epochs in at most `parts` spans of nearly equal length. */
export function spansOf(mistakes: readonly number[], parts: number): Span[] {
  const n = Math.min(parts, mistakes.length);
  return Array.from({ length: n }, (_, k) => {
    const [from, to] = [Math.floor((k * mistakes.length) / n), Math.floor(((k + 1) * mistakes.length) / n)];
    let [fewest, most, total] = [Infinity, 0, 0];
    for (let i = from; i < to; i++) {
      const one = mistakes[i] as number;
      [fewest, most, total] = [Math.min(fewest, one), Math.max(most, one), total + one];
    }
    return { first: from + 1, last: to, fewest, most, total };
  });
}

export function epochsChart(id: string, mistakes: readonly number[], title: string, description: string): Html {
  const spans = spansOf(mistakes, mistakes.length <= MOST_BARS ? MOST_BARS : MOST_POINTS);
  const most = spans.reduce((high, span) => Math.max(high, span.most), 1);
  const values = ticks(0, most, 5, 1);
  const left = Math.max(...values.map((value) => widthOf(count(value)))) + 10;
  const plot = { left, right: WIDTH - 4, top: 24, bottom: HEIGHT - 38 };
  const y = linear(0, most, plot.bottom, plot.top);
  const x = linear(0.5, mistakes.length + 0.5, plot.left, plot.right);
  const body = mistakes.length <= MOST_BARS ? bars() : band();
  const shown = mistakes.length === 1 ? [1] : ticks(1, mistakes.length, 7, 1);
  return chart(id, HEIGHT, title, description, [
    yAxis(plot, y, values, 'mistakes', count),
    body,
    xAxis(plot, x, shown, 'epoch', count),
  ]);

  function bars(): Html[] {
    const width = Math.min(28, (x(2) - x(1)) * 0.8);
    return mistakes.map((n, i) => bar(x(i + 1) - width / 2, y(n), width, plot.bottom - y(n), 'accent'));
  }

  function band(): Html {
    const middle = ({ first, last }: Span): number => x((first + last) / 2);
    const edge = [
      ...spans.map((span) => [middle(span), y(span.most)] as const),
      ...spans.map((span) => [middle(span), y(span.fewest)] as const).reverse(),
    ];
    const means = spans.map((span) => [middle(span), y(span.total / (span.last - span.first + 1))] as const);
    return html`<polygon points="${points(edge)}" class="band"/><polyline points="${points(means)}" class="line accent-line"/>`;
  }
}
