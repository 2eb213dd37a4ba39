// Mistakes and loss by epoch, and the number of mistakes that there can be at most.

import { lineChart } from '../../ui/chart.js';
import { h } from '../../ui/dom.js';
import { counted, number } from '../../ui/numbers.js';
import { epochsAt, mistakesAt, stepAt } from '../trace.js';
import type { EpochFacts, Trace } from '../types.js';
import type { Panel } from './panel.js';

type Places = readonly (readonly [number, number])[];

/** What the curves show: epochs that are over, and the one under way. */
interface Curves {
  readonly mistakes: Places;
  readonly total: Places;
  readonly loss: Places;
}

export function curvesAt(trace: Trace, steps: number): Curves {
  const done = trace.epochs.slice(0, epochsAt(trace, steps));
  const over = (value: (facts: EpochFacts) => number): [number, number][] =>
    done.map((facts) => [facts.epoch, value(facts)]);
  const [mistakes, total] = [over((facts) => facts.mistakes), over((facts) => facts.totalMistakes)];
  const epoch = stepAt(trace, steps)?.epoch ?? 0;
  if (epoch > done.length) {
    const sum = mistakesAt(trace, steps);
    mistakes.push([epoch, sum - (done.at(-1)?.totalMistakes ?? 0)]);
    total.push([epoch, sum]);
  }
  return { mistakes, total, loss: over((facts) => facts.loss) };
}

/** The bound that the end of training proves: it held from the start. Null if there is none. */
const boundOf = (trace: Trace): number | null => trace.epochs.at(-1)?.mistakeBound ?? null;

/** A number to beat, in words. */
export function boundWords(trace: Trace, steps: number): string {
  if (trace.epochs.length === 0) return '';
  const bound = boundOf(trace);
  const sum = mistakesAt(trace, steps);
  if (bound === null) return `${counted(sum, 'mistake')} so far, and no bound: nothing found here splits the points.`;
  if (bound > 1e9) return `${counted(sum, 'mistake')} so far.`;
  return `A number to beat: at most ${number(Math.floor(bound))} mistakes. So far ${number(sum)}.`;
}

export function curvePanel(): Panel {
  const x = 'round (epoch)';
  const byRound = lineChart({ label: 'Mistakes by round', x, y: '', lines: [] });
  // By itself: beside the mistakes of single rounds it would have another scale, and seem to be crossed.
  const inAll = lineChart({ label: 'All mistakes, and the bound', x, y: '', lines: [] });
  const words = h('p', { class: 'panel-words' });
  let drawn = '';
  return {
    element: h('div', { class: 'panel' }, byRound.element, words, inAll.element),
    update(trace, steps) {
      words.textContent = boundWords(trace, steps);
      const curves = curvesAt(trace, steps);
      const bound = boundOf(trace);
      // Between two mistakes nothing here changes.
      const picture = JSON.stringify([curves.mistakes.at(-1), curves.total.at(-1), curves.loss, bound]);
      if (picture === drawn) return;
      drawn = picture;
      const now = curves.mistakes.at(-1)?.[0];
      const shared = { x, xIsWhole: true, yIsWhole: true, ...(now !== undefined && { mark: now }) };
      byRound.update({
        ...shared,
        label: 'Mistakes by round',
        y: 'mistakes',
        right: 'loss',
        height: 190,
        lines: [
          { name: 'mistakes', points: curves.mistakes, class: 'accent' },
          { name: 'loss', points: curves.loss, class: 'plus', axis: 'right' },
        ],
      });
      const most = { name: 'at most (bound)', points: boundLine(bound, now ?? 1), class: 'faint', isDashed: true };
      inAll.update({
        ...shared,
        label: 'All mistakes, and the bound',
        y: 'mistakes',
        height: 160,
        lines: [{ name: 'in all', points: curves.total, class: 'accent' }, ...(bound === null ? [] : [most])],
      });
    },
  };
}

/** From the first epoch to this one; a line at least. */
const boundLine = (bound: number | null, epoch: number): Places =>
  Array.from({ length: Math.max(2, epoch) }, (_, k) => [k + 1, Math.floor(bound ?? 0)]);
