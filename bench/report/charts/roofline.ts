// The roofline: what was achieved, below what this machine can do.

import * as Plot from '@observablehq/plot';
import type { Limits } from '../../harness/results.js';
import type { RooflinePoint } from '../derive.js';
import { type Html, html, table } from '../html.js';
import { blockSize, duration, percent, plain } from '../words.js';
import type { Figure } from './figure.js';
import { apart, domainOf, draw, GAP, LETTER, log, POINTS, pixel, valueAt, xAxis, yAxis } from './plot.js';

interface Layout {
  width: number;
  height: number;
  /** Names beside the points, or their numbers in the list below. */
  hasNames: boolean;
}

const WIDE: Layout = { width: 960, height: 520, hasNames: true };
const NARROW: Layout = { width: 350, height: 400, hasNames: false };
const MARGIN = { marginLeft: 44, marginTop: 36, marginBottom: 44 };

type Numbered = RooflinePoint & { number: number };

export function rooflineFigure(points: readonly RooflinePoint[], limits: Limits): Figure {
  const numbered = [...points]
    .sort((a, b) => rank(a) - rank(b) || b.share - a.share)
    .map((point, i): Numbered => ({ ...point, number: i + 1 }));
  return {
    id: 'roofline',
    title: 'How near to what this machine can do',
    aid: 'Slopes: how fast numbers can be read, from memory and from caches. Level: how fast 128-bit lanes can multiply and add. Nothing of ours can be above both; the nearer, the less there is to gain.',
    legend: [
      { mark: 'dot', colour: 'var(--ours)', text: 'ours' },
      { mark: 'hollow', colour: 'var(--ours)', text: 'ours, other engines' },
      { mark: 'dot', colour: 'var(--rule)', text: 'idiomatic JavaScript' },
      { mark: 'diamond', colour: 'var(--muted)', text: 'peers' },
      { mark: 'line', colour: 'var(--text)', text: 'measured limits' },
      { mark: 'thin-dashed', colour: 'var(--muted)', text: 'from caches' },
    ],
    wide: chart(numbered, limits, WIDE),
    narrow: html`${chart(numbered, limits, NARROW)}${key(numbered.filter(isNamed))}`,
    table: table(
      'What was achieved, as a share of the nearer limit',
      [
        { name: 'what', value: ({ label }) => label },
        { name: 'time', value: ({ timing }) => duration(timing.ms), isNumber: true },
        { name: 'flop / byte', value: ({ intensity }) => plain(intensity), isNumber: true },
        { name: 'GFLOP/s', value: ({ gigaflops }) => plain(gigaflops), isNumber: true },
        { name: 'GB/s', value: ({ gigabytesPerSecond }) => plain(gigabytesPerSecond), isNumber: true },
        { name: 'limit, GFLOP/s', value: ({ limit }) => plain(limit), isNumber: true },
        { name: 'set by', value: ({ bound }) => BOUNDS[bound] },
        { name: 'share', value: ({ share }) => percent(share), isNumber: true },
      ],
      numbered,
    ),
    note: 'Peers may have wider lanes or fused multiply-adds, and so be above our peak.',
  };
}

const BOUNDS = { memory: 'reading memory', cache: 'reading a cache', peak: 'multiply-add peak' };

const rank = ({ who }: RooflinePoint): number => ['ours', 'peer', 'other engine', 'baseline'].indexOf(who);
const isNamed = ({ who }: RooflinePoint): boolean => who === 'ours' || who === 'peer';

const key = (points: readonly Numbered[]): Html =>
  html`<ol class="key">${points.map(({ label, share }) => html`<li>${label}, ${percent(share)}</li>`)}</ol>`;

