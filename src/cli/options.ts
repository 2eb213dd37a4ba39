// The commands and their options: one table for the parser and the help.

import { flag, integer, number, type Option, type OptionTable, positive, text, word } from './arguments.js';
import { UsageError } from './errors.js';

const MOST = Number.MAX_SAFE_INTEGER;
const SEED = [0, 2 ** 32 - 1] as const;

const FORMATS = ['libsvm', 'csv', 'npy', 'json', 'parquet'] as const;
const MISSING = ['refuse', 'mean', 'median', 'most-frequent', 'zero'] as const;
const SCALES = ['standardize', 'centre', 'unit-ball'] as const;
const UPDATES = ['perceptron', 'pa1', 'pa2'] as const;
export const TRAINERS = ['primal', 'dual', 'pocket', 'multiclass'] as const;
const ENGINES = ['auto', 'wasm-simd', 'wasm-scalar', 'js'] as const;
const ORDERS = ['cyclic', 'shuffle', 'random', 'batch'] as const;

/** A column by name or by number (from 0; negative from the end). */
const labelColumn: Option<string | number> = {
  placeholder: 'NAME|INDEX',
  help: 'the column of the labels, by its name or number (0 is the first, -1 the last)',
  fallback: 'detected, and said',
  read: (given) => column(given),
};

const column = (given: string): string | number => (/^-?\d+$/.test(given) ? Number(given) : given);

