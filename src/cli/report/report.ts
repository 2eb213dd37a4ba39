// The report of a training as one HTML page: no scripts, nothing fetched, readable in light and dark, on a telephone and on paper.

import type { ReportData } from './data.js';
import { Html, html, type Piece } from './html.js';
import { classesSection } from './sections/classes.js';
import { confusionSection } from './sections/confusion.js';
import { epochsSection } from './sections/epochs.js';
import { hardestSection } from './sections/hardest.js';
import { marginsSection } from './sections/margins.js';
import { answer, heading } from './sections/opening.js';
import { reliabilitySection } from './sections/reliability.js';
import { rocSection } from './sections/roc.js';
import { weightsSection } from './sections/weights.js';
import { STYLE } from './style.js';
import { fileName } from './words.js';

/** Allows nothing but the style below: a browser would refuse a script or a picture even if one got in. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** What is not there although a reader may look for it, and why. */
function absent({ judged, planes }: ReportData): string {
  const parts = [
    ...(judged && !judged.scores ? ['margins and ROC curves (no scores)'] : []),
    ...(judged && !judged.probabilities ? ['reliability (it takes scores, and two judged rows of each class)'] : []),
    ...(planes ? [] : ['weights (with a kernel there is none for each column)']),
  ];
  return parts.length === 0 ? '' : `Left out: ${parts.join('; ')}. `;
}

/** Options of the command line, with a word for a value, in one piece: a line does not end after --. */
const withOptions = (sentence: string): Piece =>
  sentence
    .split(/(--[a-z][a-z-]*(?: (?:pocket|rbf|shuffle|standardize|unit-ball|\d[\d.]*))?)/)
    .map((part, k) => (k % 2 === 1 ? html`<code>${part}</code>` : part));

/** Charts of different heights below each other, beside another column where there is room. */
function column(...sections: readonly (Html | undefined)[]): Html | undefined {
  const known = sections.filter((section) => section !== undefined);
  return known.length === 0 ? undefined : html`<div class="column">${known}</div>`;
}

/** The page. Equal data give identical text. */
export function reportHtml(data: ReportData): string {
  const { judged, advice = [] } = data;
  const sections: readonly (Html | undefined)[] = [
    judged && confusionSection(judged.evaluation),
    judged && classesSection(judged.evaluation),
    column(judged && marginsSection(judged), epochsSection(data)),
    column(judged && rocSection(judged), judged && reliabilitySection(judged)),
    weightsSection(data),
    hardestSection(data),
  ];
  const tips =
    advice.length > 0 &&
    html`<section class="full" aria-labelledby="advice"><h2 id="advice">What to try next</h2>
<ul class="tips">${advice.map((sentence) => html`<li>${withOptions(sentence)}</li>`)}</ul></section>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${fileName(data.file)}: report</title>
<style>
${new Html(STYLE)}
</style>
</head>
<body>
<header>${heading(data)}</header>
<main>
${answer(data)}
<div class="sections">
${sections}${tips}
</div>
</main>
<footer><p>${absent(data)}Made by perceptron-wasm.</p></footer>
</body>
</html>
`.text;
}
