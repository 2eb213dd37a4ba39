// What a person sees at the end, in a terminal: where we lose, then a table, the targets, and what changed.

import type { Change, Comparison, Judged } from './compare.js';
import type { Answer, Results, Told } from './results.js';
import { answerLine, isMet, milliseconds, short, timingLine } from './words.js';

/** Everything about one question. */
export function story({ question, timings = [], notes = [], answers, seconds }: Told): string {
  const width = Math.max(0, ...timings.map(({ name }) => name.length));
  return [
    `\n${question} (${seconds.toFixed(1)} s)`,
    ...timings.map((timing) => `    ${timingLine(timing, width)}`),
    ...notes.map((note) => `    ${note}`),
    ...answers.map((answer) => `  ${answerLine(answer)}`),
  ].join('\n');
}

/** The engine a user gets, and every ratio but those about ourselves. */
export function table({ questions }: Results): string {
  const shown = questions.flatMap(({ answers }) => answers).filter(({ engine }) => engine === undefined);
  const width = Math.max(0, ...shown.map(({ what }) => what.length));
  return shown.map((answer) => row(answer, width)).join('\n');
}

function row({ what, ratio, low, high, against }: Answer, width: number): string {
  const spread = low === high ? '' : `  (${short(low)}–${short(high)})`;
  return `  ${what.padEnd(width)}  ${`${short(ratio)}x`.padStart(6)} ${against}${spread}`;
}

export function targets({ questions }: Results): string {
  const answers = questions.flatMap((question) => question.answers).filter(({ target }) => target);
  if (answers.length === 0) return '';
  const missed = answers.filter((answer) => !isMet(answer));
  return [
    `${answers.length - missed.length} of ${answers.length} targets met.`,
    ...missed.map((answer) => `  MISSED  ${answerLine(answer)}`),
  ].join('\n');
}

export function comparisonText({ ratios, times, apart }: Comparison, older: Results): string {
  const when = `${older.date.slice(0, 16).replace('T', ' ')}${older.commit ? `, ${older.commit}` : ''}`;
  const lines = [`Compared with the run of ${when}:`, ...judgedLines('ratios', ratios, (x) => `${short(x)}x`)];
  if (times) {
    const drift = times.drift > 1 ? `${short(times.drift)} times slower` : `${short(1 / times.drift)} times faster`;
    lines.push(
      ...judgedLines('times', times, (x) => `${milliseconds(x)} ms`),
      `The machine as a whole was ${drift} this time, which is taken out of the times.`,
    );
  } else lines.push(`Times are not compared: ${apart}.`);
  return lines.join('\n');
}

function judgedLines(name: string, { faster, slower, judged, unmatched }: Judged, unit: (x: number) => string) {
  const left = unmatched === 0 ? '' : `; ${unmatched} in one of the runs only`;
  const line = (word: string, { what, better, old, new: now }: Change): string =>
    `  ${word} ${short(Math.max(better, 1 / better))} times  ${what}: ${unit(old.value)} → ${unit(now.value)}`;
  return [
    `${faster.length} of ${judged} ${name} better beyond noise, ${slower.length} worse${left}.`,
    ...slower.map((change) => line('SLOWER', change)),
    ...faster.map((change) => line('faster', change)),
  ];
}
