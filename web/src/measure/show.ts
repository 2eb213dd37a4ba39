// A measurement on the page: the answer first, then pictures, then where we lose, then all numbers.

import { barChart } from '../ui/chart.js';
import { copyButton } from '../ui/copy.js';
import { h } from '../ui/dom.js';
import { table } from '../ui/table.js';
import type { Finding, Measurement, Timing, Topic } from './results.js';
import { headline, losses, machineLine, markdown, remarks, TABLE_HEAD, tableRows, times } from './words.js';

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
  { label: 'Dual form against primal form', value: 'times as fast as primal', topics: ['wide', 'tall'] },
  {
    label: 'Many threads against one',
    value: 'times as fast as one thread',
    topics: ['threads-gram', 'threads-fit'],
  },
];

function bar({ what }: Finding, { name, ratio }: Timing) {
  const isSlower = ratio.median < 1;
  return {
    name: `${what}: ${name}`,
    value: ratio.median,
    text: times(ratio.median),
    class: isSlower ? 'bad' : name.startsWith('This library') ? 'faint' : 'accent',
  };
}

function picture({ label, value, topics }: Picture, { findings }: Measurement): HTMLElement | undefined {
  const chosen = findings.filter(({ topic }) => topics.includes(topic));
  if (chosen.length === 0) return undefined;
  const bars = chosen.flatMap((finding) => finding.timings.slice(1).map((timing) => bar(finding, timing)));
  return h('section', { class: 'card' }, barChart({ label, value, bars, isLog: true }).element);
}

export function showMeasurement(measurement: Measurement): HTMLElement {
  const lost = losses(measurement);
  const [first, ...others] = PICTURES.map((one) => picture(one, measurement));
  return h(
    'div',
    { class: 'measure-results' },
    h('h2', { class: 'measure-headline', tabindex: -1 }, headline(measurement)),
    h('p', { class: 'faint' }, `${machineLine(measurement)}.`),
    ...remarks(measurement).map((sentence) => h('p', { class: 'measure-remark' }, sentence)),
    first,
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
      table('Time of one call, the median of all rounds; a row of 1× is what the rows under it are compared with', TABLE_HEAD, tableRows(measurement)), // biome-ignore format: one table
      h(
        'div',
        { class: 'row measure-copy' },
        copyButton('Copy as Markdown', () => markdown(measurement)),
        copyButton('Copy as JSON', () => JSON.stringify(measurement, null, 2)),
      ),
    ),
  );
}
