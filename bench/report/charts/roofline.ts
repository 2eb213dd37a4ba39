// The roofline: what was achieved, below what this machine can do.

import * as Plot from '@observablehq/plot';
import type { Limits } from '../../harness/results.js';
import { groupBy, type RooflinePoint } from '../derive.js';
import { type Html, html, table } from '../html.js';
import { blockSize, duration, percent, plain, sharesText } from '../words.js';
import type { Figure } from './figure.js';
import { type Box, boxAt, type Frame, innerOf, labels, lengthOf, type Wanted } from './labels.js';
import { domainOf, draw, log, POINTS, pixel, xAxis, yAxis } from './plot.js';

interface Layout {
  width: number;
  height: number;
  /** Names beside the points, or their numbers in the list below. */
  hasNames: boolean;
}

const WIDE: Layout = { width: 960, height: 520, hasNames: true };
const NARROW: Layout = { width: 336, height: 400, hasNames: false };
const MARGIN = { marginLeft: 44, marginTop: 36, marginBottom: 44 };

/** With its place in the list of names, if it has a name. */
type Numbered = RooflinePoint & { number?: number };

export function rooflineFigure(points: readonly RooflinePoint[], limits: Limits, all: number): Figure {
  const sorted = [...points].sort((a, b) => rank(a) - rank(b) || b.share - a.share);
  const names = named(sorted);
  const numbered = sorted.map((point): Numbered => {
    const place = names.indexOf(point);
    return place < 0 ? point : { ...point, number: place + 1 };
  });
  return {
    id: 'roofline',
    title: 'How near to what this machine can do',
    aid: 'Slopes: how fast numbers can be read, from memory and from caches. Level: how fast 128-bit lanes can multiply and add. Nothing of ours can be above both; the nearer, the less there is to gain. Named is the nearest of each question; the table has all.',
    legend: [
      { mark: 'dot', colour: 'var(--ours)', text: 'ours' },
      { mark: 'hollow', colour: 'var(--ours)', text: 'ours, other engines' },
      { mark: 'dot', colour: 'var(--rule)', text: 'idiomatic JavaScript' },
      { mark: 'diamond', colour: 'var(--muted)', text: 'peers' },
      { mark: 'line', colour: 'var(--text)', text: 'measured limits' },
      { mark: 'thin-dashed', colour: 'var(--muted)', text: 'from caches' },
    ],
    wide: chart(numbered, limits, WIDE),
    narrow: html`${chart(numbered, limits, NARROW)}${key(names)}`,
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
    note: `Measured in this run: ${limitsText(limits)}. Peers may have wider lanes or fused multiply-adds, and so be above our peak. ${sharesText(points.length, all)}`,
  };
}

const limitsText = ({ read, peak }: Limits): string =>
  [...read]
    .sort((a, b) => a.bytes - b.bytes)
    .slice(-1)
    .map(({ gigabytesPerSecond }) => `${plain(gigabytesPerSecond)} GB/s from memory, `)
    .concat(`${plain(peak.gigaflops)} GFLOP/s at the most`)
    .join('');

const BOUNDS = { memory: 'reading memory', cache: 'reading a cache', peak: 'multiply-add peak' };

const rank = ({ who }: RooflinePoint): number => ['ours', 'peer', 'other engine', 'baseline'].indexOf(who);

/** Ours and peers; of each question, or task, the one that is nearest to its limit: more names would cover the points. */
function named(points: readonly RooflinePoint[]): RooflinePoint[] {
  const candidates = points.filter(({ who }) => who === 'ours' || who === 'peer');
  const groups = groupBy(candidates, ({ label, who }) => `${who} ${label.split(': ')[0]}`);
  return [...groups.values()].map((group) => group.reduce((a, b) => (b.share > a.share ? b : a)));
}

const key = (points: readonly RooflinePoint[]): Html =>
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
  const frame = { x, y, ...size };
  const slopes = slopesOf(blocks);
  return draw('Roofline: GFLOP/s achieved against flop per byte, below the measured limits', {
    ...size,
    x: log(x),
    y: log(y),
    marks: [
      xAxis({ domain: x, ticks: hasNames ? 8 : 5, format: plain }, 'floating-point operations per byte read →'),
      yAxis({ domain: y, ticks: 6, format: plain }, '↑ GFLOP/s', MARGIN.marginLeft),
      slopes
        .filter(({ isMemory }) => !isMemory)
        .map(({ gigabytesPerSecond }) =>
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
      limitLabels(slopes, peak, frame, hasNames),
      labels(wantedOf(points, hasNames), occupiedBy(points, slopes, peak, frame, hasNames), frame),
      dots(points),
    ],
  });
}

