// Options in groups, as several commands have them.

import { flag, integer, number, type Option, positive, text, word } from './arguments.js';
import { UsageError } from './errors.js';

export const MOST = Number.MAX_SAFE_INTEGER;
const SEED = [0, 2 ** 32 - 1] as const;

const FORMATS = ['libsvm', 'csv', 'npy', 'json', 'parquet'] as const;
const MISSING = ['refuse', 'mean', 'median', 'most-frequent', 'zero'] as const;
const SCALES = ['standardize', 'centre', 'unit-ball'] as const;
const UPDATES = ['perceptron', 'pa1', 'pa2'] as const;
export const EXPORTS = ['json', 'onnx', 'liblinear', 'sklearn'] as const;
export const TRAINERS = ['primal', 'dual', 'pocket', 'multiclass'] as const;
const ENGINES = ['auto', 'wasm-simd', 'wasm-scalar', 'js'] as const;
const ORDERS = ['cyclic', 'shuffle', 'random', 'batch'] as const;

/** A column by name or by number (from 0; negative from the end). */
export const labelColumn: Option<string | number> = {
  placeholder: 'NAME|INDEX',
  help: 'the column of the labels, by its name or number (0 is the first, -1 the last)',
  fallback: 'detected, and said',
  read: (given) => column(given),
};

const column = (given: string): string | number => (/^-?\d+$/.test(given) ? Number(given) : given);

export const ignoredColumns: Option<readonly (string | number)[]> = {
  placeholder: 'NAME,INDEX',
  help: 'columns to leave out, such as one of IDs; predict leaves them out, too. May be repeated',
  fallback: 'none',
  read(given, name) {
    const columns = given.split(',').map((part) => part.trim());
    if (columns.includes(''))
      throw new UsageError(`${name} takes names or numbers of columns, got ${JSON.stringify(given)}`);
    return columns.map(column);
  },
  join: (earlier, later) => [...earlier, ...later],
};

/** A column of a kind; the option may be given several times. */
const columnOfKind = (help: string): Option<readonly (string | number)[]> => ({
  placeholder: 'COLUMN',
  help: `${help}, by its name or number. May be repeated`,
  fallback: 'recognised, and said',
  read(given, name) {
    if (given === '') throw new UsageError(`${name} takes the name or the number of a column, got ""`);
    return [column(given)];
  },
  join: (earlier, later) => [...earlier, ...later],
});

const classWeight: Option<'balanced' | Record<string, number>> = {
  placeholder: 'balanced|A=1,B=2',
  help: 'updates count more for some classes: by number of rows, or as given',
  fallback: 'all 1',
  read(given, name) {
    if (given === 'balanced') return given;
    const weights = given.split(',').map((part) => {
      const [, label, weight] = /^(.+)=([^=]+)$/.exec(part) ?? [];
      if (label === undefined || !(Number(weight) > 0 && Number(weight) < Infinity)) {
        throw new UsageError(
          `${name} takes "balanced" or weights > 0 such as spam=1,ham=2, got ${JSON.stringify(part)}`,
        );
      }
      return [label.trim(), Number(weight)] as const;
    });
    return Object.fromEntries(weights);
  },
};

const threads: Option<number | 'auto'> = {
  placeholder: 'N|auto',
  help: 'how many threads may work at a time; 1: no others. Results are bit-identical for any number',
  fallback: 'auto: all processors, for work that takes a while',
  read(given, name) {
    if (given === 'auto') return given;
    const value = /^\d+$/.test(given) ? Number(given) : 0;
    if (!(Number.isSafeInteger(value) && value >= 1)) {
      throw new UsageError(`${name} takes "auto" or an integer of at least 1, got ${JSON.stringify(given)}`);
    }
    return value;
  },
};

// ---- groups of options ----------------------------------------------------------------------------

