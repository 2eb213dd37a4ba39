// The top of the page: which data, which trainer, and how good the model is, in one sentence.

import { count, counted, percent } from '../../output.js';
import type { Judged, ReportData, ReportEvaluation } from '../data.js';
import { type Html, html, type Piece } from '../html.js';
import { fileName, measure, name } from '../words.js';

const MOST_CLASSES = 10;

function classesLine(classes: ReportData['classes']): Piece {
  const total = classes.reduce((sum, { rows }) => sum + rows, 0);
  const shown = classes
    .slice(0, MOST_CLASSES)
    .map(({ label, rows }, k) => [
      k > 0 && ', ',
      name(label),
      `: ${counted(rows, 'row')} (${percent(rows / total, 1)})`,
    ]);
  return [shown, classes.length > MOST_CLASSES && ` and ${count(classes.length - MOST_CLASSES)} more`];
}

const fact = (title: string, value: Piece): Html => html`<dt>${title}</dt><dd>${value}</dd>`;

export function heading(data: ReportData): Html {
  const { rows, columns, features, outcome } = data;
  const made = features === undefined || features === columns ? '' : `, ${counted(features, 'feature')}`;
  return html`<p class="kicker">perceptron-wasm: report of a training</p>
<h1><bdi>${fileName(data.file)}</bdi></h1>
<dl class="facts">${fact('Data', `${counted(rows, 'row')} × ${counted(columns, 'column')}${made}`)}
${fact('Classes', classesLine(data.classes))}
${fact('Trainer', data.trainer)}${outcome !== undefined && fact('Outcome', outcome)}</dl>`;
}

/** Which rows the numbers are of. */
function rowsOf({ kind, file, evaluation: { rows } }: Judged): Piece {
  switch (kind) {
    case 'held-out':
      return `${counted(rows, 'row')} held out of training`;
    case 'test':
      return [counted(rows, 'row'), file === undefined ? ' of the test data' : html` of <bdi>${fileName(file)}</bdi>`];
    case 'folds':
      return `${counted(rows, 'row')}, each held out of training once`;
    case 'training':
      return `the ${counted(rows, 'row')} that it was trained on`;
  }
}

export function answer({ judged, diagnosis }: ReportData): Html {
  if (judged) return judgedAnswer(judged);
  if (!diagnosis) return html`<p class="lead">No rows were judged, so this page cannot say how good the model is.</p>`;
  const { samples, errors, accuracy } = diagnosis;
  return html`<p class="lead">The model predicts <strong>${percent(accuracy)}</strong> of the rows that it was trained on rightly (${count(samples - errors)} of ${count(samples)}). No rows were held out: it may do worse on others.</p>`;
}

function judgedAnswer(judged: Judged): Html {
  const { accuracy, baseline, balancedAccuracy } = judged.evaluation;
  const isPoor = accuracy <= baseline.accuracy;
  return html`<p class="lead">Of ${rowsOf(judged)}, the model predicts <strong>${percent(accuracy)}</strong> rightly, where always answering ${name(baseline.label)} would be right for <strong>${percent(baseline.accuracy)}</strong>; its balanced accuracy is <strong>${percent(balancedAccuracy)}</strong>.${isPoor && ' It is no better than giving always the same answer.'}${judged.kind === 'training' && ' No rows were held out: it may do worse on others.'}</p>
${tiles(judged.evaluation)}`;
}

function tiles(evaluation: ReportEvaluation): Html {
  const { accuracy, baseline, balancedAccuracy, macro, matthews, rocAuc, averagePrecision, logLoss, brier } =
    evaluation;
  const known: readonly (readonly [string, string | undefined])[] = [
    ['Accuracy', percent(accuracy)],
    ['Majority baseline', percent(baseline.accuracy)],
    ['Balanced accuracy', percent(balancedAccuracy)],
    ['Mean F1 of classes', percent(macro.f1)],
    ['Matthews', measure(matthews)],
    ['ROC AUC', rocAuc === undefined ? undefined : measure(rocAuc)],
    ['Average precision', averagePrecision === undefined ? undefined : measure(averagePrecision)],
    ['Log loss', logLoss === undefined ? undefined : measure(logLoss)],
    ['Brier score', brier === undefined ? undefined : measure(brier)],
  ];
  return html`<dl class="tiles">${known.map(
    ([title, value]) => value !== undefined && html`<div><dt>${title}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}
