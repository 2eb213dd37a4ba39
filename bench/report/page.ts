// The report: one page, no script, nothing fetched.

import type { Results } from '../harness/results.js';
import { epochsFigure } from './charts/epochs.js';
import { figure, missing } from './charts/figure.js';
import { mapFigure } from './charts/map.js';
import { peersFigure } from './charts/peers.js';
import { rooflineFigure } from './charts/roofline.js';
import { speedUpFigure } from './charts/speedups.js';
import { startsFigure } from './charts/starts.js';
import {
  cellsOf,
  groupsOf,
  limitsOf,
  rooflineOf,
  sharesTold,
  speedUpsOf,
  startsOf,
  summaryOf,
  tasksOf,
} from './derive.js';
import { Html, html } from './html.js';
import { opening, warningsOf } from './opening.js';
import {
  answersSection,
  growthSection,
  limitsSection,
  lossesSection,
  memorySection,
  runSection,
  skippedSection,
} from './sections.js';
import { PAGE_STYLE } from './style.js';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export function page(results: Results): string {
  const { mode, date, version } = results;
  const warnings = warningsOf(results);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>perceptron-wasm: benchmark of ${date.slice(0, 10)}</title>
<link rel="icon" href="data:,">
<style>${new Html(PAGE_STYLE)}</style></head>
<body><header>
${warnings.length > 0 && html`<div class="warning" role="note">${warnings.map((sentence, i) => (i === 0 ? html`<strong>${sentence}</strong>` : ` ${sentence}`))}</div>`}
<p class="kicker">perceptron-wasm ${version} · ${mode} run · ${date.slice(0, 10)}</p>
<h1>Primal against dual, WebAssembly against JavaScript</h1>
${opening(results)}</header>
<main>
${lossesSection(results)}${figures(results)}${growthSection(results)}${memorySection(results)}${limitsSection(results)}${answersSection(results)}${skippedSection(results)}${runSection(results)}</main>
<footer>A ratio is the median of the rounds’ ratios, of two who took turns in each round; a time is the median of its own rounds. Where the two disagree, the ratio counts. Both are of one run on one machine: compare them within a run, not across machines.</footer>
</body></html>
`.text;
}

function figures(results: Results): Html[] {
  const [cells, tasks, starts] = [cellsOf(results), tasksOf(results), startsOf(results)];
  const [summary, limits] = [summaryOf(cells), limitsOf(results)];
  const [speedUps, points] = [speedUpsOf(results), rooflineOf(results)];
  return [
    groupsOf(cells).length > 0
      ? figure(epochsFigure(cells))
      : missing({ id: 'epochs', title: 'Time against passes', question: 'crossover' }),
    summary
      ? figure(mapFigure(cells, summary, limits))
      : missing({ id: 'map', title: 'Where the dual wins', question: 'crossover' }),
    speedUps.length > 0
      ? figure(speedUpFigure(speedUps))
      : missing({ id: 'speed-ups', title: 'How much faster than plain JavaScript', question: "'scan|fit|gram'" }),
    tasks.some(({ contenders }) => contenders.length > 0)
      ? figure(peersFigure(tasks))
      : missing({ id: 'peers', title: 'Beside others', question: 'peers' }),
    limits && points.length > 0
      ? figure(rooflineFigure(points, limits, sharesTold(results).all))
      : missing({ id: 'roofline', title: 'How near to what this machine can do', question: "'limits|scan|gram'" }),
    starts.length > 0
      ? figure(startsFigure(starts))
      : missing({ id: 'start', title: 'What a small job costs', question: 'startup' }),
  ];
}
