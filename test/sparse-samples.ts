// Sparse rows beside the same rows stored densely, and what suites of sparse training read off their models.

import fc from 'fast-check';
import { expect } from 'vitest';
import {
  DualPerceptron,
  type FlatRows,
  type Kernel,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  type Rows,
  type TrainerOptions,
} from '../src/index.js';
import { Random } from '../src/random.js';
import { someOf } from './effort.js';
import { anyOptions } from './samples.js';

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

/** Shapes of all kinds: few columns or several panels of 512 with odd ends, nearly empty or full. */
export const anyShape: fc.Arbitrary<PairShape> = fc
  .tuple(
    fc.integer({ min: 16, max: 40 }),
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.integer({ min: 1, max: 67 }), fc.constantFrom(0.02, 0.1, 0.3, 0.7, 1)) },
      {
        weight: 4,
        arbitrary: fc.tuple(
          fc.constantFrom(511, 512, 513, 1023, 1024, 1025, 1100, 1537, 1801),
          fc.constantFrom(0.02, 0.1, 0.3),
        ),
      },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom(512, 515, 1030), fc.constant(1)) },
    ),
    fc.integer({ min: 0, max: 2 ** 31 }),
  )
  .map(([rows, [cols, density], seed]) => ({ rows, cols, density, seed }));

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

// ---- models -------------------------------------------------------------------------------------------

export type AnyModel = Perceptron<number> | DualPerceptron<number> | MulticlassPerceptron<number>;

/** Every trainer with what only it has; options that all have are added. `labels`: which of a pair's it is trained on. */
export interface Maker {
  readonly name: string;
  readonly labels: 'signs' | 'codes';
  make(options: Options): AnyModel;
}

/** Options that all trainers have. */
export type Options = Omit<TrainerOptions<number>, 'onEpoch' | 'classes'> & {
  warmStart?: boolean;
  classes?: number[];
  onEpoch?: (epoch: { epoch: number; mistakes: number; loss: number; snapshot(): unknown }) => void;
};

const POLYNOMIAL: Kernel = { type: 'polynomial', degree: 3, gamma: 0.1, coef0: 0.7 };
const RBF: Kernel = { type: 'rbf', gamma: 0.03 };
const kernels: readonly [string, Kernel][] = [
  ['linear', 'linear'],
  ['polynomial', POLYNOMIAL],
  ['rbf', RBF],
];

const withoutAverage = ({ average: _, ...options }: Options): Options => options;

/** Those that learn planes … */
export const planeMakers: readonly Maker[] = [
  { name: 'Perceptron', labels: 'signs', make: (o) => new Perceptron<number>(o) },
  { name: 'PocketPerceptron', labels: 'signs', make: (o) => new PocketPerceptron<number>(withoutAverage(o)) },
  {
    name: 'PocketPerceptron, ratchet',
    labels: 'signs',
    make: (o) => new PocketPerceptron<number>({ ...withoutAverage(o), order: 'random', ratchet: true }),
  },
  { name: 'one-vs-rest', labels: 'codes', make: (o) => new MulticlassPerceptron<number>(o) },
  {
    name: 'multinomial',
    labels: 'codes',
    make: (o) => new MulticlassPerceptron<number>({ ...o, strategy: 'multinomial' }),
  },
];

const allKernelMakers: readonly Maker[] = kernels.flatMap(([kind, kernel]): Maker[] => [
  ...(['full', 'rows'] as const).map(
    (gram): Maker => ({
      name: `DualPerceptron, ${kind}, gram: '${gram}'`,
      labels: 'signs',
      make: (o) => new DualPerceptron<number>({ ...o, kernel, gram }),
    }),
  ),
  {
    name: `DualPerceptron, ${kind}, pocket`,
    labels: 'signs',
    make: (o) => new DualPerceptron<number>({ ...withoutAverage(o), kernel, pocket: true }),
  },
  ...(['full', 'rows'] as const).map(
    (gram): Maker => ({
      name: `one-vs-rest, ${kind}, gram: '${gram}'`,
      labels: 'codes',
      make: (o) => new MulticlassPerceptron<number>({ ...o, kernel, gram }),
    }),
  ),
  ...(['full', 'rows'] as const).map(
    (gram): Maker => ({
      name: `multinomial, ${kind}, gram: '${gram}'`,
      labels: 'codes',
      make: (o) => new MulticlassPerceptron<number>({ ...o, strategy: 'multinomial', kernel, gram }),
    }),
  ),
]);

const makersOfKernel = allKernelMakers.length / kernels.length;

/** … and those that keep rows: in short every one of them with a kernel, in turns. */
export const kernelMakers = someOf(
  allKernelMakers,
  allKernelMakers.filter((_, k) => (k % makersOfKernel) % kernels.length === Math.floor(k / makersOfKernel)),
);

/** Options of all kinds; class weights by the name of a class that both kinds of labels have. */
export const someOptions: fc.Arbitrary<Options & { maxEpochs: number }> = fc
  .tuple(anyOptions, fc.constantFrom(0, 0, 0.25))
  .map(([{ classWeight, classes: _, onEpoch: __, ...o }, validationFraction]) => ({
    ...o,
    ...(classWeight && { classWeight: classWeight === 'balanced' ? classWeight : { '1': 2.5 } }),
    ...(validationFraction > 0 && { validationFraction, patience: 2 }),
  }));

/** A support row of a file: as it is written for dense rows, or for sparse ones. */
type Row = unknown[] | { columns: number[]; values: unknown[] };

/** A model's file, and its support rows apart: the columns that are not 0, and what is in them. */
function opened(model: AnyModel): { file: string; rows: string; isSparse: boolean } {
  const json = model.toJSON() as { supports?: { rows: Row[] } };
  const kept = json.supports?.rows ?? [];
  // As text at once: there are many.
  let rows = '';
  for (const row of kept) {
    const [columns, values] = Array.isArray(row) ? [undefined, row] : [row.columns, row.values];
    values.forEach((value, k) => {
      if (Number(value) !== 0) rows += `${columns ? columns[k] : k}: ${value}, `;
    });
    rows += '\n';
  }
  const file = JSON.stringify(json.supports ? { ...json, supports: { ...json.supports, rows: [] } } : json);
  return { file, rows, isSparse: kept.some((row) => !Array.isArray(row)) };
}

/** Expects two models to be the same to the bit, but for how their support rows are written. */
export function expectSame(model: AnyModel, expected: AnyModel): void {
  const [a, b] = [opened(model), opened(expected)];
  expect(a.file).toBe(b.file);
  expect(a.rows).toBe(b.rows);
  expect(model.report.mistakesByEpoch).toEqual(expected.report.mistakesByEpoch);
}

/** Whether the support rows of a model are kept sparse. */
export const keepsSparse = (model: AnyModel): boolean => opened(model).isSparse;

/** Everything a model says of rows: scores as their bytes. */
export function saidOf(model: AnyModel, X: Rows, y: number[]) {
  const scores = (last: boolean) => {
    const answer = model.decisionFunction(X, { last });
    return bitsOf(answer instanceof Float64Array ? answer : answer.data);
  };
  return {
    scores: scores(false),
    last: scores(true),
    predicted: model.predict(X),
    score: model.score(X, y),
    loss: model.loss(X, y),
    diagnosis: model.diagnose(X, y),
  };
}
