// Regions with a bent border: which class each place would get and how clearly, painted under the points; the border itself; and
// the places of any other score.
//
// Marching squares: scores at the corners of small cells; where a side of a cell has the score in question between its ends, the
// border crosses it.

import type { Place, Scale } from './geometry.js';
import { pathOf } from './marks.js';

/** Cells across and up. Odd: no corner lies on an axis of symmetry, where scores are 0. */
const CELLS = 67;
/** Pixels of a cell on the canvas: whole ones, so that neighbours leave no seam. */
const CELL_PIXELS = 10;
/** A side is halved so often to find where the score is 0: far from all points a straight guess is poor. */
const HALVINGS = 7;

export interface Regions {
  /** The score of a place, in cells from the top left; and those of all corners, row by row. */
  at(place: Place): number;
  readonly scores: Float64Array;
  /** Areas of each class, in cells from the top left. */
  readonly positive: readonly (readonly Place[])[];
  readonly negative: readonly (readonly Place[])[];
}

const scoreOf = ({ scores }: Pick<Regions, 'scores'>, [column, row]: Place): number =>
  scores[row * (CELLS + 1) + column] as number;

const cornersOf = (column: number, row: number): Place[] => [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]]; // biome-ignore format: around

/** Where the score between two corners is `level`. */
function crossing(regions: Pick<Regions, 'at' | 'scores'>, from: Place, to: Place, level: number): Place {
  // From the higher end: neighbours that share the side find the same place, to the bit.
  let [inner, outer] = scoreOf(regions, from) > level ? [from, to] : [to, from];
  for (let i = 0; i < HALVINGS; i++) {
    const middle: Place = [(inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2];
    if (regions.at(middle) > level) inner = middle;
    else outer = middle;
  }
  return [(inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2];
}

export function regionsOf(scoreAt: (x: number, y: number) => number, { window }: Scale): Regions {
  const { left, right, bottom, top } = window;
  const at = ([column, row]: Place): number =>
    scoreAt(left + ((right - left) * column) / CELLS, top + ((bottom - top) * row) / CELLS);
  const scores = new Float64Array((CELLS + 1) ** 2);
  for (let row = 0, i = 0; row <= CELLS; row++) {
    for (let column = 0; column <= CELLS; column++, i++) scores[i] = at([column, row]);
  }
  const regions = { at, scores, positive: [] as Place[][], negative: [] as Place[][] };
  for (let row = 0; row < CELLS; row++) {
    // Whole cells of one class, side by side, are one area: thousands of small ones are painted slowly.
    let [start, isStartPositive] = [0, false];
    const endRun = (end: number) => {
      if (end === start) return;
      const area: Place[] = [[start, row], [end, row], [end, row + 1], [start, row + 1]]; // biome-ignore format: around
      regions[isStartPositive ? 'positive' : 'negative'].push(area);
    };
    for (let column = 0; column < CELLS; column++) {
      const corners = cornersOf(column, row);
      const count = corners.filter((corner) => scoreOf(regions, corner) > 0).length;
      if (count === 0 || count === 4) {
        if (isStartPositive !== count > 0) {
          endRun(column);
          [start, isStartPositive] = [column, count > 0];
        }
        continue;
      }
      endRun(column);
      start = column + 1;
      const cell = { positive: [] as Place[], negative: [] as Place[] };
      corners.forEach((from, i) => {
        const to = corners[(i + 1) % 4] as Place;
        const isPositive = scoreOf(regions, from) > 0;
        cell[isPositive ? 'positive' : 'negative'].push(from);
        if (isPositive === scoreOf(regions, to) > 0) return;
        const end = crossing(regions, from, to, 0);
        for (const list of [cell.positive, cell.negative]) list.push(end);
      });
      regions.positive.push(cell.positive);
      regions.negative.push(cell.negative);
    }
    endRun(CELLS);
  }
  return regions;
}

/** All places of a score as a path in pixels of the picture; the border at 0. */
export function levelPath(regions: Regions, level: number, { width, height }: Scale): string {
  let path = '';
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const corners = cornersOf(column, row);
      const isOver = corners.map((corner) => scoreOf(regions, corner) > level);
      if (isOver.every((over) => over === isOver[0])) continue;
      const crossings = corners.flatMap((from, i): Place[] => {
        if (isOver[i] === isOver[(i + 1) % 4]) return [];
        const [x, y] = crossing(regions, from, corners[(i + 1) % 4] as Place, level);
        return [[(x / CELLS) * width, (y / CELLS) * height]];
      });
      for (let i = 0; i + 1 < crossings.length; i += 2) path += pathOf(crossings.slice(i, i + 2), false);
    }
  }
  return path;
}

/** Paints the areas in the colours of the style sheet, which stretches the canvas over the plane. */
export function paint(canvas: HTMLCanvasElement, regions: Regions): void {
  canvas.width = CELLS * CELL_PIXELS;
  canvas.height = CELLS * CELL_PIXELS;
  const context = canvas.getContext('2d');
  if (!context) return; // a browser without canvas still has the border
  const style = getComputedStyle(canvas);
  for (const side of ['positive', 'negative'] as const) {
    context.beginPath();
    for (const area of regions[side]) {
      area.forEach(([x, y], i) => {
        if (i === 0) context.moveTo(x * CELL_PIXELS, y * CELL_PIXELS);
        else context.lineTo(x * CELL_PIXELS, y * CELL_PIXELS);
      });
      context.closePath();
    }
    context.fillStyle = style.getPropertyValue(side === 'positive' ? '--plus-near' : '--minus-near');
    context.fill();
  }
  const depth = depthsOf(regions, style);
  // The middles of its pixels are the corners of our cells.
  if (depth) context.drawImage(depth, 0.5, 0.5, CELLS, CELLS, 0, 0, canvas.width, canvas.height);
}

/** A pixel for each corner: nothing at the border, and deeper with the score. */
function depthsOf({ scores }: Regions, style: CSSStyleDeclaration): HTMLCanvasElement | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = CELLS + 1;
  canvas.height = CELLS + 1;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  // Half as deep as it gets where the score is as usual.
  const usual = [...scores].map(Math.abs).sort((a, b) => a - b)[Math.floor(scores.length / 2)] || 1;
  const colours = [style.getPropertyValue('--minus-far'), style.getPropertyValue('--plus-far')] as const;
  scores.forEach((score, i) => {
    const size = Math.abs(score);
    context.globalAlpha = size / (size + usual);
    context.fillStyle = colours[score > 0 ? 1 : 0];
    context.fillRect(i % (CELLS + 1), Math.floor(i / (CELLS + 1)), 1, 1);
  });
  return canvas;
}
