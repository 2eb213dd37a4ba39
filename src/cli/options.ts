// The commands and their options: one table for the parser and the help.

import { flag, integer, type Option, type OptionTable, text, word } from './arguments.js';
import {
  compared,
  EXPORTS,
  ignoredColumns,
  judging,
  labelColumn,
  MOST,
  model,
  output,
  reading,
  recipe,
  running,
  saying,
  shards,
  TRAINING_GROUPS,
  training,
} from './optiongroups.js';

export { TRAINERS } from './optiongroups.js';

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
  operands: [0, 1], // train.ts wants DATA or --shards
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
    ["train --shards 'part-*.svm.gz' --classes 0,1 --cols 126 -o model.json", 'rows in many files, larger than memory'],
  ],
  options: { ...training, ...judging, ...shards },
  groups: [['The model file', model], ['Judging', judging], ['Rows in many files', shards], ...TRAINING_GROUPS],
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
  cluster: shards.cluster,
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
    ["tune spam.csv --grid 'margin=0,1,10' --cluster redis://10.0.0.5", 'the folds on workers of a cluster'],
  ],
  options: { ...training, ...tuning },
  groups: [['Tuning', tuning], ['The model file', model], ...TRAINING_GROUPS],
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

const exporting = {
  as: word(EXPORTS, 'what to write; liblinear, sklearn: linear models', { fallback: 'it must be given' }),
  ...output('OUT', 'where to write; .gz compresses', { fallback: 'standard output' }),
  'max-cols': predictReading['max-cols'],
};

export const EXPORT = {
  name: 'export',
  usage: 'MODEL --as onnx|liblinear|sklearn -o OUT',
  summary: 'write a model for another program',
  operands: [1, 1],
  about:
    "MODEL is what train wrote, LIBLINEAR's text or scikit-learn's JSON; the format is detected. onnx takes models of every kind, with their scaler, but no steps for text and tables: its input X is float64, its outputs are label and scores. liblinear and sklearn take linear models.",
  examples: [
    ['export model.json --as onnx -o model.onnx', 'for onnxruntime: labels as here, scores within rounding'],
    ['export model.json --as liblinear -o model.txt', "for LIBLINEAR's predict"],
  ],
  options: { ...exporting, quiet: saying.quiet, help: saying.help },
  groups: [
    ['Writing', exporting],
    ['Saying', { quiet: saying.quiet, help: saying.help }],
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

const working = {
  redis: text('URL', 'the Redis of the cluster: redis://… or rediss://…', {
    fallback: 'the variable PERCEPTRON_REDIS',
  }),
  'data-root': text('DIR', 'the folder that jobs may read files of', { fallback: 'it must be given' }),
  'cache-bytes': integer([0, MOST], 'N', 'how many bytes of data stay in memory', { fallback: '1073741824' }),
  threads: { ...running.threads, help: 'how many jobs run at once, and how many threads each may use' },
};

export const WORKER = {
  name: 'worker',
  usage: '--redis URL --data-root DIR [options]',
  summary: 'do jobs of a cluster: folds and shards of other machines',
  operands: [0, 0],
  about:
    'Waits for jobs of tune --cluster, train --shards --cluster and perceptron-wasm/cluster, until Ctrl-C or SIGTERM: then it finishes or gives back what it has. One a machine is enough. Jobs name files by their path below DIR, and can read no others. Needs the packages bullmq and ioredis.',
  examples: [
    ['worker --redis redis://10.0.0.5 --data-root /srv/data', 'on each machine that is to work'],
    ['worker --data-root .', 'the address in PERCEPTRON_REDIS: its password stays out of the list of processes'],
  ],
  options: { ...working, quiet: saying.quiet, help: saying.help },
  groups: [
    ['Working', working],
    ['Saying', { quiet: saying.quiet, help: saying.help }],
  ],
} as const satisfies CommandInfo;

export const COMMANDS: readonly CommandInfo[] = [TRAIN, TUNE, PREDICT, INSPECT, EXPORT, COMPARE, GENERATE, WORKER];