export const reading = {
  format: word(FORMATS, 'what the data is', { fallback: 'detected' }),
  label: labelColumn,
  ignore: ignoredColumns,
  text: columnOfKind('a column of text: its words become features'),
  category: columnOfKind('a column of categories: each value becomes a feature'),
  missing: word(MISSING, 'tables: what fills a gap (an empty field, NA, null, ?)', { fallback: 'median' }),
  header: word(['yes', 'no'], 'CSV: whether the first line has the names of the columns', {
    fallback: 'detected, and said',
  }),
  labels: text('FILE', 'labels in a file of their own, as .npy data needs: .npy, or a label a line'),
  cols: integer([1, 2 ** 32 - 1], 'N', 'LIBSVM: how many columns there are', { fallback: 'the largest index' }),
  'max-cols': integer([1, 2 ** 32 - 1], 'N', 'LIBSVM: refuse a larger index, it is likely a typo', {
    fallback: '16777216',
  }),
};

const learning = {
  order: word(ORDERS, 'which mistake is corrected next; shuffle: a new order each epoch', {
    fallback: 'cyclic; pocket: random',
  }),
  epochs: integer([1, MOST], 'N', 'the most epochs (passes over the rows)', { fallback: '1000' }),
  eta: positive('X', 'learning rate', { fallback: '1' }),
  seed: integer(SEED, 'N', 'for shuffle, random and --folds: the same seed gives bit-identical results', {
    fallback: '0',
  }),
  average: flag('use the mean of all weights: steadier on data that overlaps'),
  margin: number('a number ≥ 0', (v) => v >= 0, 'X', 'a row is a mistake when label · score ≤ X', { fallback: '0' }),
  'no-intercept': flag('no bias: the plane goes through the origin'),
  'intercept-scaling': positive('B', 'the constant feature whose weight is the bias', { fallback: '1' }),
  'class-weight': classWeight,
};

/** The options of train whose defaults are recommended ones. */
const recommending = {
  order: { ...learning.order, fallback: 'shuffle; pocket: random' },
  epochs: { ...learning.epochs, fallback: '100' },
  average: { ...learning.average, fallback: 'yes; not with a pocket' },
  'no-average': flag('use the last weights instead'),
  'intercept-scaling': { ...learning['intercept-scaling'], fallback: '1; sparse rows: 0.1, or they would drown' },
  scale: word(['none', ...SCALES], 'scale columns first, the same way when predicting; sparse data: unit-ball', {
    fallback: 'standardize; sparse rows: none; tables: their numbers are standardised',
  }),
  plain: flag('the textbook perceptron: cyclic order, last weights, nothing scaled, nothing held out, 1000 epochs'),
};

const updating = {
  update: word(UPDATES, 'how far a row moves the plane; pa1, pa2: just far enough (passive-aggressive)', {
    fallback: 'perceptron',
  }),
  aggressiveness: number('a number > 0', (v) => v > 0, 'C', 'pa1, pa2: how far at most', { fallback: '1' }),
};

const scale = {
  scale: word(SCALES, 'scale columns first, the same way when predicting; sparse data: unit-ball', {
    fallback: 'as they are; tables: numbers are standardised',
  }),
};

const trainer = {
  trainer: word(TRAINERS, 'primal: one plane. dual: the same with kernels. pocket: the fewest mistakes', {
    fallback: 'primal; multiclass for 3+ classes',
  }),
  kernel: word(['linear', 'polynomial', 'rbf'], 'bends the plane (dual, multiclass)', { fallback: 'none' }),
  gamma: positive('X', 'rbf: exp(-γ|x-z|²); polynomial: (γ x·z + c)^p', { fallback: '1 / columns' }),
  degree: integer([1, 2 ** 32 - 1], 'P', 'polynomial: p', { fallback: '3' }),
  coef0: number('a number', () => true, 'C', 'polynomial: c', { fallback: '0' }),
  ratchet: flag("pocket: Gallant's ratchet, for many rows"),
  strategy: word(['one-vs-rest', 'multinomial'], 'multiclass: how classes compete', {
    fallback: 'multinomial; with a kernel, --update pa1 or --plain: one-vs-rest',
  }),
};

const stopping = {
  validation: number(
    'a number from 0 to less than 1',
    (v) => v >= 0 && v < 1,
    'SHARE',
    'hold out this share of the rows, and stop when accuracy on them no longer rises',
    {
      fallback: '0: all rows train',
    },
  ),
  tol: number('a number ≥ 0', (v) => v >= 0, 'X', 'stop when the loss of an epoch no longer falls by X a row', {
    fallback: 'off',
  }),
  patience: integer([1, MOST], 'N', '… for N epochs', { fallback: '5' }),
};

