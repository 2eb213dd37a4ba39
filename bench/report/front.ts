// The five lines that a reader remembers. A line whose question was not put says which one would tell.

import { median } from '../harness/measure.js';
import type { Answer, Contender, PeerTask, Results } from '../harness/results.js';
import { answersOf, CONDITION, cellsOf, headlineOf, summaryOf, tasksOf } from './derive.js';
import { counted, duration, times, twoDigits } from './words.js';

/** `before` **figure** `after`; or, without a figure, the question that would tell. */
export interface FrontLine {
  before: string;
  figure?: string;
  after: string;
  question: string;
}

/** N of the line about the dual form. */
const ROWS = 200;

export const frontOf = (results: Results): FrontLine[] => [
  { before: 'Training, against plain JavaScript:', question: 'fit', ...training(results) },
  {
    before: 'The same work, against scikit-learn:',
    question: "'peers|select|text'",
    ...against(results, 'scikit-learn'),
  },
  {
    before: 'Gram matrix of small integers, against OpenBLAS:',
    question: 'integers',
    ...ratioText(answersOf(results).find((one) => one.against.startsWith('OpenBLAS') && one.what.includes('uint8'))),
  },
  { before: 'From a LIBSVM file to a saved model:', question: 'libsvmfile', ...file(tasksOf(results)) },
  { before: `The dual form, with ${ROWS} rows, pays`, question: 'crossover', ...crossing(results) },
];

type Told = Pick<FrontLine, 'figure' | 'after'>;
const UNTOLD: Told = { after: '' };

const range = (ratios: readonly number[]): string =>
  ratios.length > 1
    ? ` (median of ${counted(ratios.length, 'task')}, from ${times(Math.min(...ratios))} to ${times(Math.max(...ratios))})`
    : '';

const factor = (ratios: readonly number[]): Told =>
  ratios.length === 0 ? UNTOLD : { figure: times(median(ratios)), after: ` as fast${range(ratios)}` };

function training(results: Results): Told {
  const { training: found } = headlineOf(results);
  if (!found) return UNTOLD;
  const { median: middle, low, high, cases } = found;
  return {
    figure: times(middle),
    after: ` as fast (median of ${counted(cases, 'task')}, from ${times(low)} to ${times(high)})`,
  };
}

const against = (results: Results, peer: string): Told =>
  factor(answersOf(results).flatMap(({ against: name, ratio }) => (name.startsWith(peer) ? [ratio] : [])));

const ratioText = (answer: Answer | undefined): Told =>
  answer ? { figure: times(answer.ratio), after: ` as fast (${answer.what})` } : UNTOLD;

function file(tasks: readonly PeerTask[]): Told {
  const task = tasks.find(({ what }) => what.startsWith('from a LIBSVM file'));
  const ours = task?.contenders.find(({ kind }) => kind === 'ours');
  if (!task || !ours) return UNTOLD;
  const said = ({ name, timing }: Contender): string => `${duration(timing.ms)} by ${name}`;
  const others = task.contenders.filter((one) => one !== ours).map(said);
  return {
    figure: duration(ours.timing.ms),
    after: `${others.length > 0 ? `; ${others.join(', ')}` : ''} (${task.what.replace(/^from a LIBSVM file of /, '').replace(/ to a saved.*/, '')}, a process each)`,
  };
}

function crossing(results: Results): Told {
  const perRow = summaryOf(cellsOf(results))?.perRow;
  if (perRow === undefined) return UNTOLD;
  return { figure: `after about ${twoDigits(perRow * ROWS)} epochs`, after: `, where ${CONDITION}` };
}