function chart(points: readonly Numbered[], limits: Limits, { width, height, hasNames }: Layout): Html {
  const size = { width, height, ...MARGIN, marginRight: 16 };
  const { gigaflops: peak } = limits.peak;
  const blocks = [...limits.read].sort((a, b) => a.bytes - b.bytes);
  const memory = blocks.at(-1)?.gigabytesPerSecond ?? peak;
  const fastest = Math.max(...limits.read.map(({ gigabytesPerSecond }) => gigabytesPerSecond), memory);
  const x = domainOf([...points.map(({ intensity }) => intensity), peak / memory, peak / fastest], 2.5);
  const achieved = points.map(({ gigaflops }) => gigaflops);
  const y: [number, number] = [
    Math.min(...achieved, memory * x[0] * 2, peak / 4) / 1.6,
    Math.max(peak, ...achieved) * 1.9,
  ];
  const roof = (bandwidth: number) =>
    [Math.max(x[0], y[0] / bandwidth), peak / bandwidth, x[1]].map((at) => ({
      x: at,
      y: Math.min(peak, bandwidth * at),
    }));
  return draw('Roofline: GFLOP/s achieved against flop per byte, below the measured limits', {
    ...size,
    x: log(x),
    y: log(y),
    marks: [
      xAxis({ domain: x, ticks: hasNames ? 8 : 5, format: plain }, 'floating-point operations per byte read →'),
      yAxis({ domain: y, ticks: 6, format: plain }, '↑ GFLOP/s', MARGIN.marginLeft),
      blocks.slice(0, -1).map(({ gigabytesPerSecond }) =>
        Plot.line(roof(gigabytesPerSecond).slice(0, 2), {
          x: 'x',
          y: 'y',
          stroke: 'var(--muted)',
          strokeWidth: 1,
          strokeDasharray: '3 3',
        }),
      ),
      Plot.line(roof(memory), { x: 'x', y: 'y', stroke: 'var(--text)', strokeWidth: 2 }),
      Plot.line(
        [
          { x: peak / fastest, y: peak },
          { x: peak / memory, y: peak },
        ],
        { x: 'x', y: 'y', stroke: 'var(--text)', strokeWidth: 2 },
      ),
      limitLabels(blocks, peak, { x, y, ...size }, hasNames),
      dots(points),
      pointLabels(points.filter(isNamed), { x, y, ...size }, hasNames),
    ],
  });
}

interface Frame {
  x: readonly [number, number];
  y: readonly [number, number];
  width: number;
  height: number;
  marginLeft: number;
  marginRight: number;
  marginTop: number;
  marginBottom: number;
}

/** Along the slopes, near their lower ends, turned as they are. */
function limitLabels(blocks: Limits['read'], peak: number, frame: Frame, isWide: boolean) {
  const { x, y, width, height, marginLeft, marginRight, marginTop, marginBottom } = frame;
  const perDecadeX = (width - marginLeft - marginRight) / Math.log10(x[1] / x[0]);
  const perDecadeY = (height - marginTop - marginBottom) / Math.log10(y[1] / y[0]);
  const rotate = (-Math.atan2(perDecadeY, perDecadeX) * 180) / Math.PI;
  const shown = isWide ? blocks : blocks.slice(-1);
  return [
    shown.map(({ bytes, gigabytesPerSecond }) => {
      const start = Math.max(x[0], y[0] / gigabytesPerSecond);
      const isMemory = bytes === blocks.at(-1)?.bytes;
      const name = isMemory ? 'memory' : blockSize(bytes);
      return Plot.text([{ x: start * 1.08, y: start * 1.08 * gigabytesPerSecond }], {
        x: 'x',
        y: 'y',
        text: () => `${name}: ${plain(gigabytesPerSecond)} GB/s`,
        rotate,
        textAnchor: 'start',
        lineAnchor: 'bottom',
        dy: -3,
        dx: 2,
        fontSize: 10.5,
        fill: isMemory ? 'var(--text)' : 'var(--muted)',
      });
    }),
    Plot.text([{ x: x[1], y: peak }], {
      x: 'x',
      y: 'y',
      text: () => `multiply-add peak: ${plain(peak)} GFLOP/s`,
      textAnchor: 'end',
      dy: -9,
      fill: 'var(--text)',
    }),
  ];
}

