// Speed-ups over plain JavaScript: a dot a task and engine, with what the rounds ranged over. Losses are on top.

import * as Plot from '@observablehq/plot';
import type { Answer } from '../../harness/results.js';
import { isLost, nameOf, type SpeedUp } from '../derive.js';
import { type Html, table } from '../html.js';
import { plain, spread, times } from '../words.js';
import type { Figure, Sample } from './figure.js';
import { domainOf, draw, GAP, LETTER, log, POINTS, xAxis } from './plot.js';

/** Labels beside the rows, or above them where there is no room beside. */
interface Layout {
  width: number;
  labels: number;
  row: number;
}

const WIDE: Layout = { width: 960, labels: 370, row: 34 };
const NARROW: Layout = { width: 336, labels: 0, row: 62 };

interface Dot {
  answer: Answer;
  row: number;
}

export function speedUpFigure(speedUps: readonly SpeedUp[]): Figure {
  const answers = speedUps.flatMap(({ points }) => points);
  return {
    id: 'speed-ups',
    title: 'How much faster than plain JavaScript',
    aid: 'Each dot is the median of several rounds in which both took turns; its line is the range of the rounds. Left of 1× plain JavaScript wins: tasks that any engine loses are on top.',
    legend: legendOf(answers),
    wide: chart(speedUps, WIDE),
    narrow: chart(speedUps, NARROW),
    table: table(
      'Speed-ups over plain JavaScript',
      [
        { name: 'what', value: nameOf },
        { name: 'speed-up', value: ({ ratio }) => times(ratio), isNumber: true },
        { name: 'rounds ranged over', value: spread, isNumber: true },
        { name: 'rounds', value: ({ rounds }) => rounds, isNumber: true },
      ],
      answers,
    ),
  };
}

const tick = (x: number): string => `${plain(x)}×`;

const colourOf = ({ answer }: Dot): string => (isLost(answer) ? 'var(--loss)' : 'var(--ours)');

function chart(speedUps: readonly SpeedUp[], { width, labels, row }: Layout): Html {
  const isWide = labels > 0;
  // Where several engines took part, those of others are a little below; all are below a label that is above them.
  const below = isWide ? 0 : 6;
  const dots = speedUps.flatMap(({ points }, i) =>
    points.map(
      (answer): Dot => ({
        answer,
        row: i + (below + (points.length === 1 ? 0 : answer.engine === undefined ? -5 : 7)) / row,
      }),
    ),
  );
  const main = dots.filter(({ answer }) => answer.engine === undefined);
  const x = domainOf([1, ...dots.flatMap(({ answer: { low, high } }) => [low, high])], 1.35);
  const lost = speedUps.filter((speedUp) => speedUp.isLost).length;
  return draw('Speed-up over plain JavaScript, by task and engine', {
    width,
    height: speedUps.length * row + 70,
    marginLeft: isWide ? labels : 14,
    marginRight: 24,
    marginTop: 28,
    marginBottom: 42,
    x: log(x),
    y: { type: 'linear', domain: [-0.5, speedUps.length - 0.5], reverse: true },
    marks: [
      xAxis({ domain: x, ticks: isWide ? 8 : 6, format: tick }, 'times as fast as idiomatic JavaScript →'),
      xAxis({ domain: x, ticks: isWide ? 8 : 6, format: tick }, '', 'top').slice(1, 2),
      Plot.ruleX([1], { stroke: 'var(--text)', strokeWidth: 1.25 }),
      lost > 0 && lost < speedUps.length
        ? Plot.ruleY([lost - 0.5], { stroke: 'var(--rule)', strokeDasharray: '2 3' })
        : null,
      taskLabels(speedUps, isWide, labels),
      Plot.link(dots, {
        x1: ({ answer }: Dot) => answer.low,
        x2: ({ answer }: Dot) => answer.high,
        y1: 'row',
        y2: 'row',
        stroke: colourOf,
        strokeWidth: ({ answer }: Dot) => (answer.engine === undefined ? 3 : 1.25),
        strokeOpacity: 0.45,
      }),
      ENGINES.map((engine) => marksOf(dots, engine)),
      Plot.text(main, {
        x: ({ answer }: Dot) => answer.high,
        y: 'row',
        text: ({ answer }: Dot) => times(answer.ratio),
        fill: colourOf,
        fontWeight: 600,
        fontVariant: 'tabular-nums',
        textAnchor: 'start',
        dx: GAP,
      }),
    ],
  });
}

