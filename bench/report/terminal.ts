// What a person sees in a terminal: the sentence a report opens with, where we lose, a table, the targets, what changed.

import type { Change, Comparison, Judged } from '../harness/compare.js';
import type { Answer, Results, Told } from '../harness/results.js';
import { answerLine, isMet, milliseconds, short, timingLine } from '../harness/words.js';
import { CONDITION, type Headline, headlineOf, type Loss, rooflineOf, sharesTold } from './derive.js';
import { warningsOf } from './opening.js';
import { counted, percent, plain, sharesText, times, twoDigits } from './words.js';

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

/** The sentence of the report, and what we lose. */
export function opening(results: Results): string {
  const headline = headlineOf(results);
  const parts = [trained(headline), crossed(headline)].filter((part) => part !== '');
  const { losses, ties = [] } = headline;
  const lost =
    losses &&
    (losses.length === 0 ? 'we lose in no case' : `we lose in ${counted(losses.length, 'case')}`) +
      (ties.length > 0 ? `; ${counted(ties.length, 'more is', 'more are')} within noise` : '');
  const sentence = [...parts, ...(lost ? [lost] : [])].join('; ');
  const line =
    (word: string) =>
    ({ what, against, ratio, low, high }: Loss): string =>
      `  ${word}  ${what}: ${short(ratio)}x ${against}${spreadText(low, high)}`;
  const lines = [...(losses ?? []).map(line('SLOWER')), ...ties.map(line('within noise'))];
  return sentence === '' ? '' : [`On this machine ${sentence}${lines.length > 0 ? ':' : '.'}`, ...lines].join('\n');
}

function trained({ training }: Headline): string {
  if (!training) return '';
  const { median, low, high, cases } = training;
  return `WASM trains ${times(median)} faster than idiomatic JavaScript (from ${times(low)} to ${times(high)}, ${counted(cases, 'case')})`;
}

const crossed = ({ crossover }: Headline): string =>
  crossover?.perRow === undefined
    ? ''
    : `the dual overtakes the primal after about ${twoDigits(crossover.perRow)}·N epochs where ${CONDITION}`;

/** What makes the numbers less than they look. */
export const warnings = (results: Results): string => warningsOf(results).join('\n');

/** How near ours come to what one thread of this machine can do. */
export function shares(results: Results): string {
  const points = rooflineOf(results).filter(({ who }) => who === 'ours');
  if (points.length === 0) return '';
  const { told, all } = sharesTold(results);
  const width = Math.max(...points.map(({ label }) => label.length));
  return [
    'Of what one thread of this machine can do:',
    ...points.map(({ label, share, gigaflops, gigabytesPerSecond, bound }) => {
      const speed = bound === 'peak' ? `${plain(gigaflops)} GFLOP/s` : `${plain(gigabytesPerSecond)} GB/s`;
      return `  ${label.padEnd(width)}  ${percent(share).padStart(5)} of ${bound === 'peak' ? 'its peak' : bound}, ${speed}`;
    }),
    sharesText(told, all),
  ].join('\n');
}

/** The engine a user gets, and every ratio but those about ourselves. */
export function table({ questions }: Results): string {
  const shown = questions.flatMap(({ answers }) => answers).filter(({ engine }) => engine === undefined);
  const width = Math.max(0, ...shown.map(({ what }) => what.length));
  return shown.map((answer) => row(answer, width)).join('\n');
}

function row({ what, ratio, low, high, against }: Answer, width: number): string {
  return `  ${what.padEnd(width)}  ${`${short(ratio)}x`.padStart(6)} ${against}${spreadText(low, high)}`;
}

const spreadText = (low: number, high: number): string => (low === high ? '' : ` (${short(low)}–${short(high)})`);

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
    lines.push(...judgedLines('times', times, (x) => `${milliseconds(x)} ms`), driftLine(times.drift));
  } else lines.push(`Times are not compared: ${apart}.`);
  const found = [ratios, ...(times ? [times] : [])].some(({ faster, slower }) => faster.length + slower.length > 0);
  if (found) lines.push('A second run tells chance from change: believe what differs in both runs.');
  return lines.join('\n');
}

function driftLine(drift: number | undefined): string {
  if (drift === undefined) {
    return 'How fast the machine itself was cannot be told: no code but ours was timed in both runs, undisturbed. Times are compared as they are.';
  }
  const factor = Math.max(drift, 1 / drift);
  const words =
    factor < 1.01 ? 'as fast as before' : `${short(factor)} times ${drift > 1 ? 'slower' : 'faster'} this time`;
  return `By code that is not ours the machine was ${words}, which is taken out of the times.`;
}

function judgedLines(
  name: string,
  { faster, slower, judged, unmatched, unjudged, byChance }: Judged,
  unit: (x: number) => string,
) {
  const left = [
    unmatched > 0 ? `; ${unmatched} in one of the runs only` : '',
    unjudged > 0 ? `; ${unjudged} not judged (fewer than five rounds, or the machine was slowed down)` : '',
  ].join('');
  const chance = judged > 0 ? ` By chance alone about ${twoDigits(byChance)} would differ.` : '';
  const line = (word: string, { what, better, old, new: now }: Change): string =>
    `  ${word} ${short(Math.max(better, 1 / better))} times  ${what}: ${unit(old.value)} → ${unit(now.value)}`;
  return [
    `${faster.length} of ${judged} ${name} better beyond noise, ${slower.length} worse${left}.${chance}`,
    ...slower.map((change) => line('SLOWER', change)),
    ...faster.map((change) => line('faster', change)),
  ];
}
