// Speed-ups over plain JavaScript: a dot a task and engine, with what the rounds ranged over. Losses are on top.

import * as Plot from '@observablehq/plot';
import type { Answer } from '../../harness/results.js';
import { isLost, nameOf, type SpeedUp } from '../derive.js';
import { type Html, table } from '../html.js';
import { spread, times } from '../words.js';
import type { Figure } from './figure.js';
import { domainOf, draw, GAP, LETTER, log, POINTS, xAxis } from './plot.js';

/** Labels beside the rows, or above them where there is no room beside. */
interface Layout {
  width: number;
  labels: number;
  row: number;
}

const WIDE: Layout = { width: 960, labels: 370, row: 34 };
const NARROW: Layout = { width: 350, labels: 0, row: 50 };

interface Dot {
  answer: Answer;
  row: number;
}

export function speedUpFigure(speedUps: readonly SpeedUp[]): Figure {
  return {
    id: 'speed-ups',
    title: 'How much faster than plain JavaScript',
    aid: 'Each dot is the median of several rounds in which both took turns; its line is the range of the rounds. Left of 1× plain JavaScript wins: those are on top.',
    legend: [
      { mark: 'dot', colour: 'var(--ours)', text: 'the engine a user gets' },
      { mark: 'hollow-square', colour: 'var(--ours)', text: 'wasm-scalar' },
      { mark: 'diamond', colour: 'var(--ours)', text: 'js' },
      { mark: 'block', colour: 'var(--loss)', text: 'slower than plain JavaScript' },
    ],
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
      speedUps.flatMap(({ points }) => points),
    ),
  };
}

const colourOf = ({ answer }: Dot): string => (isLost(answer) ? 'var(--loss)' : 'var(--ours)');

function chart(speedUps: readonly SpeedUp[], { width, labels, row }: Layout): Html {
  const dots = speedUps.flatMap(({ points }, i) => points.map((answer): Dot => ({ answer, row: i })));
  const main = dots.filter(({ answer }) => answer.engine === undefined);
  const x = domainOf([1, ...dots.flatMap(({ answer: { low, high } }) => [low, high])], 1.35);
  const lost = speedUps.filter((speedUp) => speedUp.isLost).length;
  const isWide = labels > 0;
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
      xAxis({ domain: x, ticks: isWide ? 8 : 6, format: times }, 'times as fast as idiomatic JavaScript →'),
      xAxis({ domain: x, ticks: isWide ? 8 : 6, format: times }, '', 'top').slice(1, 2),
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
      ...[...ENGINE_MARKS, undefined].map((symbol) => marksOf(dots, symbol)),
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

const ENGINE_MARKS = [
  { engine: 'wasm-scalar', symbol: 'square' },
  { engine: 'js', symbol: 'diamond' },
] as const;

/** Hollow marks for an engine; the default one's are filled. */
function marksOf(dots: readonly Dot[], mark: (typeof ENGINE_MARKS)[number] | undefined) {
  const others = ENGINE_MARKS.map(({ engine }) => engine as string);
  const shown = dots.filter(({ answer: { engine } }) =>
    mark
      ? engine === mark.engine || (mark.engine === 'js' && engine !== undefined && !others.includes(engine))
      : engine === undefined,
  );
  return Plot.dot(shown, {
    x: ({ answer }: Dot) => answer.ratio,
    y: 'row',
    r: mark ? 3.5 : 5,
    symbol: mark?.symbol ?? 'circle',
    fill: mark ? 'var(--surface)' : colourOf,
    stroke: mark ? colourOf : 'var(--surface)',
    strokeWidth: mark ? 1.5 : 1,
    title: ({ answer }: Dot) => `${nameOf(answer)}: ${times(answer.ratio)} (${spread(answer) || 'one round'})`,
    ariaLabel: POINTS,
  });
}

function taskLabels(speedUps: readonly SpeedUp[], isWide: boolean, room: number) {
  const rows = speedUps.map(({ task, isLost: lost }, row) => ({ task, row, lost }));
  return Plot.text(rows, {
    frameAnchor: 'left',
    y: 'row',
    text: ({ task }) => (isWide ? wrapped(task, Math.floor((room - 16) / LETTER)) : wrapped(task, 46)),
    fill: ({ lost }) => (lost ? 'var(--loss)' : 'var(--text)'),
    textAnchor: isWide ? 'end' : 'start',
    dx: isWide ? -12 : 0,
    dy: isWide ? 0 : -18,
    lineHeight: 1.15,
  });
}

/** In two lines at most, broken after a comma where one is near the middle. */
export function wrapped(text: string, letters: number): string {
  if (text.length <= letters) return text;
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index).filter((at) => at <= letters);
  const commas = spaces.filter((at) => text[at - 1] === ',' && text.length - at <= letters);
  const at = commas.at(-1) ?? spaces.at(-1) ?? letters;
  const rest = text.slice(at).trim();
  return `${text.slice(0, at)}\n${rest.length > letters ? `${rest.slice(0, letters - 1)}…` : rest}`;
}
