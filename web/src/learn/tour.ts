// The guided tour: six stops as a lecturer would make them, each with points, two sentences and one thing to try.

import { presetNamed, setupOf } from './presets.js';
import type { PanelName } from './state.js';
import type { PresetName, Setup } from './types.js';

export interface Stop {
  readonly title: string;
  readonly words: string;
  /** One thing to try. */
  readonly task: string;
  /** A button for it, where it is a setting. */
  readonly act?: { readonly text: string; readonly setup: Partial<Setup> };
  readonly preset: PresetName;
  /** Where it differs from the preset. */
  readonly setup?: Partial<Setup>;
  readonly panels: readonly PanelName[];
}

export const stops: readonly Stop[] = [
  {
    title: 'One line, seven mistakes',
    words:
      'The arrow w stands on its line, and blue points belong on the side that it points to. ' +
      'A blue point on the wrong side is added to w, an orange one is taken away, and the line turns with it.',
    task: 'Step through the seven mistakes. Then drag the triangle to (2, 2) and play: with less room it takes 27.',
    preset: 'example',
    panels: [],
  },
  {
    title: 'Cyclic or shuffled',
    words:
      'Here the points are looked at in the order of the list, over and over (cyclic): the line is right after 19 mistakes. ' +
      'Another order meets other mistakes first, and leads to another line.',
    task: 'Play it, then shuffle the points and compare: 14 mistakes.',
    act: { text: 'Shuffle the points', setup: { order: 'shuffle', seed: 1 } },
    preset: 'separable',
    panels: [],
  },
  {
    title: 'Not unique',
    words:
      'Each thin line is where another shuffle of the same points ended, and each of them is right. ' +
      'A perceptron stops at the first such line that it meets: it does not look for the best.',
    task: 'Ask for a margin: every line has to keep its distance from the points now, and they draw together.',
    act: { text: 'Ask for a margin of 20', setup: { margin: 20 } },
    preset: 'separable',
    panels: ['seeds'],
  },
  {
    title: 'Noise, and a pocket',
    words:
      'Some points lie among those of the other class, and no line gets all of them right: a perceptron never comes to rest here. ' +
      'The pocket remembers the best line so far, and in the end it has one with 3 mistakes.',
    task: 'Play until it says that no line gets all of them. Then keep the best line: it is drawn dashed.',
    act: { text: 'Keep the best line', setup: { trainer: 'pocket' } },
    preset: 'noisy',
    panels: [],
  },
  {
    title: 'XOR',
    words:
      'Opposite corners belong together, and no line splits them: the perceptron goes in circles. ' +
      'It is the best-known case that a single perceptron cannot learn (Minsky and Papert, 1969).',
    task: 'Drag one blue circle over the diagonal between the triangles, towards the other circle: now a line can.',
    preset: 'xor',
    panels: [],
  },
  {
    title: 'Kernels and the dual form',
    words:
      'How often each point was a mistake is all there is to remember: that is the dual form, and it needs only products of points. ' +
      'A kernel takes the place of these products, and the border bends.',
    task: 'Play it, then take another kernel and compare the borders. The counts are under “More”, below.',
    act: { text: 'Take the RBF kernel', setup: { kernel: 'rbf', gamma: 0.5 } },
    preset: 'circles',
    setup: { kernel: 'polynomial' },
    panels: [],
  },
];

/** What a stop starts with. */
export const setupOfStop = ({ preset, setup }: Stop): Setup => ({ ...setupOf(presetNamed(preset)), ...setup });

/** For those who hear it. */
export const stopWords = (number: number): string => {
  const stop = stops[number - 1];
  return stop ? `Stop ${number} of ${stops.length}: ${stop.title}. ${stop.words} Try this: ${stop.task}` : '';
};
