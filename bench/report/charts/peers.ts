// Others, on the same rows until the same rule says stop.

import * as Plot from '@observablehq/plot';
import type { Contender, PeerTask } from '../../harness/results.js';
import { oursIn, ratioTo, rivalOf } from '../derive.js';
import { type Html, html, table } from '../html.js';
import { duration, spread, times } from '../words.js';
import type { Figure } from './figure.js';
import { domainOf, draw, GAP, log, POINTS, xAxis } from './plot.js';

const WIDTH = 330;
const ROW = 42;

export function peersFigure(tasks: readonly PeerTask[]): Figure {
  return {
    id: 'peers',
    title: 'Beside others',
    aid: 'Time to the same stopping rule on the same rows, the median of the rounds; left is faster. Whoever was faster than ours in every round has another colour. Hollow marks are of another algorithm for the same task: landmarks, not rivals.',
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
          value: ({ ratio }) => (ratio ? times(ratio.ratio) : ''),
          isNumber: true,
        },
        {
          name: 'rounds ranged over',
          value: ({ ratio }) => (ratio ? spread(ratio) : ''),
          isNumber: true,
        },
        { name: 'algorithm', value: ({ contender }) => (contender.otherAlgorithm ? 'another' : 'the same') },
        { name: 'to know', value: ({ contender }) => contender.note ?? '' },
      ],
      tasks.flatMap((task) => {
        return ordered(task).map((contender) => {
          // None of another algorithm: it stops by another rule, so its time is a landmark and no multiple of ours.
          const ours = contender.otherAlgorithm || contender.kind === 'ours' ? undefined : rivalOf(contender, task);
          return { task, contender, ratio: ours && ratioTo(contender, ours) };
        });
      }),
    ),
  };
}

const ordered = ({ contenders }: PeerTask): Contender[] => [...contenders].sort((a, b) => a.timing.ms - b.timing.ms);

interface Row {
  contender: Contender;
  row: number;
  /** The shortest and the longest round. */
  low: number;
  high: number;
  colour: string;
  /** Ours, and those that beat us. */
  isSpecial: boolean;
}

function rowsOf(task: PeerTask): Row[] {
  return ordered(task).map((contender, row) => {
    const ours = rivalOf(contender, task);
    const { ms, rounds } = contender.timing;
    const isOurs = contender.kind === 'ours';
    const isFaster = ours !== undefined && !isOurs && !contender.otherAlgorithm && ratioTo(contender, ours).high < 1;
    return {
      contender,
      row,
      low: Math.min(ms, ...rounds),
      high: Math.max(ms, ...rounds),
      colour: isOurs ? 'var(--ours)' : isFaster ? 'var(--loss)' : 'var(--muted)',
      isSpecial: isOurs || isFaster,
    };
  });
}

/** Half of what a number below the axis may take beside its tick. */
const EDGE = 22;

/** From the middle of a row down to its dot; its name is above. */
const DOWN = 6;

function panel(task: PeerTask): Html {
  const rows = rowsOf(task);
  const ours = oursIn(task);
  const ends = rows.flatMap(({ low, high }) => [low, high]);
  // Room for a time on both sides of the widest range: a seventh of the width each.
  const x = domainOf(ends, Math.max(1.6, (Math.max(...ends) / Math.min(...ends)) ** 0.22));
  const hasRoomRight = ({ low, high }: Row): boolean => x[1] / high >= low / x[0];
  const chart = draw(`${task.what}, ${task.rule}: time of each`, {
    width: WIDTH,
    height: rows.length * ROW + 54,
    marginLeft: EDGE,
    marginRight: EDGE,
    marginTop: 8,
    marginBottom: 44,
    x: log(x),
    y: { type: 'linear', domain: [-0.5, rows.length - 0.5], reverse: true },
    r: { type: 'identity' },
    marks: [
      xAxis({ domain: x, ticks: 5, format: duration }, 'time →'),
      ours ? Plot.ruleX([ours.timing.ms], { stroke: 'var(--ours)', strokeOpacity: 0.5, strokeDasharray: '2 3' }) : null,
      names(rows),
      Plot.link(rows, {
        x1: 'low',
        x2: 'high',
        y1: 'row',
        y2: 'row',
        dy: DOWN,
        stroke: 'colour',
        strokeWidth: 3,
        strokeOpacity: 0.4,
      }),
      dots(rows, 'circle'),
      dots(rows, 'square'),
      // Times stand on the side of the dot that has room.
      timesOf(rows, hasRoomRight, 1),
      timesOf(rows, (row) => !hasRoomRight(row), -1),
    ],
  });
  return html`<h3>${task.what}</h3><p class="rule">${task.rule}</p>${chart}`;
}

const names = (rows: readonly Row[]) =>
  [true, false].map((isOurs) =>
    Plot.text(
      rows.filter(({ contender }) => (contender.kind === 'ours') === isOurs),
      {
        frameAnchor: 'left',
        y: 'row',
        text: ({ contender }: Row) => contender.name,
        fill: ({ isSpecial, colour }: Row) => (isSpecial ? colour : 'var(--text)'),
        fontWeight: isOurs ? 600 : 400,
        textAnchor: 'start',
        dx: 4 - EDGE,
        dy: -12,
        stroke: 'var(--surface)',
        strokeWidth: 4,
      },
    ),
  );

const dots = (rows: readonly Row[], symbol: 'circle' | 'square') =>
  Plot.dot(
    rows.filter(({ contender }) => (contender.kind === 'native') === (symbol === 'square')),
    {
      x: ({ contender }: Row) => contender.timing.ms,
      y: 'row',
      dy: DOWN,
      symbol,
      r: ({ contender }: Row) => (contender.kind === 'ours' ? 6 : 4.5),
      fill: ({ contender, colour }: Row) => (contender.otherAlgorithm ? 'var(--surface)' : colour),
      stroke: 'colour',
      strokeWidth: 1.6,
      title: ({ contender }: Row) => `${contender.name}: ${duration(contender.timing.ms)}`,
      className: POINTS,
    },
  );

const timesOf = (rows: readonly Row[], isHere: (row: Row) => boolean, side: 1 | -1) =>
  Plot.text(rows.filter(isHere), {
    x: side === 1 ? 'high' : 'low',
    y: 'row',
    dy: DOWN,
    dx: side * (GAP + 2),
    text: ({ contender }: Row) => duration(contender.timing.ms),
    textAnchor: side === 1 ? 'start' : 'end',
    fill: 'colour',
    fontVariant: 'tabular-nums',
    stroke: 'var(--surface)',
    strokeWidth: 3,
  });
