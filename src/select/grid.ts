// The points of a grid: all combinations of its values, checked before anything is fitted.

import { near } from '../encode/near.js';
import { mustBe, show } from '../errors.js';
import { type Changes, cloneOf } from './clone.js';

/** Lists of values by the names of options: of a trainer 'average', of a pipeline 'model.average' or 'steps.0.kind'. */
export type Grid = Readonly<Record<string, readonly unknown[]>>;

/** More combinations than this are a mistake. */
const MOST_POINTS = 100_000;

/**
 * All combinations, in the order of the grid's keys: the last varies fastest.
 * @throws TypeError or RangeError for a grid without names or values, and as the model does for a name or a value that is wrong
 */
export function pointsOf(model: object, grid: Grid): Changes[] {
  if (typeof grid !== 'object' || grid === null || Array.isArray(grid)) {
    throw mustBe('the grid', 'an object such as { average: [true, false] }', grid);
  }
  const entries = Object.entries(grid);
  if (entries.length === 0) throw new RangeError('the grid is empty: give a list of values for one option at least');
  for (const [name, values] of entries) {
    if (!Array.isArray(values)) throw mustBe(`grid[${show(name)}]`, 'an array of values', values);
    if (values.length === 0) throw new RangeError(`grid[${show(name)}] is empty: give one value at least`);
  }
  const count = entries.reduce((product, [, values]) => product * values.length, 1);
  if (count > MOST_POINTS) {
    throw new RangeError(
      `the grid has ${count.toLocaleString('en')} combinations, at most ${MOST_POINTS.toLocaleString('en')} are possible`,
    );
  }
  // Each value alone first: then the message is about that value.
  for (const [name, values] of entries) {
    for (const value of [...values]) suggesting(() => cloneOf(model, { [name]: value }));
  }
  let points: Changes[] = [{}];
  for (const [name, values] of entries) {
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
  }
  for (const point of points) cloneOf(model, point);
  return points;
}

/** Adds to the message about an unknown option the name that was probably meant, if it has none: options of grids are typed by hand. */
function suggesting(make: () => unknown): void {
  try {
    make();
  } catch (error) {
    const [, said, option = '', names = ''] =
      (error instanceof RangeError && /^(.* has no option "([^"]*)"); it has (.*)$/.exec(error.message)) || [];
    const meant = near(option, names.split(', '));
    if (error instanceof RangeError && meant) error.message = `${said}: do you mean ${show(meant)}?; it has ${names}`;
    throw error;
  }
}
