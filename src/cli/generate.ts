// Generates example data, bit-identical on every machine: it uses our own random numbers and only arithmetic that IEEE 754 defines
// exactly (no sin, cos, log). Values have six decimals, so that files stay short; margins hold after rounding.

import type { FlatRows } from '../index.js';
import { Random } from '../random.js';

export const SHAPES = ['separable', 'xor', 'moons'] as const;
export type Shape = (typeof SHAPES)[number];

export interface Recipe {
  readonly shape: Shape;
  readonly rows: number;
  readonly cols: number;
  readonly margin: number;
  readonly seed: number;
}

export interface Block {
  readonly X: FlatRows;
  /** −1 or +1 for each row. */
  readonly y: number[];
}

/** The problem with a recipe; undefined: it is possible. */
export function problemWith({ shape, cols, margin }: Recipe): string | undefined {
  if (shape !== 'separable' && cols < 2) return `${shape} needs --cols of at least 2`;
  if (shape === 'xor' && margin >= 1) return 'xor needs a --margin below 1: rows lie between -1 and 1';
  if (shape === 'moons' && margin > MOST_MOONS_MARGIN)
    return `moons needs a --margin of at most ${MOST_MOONS_MARGIN}: the moons interlock`;
  return undefined;
}

/** Values of a block: few enough to keep memory small. */
const BLOCK_VALUES = 1 << 17;

/** All rows, a block at a time. */
export function* generate(recipe: Recipe): Generator<Block> {
  const { rows, cols, seed } = recipe;
  const random = Random.seeded(seed);
  const fill = FILLERS[recipe.shape](recipe, random);
  const size = Math.max(1, Math.floor(BLOCK_VALUES / cols));
  for (let start = 0; start < rows; start += size) {
    const count = Math.min(size, rows - start);
    const data = new Float64Array(count * cols);
    const y = Array.from({ length: count }, (_, i) => {
      // The first two rows have different classes, so that both classes occur.
      const side = start + i < 2 ? 1 - 2 * ((start + i) % 2) : random.next() < 2 ** 31 ? -1 : 1;
      fill(data.subarray(i * cols, (i + 1) * cols), side);
      return side;
    });
    yield { X: { data, rows: count, cols }, y };
  }
}

/** All rows in one block. */
export function generateAll(recipe: Recipe): Block {
  const X = { data: new Float64Array(recipe.rows * recipe.cols), rows: recipe.rows, cols: recipe.cols };
  const y: number[] = [];
  for (const block of generate(recipe)) {
    X.data.set(block.X.data, y.length * recipe.cols);
    y.push(...block.y);
  }
  return { X, y };
}

type Filler = (row: Float64Array, side: number) => void;

const DECIMALS = 1e6;
const rounded = (x: number): number => Math.round(x * DECIMALS) / DECIMALS + 0;

/** Uniform from −1 to 1. */
const uniform = (random: Random): number => random.next() / 2 ** 31 - 1;

/** Approximately Gaussian: the sum of three uniform numbers; mean 0, variance 1, never beyond ±3. */
const bell = (random: Random): number => uniform(random) + uniform(random) + uniform(random);

const FILLERS: Record<Shape, (recipe: Recipe, random: Random) => Filler> = { separable, xor, moons };

/**
 * A hidden plane w̃ = (w, b) of length 1: a row on the wrong side is mirrored at the plane, then each row is moved away from
 * it, so that y (w·x + b) ≥ margin. The margin is that of SPEC §4, in augmented space with B = 1.
 */
function separable({ cols, margin }: Recipe, random: Random): Filler {
  const w = Float64Array.from({ length: cols }, () => bell(random));
  const bias = 0.5;
  const length = Math.sqrt(w.reduce((sum, v) => sum + v * v, 0)) || 1;
  // ‖w‖² = 1 / 1.25, b² = 0.25 / 1.25.
  const scale = Math.sqrt(1 + bias * bias);
  if (w.every((v) => v === 0)) w[0] = 1;
  const u = w.map((v) => v / (length * scale));
  const b = bias / scale;
  const squared = u.reduce((sum, v) => sum + v * v, 0);
  // The most that rounding of the values to six decimals, and of the sums, can reduce the margin.
  const slack = u.reduce((sum, v) => sum + Math.abs(v), 0) * (0.5 / DECIMALS) + (margin + cols) * 1e-12;
  return (row, side) => {
    let score = b;
    for (let k = 0; k < cols; k++) {
      row[k] = bell(random);
      score += (row[k] as number) * (u[k] as number);
    }
    const wanted = side * (Math.abs(score) + margin + slack);
    const step = (wanted - score) / squared;
    for (let k = 0; k < cols; k++) row[k] = rounded((row[k] as number) + step * (u[k] as number));
  };
}

const noise = (row: Float64Array, random: Random): void => {
  for (let k = 2; k < row.length; k++) row[k] = rounded(uniform(random));
};

/** The quadrants of a square; +1 where the signs differ. */
function xor({ margin }: Recipe, random: Random): Filler {
  const away = () => margin + ((1 - margin) * random.next()) / 2 ** 32;
  // Rounds away from 0, so that rounding keeps the margin.
  const place = (sign: number) => sign * (Math.ceil(away() * DECIMALS) / DECIMALS);
  return (row, side) => {
    const sign = random.next() < 2 ** 31 ? -1 : 1;
    row[0] = place(sign);
    row[1] = place(-side * sign);
    noise(row, random);
  };
}

/** The distance between the two half circles at their ends. */
const MOONS_GAP = 0.5;
/** The largest margin: points must still have some room to move. */
const MOST_MOONS_MARGIN = 0.49;

/** Half circles of radius 1, the lower one shifted by (1, 0.5); each point is moved within a disc so small that the margin remains. */
function moons({ margin }: Recipe, random: Random): Filler {
  const blur = Math.max(0, (MOONS_GAP - margin) / 2 - 1 / DECIMALS);
  return (row, side) => {
    const [x, y, length] = inDisc(random, 0.01);
    const [dx, dy] = inDisc(random, 0);
    const across = x / length;
    const up = Math.abs(y) / length;
    row[0] = rounded((side > 0 ? across : 1 - across) + blur * dx);
    row[1] = rounded((side > 0 ? up : MOONS_GAP - up) + blur * dy);
    noise(row, random);
  };
}

/** A point of the unit disc whose squared length is above `least`, by rejection sampling; and its length. */
function inDisc(random: Random, least: number): [x: number, y: number, length: number] {
  for (;;) {
    const x = uniform(random);
    const y = uniform(random);
    const squared = x * x + y * y;
    if (squared > least && squared <= 1) return [x, y, Math.sqrt(squared)];
  }
}