const LOOKS = {
  baseline: { fill: 'var(--rule)', stroke: 'var(--rule)', r: 3 },
  'other engine': { fill: 'var(--surface)', stroke: 'var(--ours)', r: 3 },
  peer: { fill: 'var(--surface)', stroke: 'var(--muted)', r: 4, symbol: 'diamond' },
  ours: { fill: 'var(--ours)', stroke: 'var(--surface)', r: 5 },
} as const;

const dots = (points: readonly Numbered[]) =>
  Object.entries(LOOKS).map(([who, look]) =>
    Plot.dot(
      points.filter((point) => point.who === who),
      {
        x: 'intensity',
        y: 'gigaflops',
        strokeWidth: 1.5,
        ...look,
        title: ({ label, gigaflops, share }: Numbered) =>
          `${label}: ${plain(gigaflops)} GFLOP/s, ${percent(share)} of its limit`,
        ariaLabel: POINTS,
      },
    ),
  );

/** Beside the points, on the side that has room, moved apart where they would touch; a thin line leads to those moved. */
function pointLabels(points: readonly Numbered[], frame: Frame, hasNames: boolean) {
  const { x, y, width, height, marginLeft, marginRight, marginTop, marginBottom } = frame;
  const [left, right, bottom, top] = [marginLeft, width - marginRight, height - marginBottom, marginTop];
  const text = ({ label, share, number }: Numbered): string =>
    hasNames ? `${label}, ${percent(share)}` : String(number);
  const placed = points.map((point) => {
    const [px, py] = [pixel(point.intensity, x, left, right), pixel(point.gigaflops, y, bottom, top)];
    const room = text(point).length * (LETTER - 0.6) + 2 * GAP;
    return { point, px, py, isRight: px + room < right || px - room < left };
  });
  const sides = [true, false].flatMap((isRight) => {
    const side = placed.filter((one) => one.isRight === isRight);
    return clusters(side).flatMap((cluster) => {
      const ys = apart(
        cluster.map(({ py }) => py),
        13,
        top + 4,
        bottom - 6,
      );
      const edge = isRight ? Math.max(...cluster.map(({ px }) => px)) : Math.min(...cluster.map(({ px }) => px));
      return cluster.map((one, i) => ({ ...one, ly: ys[i] as number, lx: edge + (isRight ? 14 : -14) }));
    });
  });
  const back = { x: (at: number) => valueAt(at, x, left, right), y: (at: number) => valueAt(at, y, bottom, top) };
  return [
    Plot.link(sides, {
      x1: ({ point }) => point.intensity,
      y1: ({ point }) => point.gigaflops,
      x2: ({ lx, isRight }) => back.x(lx - (isRight ? 2 : -2)),
      y2: ({ ly }) => back.y(ly),
      stroke: 'var(--rule)',
      strokeWidth: 0.75,
    }),
    [true, false].map((isRight) =>
      Plot.text(
        sides.filter((one) => one.isRight === isRight),
        {
          x: ({ lx }) => back.x(lx),
          y: ({ ly }) => back.y(ly),
          text: ({ point }) => text(point),
          textAnchor: isRight ? 'start' : 'end',
          fontSize: 10.5,
          fill: ({ point }) => (point.who === 'ours' ? 'var(--ours)' : 'var(--muted)'),
          stroke: 'var(--surface)',
          strokeWidth: 3,
        },
      ),
    ),
  ];
}

/** Points that stand above each other, more or less, so that their labels could touch. */
function clusters<T extends { px: number }>(placed: readonly T[]): T[][] {
  const sorted = [...placed].sort((a, b) => a.px - b.px);
  const found: T[][] = [];
  for (const one of sorted) {
    const last = found.at(-1);
    if (last && one.px - (last[0] as T).px < 60) last.push(one);
    else found.push([one]);
  }
  return found;
}
