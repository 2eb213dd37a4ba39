// The parts of the page that are tables.

import { machineLine } from '../harness/machine.js';
import type { Answer, Results } from '../harness/results.js';
import { isMet, targetText } from '../harness/words.js';
import {
  answersOf,
  consistencyOf,
  growthOf,
  isLost,
  isWithinNoise,
  limitsOf,
  lossesOf,
  memoryOf,
  nameOf,
  placeOf,
  tasksOf,
  timingsOf,
} from './derive.js';
import { type Html, html, type Piece, table } from './html.js';
import { blockSize, count, counted, duration, fixed, percent, plain, size, spread, times } from './words.js';

const section = (id: string, title: string, aid: Piece, body: Piece): Html =>
  html`<section id="${id}"><h2>${title}</h2>
${aid !== '' && html`<p class="aid">${aid}</p>`}
${body}</section>
`;

const absent = (question: string): Html =>
  html`<p class="none">Not in this run: <code>npm run bench -- --only ${question}</code> would tell.</p>`;

export function lossesSection(results: Results): Html {
  const losses = lossesOf(results);
  const none = html`<p class="none">Nowhere in this run: nothing was slower than idiomatic JavaScript, and no peer with the same algorithm was faster.</p>`;
  return section(
    'losses',
    'Where we lose',
    losses.length === 0
      ? ''
      : 'Somebody else is faster here: plain JavaScript, or a peer with the same algorithm. The worst first; last what is within noise, where some rounds say otherwise.',
    losses.length === 0
      ? none
      : table(
          'Our speed as a multiple of theirs; below 1× they win',
          [
            { name: 'what', value: ({ what }) => what },
            {
              name: 'our speed',
              value: ({ ratio }) => html`<span class="lost">${times(ratio)}</span>`,
              isNumber: true,
            },
            { name: 'faster than ours', value: ({ against }) => against },
            { name: 'rounds ranged over', value: spread, isNumber: true },
            { name: 'sure', value: (loss) => (isWithinNoise(loss) ? 'within noise: not counted' : 'yes') },
          ],
          losses,
        ),
  );
}

export function growthSection(results: Results): Html {
  const growth = growthOf(results);
  const limits = limitsOf(results);
  return section(
    'growth',
    'How time grows',
    'Time as a power of what grows, fitted by least squares on logarithms, with the margin of error (95 %), beside what the algorithm says.',
    growth.length === 0
      ? absent('growth')
      : table(
          'Fitted exponents',
          [
            { name: 'what', value: ({ what }) => what },
            { name: 'grows with', value: ({ of }) => of },
            { name: 'at', value: ({ at }) => at },
            { name: 'exponent', value: ({ exponent }) => fixed(2)(exponent), isNumber: true },
            { name: '±', value: ({ margin }) => fixed(2)(margin), isNumber: true },
            { name: 'expected', value: ({ expected }) => plain(expected), isNumber: true },
            { name: 'from', value: ({ points }) => pointText(points[0]), isNumber: true },
            { name: 'to', value: ({ points }) => pointText(points.at(-1)), isNumber: true },
            {
              name: 'each, of its limit',
              // One sign for all of them: the column is wide enough as it is.
              value: ({ points }) => {
                const shares = points.map(({ timing }) => placeOf(timing, limits)?.share);
                return shares.includes(undefined)
                  ? ''
                  : `${shares.map((share = 0) => Math.round(100 * share)).join(', ')}\u00a0%`;
              },
            },
          ],
          growth,
        ),
  );
}

const pointText = (point: { x: number; timing: { ms: number } } | undefined): string =>
  point ? `${count(point.x)}: ${duration(point.timing.ms)}` : '';

export function memorySection(results: Results): Html {
  const memory = memoryOf(results);
  return section(
    'memory',
    'Memory',
    'The process at its largest, less what it was before the rows came.',
    memory.length === 0
      ? absent('memory')
      : table(
          'Memory at the peak',
          [
            { name: 'what', value: ({ what }) => what },
            { name: 'rows', value: ({ rows }) => count(rows), isNumber: true },
            { name: 'the rows themselves', value: ({ dataBytes }) => size(dataBytes), isNumber: true },
            { name: 'peak', value: ({ peakBytes }) => size(peakBytes), isNumber: true },
            { name: 'peak / rows', value: ({ dataBytes, peakBytes }) => times(peakBytes / dataBytes), isNumber: true },
            { name: 'bytes a row', value: ({ bytesPerSample }) => count(Math.round(bytesPerSample)), isNumber: true },
          ],
          memory,
        ),
  );
}

export function limitsSection(results: Results): Html {
  const limits = limitsOf(results);
  if (!limits) return section('limits', 'Limits of this machine', '', absent('limits'));
  const last = limits.read.length - 1;
  const rows = [
    ...limits.read.map(({ bytes, gigabytesPerSecond, low }, i) => ({
      what: `reading ${blockSize(bytes)} again and again${i === last ? ' (memory)' : ''}`,
      value: `${plain(gigabytesPerSecond)} GB/s`,
      worst: plain(low),
    })),
    {
      what: 'multiplying and adding on registers',
      value: `${plain(limits.peak.gigaflops)} GFLOP/s`,
      worst: plain(limits.peak.low),
    },
  ];
  return section(
    'limits',
    'Limits of this machine',
    'Measured in the same run by small kernels: 128-bit lanes, one thread.',
    table(
      'What one thread can do',
      [
        { name: 'what', value: ({ what }) => what },
        { name: 'limit', value: ({ value }) => value, isNumber: true },
        { name: 'in the worst round', value: ({ worst }) => worst, isNumber: true },
      ],
      rows,
    ),
  );
}

