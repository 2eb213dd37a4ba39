// What can be chosen before training, and what is chosen before anybody does: settings that usually work. It stands in the address.

import type { Summary } from './types.js';

export const LEARNERS = ['primal', 'averaged', 'pocket', 'dual'] as const;
export const KERNELS = ['rbf', 'polynomial', 'linear'] as const;
export const SCALES = ['none', 'standardize', 'centre', 'unit-ball'] as const;
export const ORDERS = ['cyclic', 'shuffle', 'random', 'batch'] as const;
export const STRATEGIES = ['one-vs-rest', 'multinomial'] as const;

export interface Choice {
  /** 'averaged' is primal with --average; more than two classes: one of each for every class. */
  readonly trainer: (typeof LEARNERS)[number];
  readonly kernel: (typeof KERNELS)[number];
  /** undefined: the library's own, 1 / columns. */
  readonly gamma: number | undefined;
  readonly degree: number;
  readonly coef0: number;
  readonly scale: (typeof SCALES)[number];
  readonly epochs: number;
  /** undefined: shuffled; a pocket draws at random. */
  readonly order: (typeof ORDERS)[number] | undefined;
  readonly seed: number;
  readonly eta: number;
  readonly margin: number;
  readonly intercept: boolean;
  /** The constant feature whose weight is the bias; undefined: 0.1 for sparse rows, whose values it would drown, else 1. */
  readonly constant: number | undefined;
  readonly balanced: boolean;
  readonly ratchet: boolean;
  readonly strategy: (typeof STRATEGIES)[number];
  /** Share of the rows that are not trained on, but judged by. */
  readonly heldout: number;
}

/** The perceptron as textbooks have it: the command line's --plain. */
export const textbook: Choice = {
  trainer: 'primal',
  kernel: 'rbf',
  gamma: undefined,
  degree: 3,
  coef0: 0,
  scale: 'none',
  epochs: 1000,
  order: 'cyclic',
  seed: 0,
  eta: 1,
  margin: 0,
  intercept: true,
  constant: 1,
  balanced: false,
  ratchet: false,
  strategy: 'one-vs-rest',
  heldout: 0,
};

/** What usually works: standardised columns, shuffled rows, averaged weights, some rows held out (docs/select.md). The page starts with it. */
export const defaults: Choice = {
  ...textbook,
  trainer: 'averaged',
  scale: 'standardize',
  epochs: 100,
  order: undefined,
  constant: undefined,
  strategy: 'multinomial',
  heldout: 0.2,
};

type Key = keyof Choice;
/** Those that are written as a number. */
export type NumberKey = Exclude<
  { [K in Key]: Choice[K] extends number | undefined ? K : never }[Key],
  'heldout' // chosen from a list
>;

const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T | undefined =>
    words.find((word) => word === text);
const numberIf =
  (isGood: (value: number) => boolean) =>
  (text: string): number | undefined => {
    const value = Number(text);
    return text.trim() !== '' && Number.isFinite(value) && isGood(value) ? value : undefined;
  };
const yesOrNo = (text: string): boolean | undefined => (text === '1' ? true : text === '0' ? false : undefined);
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;

/** What a text means; undefined where it means nothing. */
export const readers: { readonly [K in Key]: (text: string) => Choice[K] | undefined } = {
  trainer: oneOf(LEARNERS),
  kernel: oneOf(KERNELS),
  gamma: numberIf((value) => value > 0),
  degree: numberIf((value) => isCount(value) && value < 2 ** 32),
  coef0: numberIf(() => true),
  scale: oneOf(SCALES),
  epochs: numberIf(isCount),
  order: oneOf(ORDERS),
  seed: numberIf((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32),
  eta: numberIf((value) => value > 0),
  margin: numberIf((value) => value >= 0),
  intercept: yesOrNo,
  constant: numberIf((value) => value > 0 && value * value > 0 && value * value < Infinity),
  balanced: yesOrNo,
  ratchet: yesOrNo,
  strategy: oneOf(STRATEGIES),
  heldout: numberIf((value) => [0, 0.1, 0.2, 0.3].includes(value)),
};

const keys = Object.keys(defaults) as Key[];
const written = (value: Choice[Key]): string => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value));

/** From the address; what makes no sense there is as if it were not there. */
export function choiceFrom(params: URLSearchParams): Choice {
  const found = keys.flatMap((key) => {
    const text = params.get(key);
    const value = text === null ? undefined : readers[key](text);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...defaults, ...Object.fromEntries(found) };
}

/** For the address: what is not as usual. */
export function paramsOf(choice: Choice): URLSearchParams {
  const params = new URLSearchParams();
  for (const key of keys) if (choice[key] !== defaults[key]) params.set(key, written(choice[key]));
  return params;
}

/** Category columns of a table from which on its rows are mostly zeros: as TableEncoder has it. */
const MOST_DENSE = 50;

/** Whether the rows are sparse, or will be when words and categories have become columns. */
export function isMostlyZeros({ nonZeros, table = [] }: Pick<Summary, 'nonZeros' | 'table'>): boolean {
  const categories = table.reduce((sum, { kind, distinct }) => sum + (kind === 'category' ? distinct : 0), 0);
  return nonZeros !== undefined || categories > MOST_DENSE || table.some(({ kind }) => kind === 'text');
}

type Rows = Pick<Summary, 'nonZeros' | 'table' | 'classes'> | undefined;

/** Ways to scale these rows: zeros stay zeros in sparse ones, and the numbers of a table are standardised already. */
export function scalesFor(summary: Rows): readonly Choice['scale'][] {
  if (summary?.table) return ['none'];
  return summary?.nonZeros === undefined ? SCALES : ['none', 'unit-ball'];
}

/** What a choice comes to with these rows and classes: a pocket has two. */
export function suited(choice: Choice, summary: Rows): Choice {
  const isMany = (summary?.classes.length ?? 2) > 2;
  const trainer = isMany && choice.trainer === 'pocket' ? 'primal' : choice.trainer;
  const scale = scalesFor(summary).includes(choice.scale) ? choice.scale : 'none';
  return { ...choice, trainer, scale };
}

/** The order of the rows; undefined: the pocket's own. */
export const orderOf = ({ order, trainer }: Choice): Choice['order'] =>
  order ?? (trainer === 'pocket' ? undefined : 'shuffle');

/** The constant feature; undefined where the scaler gives its own. */
export function constantOf({ constant, scale, intercept }: Choice, isSparse: boolean): number | undefined {
  if (scale === 'unit-ball' || !intercept) return undefined;
  return constant ?? (isSparse ? 0.1 : 1);
}

/** Which trainer of the library that is. */
export function trainerOf({ trainer }: Choice, classes: number): 'primal' | 'pocket' | 'dual' | 'multiclass' {
  if (classes > 2) return 'multiclass';
  return trainer === 'averaged' ? 'primal' : trainer;
}

/** Whether its border is straight, so that it has weights. */
export const isLinear = ({ trainer, kernel }: Choice): boolean => trainer !== 'dual' || kernel === 'linear';
