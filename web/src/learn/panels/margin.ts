// The bracket of the best margin, closing: lower ≤ γ* ≤ upper (SPEC §4), a bar for each epoch.

import { h, setAttribute, svg } from '../../ui/dom.js';
import { counted, number } from '../../ui/numbers.js';
import { boundOf, epochsOver } from '../epochs.js';
import { stepAt } from '../trace.js';
import type { EpochFacts, Trace } from '../types.js';
import { boundWords } from './epochs.js';
import { folded, type Panel } from './panel.js';

/** The latest epochs that have a bar. */
const MOST_BARS = 12;

/** Of a bar and the space below it, in parts of the picture. */
const BAR = 6;
const PITCH = 9;

const short = (value: number): string => number(value, 3);

/** What is known of the margin, in words. */
export function marginWords(trace: Trace, steps: number): string {
  if (trace.epochs.length === 0) return '';
  const facts = epochsOver(trace, steps).at(-1);
  if (!facts) {
    const isBegun = stepAt(trace, steps) !== undefined;
    return `${isBegun ? 'Epoch 1 is under way: its end' : 'The end of epoch 1'} will give a first bracket of the best margin γ*.`;
  }
  const { lower, upper } = facts.margin;
  if (upper <= 1e-9)
    return 'The bracket has closed at 0: there is no margin, so nothing of this shape splits the points.';
  if (short(lower) === short(upper)) return `The bracket has closed: the best margin γ* is ${short(lower)}.`;
  const range = `${short(lower)} ≤ γ* ≤ ${short(upper)}.`;
  if (lower <= 0) return `${range} Below 0 means: no split found yet.`;
  return `${range} Between the classes there is room for a margin of ${short(lower)} at least, ${short(upper)} at most.`;
}

/** What the mistakes cannot go beyond (SPEC §4), or why that is not said. Nothing where there is nothing to learn. */
export function novikoffWords(trace: Trace, steps: number): string {
  if (trace.epochs.length === 0) return '';
  if (boundOf(trace) !== undefined) return boundWords(trace, steps);
  return trace.epochs.at(-1)?.mistakeBound == null
    ? 'No bound on the mistakes is known: nothing found here splits the points.'
    : 'The bound on mistakes that follows is more than 100 times those made, and says nothing.';
}

export function marginPanel(): Panel {
  const bars = svg('g');
  const zero = svg('line', { class: 'margin-zero', y1: 0 });
  const picture = svg('svg', { class: 'margin-picture', role: 'img', preserveAspectRatio: 'none' }, zero, bars);
  const [left, middle, right] = [h('span'), h('span', { class: 'margin-middle' }, '0'), h('span')];
  const words = h('p', { class: 'panel-words' });
  const bound = h('p', { class: 'panel-words faint' });
  const list = folded('The bracket of the best margin, by epoch');
  const scale = h('div', { class: 'margin-scale', 'aria-hidden': 'true' }, left, middle, right);
  return {
    element: h('div', { class: 'panel' }, words, h('div', {}, picture, scale), bound, list.element),
    update(trace, steps) {
      const known = epochsOver(trace, steps);
      words.textContent = marginWords(trace, steps);
      bound.textContent = novikoffWords(trace, steps);
      setAttribute(
        picture,
        'aria-label',
        `The bracket of the best margin after ${counted(known.length, 'epoch')}. ${words.textContent}`,
      );
      const shown = known.slice(-MOST_BARS);
      const [low, high] = reach(trace.epochs);
      const at = (value: number) => (100 * (Math.max(low, Math.min(high, value)) - low)) / (high - low);
      const height = PITCH * Math.min(MOST_BARS, Math.max(1, trace.epochs.length));
      setAttribute(picture, 'viewBox', `0 0 100 ${height}`);
      picture.style.height = `${2 * height}px`;
      setAttribute(zero, 'transform', `translate(${at(0)} 0)`);
      setAttribute(zero, 'y2', height);
      bars.replaceChildren(
        ...shown.map(({ margin }, k) =>
          svg('rect', {
            class: k === shown.length - 1 ? 'margin-now' : 'margin-bar',
            // A bracket that is closed is still to be seen.
            x: Math.min(99, at(margin.lower)),
            width: Math.max(1, at(margin.upper) - at(margin.lower)),
            y: PITCH * k + (PITCH - BAR) / 2,
            height: BAR,
          }),
        ),
      );
      // Where 0 is an end, it is written once.
      left.textContent = at(0) < 12 ? '' : short(low);
      right.textContent = at(0) > 88 ? '' : short(high);
      middle.style.left = `${at(0)}%`;
      list.show(['epoch', 'lower', 'upper', 'mistakes so far'], () =>
        known.map((facts) => [facts.epoch, short(facts.margin.lower), short(facts.margin.upper), facts.totalMistakes]),
      );
    },
  };
}

/** The widest bracket of all, and 0: the picture stands still while the bars get shorter. */
function reach(epochs: readonly EpochFacts[]): [number, number] {
  const ends = epochs.flatMap(({ margin }) => [margin.lower, margin.upper]).filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  return low < high ? [low, high] : [-1, 1];
}
