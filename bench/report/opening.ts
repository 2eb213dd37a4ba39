// What a report opens with: five lines, where we lose, and whatever a reader must know before trusting it.

import { BUSY } from '../harness/machine.js';
import { disturbed } from '../harness/pace.js';
import type { Results } from '../harness/results.js';
import { type CrossoverSummary, type Headline, headlineOf } from './derive.js';
import { type FrontLine, frontOf } from './front.js';
import { type Html, html, type Piece } from './html.js';
import { counted, percent, stolenText, twoDigits } from './words.js';

const only = (question: string): Html => html`<code>npm run bench -- --only ${question}</code>`;

export function opening(results: Results): Html {
  const headline = headlineOf(results);
  return html`<ul class="front">${frontOf(results).map(frontLine)}</ul>
<p class="lead">${losses(headline)}</p>
${headline.crossover && crossingDetails(headline.crossover)}`;
}

const frontLine = ({ before, figure, after, question }: FrontLine): Html =>
  figure === undefined
    ? html`<li>${before} not in this run; ${only(question)} would tell.</li>`
    : html`<li>${before} <strong>${figure}</strong>${after}.</li>`;

function losses({ losses: found, ties = [] }: Headline): Piece {
  if (!found) return html`Where we lose, ${only("'fit|peers'")} would tell.`;
  const more = ties.length > 0 && `; ${counted(ties.length, 'more is', 'more are')} within noise`;
  if (found.length === 0) return html`We lose in <strong>no case</strong>${more}.`;
  return html`We lose in <strong class="loss">${counted(found.length, 'case')}</strong>, <a href="#losses">listed first</a>${more}.`;
}

function crossingDetails({ low, high, groups, without, factor, factorOf, right, cells }: CrossoverSummary): Html {
  const range =
    low === undefined
      ? ''
      : `Over ${counted(groups, 'shape')} they cross between ${twoDigits(low)}·N and ${twoDigits(high)}·N epochs`;
  const none =
    without > 0
      ? `${range ? '; ' : ''}${counted(without, 'shape has', 'shapes have')} none within the range measured`
      : '';
  return html`<p class="small">${range}${none}. <code>chooseForm</code>, told the epochs, takes the faster form in ${percent(right / cells)} of ${counted(cells, 'measurement')}${
    factor !== undefined &&
    `, its crossing off by a factor of ${twoDigits(factor)} (median of ${counted(factorOf, 'shape')})`
  }.</p>`;
}

/** Whatever makes the numbers less than they look, in sentences. */
export function warningsOf(results: Results): string[] {
  const { interrupted, complete, mode, command, machine, dirty, questions, failed = [] } = results;
  const slow = disturbed(questions).map(({ name, share }) => `${name} (${percent(share)})`);
  return [
    interrupted ? 'This run was interrupted: only what was done by then is here.' : '',
    failed.length > 0
      ? `${counted(failed.length, 'question')} failed: ${failed.map(({ name, why }) => `${name} (${why})`).join('; ')}.`
      : '',
    !interrupted && !complete && failed.length === 0
      ? `This run is incomplete: only some of the questions of its mode were answered (${command}).`
      : '',
    mode === 'smoke' ? 'This was a smoke run: tiny sizes, to see that everything runs. Its numbers mean nothing.' : '',
    machine.load > BUSY
      ? `The machine was not idle (${machine.load} processors busy before we began): expect noise.`
      : '',
    slow.length > 0
      ? `The machine was slower than its best around ${counted(slow.length, 'question')}: ${slow.join(', ')}.`
      : '',
    stolenText(results),
    dirty ? 'The working tree had changes that are not committed.' : '',
  ].filter((sentence) => sentence !== '');
}
