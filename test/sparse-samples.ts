// Sparse rows beside the same rows stored densely, and what suites of sparse training read off their models.

import fc from 'fast-check';
import type { FlatRows } from '../src/index.js';
import { Random } from '../src/train/random.js';

/** CSR in typed arrays, as `toParts` gives it. */
export interface Parts {
  values: Float64Array;
  indices: Uint32Array;
  indptr: Uint32Array;
  cols: number;
}

/** The same rows twice, with labels. */
export interface Pair {
  sparse: Parts;
  dense: FlatRows & { data: Float64Array };
  /** Labels of two classes, −1 and 1 … */
  signs: number[];
  /** … and of four, 0 … 3; four rows of each at least where there are 16. */
  codes: number[];
}

export interface PairShape {
  rows: number;
  cols: number;
  /** The share of columns that a usual row has values in. */
  density: number;
  seed: number;
  /** Whole numbers: every order of addition gives the same bits. */
  whole?: boolean;
}

/** Values of different sizes and signs, so that any other order of addition shows. */
const drawReal = (random: Random) => (random.next() / 2 ** 31 - 1) * 10 ** (random.below(5) - 2);
const drawWhole = (random: Random) => random.below(21) - 10;

/** Which of the columns a row may have values in: most of them any, some only even or odd ones, one in twelve none. */
function kindOfRow(random: Random): (column: number) => boolean {
  const kind = random.below(12);
  if (kind === 0) return () => false;
  if (kind === 1) return (column) => column % 2 === 0;
  if (kind === 2) return (column) => column % 2 === 1;
  return () => true;
}

/** Rows of which some are empty and some have values stored that are 0 or −0; one label in eight is wrong. */
export function pairOf({ rows, cols, density, seed, whole = false }: PairShape): Pair {
  const random = Random.seeded(seed);
  const draw = whole ? drawWhole : drawReal;
  const plane = Array.from({ length: cols }, () => random.below(11) - 5);
  const data = new Float64Array(rows * cols);
  const [values, indices, indptr]: number[][] = [[], [], [0]] as const;
  const signs: number[] = [];
  const codes: number[] = [];
  for (let i = 0; i < rows; i++) {
    const mayHave = kindOfRow(random);
    let side = 0;
    for (let k = 0; k < cols; k++) {
      if (!mayHave(k) || random.below(1000) >= 1000 * density) continue;
      const kept = random.below(30);
      const value = kept === 0 ? 0 : kept === 1 ? -0 : draw(random);
      indices!.push(k);
      values!.push(value);
      data[i * cols + k] = value;
      side += value * (plane[k] as number);
    }
    indptr!.push(values!.length);
    const isRight = random.below(8) > 0;
    signs.push(side > 0 === isRight ? 1 : -1);
    codes.push(isRight ? (side > 0 ? 2 : 0) + (Math.abs(side) > 5 ? 1 : 0) : random.below(4));
  }
  for (let i = 0; i < Math.min(16, rows); i++) {
    signs[i] = i % 2 ? 1 : -1;
    codes[i] = i % 4;
  }
  return {
    sparse: {
      values: Float64Array.from(values!),
      indices: Uint32Array.from(indices!),
      indptr: Uint32Array.from(indptr!),
      cols,
    },
    dense: { data, rows, cols },
    signs,
    codes,
  };
}

/** Shapes of all kinds: few columns, several panels of 512, odd ends. */
export const anyShape: fc.Arbitrary<PairShape> = fc.record({
  rows: fc.integer({ min: 16, max: 40 }),
  cols: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 67 }) },
    { weight: 2, arbitrary: fc.constantFrom(511, 512, 513, 1023, 1024, 1025, 1100, 1537, 1801) },
  ),
  density: fc.constantFrom(0.02, 0.1, 0.3, 0.7, 1),
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
});

/** Rows from … to − 1 of CSR. */
export function partOf({ values, indices, indptr, cols }: Parts, from: number, to: number): Parts {
  const [start, end] = [indptr[from] as number, indptr[to] as number];
  return {
    values: values.slice(start, end),
    indices: indices.slice(start, end),
    indptr: indptr.slice(from, to + 1).map((at) => at - start),
    cols,
  };
}

/** Rows from … to − 1 of row-major values. */
export const densePartOf = ({ data, cols }: FlatRows, from: number, to: number): FlatRows => ({
  data: data.slice(from * cols, to * cols),
  rows: to - from,
  cols,
});

/** CSR as arrays of numbers, which show −0. */
export const plainParts = ({ values, indices, indptr, cols }: Parts) => ({
  values: [...values],
  indices: [...indices],
  indptr: [...indptr],
  cols,
});

/** Numbers as their bytes: quick to compare, and −0 is not 0. */
export const bitsOf = (list: Float64Array | Uint32Array): string =>
  Buffer.from(list.buffer, list.byteOffset, list.byteLength).toString('base64');

/** The same for CSR. */
export const partsBits = ({ values, indices, indptr, cols }: Parts) => ({
  values: bitsOf(values),
  indices: bitsOf(indices),
  indptr: bitsOf(indptr),
  cols,
});
