// Regions with a bent border: which class each place would get, painted under the points, and the border itself.
//
// Marching squares: scores at the corners of small cells; where the sign changes along a side of a cell, the border crosses it.

import type { Place, Scale } from './geometry.js';
import { pathOf } from './marks.js';

/** Cells across and up. Odd: no corner lies on an axis of symmetry, where scores are 0. */
const CELLS = 67;
/** Pixels of a cell on the canvas: whole ones, so that neighbours leave no seam. */
const CELL_PIXELS = 10;
/** A side is halved so often to find where the score is 0: far from all points a straight guess is poor. */
const HALVINGS = 7;

export interface Regions {
  /** In cells from the top left: areas of each class, and the strokes of the border. */
  readonly positive: readonly (readonly Place[])[];
  readonly negative: readonly (readonly Place[])[];
  readonly border: readonly (readonly Place[])[];
}

export function regionsOf(scoreAt: (x: number, y: number) => number, { window }: Scale): Regions {
  const { left, right, bottom, top } = window;
  const at = ([column, row]: Place): number =>
    scoreAt(left + ((right - left) * column) / CELLS, top + ((bottom - top) * row) / CELLS);
  const scores = new Float64Array((CELLS + 1) ** 2);
  for (let row = 0, i = 0; row <= CELLS; row++) {
    for (let column = 0; column <= CELLS; column++, i++) scores[i] = at([column, row]);
  }
  const scoreOf = ([column, row]: Place): number => scores[row * (CELLS + 1) + column] as number;

  const crossing = (from: Place, to: Place): Place => {
    // From the positive end: neighbours that share the side find the same place, to the bit.
    let [inner, outer] = scoreOf(from) > 0 ? [from, to] : [to, from];
    for (let i = 0; i < HALVINGS; i++) {
      const middle: Place = [(inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2];
      if (at(middle) > 0) inner = middle;
      else outer = middle;
    }
    return [(inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2];
  };

  const regions = { positive: [] as Place[][], negative: [] as Place[][], border: [] as Place[][] };
  for (let row = 0; row < CELLS; row++) {
    // Whole cells of one class, side by side, are one area: thousands of small ones are painted slowly.
    let [start, isStartPositive] = [0, false];
    const endRun = (end: number) => {
      if (end === start) return;
      const area: Place[] = [[start, row], [end, row], [end, row + 1], [start, row + 1]]; // biome-ignore format: around
      regions[isStartPositive ? 'positive' : 'negative'].push(area);
    };
    for (let column = 0; column < CELLS; column++) {
      const corners: Place[] = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]]; // biome-ignore format: around
      const count = corners.filter((corner) => scoreOf(corner) > 0).length;
      if (count === 0 || count === 4) {
        if (isStartPositive !== count > 0) {
          endRun(column);
          [start, isStartPositive] = [column, count > 0];
        }
        continue;
      }
      endRun(column);
      start = column + 1;
      const cell = { positive: [] as Place[], negative: [] as Place[], crossings: [] as Place[] };
      corners.forEach((from, i) => {
        const to = corners[(i + 1) % 4] as Place;
        const isPositive = scoreOf(from) > 0;
        cell[isPositive ? 'positive' : 'negative'].push(from);
        if (isPositive === scoreOf(to) > 0) return;
        const end = crossing(from, to);
        for (const list of [cell.positive, cell.negative, cell.crossings]) list.push(end);
      });
      regions.positive.push(cell.positive);
      regions.negative.push(cell.negative);
      for (let i = 0; i + 1 < cell.crossings.length; i += 2) regions.border.push(cell.crossings.slice(i, i + 2));
    }
    endRun(CELLS);
  }
  return regions;
}

/** Paints the areas in the colours of the style sheet, which stretches the canvas over the plane. */
export function paint(canvas: HTMLCanvasElement, { positive, negative }: Regions): void {
  canvas.width = CELLS * CELL_PIXELS;
  canvas.height = CELLS * CELL_PIXELS;
  const context = canvas.getContext('2d');
  if (!context) return; // a browser without canvas still has the border
  const style = getComputedStyle(canvas);
  for (const [areas, token] of [
    [positive, '--plus-soft'],
    [negative, '--minus-soft'],
  ] as const) {
    context.beginPath();
    for (const area of areas) {
      area.forEach(([x, y], i) => {
        if (i === 0) context.moveTo(x * CELL_PIXELS, y * CELL_PIXELS);
        else context.lineTo(x * CELL_PIXELS, y * CELL_PIXELS);
      });
      context.closePath();
    }
    context.fillStyle = style.getPropertyValue(token);
    context.fill();
  }
}

/** The border as a path in pixels of the picture. */
export const borderPath = ({ border }: Regions, { width, height }: Scale): string =>
  border
    .map((stroke) =>
      pathOf(
        stroke.map(([x, y]): Place => [(x / CELLS) * width, (y / CELLS) * height]),
        false,
      ),
    )
    .join('');
