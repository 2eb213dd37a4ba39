// Primal and dual side by side: the same w, once as numbers and once as a sum over the points (SPEC §7).

import { h } from '../../ui/dom.js';
import { number } from '../../ui/numbers.js';
import { cleaner, shownPlaneAt } from '../dust.js';
import { pair, subscript } from '../equation.js';
import { isLinear, kernelOf, stepAt } from '../trace.js';
import type { Plane, Point, Setup, Step, Trace } from '../types.js';
import { gramOf, gramPicture } from './gram.js';
import { folded, type Panel } from './panel.js';

/** A table of more rows and columns is not read: of more points there is the row of the one that was corrected last. */
const MOST_IN_TABLE = 40;

/** Terms of the sum that are written out. */
const MOST_TERMS = 4;

/** Σ α_i y_i (x_i, 1): w and b of the dual form. */
export function planeOf({ points, learningRate }: Setup, counts: Uint32Array): Plane {
  let [w1, w2, b] = [0, 0, 0];
  points.forEach(({ x, y, label }, i) => {
    const step = learningRate * (counts[i] as number) * label;
    w1 += step * x;
    w2 += step * y;
    b += step;
  });
  return { w: [w1, w2], b };
}

/** 2·(3, 3) − 5·(1, 1). */
export function sumText({ points, learningRate }: Setup, counts: Uint32Array): string {
  const terms = points.flatMap(({ x, y, label }, i) => {
    const alpha = learningRate * (counts[i] as number);
    return alpha === 0 ? [] : [`${label === 1 ? '+' : '−'} ${number(alpha)}·${pair(x, y)}`];
  });
  if (terms.length === 0) return '(0, 0)';
  const shown = terms.slice(0, MOST_TERMS);
  if (terms.length > shown.length) shown.push(`+ ${terms.length - shown.length} more`);
  return shown.join(' ').replace(/^\+ /, '').replace(/^− /, '−');
}

/** Whether the two are the same but for rounding, by the size of what was added. */
const isSame = (a: Plane, b: Plane): boolean =>
  [a.w[0] - b.w[0], a.w[1] - b.w[1], a.b - b.b].every(
    (difference) => Math.abs(difference) <= 1e-9 * (1 + Math.hypot(a.w[0], a.w[1], a.b)),
  );

const fact = (name: string, value: HTMLElement) =>
  h('p', { class: 'dual-fact' }, h('span', { class: 'faint' }, name), value);

export function dualPanel(): Panel {
  const values = { w: h('b'), b: h('b'), sum: h('span'), w2: h('b'), b2: h('b') };
  const { w, b, sum, w2, b2 } = values;
  const check = h('p', { class: 'panel-words' });
  const primal = h('div', { class: 'dual-side' }, h('h3', {}, 'Primal: the weights'), fact('w =', w), fact('b =', b));
  const sumFact = fact('w = Σ αᵢ yᵢ xᵢ =', sum);
  const dual = h(
    'div',
    { class: 'dual-side' },
    h('h3', {}, 'Dual: how often each point was a mistake'),
    sumFact,
    fact('=', w2),
    fact('b = Σ αᵢ yᵢ =', b2),
  );
  const picture = gramPicture();
  const note = h('p', { class: 'faint' });
  const cells = folded('The heat map in numbers', 'The heat map as a table');
  const row = folded('One row of the heat map in numbers', 'The row of the last correction as a table');
  const list = folded('The points in the dual form', 'The dual form as a table');
  return {
    element: h(
      'div',
      { class: 'panel' },
      h('div', { class: 'dual-sides' }, primal, dual),
      check,
      picture.element,
      note,
      cells.element,
      row.element,
      list.element,
    ),
    update(trace, steps) {
      const { setup } = trace;
      const counts = trace.counts(steps);
      const step = stepAt(trace, steps);
      const clean = cleaner(trace);
      const sums = planeOf(setup, counts);
      const summed: Plane = { w: [clean(sums.w[0]), clean(sums.w[1])], b: clean(sums.b) };
      const plane = shownPlaneAt(trace, steps);
      primal.hidden = !plane;
      sumFact.hidden = !plane;
      if (w2.parentElement) w2.parentElement.hidden = !plane;
      if (plane) {
        w.textContent = pair(...plane.w);
        b.textContent = number(plane.b);
        sum.textContent = sumText(setup, counts);
        w2.textContent = pair(...summed.w);
      }
      b2.textContent = number(summed.b);
      check.textContent = checkWords(plane, summed);
      picture.update(trace, counts, step?.isMistake ? step.index : undefined);
      note.textContent = noteWords(setup);
      const n = setup.points.length;
      const names = setup.points.map((_, i) => `x${subscript(i + 1)}`);
      cells.element.hidden = n === 0 || n > MOST_IN_TABLE;
      cells.show(
        ['', ...names],
        () => {
          const gram = gramOf(setup);
          return names.map((name, i) => [
            name,
            ...Array.from(gram.subarray(i * n, (i + 1) * n), (each) => number(each)),
          ]);
        },
        setup,
      );
      const corrected = n > MOST_IN_TABLE ? lastMistake(trace, steps)?.index : undefined;
      row.element.hidden = corrected === undefined;
      if (corrected !== undefined) {
        row.show(['point', `with ${names[corrected]}`], () =>
          rowOf(setup, corrected).map((each, i) => [names[i] as string, number(each)]),
        );
      }
      list.show(['point', 'place', 'class', 'mistakes n', 'weight α'], () =>
        setup.points.map((point: Point, i) => [
          names[i] as string,
          pair(point.x, point.y),
          point.label === 1 ? '+1' : '−1',
          counts[i] as number,
          number(setup.learningRate * (counts[i] as number)),
        ]),
      );
    },
  };
}

function lastMistake({ steps }: Trace, moment: number): Step | undefined {
  for (let k = Math.min(moment, steps.length) - 1; k >= 0; k--) if (steps[k]?.isMistake) return steps[k];
  return undefined;
}

/** K(x_i, x_j) for all j. */
function rowOf(setup: Setup, index: number): number[] {
  const kernel = kernelOf(setup);
  return setup.points.map(({ x, y }) => kernel(setup.points[index] as Point, x, y));
}

function checkWords(plane: Plane | undefined, summed: Plane): string {
  if (!plane) return 'With a kernel there is no w to write down: the weights of the points are all there is.';
  return isSame(plane, summed) ? '✓ The same w and b, made in two ways.' : 'The two differ: that should not happen.';
}

const noteWords = (setup: Setup): string =>
  `${isLinear(setup) ? 'The Gram matrix: each cell is the inner product of two points' : 'Each cell is the kernel of two points: how alike they are'}. Blue is positive, orange negative. The larger a dot, the more often that point was a mistake.`;
