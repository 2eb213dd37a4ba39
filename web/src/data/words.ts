// What things are called on this page.

import type { Choice, NumberKey } from './choice.js';
import type { ColumnKind, Summary } from './types.js';

/** Characters of a name that are shown: names come from files, and may be of any length. */
const MOST_CHARACTERS = 60;
const MOST_IN_TITLE = 1000;

/** The beginning of a text, with an ellipsis for the rest. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** A name of a class, a column or a file, no longer than one reads. */
export const short = (name: string): string => cut(name, MOST_CHARACTERS);

/** The whole of a name that was cut, for a title. */
export const whole = (name: string): string | undefined =>
  name.length > MOST_CHARACTERS ? cut(name, MOST_IN_TITLE) : undefined;

const DELIMITERS = { ',': 'commas', '\t': 'tabs', ';': 'semicolons' } as const;

export function formatOf({ format, delimiter = ',', hasHeader }: Summary): string {
  if (format === 'libsvm') return 'LIBSVM text (index:value pairs)';
  if (format === 'npy') return 'A NumPy matrix';
  if (format === 'json' || format === 'jsonl') return `JSON${format === 'jsonl' ? ', a record on each line' : ''}`;
  if (format === 'parquet') return 'Parquet';
  return `${delimiter === '\t' ? 'TSV' : 'CSV'}: ${DELIMITERS[delimiter]} between the values, ${hasHeader ? 'names in the first line' : 'no line of names'}`;
}

/** What people call a column: by its name, or by its number from 0 as the command line does. */
export function columnName(name: string | undefined, index: number): string {
  return name === undefined || name.trim() === '' ? `column ${index}` : name;
}

export const KIND_WORDS: Record<ColumnKind, string> = {
  number: 'Number',
  category: 'Category',
  text: 'Text',
  ignore: 'Leave out',
};

interface Words {
  readonly name: string;
  readonly hint: string;
}

export const TRAINERS: Record<Choice['trainer'], Words> = {
  primal: { name: 'Perceptron', hint: 'One straight border, moved at every mistake: the textbook’s.' },
  averaged: {
    name: 'Averaged',
    hint: 'The mean of all borders on the way: steadier where classes overlap. Start here.',
  },
  pocket: { name: 'Pocket', hint: 'Keeps the border that was wrong least often. For two classes.' },
  dual: { name: 'Kernel', hint: 'A bent border, for data that no straight one can split.' },
};

export const KERNEL_WORDS: Record<Choice['kernel'], string> = {
  rbf: 'RBF: near rows are alike',
  polynomial: 'Polynomial: products of columns',
  linear: 'Linear: straight, in dual form',
};

export const SCALE_WORDS: Record<Choice['scale'], string> = {
  none: 'As they are',
  standardize: 'Standardize: mean 0, spread 1',
  centre: 'Centre: mean 0',
  'unit-ball': 'Unit ball: no row longer than 1',
};

export const ORDER_WORDS: Record<NonNullable<Choice['order']>, string> = {
  cyclic: 'As they come',
  shuffle: 'Shuffled, anew each epoch',
  random: 'Any mistake, drawn at random',
  batch: 'All mistakes of an epoch at once',
};

export const STRATEGY_WORDS: Record<Choice['strategy'], string> = {
  'one-vs-rest': 'Each class against the rest',
  multinomial: 'All against each other',
};

/** What may be written in a field. */
export const NUMBER_WORDS: Record<NumberKey, string> = {
  gamma: 'a number above 0, or nothing',
  degree: 'a whole number, 1 or more',
  coef0: 'a number',
  epochs: 'a whole number, 1 or more',
  seed: 'a whole number from 0 to 4294967295',
  eta: 'a number above 0',
  margin: 'a number, 0 or more',
  constant: 'a number above 0, or nothing',
};
