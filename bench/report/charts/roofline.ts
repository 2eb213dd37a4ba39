// The roofline: what was achieved, below what this machine can do.

import * as Plot from '@observablehq/plot';
import type { Limits } from '../../harness/results.js';
import type { RooflinePoint } from '../derive.js';
import { type Html, html, table } from '../html.js';
import { blockSize, duration, percent, plain } from '../words.js';
import type { Figure } from './figure.js';
import { domainOf, draw, GAP, LETTER, log, POINTS, pixel, valueAt, xAxis, yAxis } from './plot.js';

interface Layout {
  width: number;
  height: number;
  /** Names beside the points, or their numbers in the list below. */
  hasNames: boolean;
}

const WIDE: Layout = { width: 960, height: 520, hasNames: true };
const NARROW: Layout = { width: 336, height: 400, hasNames: false };
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
      pointLabels(points.filter(isNamed), points, { x, y, ...size }, hasNames),
      dots(points),
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
  const memory = blocks.at(-1)?.gigabytesPerSecond ?? peak;
  const rotate = (-Math.atan2(perDecadeY, perDecadeX) * 180) / Math.PI;
  return [
    (isWide ? blocks : []).map(({ bytes, gigabytesPerSecond }) => {
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
        dy: -5,
        fontSize: 10.5,
        fill: isMemory ? 'var(--text)' : 'var(--muted)',
      });
    }),
    isWide
      ? null
      : Plot.text([{ x: peak / memory, y: peak }], {
          x: 'x',
          y: 'y',
          text: () => `memory: ${plain(memory)} GB/s`,
          textAnchor: 'start',
          dx: 6,
          dy: 14,
          fill: 'var(--text)',
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
        className: POINTS,
      },
    ),
  );

const LINE = 13;
/** How far up or down a label may move from its point, the nearest first. */
const OFFSETS = [0, ...Array.from({ length: 12 }, (_, i) => [-(i + 1) * LINE, (i + 1) * LINE]).flat()];

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const touch = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

interface Label {
  point: Numbered;
  text: string;
  /** Where it begins, or ends if it is on the left. */
  x: number;
  y: number;
  isRight: boolean;
}

/** Each at the place nearest to its point where it touches no other label and no point; without such a place, nowhere. */
function place(points: readonly Numbered[], all: readonly Numbered[], frame: Frame, hasNames: boolean): Label[] {
  const { x, y, width, height, marginLeft, marginRight, marginTop, marginBottom } = frame;
  const inner: Box = { left: marginLeft, right: width - marginRight, top: marginTop, bottom: height - marginBottom };
  const spot = ({ intensity, gigaflops }: Numbered) => ({
    px: pixel(intensity, x, inner.left, inner.right),
    py: pixel(gigaflops, y, inner.bottom, inner.top),
  });
  const taken = all.map(spot).map(({ px, py }): Box => ({ left: px - 5, right: px + 5, top: py - 5, bottom: py + 5 }));
  return points.flatMap((point) => {
    const text = hasNames ? `${point.label}, ${percent(point.share)}` : String(point.number);
    const { px, py } = spot(point);
    const length = text.length * (LETTER - 0.6) + 4;
    for (const offset of OFFSETS) {
      for (const isRight of [true, false]) {
        const start = px + (isRight ? 1 : -1) * (offset === 0 ? GAP + 2 : 2 * GAP);
        const [left, right] = isRight ? [start, start + length] : [start - length, start];
        const box = { left, right, top: py + offset - LINE / 2, bottom: py + offset + LINE / 2 };
        const isInside = left >= inner.left && right <= width && box.top >= inner.top && box.bottom <= inner.bottom;
        if (!isInside || taken.some((other) => touch(other, box))) continue;
        taken.push(box);
        return [{ point, text, x: start, y: py + offset, isRight }];
      }
    }
    return [];
  });
}

function pointLabels(points: readonly Numbered[], all: readonly Numbered[], frame: Frame, hasNames: boolean) {
  const labels = place(points, all, frame, hasNames);
  const { x, y, width, height, marginLeft, marginRight, marginTop, marginBottom } = frame;
  const backX = (at: number): number => valueAt(at, x, marginLeft, width - marginRight);
  const backY = (at: number): number => valueAt(at, y, height - marginBottom, marginTop);
  return [
    Plot.link(labels, {
      x1: ({ point }) => point.intensity,
      y1: ({ point }) => point.gigaflops,
      x2: (label) => backX(label.x - (label.isRight ? 2 : -2)),
      y2: (label) => backY(label.y),
      stroke: 'var(--rule)',
      strokeWidth: 0.75,
    }),
    [true, false].map((isRight) =>
      Plot.text(
        labels.filter((label) => label.isRight === isRight),
        {
          x: (label) => backX(label.x),
          y: (label) => backY(label.y),
          text: 'text',
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
