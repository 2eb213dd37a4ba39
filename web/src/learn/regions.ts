// Regions with a bent border: which class each place would get, painted under the points, and the border itself.

import type { Place, Scale } from './geometry.js';
import { pathOf } from './marks.js';

/** Places looked at, across and up. Between them the score is taken as straight. Odd: none lies on an axis of symmetry. */
const CELLS = 67;

export interface Regions {
  /** Row by row from the top left, (CELLS + 1)². */
  readonly scores: Float64Array;
}

export function regionsOf(scoreAt: (x: number, y: number) => number, { window }: Scale): Regions {
  const scores = new Float64Array((CELLS + 1) ** 2);
  for (let row = 0, i = 0; row <= CELLS; row++) {
    const y = window.top + ((window.bottom - window.top) * row) / CELLS;
    for (let column = 0; column <= CELLS; column++, i++) {
      scores[i] = scoreAt(window.left + ((window.right - window.left) * column) / CELLS, y);
    }
  }
  return { scores };
}

type Colour = readonly [red: number, green: number, blue: number];

/** A colour of the style sheet in numbers: '#1f5fc4' → [31, 95, 196]. */
function colour(element: Element, token: string): Colour {
  const value = Number.parseInt(getComputedStyle(element).getPropertyValue(token).trim().slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Paints a canvas of four pixels a cell; the style sheet stretches it over the plane. */
export function paint(canvas: HTMLCanvasElement, { scores }: Regions): void {
  const side = CELLS * 4;
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) return; // a browser without canvas still has the border
  const plus = colour(canvas, '--plus-soft');
  const minus = colour(canvas, '--minus-soft');
  const image = context.createImageData(side, side);
  const at = (row: number, column: number): number => scores[row * (CELLS + 1) + column] as number;
  for (let y = 0, i = 0; y < side; y++) {
    const row = Math.floor(y / 4);
    const down = ((y % 4) + 0.5) / 4;
    for (let x = 0; x < side; x++, i += 4) {
      const column = Math.floor(x / 4);
      const across = ((x % 4) + 0.5) / 4;
      const upper = at(row, column) * (1 - across) + at(row, column + 1) * across;
      const lower = at(row + 1, column) * (1 - across) + at(row + 1, column + 1) * across;
      const score = upper * (1 - down) + lower * down;
      if (score === 0) continue; // nothing is known here yet
      image.data.set(score > 0 ? plus : minus, i);
      image.data[i + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}

/** Where the score is 0, in pixels: one short stroke for each cell that the border crosses. */
export function border({ scores }: Regions, { width, height }: Scale): string {
  const at = (row: number, column: number): number => scores[row * (CELLS + 1) + column] as number;
  let path = '';
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const corners: [row: number, column: number][] = [
        [row, column],
        [row, column + 1],
        [row + 1, column + 1],
        [row + 1, column],
      ];
      const crossings: Place[] = [];
      corners.forEach((from, i) => {
        const to = corners[(i + 1) % 4] as [number, number];
        const [a, b] = [at(...from), at(...to)];
        if (a > 0 === b > 0) return;
        const share = a / (a - b);
        const y = from[0] + share * (to[0] - from[0]);
        const x = from[1] + share * (to[1] - from[1]);
        crossings.push([(x / CELLS) * width, (y / CELLS) * height]);
      });
      for (let i = 0; i + 1 < crossings.length; i += 2) path += pathOf(crossings.slice(i, i + 2), false);
    }
  }
  return path;
}
