// The numbers as Markdown: a summary for README, and all of them for bench/results/.

import { BUSY, machineLine } from '../harness/machine.js';
import { disturbed } from '../harness/pace.js';
import type { Answer, Ratio, Results } from '../harness/results.js';
import { isMet, short, targetText } from '../harness/words.js';
import {
  answersOf,
  CONDITION,
  headlineOf,
  isBehind,
  isWithinNoise,
  lossesOf,
  lossesToPeersOf,
  nameOf,
} from './derive.js';
import { frontOf } from './front.js';
import { counted, stolenText, twoDigits } from './words.js';

/** One line of a table. Names come from questions and peers: nothing in them may end a cell or begin a tag. */
const safe = (text: string): string =>
  text
    .replace(/[\r\n]+/g, ' ')
    .replace(/[\\|`*_[\]]/g, '\\$&')
    .replaceAll('<', '&lt;');

const HEAD = ['| what | ratio | spread | target |', '|---|---|---|---|'];

interface Line extends Ratio {
  what: string;
  against: string;
}

const spread = (one: Line): string =>
  one.low === one.high ? '' : `${short(one.low)}–${short(one.high)}${isWithinNoise(one) ? ', within noise' : ''}`;

const line = (one: Line, goal = ''): string =>
  `| ${safe(one.what)} | **${short(one.ratio)}x** ${safe(one.against)} | ${spread(one)} | ${goal} |`;

function answerRow(answer: Answer): string {
  const { target } = answer;
  return line(
    { ...answer, what: nameOf(answer) },
    target && `${targetText(target)}${isMet(answer) ? '' : ', **missed**'}`,
  );
}

function measured(results: Results): string {
  const { version, commit, dirty, date, command, machine, questions } = results;
  const slow = disturbed(questions).length;
  const others =
    slow > 0
      ? ` It was slower than its best around ${slow} of ${counted(new Set(questions.map(({ name }) => name)).size, 'question')}.`
      : '';
  const code = commit === undefined ? '' : `, commit ${safe(commit)}${dirty ? ' with changes' : ''},`;
  const stolen = stolenText(results);
  const load = machine.load > BUSY ? ` The machine was not idle (${machine.load} processors busy).` : '';
  return [
    `Measured with version ${version}${code} on ${date.slice(0, 10)} by \`${command}\`: ${safe(machineLine(machine))}.${load}${others}${stolen && ` ${stolen}`}`,
    'A ratio is the median of several rounds in one run, in which the contestants take turns; the spread is over those rounds.',
  ].join('\n');
}

/** Whether an answer tells of a loss to a peer already: it names the peer without its version, the task without its rule. */
const isSame = ({ ratio, what }: Answer, loss: Line): boolean => ratio === loss.ratio && loss.what.startsWith(what);

/** What README tells of, by the beginnings of the names: typical work, and against what. */
const SUMMARY = [
  ['scoring 1000 × 1000', 'idiomatic JS'],
  ['Gram matrix 480 × 10,000', 'idiomatic JS'],
  ['kernel perceptron, ten classes', 'idiomatic JS'],
  ['sparse fit 20,000 × 100,000, with intercept', 'scikit-learn'],
] as const;

/** For README: four typical tasks, and what we lose by most. */
export function summaryTable(results: Results): string {
  const answers = answersOf(results).filter(({ engine }) => engine === undefined);
  const shown = SUMMARY.flatMap(([what, against]) => {
    const found = answers.find((answer) => answer.what.startsWith(what) && answer.against.startsWith(against));
    return found ? [found] : [];
  });
  const rows = [...shown, ...lossesOf(results).slice(0, 1)].map(
    (one) => `| ${safe(one.what)} | **${short(one.ratio)}x** ${safe(one.against)} | ${spread(one)} |`,
  );
  const { version, date, machine } = results;
  return [
    '| what | our speed | spread |',
    '|---|---|---|',
    ...rows,
    '',
    `Medians of one run of version ${version}, ${date.slice(0, 10)}, ${safe(machineLine(machine))}. The last line is our worst loss.`,
  ].join('\n');
}

/** Those with a target, and those we lose. */
export function headlineTable(results: Results): string {
  const shown = answersOf(results).filter((answer) => answer.target !== undefined || isBehind(answer));
  const others = lossesToPeersOf(results).filter((loss) => !shown.some((answer) => isSame(answer, loss)));
  return [...HEAD, ...shown.map(answerRow), ...others.map((loss) => line(loss))].join('\n');
}

/** What a reader remembers, as a list. */
export const frontList = (results: Results): string =>
  frontOf(results)
    .map(({ before, figure, after, question }) =>
      figure === undefined
        ? `- ${before} not measured (\`--only ${question}\`).`
        : `- ${before} **${safe(figure)}**${safe(after)}.`,
    )
    .join('\n');

/** The page of bench/results. */
export function allAnswers(results: Results): string {
  return [
    '# All that was measured',
    '',
    frontList(results),
    '',
    measured(results),
    '',
    '## Targets and losses',
    '',
    'Every case with a target, met or missed, and every case that we lose.',
    '',
    headlineTable(results),
    '',
    '## All ratios',
    '',
    ...HEAD,
    ...answersOf(results).map(answerRow),
    '',
  ].join('\n');
}

/** For README: the picture, what it shows, and what made it. */
export function crossoverSection(results: Results, picture: string): string {
  const { crossover } = headlineOf(results);
  if (!crossover) throw new Error('the results have no cells: `npm run bench -- --only crossover` makes them');
  const { perRow, groups, without, factor, factorOf } = crossover;
  const where =
    perRow === undefined
      ? 'the two forms do not cross anywhere in the range measured'
      : `the dual form overtakes the primal after about **${twoDigits(perRow)}·N** epochs where ${CONDITION}`;
  const none = without > 0 ? ` of ${groups}; the others do not cross in the range measured` : '';
  const off =
    factor === undefined
      ? ''
      : `; \`chooseForm\`, told the epochs, has it off by a factor of ${twoDigits(factor)} (median of ${counted(factorOf, 'shape')})`;
  return [
    `![Crossover map: blue where the dual form is faster, orange where the primal is, white for a tie](${picture})`,
    '',
    `On this machine ${where} (median of ${counted(groups - without, 'shape')}${none})${off}.`,
    `Made by \`${results.command}\` and \`npx tsx bench/readme.ts\`, ${safe(machineLine(results.machine))}.`,
  ].join('\n');
}
