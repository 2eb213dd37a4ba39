// What each symbol of the numbers means: open until there are numbers.

import { h } from '../ui/dom.js';
import { number } from '../ui/numbers.js';
import { isLinear } from './trace.js';
import type { Setup } from './types.js';

type Meaning = readonly [symbol: string, meaning: string];

function meaningsOf(setup: Setup): readonly Meaning[] {
  const { learningRate, margin } = setup;
  const isStraight = isLinear(setup);
  const model: readonly Meaning[] = isStraight
    ? [
        ['w', 'the weights: an arrow that stands on the line and points to the blue side'],
        ['b', 'the bias: shifts the line, without turning it'],
      ]
    : [
        ['α', 'a weight for each point: η times how often it was a mistake'],
        ['K', 'the kernel: how alike two points are'],
        ['b', 'the bias: a number that is added for all places'],
      ];
  return [
    ...model,
    ['y', 'the class of a point: +1 for a blue circle, −1 for an orange triangle'],
    ['s', `its score, ${isStraight ? 'w·x + b' : 'Σ α y K + b'}: above 0 means blue, below 0 orange`],
    ['y·s', `a mistake if it is not above ${number(margin)}`],
    ['η', `the learning rate: how much a mistake counts, ${number(learningRate)} here`],
  ];
}

export interface Symbols {
  readonly element: HTMLDetailsElement;
  update(setup: Setup, isFresh: boolean): void;
}

export function symbols(): Symbols {
  const list = h('dl');
  const element = h('details', { class: 'symbols' }, h('summary', {}, 'What the symbols mean'), list);
  let drawn = '';
  let wasFresh: boolean | undefined;
  return {
    element,
    update(setup, isFresh) {
      // Only when it changes: who opens it again later wants it open.
      if (isFresh !== wasFresh) element.open = isFresh;
      wasFresh = isFresh;
      const meanings = meaningsOf(setup);
      const said = JSON.stringify(meanings);
      if (said === drawn) return;
      drawn = said;
      list.replaceChildren(...meanings.flatMap(([symbol, meaning]) => [h('dt', {}, symbol), h('dd', {}, meaning)]));
    },
  };
}
