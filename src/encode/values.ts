// One value of a table: what counts as missing, as a number, as a category. The errors say which value and what to do.

import { show } from '../errors.js';

/** Where a value is, for messages: row `at` (below 0: no row) of a column. */
export const placeOf = (at: number, name: string): string => `${at < 0 ? '' : `row ${at}, `}column ${show(name)}`;

/** undefined, null and NaN are missing. */
export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || Number.isNaN(value as number);

/** A number, a boolean (0 or 1) or an exact bigint as a number. @throws TypeError or RangeError */
export function numberOf(value: unknown, at: number, name: string): number {
  if (typeof value === 'number') return expectFinite(value, at, name);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') {
    const number = Number(value);
    if (Number.isFinite(number) && BigInt(number) === value) return number;
    const shown = show(value);
    throw new RangeError(
      `${placeOf(at, name)} is ${shown.length > 60 ? `${shown.slice(0, 57)}...` : shown}, which no number equals exactly: make it a 'category', 'ignore' the column, or round it with Number(value)`,
    );
  }
  if (typeof value !== 'string') throw noValue(value, at, name);
  throw new TypeError(
    `${placeOf(at, name)} must be a number, got ${show(value)}; make the column a 'category' or 'text', or give null for a missing value`,
  );
}

/** What a category or a text is written as: 1, 1n and '1' are the same. @throws TypeError or RangeError */
export function textOf(value: unknown, at: number, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(expectFinite(value, at, name));
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw noValue(value, at, name);
}

function expectFinite(value: number, at: number, name: string): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(`${placeOf(at, name)} is ${value}; give null for a missing value`);
}

function noValue(value: unknown, at: number, name: string): TypeError {
  const [what, todo] =
    value instanceof Date ? ['a Date', 'give date.getTime()'] : [show(value), 'give a number or a string'];
  return new TypeError(
    `${placeOf(at, name)} must be a number, a string or a boolean, got ${what}: ${todo}, or 'ignore' the column`,
  );
}

/** The error for a missing value where none may be. */
export const isMissingAt = (value: unknown, at: number, name: string): RangeError =>
  new RangeError(
    `${placeOf(at, name)} is missing (${String(value)}): set "missing" to 'mean', 'median', 'most-frequent' or 'zero'`,
  );
