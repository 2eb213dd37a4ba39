// Labels beside points that touch neither each other nor a point nor whatever else is there.

import * as Plot from '@observablehq/plot';
import { GAP, LETTER, pixel, valueAt } from './plot.js';

/** A chart with two logarithmic axes. */
export interface Frame {
  x: readonly [number, number];
  y: readonly [number, number];
  width: number;
  height: number;
  marginLeft: number;
  marginRight: number;
  marginTop: number;
  marginBottom: number;
}

/** In pixels. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export const innerOf = ({ width, height, marginLeft, marginRight, marginTop, marginBottom }: Frame): Box => ({
  left: marginLeft,
  right: width - marginRight,
  top: marginTop,
  bottom: height - marginBottom,
});

export interface Wanted {
  x: number;
  y: number;
  text: string;
  colour: string;
}

interface Label extends Wanted {
  /** Where it begins, or ends if it is on the left. */
  px: number;
  py: number;
  isRight: boolean;
}

const LINE = 13;
const SIZE = 10.5;
/** How far up or down a label may move from its point, the nearest first. */
const OFFSETS = [0, ...Array.from({ length: 12 }, (_, i) => [-(i + 1) * LINE, (i + 1) * LINE]).flat()];

const touch = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The room that a text takes, at most. */
export const lengthOf = (text: string): number => text.length * (LETTER - 0.6) + 4;

/** A square around a place. */
export const boxAt = (px: number, py: number, half: number): Box => ({
  left: px - half,
  right: px + half,
  top: py - half,
  bottom: py + half,
});

/** Each at the free place nearest to its point; without such a place, nowhere: the table has it. */
function place(wanted: readonly Wanted[], occupied: readonly Box[], frame: Frame): Label[] {
  const inner = innerOf(frame);
  const taken = [...occupied];
  return wanted.flatMap((label) => {
    const [px, py] = [
      pixel(label.x, frame.x, inner.left, inner.right),
      pixel(label.y, frame.y, inner.bottom, inner.top),
    ];
    for (const offset of OFFSETS) {
      for (const isRight of [true, false]) {
        const start = px + (isRight ? 1 : -1) * (offset === 0 ? GAP + 2 : 2 * GAP);
        const [left, right] = isRight ? [start, start + lengthOf(label.text)] : [start - lengthOf(label.text), start];
        const box = { left, right, top: py + offset - LINE / 2, bottom: py + offset + LINE / 2 };
        const isInside =
          left >= inner.left && right <= frame.width && box.top >= inner.top && box.bottom <= inner.bottom;
        if (!isInside || taken.some((other) => touch(other, box))) continue;
        taken.push(box);
        return [{ ...label, px: start, py: py + offset, isRight }];
      }
    }
    return [];
  });
}

/** The labels, each with a thin line to its point. */
export function labels(wanted: readonly Wanted[], occupied: readonly Box[], frame: Frame) {
  const placed = place(wanted, occupied, frame);
  const { left, right, top, bottom } = innerOf(frame);
  const x = (px: number): number => valueAt(px, frame.x, left, right);
  const y = (py: number): number => valueAt(py, frame.y, bottom, top);
  return [
    Plot.link(placed, {
      x1: 'x',
      y1: 'y',
      x2: ({ px, isRight }) => x(px - (isRight ? 2 : -2)),
      y2: ({ py }) => y(py),
      stroke: 'var(--rule)',
      strokeWidth: 0.75,
    }),
    [true, false].map((isRight) =>
      Plot.text(
        placed.filter((label) => label.isRight === isRight),
        {
          x: ({ px }) => x(px),
          y: ({ py }) => y(py),
          text: 'text',
          textAnchor: isRight ? 'start' : 'end',
          fontSize: SIZE,
          fill: 'colour',
          stroke: 'var(--surface)',
          strokeWidth: 3,
        },
      ),
    ),
  ];
}
