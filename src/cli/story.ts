// The final report of train: the data, the training, the diagnosis, the accuracy, the advice.

import { visible } from '../escape.js';
import { type Advice, type Diagnosis, describe, type FitReport } from '../index.js';
import type { Data } from './data.js';
import type { Fitted } from './fitting.js';
import { type Judgement, judgementLine, judgementTables } from './judging.js';
import { bytes, count, counted, duration, label, peakMemory, percent } from './output.js';
import { type ClassCount, isSparse } from './rows.js';
import type { Accuracy } from './scoring.js';
import { sheet } from './tables.js';
import type { TrainerName, TrainValues } from './trainers.js';

export interface Outcome {
  readonly data: Data;
  readonly classes: readonly ClassCount[];
  readonly trainer: TrainerName;
  readonly values: TrainValues;
  readonly fitted: Fitted;
  /** On rows that the model has not seen. */
  readonly judged?: Judgement | undefined;
}

export const FORMAT_NAMES = {
  libsvm: 'LIBSVM',
  csv: 'CSV',
  npy: '.npy',
  json: 'JSON',
  jsonl: 'JSON lines',
  parquet: 'Parquet',
};

export function shapeLine({ X, format, raw }: Data): string {
  const columns = raw ? raw.columns.length : X.cols;
  const features = raw ? `, ${counted(X.cols, 'feature')}` : '';
  const shape = `${counted(X.rows, 'row')} × ${counted(columns, 'column')}, ${FORMAT_NAMES[format]}${features}`;
  if (!isSparse(X)) return shape;
  return `${shape}, ${counted(X.nonZeros, 'non-zero')} (${percent(X.nonZeros / (X.rows * X.cols), 1)})`;
}

/** Names columns for messages: by name, by LIBSVM's index from 1, or by number from 0 as in --label. */
export const columnNames =
  (format: string, names: readonly string[] | undefined) =>
  (index: number): string => {
    const name = names?.[index];
    if (name?.trim() === '') return `(column ${index}, unnamed)`;
    return name ?? (format.startsWith('lib') ? `index ${index + 1}` : `column ${index}`);
  };

const MOST_CLASSES = 10;

