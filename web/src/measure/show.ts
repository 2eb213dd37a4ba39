// A measurement on the page: the answer first, then pictures, then where we lose, then all numbers.

import { type Bar, barChart } from '../ui/chart.js';
import { copyButton } from '../ui/copy.js';
import { h } from '../ui/dom.js';
import { table } from '../ui/table.js';
import type { Finding, Measurement, Timing, Topic } from './results.js';
import {
  engineNames,
  isSlower,
  losses,
  machineLine,
  markdown,
  remarks,
  shapeOf,
  story,
  TABLE_HEAD,
  tableRows,
  times,
} from './words.js';

interface Picture {
  readonly label: string;
  readonly value: string;
  readonly topics: readonly Topic[];
}

const PICTURES: readonly Picture[] = [
  {
    label: 'This library against plain JavaScript',
    value: 'times as fast as plain JavaScript',
    topics: ['train', 'gram', 'small'],
  },
  {
    label: 'Dual form against primal form, by rows × columns',
    value: 'times as fast as primal',
    topics: ['shape'],
  },
  {
    label: 'Many threads against one',
    value: 'times as fast as one thread',
    topics: ['threads-gram', 'threads-fit'],
  },
];

function bar(finding: Finding, { name, ratio }: Timing): Bar {
  const { median, low, high } = ratio;
  // Slower in the middle but not in every round is nobody's win.
  const isFaint = name === engineNames.js || median < 1;
  const class_ = isSlower(ratio) ? 'bad' : isFaint ? 'faint' : 'accent';
  const called = finding.topic === 'shape' ? shapeOf(finding) : `${finding.what}: ${name}`;
  return { name: called, value: median, text: times(median), class: class_, range: [low, high] };
}

function picture({ label, value, topics }: Picture, { findings }: Measurement): HTMLElement | undefined {
  const chosen = findings.filter(({ topic }) => topics.includes(topic));
  if (chosen.length === 0) return undefined;
  const bars = chosen.flatMap((finding) => finding.timings.slice(1).map((timing) => bar(finding, timing)));
  return h('section', { class: 'card' }, barChart({ label, value, bars, isLog: true }).element);
}

export function showMeasurement(measurement: Measurement): HTMLElement {
  const lost = losses(measurement);
  const [first, ...more] = story(measurement);
  const [large, ...others] = PICTURES.map((one) => picture(one, measurement));
  return h(
    'div',
    { class: 'measure-results' },
    h('h2', { class: 'measure-headline' }, first),
    h('p', { class: 'measure-lead' }, more.join(' ')),
    h('p', { class: 'faint' }, `${machineLine(measurement)}.`),
    ...remarks(measurement).map((sentence) => h('p', { class: 'measure-remark' }, sentence)),
    large,
    h('div', { class: 'measure-pair' }, ...others),
    lost.length > 0 &&
      h(
        'section',
        { class: 'card' },
        h('h2', {}, 'Where it loses'),
        h('ul', { class: 'measure-losses' }, ...lost.map((sentence) => h('li', {}, sentence))),
      ),
    h(
      'section',
      { class: 'card' },
      h('h2', {}, 'All numbers'),
      h('p', { class: 'faint' }, 'A row without a range is what the rows under it are compared with.'),
      table('Medians of the rounds', TABLE_HEAD, tableRows(measurement), { class: 'measure-numbers' }),
      h(
        'div',
        { class: 'row measure-copy' },
        copyButton('Copy as Markdown', () => markdown(measurement)),
        copyButton('Copy as JSON', () => JSON.stringify(measurement, null, 2)),
      ),
    ),
  );
}
