// The loss by epoch, and all mistakes beside the number that there can be at most.

import { lineChart } from '../../ui/chart.js';
import { h } from '../../ui/dom.js';
import { boundOf, type EpochRow, epochRows } from '../epochs.js';
import type { Panel } from './panel.js';

type Places = readonly (readonly [number, number])[];

export function curvePanel(): Panel {
  const x = 'epoch';
  const loss = lineChart({ label: 'Loss by epoch', x, y: '', lines: [] });
  // By itself: beside the loss it would have another scale, and seem to be crossed.
  const inAll = lineChart({ label: 'All mistakes', x, y: '', lines: [] });
  let drawn = '';
  return {
    element: h('div', { class: 'panel' }, loss.element, inAll.element),
    update(trace, steps) {
      const rows = epochRows(trace, steps);
      const bound = boundOf(trace);
      // Between two mistakes nothing here changes.
      const picture = JSON.stringify([rows.at(-1), rows.length, bound]);
      if (picture === drawn) return;
      drawn = picture;
      const last = rows.at(-1);
      const now = last?.epoch;
      const isUnfinished = last?.isUnderWay === true;
      const shared = { x, xIsWhole: true, height: 180, ...(now !== undefined && { mark: now }) };
      const line = (name: string, value: (row: EpochRow) => number, colour: string) => ({
        name,
        points: rows.map((row) => [row.epoch, value(row)] as const),
        class: colour,
        isUnfinished,
      });
      loss.update({
        ...shared,
        label: 'Loss by epoch',
        y: 'loss: −Σ y·s of its mistakes',
        lines: [line('loss', (row) => row.loss, 'plus')],
      });
      const most = { name: 'at most (bound)', points: boundLine(bound, now ?? 1), class: 'faint', isDashed: true };
      inAll.update({
        ...shared,
        label: bound === undefined ? 'All mistakes' : 'All mistakes, and the bound',
        y: 'mistakes',
        yIsWhole: true,
        lines: [line('in all', (row) => row.total, 'accent'), ...(bound === undefined ? [] : [most])],
      });
    },
  };
}

/** From the first epoch to this one; a line at least. */
const boundLine = (bound: number | undefined, epoch: number): Places =>
  Array.from({ length: Math.max(2, epoch) }, (_, k) => [k + 1, bound ?? 0]);