export const judging = {
  holdout: number(
    'a number from 0 to less than 1',
    (v) => v >= 0 && v < 1,
    'SHARE',
    'judge by this share of the rows, held out; the model is then trained on all rows',
    { fallback: '0.2; with --test, --folds or --plain 0' },
  ),
  test: text('DATA', 'judge by other rows'),
  'test-labels': text('FILE', '.npy: their labels'),
  folds: integer([2, MOST], 'K', 'judge by K-fold cross-validation, the share of each class kept'),
  report: text('OUT.html', 'a page with pictures: confusion, margins, ROC curve, weights, hardest rows'),
};

export const running = {
  engine: word(ENGINES, 'what computes; results are bit-identical on all', { fallback: 'auto: the fastest here' }),
  threads,
};

const classNames: Option<readonly (string | number)[]> = {
  placeholder: 'A,B',
  help: '--shards: all labels',
  read(given, name) {
    const names = given.split(',').map((part) => part.trim());
    if (names.includes('') || names.length < 2)
      throw new UsageError(`${name} takes two labels or more such as spam,ham, got ${JSON.stringify(given)}`);
    return names.every((label) => Number.isFinite(Number(label))) ? names.map((label) => Number(label) + 0) : names;
  },
};

export const shards = {
  shards: {
    placeholder: 'PATTERN',
    help: 'train on rows in many files by mixing: each is passed over alone, then the weights are averaged. May be repeated',
    read: (given: string) => [given],
    join: (earlier: readonly string[], later: readonly string[]) => [...earlier, ...later],
  } satisfies Option<readonly string[]>,
  classes: classNames,
  cluster: text(
    'URL|env',
    'do the work on workers (perceptron-wasm worker), which have the same files below their data root; env: the address is in PERCEPTRON_REDIS',
    {
      fallback: 'the work is done here',
    },
  ),
  run: text('ID', '--shards --cluster: the name of the run', { fallback: 'a new one, and said' }),
  resume: flag('--shards --cluster: go on after the last epoch of --run'),
};

export const saying = {
  json: flag('one JSON object on standard output, for machines'),
  quiet: flag('nothing but results, warnings and errors', { short: 'q' }),
  help: flag('this page', { short: 'h' }),
};

export const output = (placeholder: string, help: string, details: Pick<Option<unknown>, 'fallback'> = {}) => ({
  output: text(placeholder, help, { short: 'o', ...details }),
});

export const model = {
  ...output('MODEL', 'where to save the model; - is standard output', { fallback: 'it is not saved' }),
  as: word(EXPORTS, 'how to save it; liblinear, sklearn: linear models', { fallback: 'json' }),
};

export const recipe = {
  rows: integer([2, MOST], 'N', 'how many rows', { fallback: '1000' }),
  cols: integer([1, 2 ** 24], 'D', 'how many columns; xor, moons: all but two are noise', { fallback: '2' }),
  margin: number('a number ≥ 0', (v) => v >= 0, 'G', 'how far the classes are apart, see above', { fallback: '0.1' }),
  seed: integer(SEED, 'S', 'the same seed gives the same file, on every machine', { fallback: '0' }),
};

export const compared = {
  epochs: learning.epochs,
  eta: learning.eta,
  order: learning.order,
  seed: learning.seed,
  average: learning.average,
  margin: learning.margin,
  'no-intercept': learning['no-intercept'],
  'intercept-scaling': learning['intercept-scaling'],
  'class-weight': learning['class-weight'],
  ...scale,
  budget: integer([0, MOST], 'MS', 'repeat each fit for this many milliseconds; the fastest counts', {
    fallback: '200',
  }),
};

/** What train and tune share: everything about the data, the trainer and the model file. */
export const training = {
  ...reading,
  ...trainer,
  ...learning,
  ...recommending,
  ...updating,
  ...stopping,
  ...model,
  ...running,
  ...saying,
};

/** The groups of these options in the help, after those of the command itself. */
export const TRAINING_GROUPS = [
  ['The trainer', trainer],
  ['Learning', { ...learning, ...recommending, ...updating, ...stopping, ...running }],
  ['The data', reading],
  ['Saying', saying],
] as const;