/** The engine that a user gets is undefined; those without a line of their own share the last. */
const ENGINES = [
  { engine: 'js', symbol: 'diamond', mark: 'diamond', text: 'engine js' },
  { engine: 'wasm-scalar', symbol: 'square', mark: 'hollow-square', text: 'engine wasm-scalar' },
  { engine: 'other', symbol: 'circle', mark: 'hollow', text: 'another engine' },
  { engine: undefined, symbol: 'circle', mark: 'dot', text: 'the engine a user gets' },
] as const;
type Engine = (typeof ENGINES)[number];

const isOf = ({ engine }: Engine, answer: Answer): boolean =>
  engine === 'other' ? !ENGINES.some((one) => one.engine === answer.engine) : engine === answer.engine;

/** Filled for the engine that a user gets, hollow for others. */
function marksOf(dots: readonly Dot[], engine: Engine) {
  const isMain = engine.engine === undefined;
  return Plot.dot(
    dots.filter(({ answer }) => isOf(engine, answer)),
    {
      x: ({ answer }: Dot) => answer.ratio,
      y: 'row',
      r: isMain ? 5 : 3.5,
      symbol: engine.symbol,
      fill: isMain ? colourOf : 'var(--surface)',
      stroke: isMain ? 'var(--surface)' : colourOf,
      strokeWidth: isMain ? 1 : 1.5,
      title: ({ answer }: Dot) => `${nameOf(answer)}: ${times(answer.ratio)} (${spread(answer) || 'one round'})`,
      className: POINTS,
    },
  );
}

/** Of the engines that took part. */
function legendOf(answers: readonly Answer[]): Sample[] {
  const present = ENGINES.filter((engine) => answers.some((answer) => isOf(engine, answer))).reverse();
  const loss: Sample = { mark: 'block', colour: 'var(--loss)', text: 'slower than plain JavaScript' };
  return [
    ...present.map(({ mark, text }): Sample => ({ mark, colour: 'var(--ours)', text })),
    ...(answers.some(isLost) ? [loss] : []),
  ];
}

function taskLabels(speedUps: readonly SpeedUp[], isWide: boolean, room: number) {
  const rows = speedUps.map(({ task, points }, row) => ({
    task,
    row,
    lost: points.some((answer) => answer.engine === undefined && isLost(answer)),
  }));
  return Plot.text(rows, {
    frameAnchor: 'left',
    y: 'row',
    text: ({ task }) => (isWide ? wrapped(task, Math.floor((room - 16) / LETTER)) : wrapped(task, 46)),
    fill: ({ lost }) => (lost ? 'var(--loss)' : 'var(--text)'),
    textAnchor: isWide ? 'end' : 'start',
    dx: isWide ? -12 : 0,
    lineAnchor: isWide ? 'middle' : 'bottom',
    dy: isWide ? 0 : -9,
    stroke: 'var(--surface)',
    strokeWidth: 4,
    lineHeight: 1.15,
  });
}

/** In two lines at most, broken after a comma where one is near the middle. */
function wrapped(text: string, letters: number): string {
  if (text.length <= letters) return text;
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index).filter((at) => at <= letters);
  const commas = spaces.filter((at) => text[at - 1] === ',' && text.length - at <= letters);
  const at = commas.at(-1) ?? spaces.at(-1) ?? letters;
  const rest = text.slice(at).trim();
  return `${text.slice(0, at)}\n${rest.length > letters ? `${rest.slice(0, letters - 1)}…` : rest}`;
}