export function answersSection(results: Results): Html {
  const answers = answersOf(results);
  const withTarget = answers.filter(({ target }) => target);
  const met = withTarget.filter(isMet).length;
  const aid =
    withTarget.length === 0
      ? 'Targets are for the full sizes: npm run bench -- --full.'
      : `${met} of ${counted(withTarget.length, 'target')} met.`;
  const asked = results.questions.flatMap(({ name, answers: own }) => own.map((answer) => ({ name, answer })));
  const all = table(
    'All ratios; above 1 is in our favour, unless it says “less is better”',
    [
      { name: 'what', value: ({ answer }) => nameOf(answer) },
      {
        name: 'ratio',
        value: ({ answer }) => html`<span${isLost(answer) && html` class="lost"`}>${times(answer.ratio)}</span>`,
        isNumber: true,
      },
      { name: 'against', value: ({ answer }) => `${answer.against}${answer.lowerIsBetter ? ' (less is better)' : ''}` },
      { name: 'rounds ranged over', value: ({ answer }) => spread(answer), isNumber: true },
      { name: 'target', value: ({ answer }) => targetOf(answer) },
      { name: 'question', value: ({ name }) => name },
    ],
    asked,
  );
  return section('answers', 'All answers', aid, [
    html`<details><summary>${counted(answers.length, 'answer')}</summary>${all}</details>`,
    timingsTable(results),
  ]);
}

const targetOf = (answer: Answer): Piece =>
  answer.target && [
    targetText(answer.target).replace('x', '×'),
    isMet(answer) ? ', met' : [', ', html`<span class="missed">missed</span>`],
  ];

function timingsTable(results: Results): Html {
  const limits = limitsOf(results);
  const rows = timingsOf(results).map((one) => ({ ...one, place: placeOf(one.timing, limits) }));
  const all = table(
    'All times; the share is of the nearer limit of this machine, where the work can be told',
    [
      { name: 'what', value: ({ timing }) => timing.name },
      { name: 'time', value: ({ timing }) => duration(timing.ms), isNumber: true },
      { name: 'mean', value: ({ timing }) => duration(timing.meanMs), isNumber: true },
      { name: '± of the mean', value: ({ timing }) => `${fixed(1)(timing.marginPercent)} %`, isNumber: true },
      { name: 'rounds', value: ({ timing }) => timing.rounds.length, isNumber: true },
      { name: 'samples', value: ({ timing }) => count(timing.samples), isNumber: true },
      { name: 'GFLOP/s', value: ({ place }) => place && plain(place.gigaflops), isNumber: true },
      { name: 'GB/s', value: ({ place }) => place && plain(place.gigabytesPerSecond), isNumber: true },
      { name: 'share', value: ({ place }) => place && percent(place.share), isNumber: true },
      { name: 'question', value: ({ question }) => question },
    ],
    rows,
  );
  return html`<details><summary>${counted(rows.length, 'time')}</summary>${all}</details>`;
}

export function skippedSection(results: Results): Html | undefined {
  const skipped = tasksOf(results).flatMap(({ what, skipped: names }) => names.map((one) => ({ what, ...one })));
  if (skipped.length === 0) return undefined;
  return section(
    'skipped',
    'Who did not take part',
    html`<code>bench/peers/README.md</code> has the line that installs them.`,
    table(
      'Peers that were skipped, and why',
      [
        { name: 'who', value: ({ name }) => name },
        { name: 'task', value: ({ what }) => what },
        { name: 'why', value: ({ why }) => why },
      ],
      skipped,
    ),
  );
}

export function runSection(results: Results): Html {
  const { version, commit, dirty, date, command, mode, seconds, machine, questions } = results;
  const { checked, odd } = consistencyOf(results);
  const facts: [string, Piece][] = [
    ['machine', machineLine(machine)],
    ['processors busy before', machine.load],
    ['version', `perceptron-wasm ${version}`],
    ['commit', commit === undefined ? 'unknown' : [html`<code>${commit}</code>`, dirty === true && ', with changes']],
    ['date', `${date.slice(0, 10)} ${date.slice(11, 16)} UTC`],
    ['command', html`<code>${command}</code>`],
    ['mode', mode],
    ['took', duration(1000 * seconds)],
    ['questions', questions.length === 0 ? 'none' : [...new Set(questions.map(({ name }) => name))].join(', ')],
    [
      'consistency',
      odd.length === 0
        ? `${count(checked)} numbers checked, all fit together`
        : [
            `${count(checked)} numbers checked; odd:`,
            html`<ul>${odd.map((sentence) => html`<li>${sentence}</li>`)}</ul>`,
          ],
    ],
  ];
  const notes = questions.flatMap(({ name, notes: told = [] }) => told.map((note) => ({ name, note })));
  return section('run', 'This run', '', [
    html`<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`,
    notes.length > 0 &&
      html`<details><summary>${counted(notes.length, 'note')}</summary><ul>${notes.map(({ name, note }) => html`<li>${name}: ${note}</li>`)}</ul></details>`,
  ]);
}
