// What is published of a run: README's summary and crossover section, its picture, all ratios, and the numbers they are made
// of, so that anybody can make them again. Pure: bench/readme.ts reads and writes.

import type { Results, Timing, Told } from '../harness/results.js';
import { consistencyOf } from './derive.js';
import { allAnswers, crossoverSection, frontList, summaryTable } from './markdown.js';
import { between } from './marks.js';
import { crossoverPicture } from './picture.js';

/** From the root of the repository. */
export const PUBLISHED = 'bench/results/published.json';
const README = 'README.md';
const BENCH = 'bench/README.md';
const PICTURE = 'docs/crossover.svg';

/** Why a run should not be published, in sentences; none where it may be. */
export function objectionsTo(results: Results): string[] {
  const { complete, mode, dirty, command } = results;
  return [
    ...(complete && mode === 'full' ? [] : [`they are of \`${command}\` only: run npm run bench -- --full`]),
    ...(dirty
      ? ['the working tree had changes that are not committed, so that no commit tells what was measured']
      : []),
    ...consistencyOf(results).odd,
  ];
}

/** What the published texts are made of, and no more: a file to commit. */
export function essenceOf(results: Results): Results {
  return { ...results, questions: results.questions.map(toldOf) };
}

function toldOf({ name, question, seconds, pace, answers, cells, tasks }: Told): Told {
  return {
    name,
    question,
    seconds,
    ...(pace && { pace }),
    answers: answers.map(({ byRound: _, ...answer }) => answer),
    ...(cells && { cells: cells.map((cell) => ({ ...cell, primal: timeOf(cell.primal), dual: timeOf(cell.dual) })) }),
    ...(tasks && {
      tasks: tasks.map((task) => ({
        ...task,
        contenders: task.contenders.map((contender) => ({ ...contender, timing: timeOf(contender.timing) })),
      })),
    }),
  };
}

const timeOf = ({ work: _, ...timing }: Timing): Timing => timing;

/** The texts by their paths from the root. @throws Error where the run has no crossover, or README lacks its marks */
export function publicationOf(results: Results, pages: { readme: string; bench: string }): Record<string, string> {
  const picture = crossoverPicture(results);
  if (picture === undefined) throw new Error('the results have no crossover: run npm run bench -- --full');
  const withSummary = between(pages.readme, 'bench', summaryTable(results));
  return {
    [README]: between(withSummary, 'crossover', crossoverSection(results, PICTURE)),
    [BENCH]: between(pages.bench, 'front', frontList(results)),
    [PICTURE]: picture,
    'bench/results/README.md': allAnswers(results),
    [PUBLISHED]: `${JSON.stringify(results)}\n`,
  };
}