export function classLine(classes: readonly ClassCount[]): string {
  const total = classes.reduce((sum, { rows }) => sum + rows, 0);
  const shown = classes
    .slice(0, MOST_CLASSES)
    .map((one) => `${label(one.label)}: ${counted(one.rows, 'row')} (${percent(one.rows / total, 1)})`);
  const more = classes.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${count(more)} more`] : [])].join(', ');
}

const TRAINER_NAMES: Record<TrainerName, string> = {
  primal: 'perceptron (primal form)',
  dual: 'perceptron (dual form)',
  pocket: 'pocket perceptron',
  multiclass: 'perceptron for many classes',
};

const ORDERS = { cyclic: 'cyclic order', shuffle: 'shuffled order', random: 'random order', batch: 'in batches' };

/** The trainer and its options in words. */
export function trainerWords({ trainer, values }: Outcome): string {
  const { order = trainer === 'pocket' ? 'random' : 'cyclic', kernel, scale, strategy, epochs = 1000 } = values;
  return [
    TRAINER_NAMES[trainer],
    ...(trainer === 'multiclass' ? [strategy ?? 'one-vs-rest'] : []),
    ...(kernel ? [`${kernel} kernel`] : []),
    ORDERS[order],
    ...(values.average ? ['averaged'] : []),
    ...(scale ? [`scaled (${scale})`] : []),
    ...(values.update && values.update !== 'perceptron' ? [`updates ${values.update}`] : []),
    `at most ${counted(epochs, 'epoch')}`,
  ].join(', ');
}

const trainerLine = (outcome: Outcome): string => {
  const { report } = outcome.fitted;
  return `${trainerWords(outcome)}, on ${report.engine}${withThreads(report)}`;
};

const withThreads = ({ threads }: FitReport): string => (threads > 1 ? ` with ${threads} threads` : '');

export function accuracyLine({ right, rows, share }: Accuracy): string {
  return `${percent(share)} (${count(right)} of ${count(rows)})`;
}

/** The accuracy on rows that the model has not seen, if there are any. */
export const judgedLines = ({ judged }: Outcome): string[] => (judged ? [judgementLine(judged)] : []);

/** The library's advice in terms of the command line. */
const REMEDIES: Record<Advice['code'], (outcome: Outcome, message: string) => string> = {
  'sorted-labels': () => 'The rows are sorted by class, and the last class decides: try --order shuffle.',
  unscaled: ({ data }) =>
    `Columns differ greatly in size, and the large ones decide: try --scale ${isSparse(data.X) ? 'unit-ball' : 'standardize'}.`,
  'not-separated': ({ fitted, trainer, values }, message) => {
    const isBent = values.kernel === 'rbf' || values.kernel === 'polynomial';
    const [, scaling] = /interceptScaling: (\S+)/.exec(message) ?? [];
    const remedies = [
      ...(scaling === undefined ? [] : [`--intercept-scaling ${scaling} (rows are short beside the constant feature)`]),
      ...(values.average || trainer === 'pocket' ? [] : ['--average (steadier)']),
      ...(trainer === 'primal' ? ['--trainer pocket (keeps the best plane)'] : []),
      isBent ? 'another --gamma or --degree' : '--kernel rbf (bends the plane)',
      'more --epochs',
    ];
    const { epochs } = fitted.report;
    return `Not separated in ${counted(epochs, 'epoch')}: there may be no separating plane. Try: ${remedies.join(', ')}.`;
  },
  memorised: () => 'Nearly all rows are support vectors: the model has memorised them. Try a smaller --gamma.',
};

/** What to try next, in options of the command line. */
export const adviceOf = (outcome: Outcome): string[] =>
  outcome.fitted.report.advice.map(({ code, message }) => REMEDIES[code](outcome, message));

/** `describe` without the advice, which names options of the library. */
export const inWords = (report: FitReport, diagnosis: Diagnosis | undefined): string =>
  describe({ ...report, advice: [] }, diagnosis);

/** The same for the training rows: `describe` cannot know that they are. */
export function trainingInWords({ fitted: { report, diagnosis }, values }: Outcome): string {
  if (!diagnosis || !report.converged || diagnosis.errors === 0) return inWords(report, diagnosis);
  const { errors, samples } = diagnosis;
  const who = values.average ? 'the mean of the weights' : 'the model';
  const rows = (values.validation ?? 0) > 0 ? 'rows, with those held out,' : 'training rows';
  const wrong = `${who} predicts ${count(errors)} of ${count(samples)} ${rows} wrongly`;
  return `${inWords(report, undefined).replace(/\.$/, '')}; ${wrong}.`;
}

const encodingTime = ({ encodeMs }: Data): string =>
  encodeMs === undefined ? '' : `${duration(encodeMs)} to encode, `;

export function story(outcome: Outcome, saved: string): string {
  const { data, classes, fitted } = outcome;
  const { diagnosis } = fitted;
  const training =
    diagnosis &&
    accuracyLine({ right: diagnosis.samples - diagnosis.errors, rows: diagnosis.samples, share: diagnosis.accuracy });
  const judged = [...(training ? [`training ${training}`] : []), ...judgedLines(outcome)];
  const advice = adviceOf(outcome);
  const words = trainingInWords(outcome);
  return `${sheet([
    ['data', `${visible(data.name)}: ${shapeLine(data)}`],
    ['classes', classLine(classes)],
    ['trainer', trainerLine(outcome)],
    [
      'time',
      `${duration(data.readMs)} to read, ${encodingTime(data)}${duration(fitted.fitMs)} to train; at most ${bytes(peakMemory())} of memory`,
    ],
    ['outcome', `${words[0]?.toUpperCase()}${words.slice(1)}`],
    ...judged.map((text, i) => [i === 0 ? 'accuracy' : '', text] as const),
    ...advice.map((text, i) => [i === 0 ? 'advice' : '', text] as const),
    ['model', saved],
  ])}\n${outcome.judged ? `\n${judgementTables(outcome.judged)}\n` : ''}`;
}
