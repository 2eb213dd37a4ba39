// Points in words.

import { number } from '../ui/numbers.js';
import type { Class, Point } from './types.js';

export const colourOf = (label: Class): string => (label === 1 ? 'blue' : 'orange');

export const placeOf = ({ x, y }: Point): string => `(${number(x)}, ${number(y)})`;

/** "blue circle". */
export const kindOf = (label: Class): string => `${colourOf(label)} ${label === 1 ? 'circle' : 'triangle'}`;

/** Points are counted from 1. Among `count`: "Point 2 of 3". */
export const pointName = (point: Point, index: number, count?: number): string =>
  `Point ${index + 1}${count === undefined ? '' : ` of ${count}`}, ${kindOf(point.label)}, at ${placeOf(point)}`;
