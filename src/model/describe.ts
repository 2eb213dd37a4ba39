// describe: the outcome of a fit in plain words.

import { grouped, show } from '../errors.js';
import { visible } from '../escape.js';
import type { Diagnosis } from './diagnosis.js';
import type { FitReport } from './report.js';

const counted = (n: number, what: string) => `${grouped(n)} ${what}${n === 1 ? '' : 's'}`;
const epochs = (n: number) => counted(n, 'epoch');
const mistakes = (n: number) => counted(n, 'mistake');
const short = (x: number) => String(Number(x.toPrecision(3)));

function outcome(report: FitReport): string {
  const so = `after ${epochs(report.epochs)} and ${mistakes(report.mistakes)}`;
  switch (report.stopReason) {
    case 'separated':
      return `separated ${so}`;
    case 'max-epochs':
      return `not separated in ${epochs(report.epochs)}, with ${mistakes(report.mistakes)}`;
    case 'early-stop':
      return `stopped early ${so}: accuracy on the rows held out no longer rose`;
    case 'no-progress':
      return `stopped ${so}: the loss no longer fell`;
    case 'stopped':
      return `stopped by the caller ${so}`;
    case 'aborted':
      return `aborted ${so}`;
  }
}

/** What is proven about all planes; nothing if no proof was asked for. */
function proven({ separable, proof }: Diagnosis): string[] {
  switch (separable) {
    case 'yes':
      return ['proven: a plane separates these rows'];
    case 'no':
      return [
        proof?.separable === 'no'
          ? `proven by ${counted(proof.samples.length, 'row')}: no plane separates these rows`
          : 'proven: one of the classes is not separated from the rest by any plane',
      ];
    case 'unknown':
      return ['whether a plane separates these rows is not proven'];
    default:
      return [];
  }
}

/**
 * The outcome of training and what is proven, in one paragraph; advice follows, one line each.
 * @throws TypeError if `report` is no report
 *
 * @example
 * const model = new Perceptron().fit([[3, 3], [4, 3], [1, 1]], [1, 1, -1]);
 * console.log(describe(model.report)); // → separated after 6 epochs and 7 mistakes
 */
export function describe(report: FitReport, diagnosis?: Diagnosis): string {
  if (typeof report?.stopReason !== 'string')
    throw new TypeError(`describe takes a report, such as model.report, got ${show(report)}`);
  const parts = [outcome(report)];
  const { pocket } = report;
  if (pocket && !report.converged) {
    const since = pocket.replacedAt === 0 ? 'from the start' : `since update ${grouped(pocket.replacedAt)}`;
    parts.push(
      `the weights in the pocket, ${since}, make ${mistakes(pocket.errors)} on the training rows, the last weights ${grouped(pocket.lastErrors)}`,
    );
  }
  if (diagnosis) {
    const { margin, mistakeBound, errors, samples } = diagnosis;
    if (margin.lower > margin.upper) {
      parts.push(`margin ${short(margin.lower)} on these rows, which are not those it was trained on`);
    } else if (margin.lower > 0) {
      parts.push(
        margin.upper === Infinity
          ? `margin at least ${short(margin.lower)}`
          : `margin between ${short(margin.lower)} and ${short(margin.upper)}`,
      );
    } else {
      const wrong = `${grouped(errors)} of ${grouped(samples)} samples on the wrong side`;
      // The last weights separated the training rows.
      const why = 'these are other rows, or it predicts with the mean of the weights';
      if (!report.converged) parts.push(wrong);
      else if (errors > 0) parts.push(`but here ${wrong}: ${why}`);
      if (margin.upper < Infinity && !report.converged) {
        parts.push(`the best margin, if any, is below ${short(margin.upper)}`);
      }
    }
    parts.push(...proven(diagnosis));
    // A larger bound says nothing to anybody.
    if (mistakeBound !== null && mistakeBound <= 1e9) {
      parts.push(`no perceptron run with these options can make more than ${mistakes(Math.floor(mistakeBound))} here`);
    }
  }
  return [`${parts.join('; ')}.`, ...report.advice.map(({ message }) => visible(message))].join('\n');
}
