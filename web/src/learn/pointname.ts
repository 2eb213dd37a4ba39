// Points in words, for those who hear the page.

import { number } from '../ui/numbers.js';
import type { Class, Point } from './types.js';

export const colourOf = (label: Class): string => (label === 1 ? 'blue' : 'orange');

export const placeOf = ({ x, y }: Point): string => `(${number(x)}, ${number(y)})`;

export const pointName = (point: Point, index: number): string =>
  `Point ${index + 1}, ${colourOf(point.label)} ${point.label === 1 ? 'circle' : 'triangle'}, at ${placeOf(point)}`;