const ignoredColumns: Option<readonly (string | number)[]> = {
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

const reading = {
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

const judging = {
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

const running = {
  engine: word(ENGINES, 'what computes; results are bit-identical on all', { fallback: 'auto: the fastest here' }),
  threads,
};

const saying = {
  json: flag('one JSON object on standard output, for machines'),
  quiet: flag('nothing but results, warnings and errors', { short: 'q' }),
  help: flag('this page', { short: 'h' }),
};

const output = (placeholder: string, help: string, details: Pick<Option<unknown>, 'fallback'> = {}) => ({
  output: text(placeholder, help, { short: 'o', ...details }),
});

const model = {
  ...output('MODEL', 'where to save the model; - is standard output', { fallback: 'it is not saved' }),
  as: word(['json', 'liblinear', 'sklearn'], 'how to save it; liblinear, sklearn: linear models', { fallback: 'json' }),
};

const recipe = {
  rows: integer([2, MOST], 'N', 'how many rows', { fallback: '1000' }),
  cols: integer([1, 2 ** 24], 'D', 'how many columns; xor, moons: all but two are noise', { fallback: '2' }),
  margin: number('a number ≥ 0', (v) => v >= 0, 'G', 'how far the classes are apart, see above', { fallback: '0.1' }),
  seed: integer(SEED, 'S', 'the same seed gives the same file, on every machine', { fallback: '0' }),
};

const compared = {
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

// ---- the commands ---------------------------------------------------------------------------------

export interface CommandInfo<O extends OptionTable = OptionTable> {
  readonly name: string;
  /** Operands as the usage line shows them. */
  readonly usage: string;
  readonly summary: string;
  readonly operands: readonly [least: number, most: number];
  /** The text before the options. */
  readonly about: string;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  readonly groups: readonly (readonly [title: string, options: OptionTable])[];
  readonly options: O;
}

const DATA_ABOUT =
  'DATA is CSV or TSV, JSON (lines, or an array of objects), Parquet, LIBSVM/SVMlight text, or NumPy .npy; plain or gzip; - is standard input. What it is, its header, its label column and the kind of each column (number, category, text) are detected, and said on standard error.';

export const TRAIN = {
  name: 'train',
  usage: 'DATA [-o MODEL.json] [options]',
  summary: 'train a model and say how it went',
  operands: [1, 1],
  about: `${DATA_ABOUT} Settings that usually work are used unless an option says otherwise; --plain is the textbook. Ctrl-C ends training and saves the model as far as it got.`,
  examples: [
    [
      'train penguins.csv --label species --folds 10 -o penguins.json',
      'a table with categories and gaps; judged by cross-validation, the model saved',
    ],
    ['train mail.csv --label kind --text body --ignore id', 'text: its words are the features'],
    ['train agaricus.txt.train --test agaricus.txt.test', 'LIBSVM text, and the accuracy on rows it has not seen'],
    ['train spam.csv --report spam.html', 'judged by 20 % of the rows, held out; a page with pictures'],
    ['train iris.csv --plain', 'the textbook perceptron: nothing scaled, shuffled or averaged'],
    ['train moons.csv --kernel rbf --gamma 2', 'a bent border'],
    ['train noisy.txt --trainer pocket --epochs 50', 'no plane fits: the one with the fewest mistakes'],
    ['train X.npy --labels y.npy -o - --as liblinear > model.txt', "a model for LIBLINEAR's predict"],
  ],
  options: {
    ...reading,
    ...trainer,
    ...learning,
    ...recommending,
    ...updating,
    ...stopping,
    ...judging,
    ...model,
    ...running,
    ...saying,
  },
  groups: [
    ['The model file', model],
    ['Judging', judging],
    ['The trainer', trainer],
    ['Learning', { ...learning, ...recommending, ...updating, ...stopping, ...running }],
    ['The data', reading],
    ['Saying', saying],
  ],
} as const satisfies CommandInfo;

const tuning = {
  grid: {
    placeholder: 'NAME=A,B,…',
    help: "an option of train and the values to try, such as 'average=true,false' or 'scale=none,standardize'. May be repeated: all combinations are tried",
    read: (given: string) => [given],
    join: (earlier: readonly string[], later: readonly string[]) => [...earlier, ...later],
  } satisfies Option<readonly string[]>,
  folds: integer([2, MOST], 'K', 'folds of the cross-validation, the same for all', { fallback: '5' }),
  metric: word(['accuracy', 'balanced-accuracy', 'macro-f1', 'matthews'], 'what counts', { fallback: 'accuracy' }),
};

export const TUNE = {
  name: 'tune',
  usage: "DATA --grid 'NAME=A,B' [-o MODEL.json] [options]",
  summary: 'try options by cross-validation, and keep the best',
  operands: [1, 1],
  about: `${DATA_ABOUT} Every combination is judged on the same folds; ties go to the first. With -o the best one is trained on all rows and saved.`,
  examples: [
    ["tune spam.csv --grid 'average=true,false' --grid 'scale=none,standardize'", 'four combinations'],
    ["tune moons.csv --kernel rbf --grid 'gamma=0.1,1,10' -o moons.json", 'the best gamma, and its model'],
  ],
  options: {
    ...reading,
    ...trainer,
    ...learning,
    ...recommending,
    ...updating,
    ...stopping,
    ...tuning,
    ...model,
    ...running,
    ...saying,
  },
  groups: [
    ['Tuning', tuning],
    ['The model file', model],
    ['The trainer', trainer],
    ['Learning', { ...learning, ...recommending, ...updating, ...stopping, ...running }],
    ['The data', reading],
    ['Saying', saying],
  ],
} as const satisfies CommandInfo;

const predicting = {
  ...output('OUT', 'where to write; .gz compresses', { fallback: 'standard output' }),
  scores: flag('CSV with the scores behind each prediction'),
};
const predictReading = {
  format: reading.format,
  label: { ...labelColumn, fallback: 'as in the model; it may be absent' },
  ignore: { ...ignoredColumns, help: 'columns to leave out', fallback: 'as in the model; they may be absent' },
  header: reading.header,
  labels: reading.labels,
  'max-cols': { ...reading['max-cols'], help: 'a model with a kernel: refuse one of more columns, which take memory' },
};

export const PREDICT = {
  name: 'predict',
  usage: 'MODEL DATA [-o OUT] [options]',
  summary: 'predict the class of each row',
  operands: [2, 2],
  about: `MODEL is what train wrote, LIBLINEAR's text or scikit-learn's coef_, intercept_, classes_ as JSON; the format is detected. ${DATA_ABOUT} One prediction a line; if the data has labels, the accuracy goes to standard error. Tables: columns are found by name, in any order; others are ignored. LIBSVM: columns that are missing are 0, those beyond the model are ignored and counted.`,
  examples: [
    ['predict model.json agaricus.txt.test -o predictions.txt', 'a class a line, the accuracy on standard error'],
    ['predict model.json new.csv --scores', 'CSV: the class, and the score of each class'],
    ['gen moons --rows 5 | perceptron-wasm predict moons.json -', 'from a pipe'],
  ],
  options: { ...predictReading, ...predicting, ...saying },
  groups: [
    ['The predictions', predicting],
    ['The data', predictReading],
    ['Saying', saying],
  ],
} as const satisfies CommandInfo;

const inspecting = {
  top: integer([1, MOST], 'N', 'model: how many of the largest weights to show', { fallback: '10' }),
};

export const INSPECT = {
  name: 'inspect',
  usage: 'DATA|MODEL [options]',
  summary: 'what is in a data file or a model',
  operands: [1, 1],
  about: `The kind of the file is detected. Data: shape, sparsity, classes, lengths of rows, whether columns need scaling; of a table each column, and every problem with the option that solves it. A model: weights, margin and mistake bound, how training went. ${DATA_ABOUT}`,
  examples: [
    ['inspect tickets.csv', 'what is each column taken for, what is missing, what is wrong?'],
    ['inspect agaricus.txt.train', 'is it sparse, are its classes balanced, should it be scaled?'],
    ['inspect model.json --top 20', 'the twenty columns that decide most'],
  ],
  options: { ...inspecting, ...reading, ...saying },
  groups: [
    ['Showing', inspecting],
    ['The data', reading],
    ['Saying', saying],
  ],
} as const satisfies CommandInfo;

export const COMPARE = {
  name: 'compare',
  usage: '[DATA] [options]',
  summary: 'primal and dual form, WebAssembly and pure JavaScript, side by side',
  operands: [0, 1],
  about:
    'Trains on the same rows in both forms and on every engine, checks that the answers are the same, then times them. Two classes. Without DATA: on generated rows, 200 × 2,000, seed 0.',
  examples: [
    ['compare', 'on generated rows'],
    ['compare heart_scale --epochs 100 --json', 'on your own, for a machine'],
  ],
  options: { ...compared, ...reading, ...saying },
  groups: [
    ['Learning', compared],
    ['The data', reading],
    ['Saying', saying],
  ],
} as const satisfies CommandInfo;

const writing = {
  ...output('DATA', '.csv: CSV, otherwise LIBSVM; .gz compresses', { fallback: 'standard output' }),
  format: word(['libsvm', 'csv'], 'what to write', { fallback: "by the file's name" }),
};

export const GENERATE = {
  name: 'gen',
  usage: 'separable|xor|moons [-o DATA] [options]',
  summary: 'make data to play with: separable, xor or moons',
  operands: [1, 1],
  about:
    'separable: a hidden plane with a margin of at least G, the bias counted as one more weight (so at most R²/G² mistakes). xor: opposite quadrants are one class; the first two columns are at least G away from 0. moons: two half circles, each holding an end of the other, at least G apart (G at most 0.49).',
  examples: [
    ['gen separable --rows 1000 --cols 50 --margin 0.5 -o data.txt', 'LIBSVM text'],
    ['gen moons --margin 0.2 -o moons.csv.gz', 'CSV, compressed'],
    ['gen xor | perceptron-wasm train - --kernel polynomial --degree 2', 'straight into training'],
  ],
  options: { ...recipe, ...writing, ...saying },
  groups: [
    ['The rows', recipe],
    ['The file', writing],
    ['Saying', saying],
  ],
} as const satisfies CommandInfo;

export const COMMANDS: readonly CommandInfo[] = [TRAIN, TUNE, PREDICT, INSPECT, COMPARE, GENERATE];