/** A limit that is drawn; caches of nearly the same speed share a line. */
interface Slope {
  name: string;
  gigabytesPerSecond: number;
  isMemory: boolean;
}

function slopesOf(blocks: Limits['read']): Slope[] {
  const slopes = blocks.map(({ bytes, gigabytesPerSecond }, i): Slope => {
    const isMemory = i === blocks.length - 1;
    return { name: isMemory ? 'memory' : `to ${blockSize(bytes)}`, gigabytesPerSecond, isMemory };
  });
  return slopes.filter(({ gigabytesPerSecond, isMemory }, i) => {
    const next = slopes[i + 1];
    return isMemory || !next || Math.abs(Math.log(gigabytesPerSecond / next.gigabytesPerSecond)) > 0.4;
  });
}

const slopeText = ({ name, gigabytesPerSecond }: Slope): string => `${name}: ${plain(gigabytesPerSecond)} GB/s`;
const peakText = (peak: number): string => `multiply-add peak: ${plain(peak)} GFLOP/s`;

/** Where the words of a slope begin. */
const startOf = ({ gigabytesPerSecond }: Slope, { x, y }: Frame): number =>
  Math.max(x[0], y[0] / gigabytesPerSecond) * 1.08;

/** How a slope rises, in pixels; upwards is negative. */
function angleOf({ x, y, width, height, marginLeft, marginRight, marginTop, marginBottom }: Frame): number {
  const perDecadeX = (width - marginLeft - marginRight) / Math.log10(x[1] / x[0]);
  const perDecadeY = (height - marginTop - marginBottom) / Math.log10(y[1] / y[0]);
  return -Math.atan2(perDecadeY, perDecadeX);
}

/** Along the slopes, near their lower ends, turned as they are, where there is room for that. */
function limitLabels(slopes: readonly Slope[], peak: number, frame: Frame, isWide: boolean) {
  const along = (slope: Slope) =>
    Plot.text([{ x: startOf(slope, frame), y: startOf(slope, frame) * slope.gigabytesPerSecond }], {
      x: 'x',
      y: 'y',
      text: () => slopeText(slope),
      rotate: (angleOf(frame) * 180) / Math.PI,
      textAnchor: 'start',
      lineAnchor: 'bottom',
      dy: -5,
      fontSize: 10.5,
      fill: slope.isMemory ? 'var(--text)' : 'var(--muted)',
    });
  return [
    isWide ? slopes.map(along) : null,
    Plot.text([{ x: frame.x[1], y: peak }], {
      x: 'x',
      y: 'y',
      text: () => peakText(peak),
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

const wantedOf = (points: readonly Numbered[], hasNames: boolean): Wanted[] =>
  points
    .filter(({ number }) => number !== undefined)
    .map(({ label, share, number, who, intensity, gigaflops }) => ({
      x: intensity,
      y: gigaflops,
      text: hasNames ? `${label}, ${percent(share)}` : String(number),
      colour: who === 'ours' ? 'var(--ours)' : 'var(--muted)',
    }));

/** By the points, and by the words at the limits. */
function occupiedBy(
  points: readonly Numbered[],
  slopes: readonly Slope[],
  peak: number,
  frame: Frame,
  isWide: boolean,
): Box[] {
  const inner = innerOf(frame);
  const across = (x: number): number => pixel(x, frame.x, inner.left, inner.right);
  const down = (y: number): number => pixel(y, frame.y, inner.bottom, inner.top);
  const roof = down(peak);
  const angle = angleOf(frame);
  const along = (slope: Slope): Box[] => {
    const [px, py] = [across(startOf(slope, frame)), down(startOf(slope, frame) * slope.gigabytesPerSecond) - 10];
    const steps = Math.ceil(lengthOf(slopeText(slope)) / 12);
    return Array.from({ length: steps }, (_, i) =>
      boxAt(px + 12 * i * Math.cos(angle), py + 12 * i * Math.sin(angle), 9),
    );
  };
  return [
    ...points.map(({ intensity, gigaflops }) => boxAt(across(intensity), down(gigaflops), 5)),
    { left: inner.right - lengthOf(peakText(peak)) - 20, right: inner.right, top: roof - 20, bottom: roof + 2 },
    ...(isWide ? slopes.flatMap(along) : []),
  ];
}
