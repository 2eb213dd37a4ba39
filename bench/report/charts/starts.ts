// What a small job costs in a fresh process, piece by piece.

import * as Plot from '@observablehq/plot';
import { median } from '../../harness/measure.js';
import type { Start } from '../../harness/results.js';
import { type Html, table } from '../html.js';
import { duration, percent } from '../words.js';
import type { Figure } from './figure.js';
import { draw, FONT_SIZE, LETTER, POINTS } from './plot.js';

const PARTS = [
  { key: 'importMs', name: 'import', colour: 'var(--import)' },
  { key: 'compileMs', name: 'compile', colour: 'var(--compile)' },
  { key: 'copyMs', name: 'copy', colour: 'var(--copy)' },
  { key: 'trainMs', name: 'train', colour: 'var(--train)' },
] as const;

const WIDE = { width: 960, row: 44 };
const NARROW = { width: 336, row: 58 };

export function startsFigure(starts: readonly Start[]): Figure {
  return {
    id: 'start',
    title: 'What a small job costs',
    aid: `From nothing to a trained model in a fresh process, piece by piece. Importing and compiling are ${percent(overhead(starts))} of it (median of these jobs).`,
    legend: PARTS.map(({ name, colour }) => ({ mark: 'block', colour, text: name })),
    wide: chart(starts, WIDE),
    narrow: chart(starts, NARROW),
    table: table(
      'Milliseconds of a small job, medians',
      [
        { name: 'job', value: nameOf },
        ...PARTS.map(({ key, name }) => ({
          name,
          value: (start: Start) => duration(start[key]),
          isNumber: true as const,
        })),
        { name: 'together', value: (start) => duration(total(start)), isNumber: true },
        { name: 'all of the process', value: ({ processMs }) => duration(processMs), isNumber: true },
      ],
      starts,
    ),
    note: 'The rest of a process is Node itself, before and after.',
  };
}

const nameOf = ({ job, engine }: Start): string =>
  `${job}, ${engine === 'auto' ? 'default engine' : `engine ${engine}`}`;
const total = (start: Start): number => PARTS.reduce((sum, { key }) => sum + (start[key] || 0), 0);

const overhead = (starts: readonly Start[]): number =>
  median(starts.map((start) => (start.importMs + start.compileMs) / total(start)));

function chart(starts: readonly Start[], { width, row }: { width: number; row: number }): Html {
  const bars = starts.flatMap((start, i) => {
    let from = 0;
    return PARTS.map(({ key, name, colour }) => {
      const ms = start[key] || 0;
      from += ms;
      return { i, name, colour, ms, x1: from - ms, x2: from };
    });
  });
  const room = width > 500 ? 220 : 70;
  const longest = Math.max(...starts.map(total), 1e-3);
  const [marginLeft, marginRight] = [10, room];
  const perMs = (width - marginLeft - marginRight) / longest;
  const ends = starts.map((start, i) => ({ i, start, ms: total(start) }));
  return draw('A small job in a fresh process: import, compile, copy and train', {
    width,
    height: starts.length * row + 50,
    marginLeft,
    marginRight,
    marginTop: 4,
    marginBottom: 42,
    x: { domain: [0, longest] },
    y: { type: 'linear', domain: [-0.5, starts.length - 0.5], reverse: true },
    marks: [
      Plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: width > 500 ? 8 : 4 }),
      Plot.axisX({
        anchor: 'bottom',
        tickSize: 0,
        tickPadding: 6,
        label: null,
        color: 'var(--muted)',
        ticks: width > 500 ? 8 : 4,
      }),
      Plot.text(['milliseconds →'], { frameAnchor: 'bottom-right', textAnchor: 'end', dy: 36, fill: 'var(--muted)' }),
      Plot.rect(bars, {
        x1: 'x1',
        x2: 'x2',
        y1: ({ i }) => i - 0.06,
        y2: ({ i }) => i + 0.38,
        fill: 'colour',
        stroke: 'var(--surface)',
        strokeWidth: 0.75,
        title: ({ name, ms }) => `${name}: ${duration(ms)}`,
        className: POINTS,
      }),
      Plot.text(starts, {
        frameAnchor: 'left',
        textAnchor: 'start',
        y: (_: Start, i: number) => i - 0.27,
        text: nameOf,
        fill: 'var(--text)',
        dx: 1,
        stroke: 'var(--surface)',
        strokeWidth: 4,
      }),
      Plot.text(
        bars.filter(({ ms, name }) => ms * perMs > name.length * LETTER + 10),
        {
          x: ({ x1, x2 }) => (x1 + x2) / 2,
          y: ({ i }) => i + 0.16,
          text: 'name',
          fill: 'var(--on-bar)',
          fontSize: FONT_SIZE - 1,
        },
      ),
      Plot.text(ends, {
        x: 'ms',
        y: ({ i }) => i + 0.16,
        text: ({ ms, start }) => `${duration(ms)}${width > 500 ? `, whole process ${duration(start.processMs)}` : ''}`,
        textAnchor: 'start',
        dx: 6,
        fill: 'var(--text)',
        fontVariant: 'tabular-nums',
      }),
    ],
  });
}
