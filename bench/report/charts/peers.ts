// Others, on the same rows until the same rule says stop.

import * as Plot from '@observablehq/plot';
import type { Contender, PeerTask } from '../../harness/results.js';
import { oursIn, ratioTo } from '../derive.js';
import { type Html, table } from '../html.js';
import { duration, spread, times } from '../words.js';
import type { Figure } from './figure.js';
import { domainOf, draw, GAP, log, POINTS, xAxis } from './plot.js';
import { wrapped } from './speedups.js';

const WIDTH = 330;
const ROW = 42;

export function peersFigure(tasks: readonly PeerTask[]): Figure {
  return {
    id: 'peers',
    title: 'Beside others',
    aid: 'Time to the same stopping rule on the same rows; left is faster. Hollow marks are of another algorithm for the same task: landmarks, not rivals.',
    legend: [
      { mark: 'dot', colour: 'var(--ours)', text: 'perceptron-wasm' },
      { mark: 'dot', colour: 'var(--muted)', text: 'JavaScript' },
      { mark: 'square', colour: 'var(--muted)', text: 'native' },
      { mark: 'dot', colour: 'var(--loss)', text: 'faster than ours' },
      { mark: 'hollow', colour: 'var(--muted)', text: 'another algorithm' },
    ],
    panels: tasks.filter(({ contenders }) => contenders.length > 0).map(panel),
    table: table(
      'Time to the same stopping rule',
      [
        { name: 'task', value: ({ task }) => `${task.what}, ${task.rule}` },
        { name: 'who', value: ({ contender }) => contender.name },
        { name: 'time', value: ({ contender }) => duration(contender.timing.ms), isNumber: true },
        {
          name: 'times ours',
          value: ({ contender, ratio }) => (contender.kind === 'ours' || !ratio ? '' : times(ratio.ratio)),
          isNumber: true,
        },
        {
          name: 'rounds ranged over',
          value: ({ contender, ratio }) => (contender.kind === 'ours' || !ratio ? '' : spread(ratio)),
          isNumber: true,
        },
        { name: 'algorithm', value: ({ contender }) => (contender.otherAlgorithm ? 'another' : 'the same') },
        { name: 'to know', value: ({ contender }) => contender.note ?? '' },
      ],
      tasks.flatMap((task) => {
        const ours = oursIn(task);
        return ordered(task).map((contender) => ({ task, contender, ratio: ours && ratioTo(contender, ours) }));
      }),
    ),
  };
}

const ordered = ({ contenders }: PeerTask): Contender[] => [...contenders].sort((a, b) => a.timing.ms - b.timing.ms);

function panel(task: PeerTask): Html {
  const ours = oursIn(task);
  const rows = ordered(task).map((contender, row) => ({ contender, row }));
  type Row = (typeof rows)[number];
  const range = ({ contender: { timing } }: Row): [number, number] => [
    Math.min(timing.ms, ...timing.rounds),
    Math.max(timing.ms, ...timing.rounds),
  ];
  const x = domainOf(rows.flatMap(range), 1.6);
  const isFaster = ({ contender }: Row): boolean =>
    ours !== undefined && contender.kind !== 'ours' && !contender.otherAlgorithm && ratioTo(contender, ours).ratio < 1;
  const colour = (row: Row): string =>
    row.contender.kind === 'ours' ? 'var(--ours)' : isFaster(row) ? 'var(--loss)' : 'var(--muted)';
  // Times stand on the side of the dot that has room.
  const isRight = (row: Row): boolean => range(row)[1] > Math.sqrt(x[0] * x[1]);
  return draw(`${task.what}, ${task.rule}: time of each`, {
    width: WIDTH,
    height: rows.length * ROW + 110,
    marginLeft: 12,
    marginRight: 16,
    marginTop: 54,
    marginBottom: 44,
    x: log(x),
    y: { type: 'linear', domain: [-0.5, rows.length - 0.5], reverse: true },
    marks: [
      xAxis({ domain: x, ticks: 5, format: duration }, 'time →'),
      Plot.text([wrapped(task.what, 40)], {
        frameAnchor: 'top-left',
        lineAnchor: 'top',
        dx: -10,
        dy: -52,
        fill: 'var(--text)',
        fontWeight: 600,
        fontSize: 12.5,
      }),
      Plot.text([task.rule], { frameAnchor: 'top-left', dx: -10, dy: -14, fill: 'var(--muted)' }),
      ours ? Plot.ruleX([ours.timing.ms], { stroke: 'var(--ours)', strokeOpacity: 0.5, strokeDasharray: '2 3' }) : null,
      Plot.text(rows, {
        frameAnchor: 'left',
        y: 'row',
        text: ({ contender }: Row) => contender.name,
        fill: (row: Row) => (row.contender.kind === 'ours' || isFaster(row) ? colour(row) : 'var(--text)'),
        fontWeight: 400,
        textAnchor: 'start',
        dx: 2,
        dy: -12,
        stroke: 'var(--surface)',
        strokeWidth: 4,
      }),
      Plot.link(rows, {
        x1: (row: Row) => range(row)[0],
        x2: (row: Row) => range(row)[1],
        y1: 'row',
        y2: 'row',
        dy: 6,
        stroke: colour,
        strokeWidth: 3,
        strokeOpacity: 0.4,
      }),
      ...(['circle', 'square'] as const).map((symbol) =>
        Plot.dot(
          rows.filter(({ contender }) => (contender.kind === 'native') === (symbol === 'square')),
          {
            x: ({ contender }: Row) => contender.timing.ms,
            y: 'row',
            dy: 6,
            symbol,
            r: ({ contender }: Row) => (contender.kind === 'ours' ? 6 : 4.5),
            fill: (row: Row) => (row.contender.otherAlgorithm ? 'var(--surface)' : colour(row)),
            stroke: colour,
            strokeWidth: 1.6,
            title: ({ contender }: Row) => `${contender.name}: ${duration(contender.timing.ms)}`,
            ariaLabel: POINTS,
          },
        ),
      ),
      [true, false].map((right) =>
        Plot.text(
          rows.filter((row) => isRight(row) === right),
          {
            x: (row: Row) => range(row)[right ? 0 : 1],
            y: 'row',
            dy: 6,
            dx: right ? -GAP : GAP,
            text: ({ contender }: Row) => duration(contender.timing.ms),
            textAnchor: right ? 'end' : 'start',
            fill: (row: Row) => (row.contender.kind === 'ours' || isFaster(row) ? colour(row) : 'var(--muted)'),
            fontVariant: 'tabular-nums',
          },
        ),
      ),
    ],
    r: { type: 'identity' },
  });
}
