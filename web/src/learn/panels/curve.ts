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
export const boundOf = (trace: Trace): number | null => trace.epochs.at(-1)?.mistakeBound ?? null;

/** A number to beat, in words. */
export function boundWords(trace: Trace, steps: number): string {
  const bound = boundOf(trace);
  const sum = mistakesAt(trace, steps);
  if (bound === null) return `${counted(sum, 'mistake')} so far, and no bound: nothing found here splits the points.`;
  return `A number to beat: at most ${number(Math.floor(bound))} mistakes. So far ${number(sum)}.`;
}

export function curvePanel(): Panel {
  const mistakes = lineChart({ label: 'Mistakes by round', x: 'round (epoch)', y: '', lines: [] });
  const loss = lineChart({ label: 'Loss by round', x: 'round (epoch)', y: '', lines: [] });
  const words = h('p', { class: 'panel-words' });
  let drawn = '';
  return {
    element: h('div', { class: 'panel' }, mistakes.element, words, loss.element),
    update(trace, steps) {
      words.textContent = boundWords(trace, steps);
      const curves = curvesAt(trace, steps);
      const bound = boundOf(trace);
      const last = bound === null ? 0 : trace.epochs.length;
      // Between two mistakes nothing here changes.
      const picture = JSON.stringify([curves.mistakes.at(-1), curves.loss.length, bound, last]);
      if (picture === drawn) return;
      drawn = picture;
      const mark = curves.mistakes.at(-1)?.[0];
      const shared = { x: 'round (epoch)', xIsWhole: true, ...(mark !== undefined && { mark }) };
      mistakes.update({
        ...shared,
        label: 'Mistakes by round',
        y: 'in a round',
        right: 'in all',
        lines: [
          { name: 'in a round', points: curves.mistakes, class: 'accent' },
          { name: 'in all', points: curves.total, class: 'minus', axis: 'right' },
          ...(bound === null
            ? []
            : [
                {
                  name: 'at most (bound)',
                  points: boundLine(bound, last),
                  class: 'faint',
                  isDashed: true,
                  axis: 'right' as const,
                },
              ]),
        ],
      });
      loss.update({
        ...shared,
        label: 'Loss by round',
        y: 'loss',
        height: 150,
        lines: [{ name: 'loss', points: curves.loss, class: 'plus' }],
      });
    },
  };
}

/** From the first epoch to the last, so that the picture keeps its width while it fills. */
const boundLine = (bound: number, last: number): Places =>
  Array.from({ length: last }, (_, k) => [k + 1, Math.floor(bound)]);
