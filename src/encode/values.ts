// One value of a table: what counts as missing, as a number, as a category. Errors name row and column.

import { mustBe, show } from '../errors.js';

/** Where a value is, for messages: row `at` (below 0: no row) of a column. */
export const placeOf = (at: number, name: string): string => `${at < 0 ? '' : `row ${at}, `}column ${show(name)}`;

/** undefined, null and NaN are missing. */
export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || Number.isNaN(value as number);

/** A number, a boolean (0 or 1) or an exact bigint as a number. @throws TypeError or RangeError */
export function numberOf(value: unknown, at: number, name: string): number {
  if (Number.isFinite(value)) return value as number;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') {
    const number = Number(value);
    if (Number.isFinite(number) && BigInt(number) === value) return number;
    throw new RangeError(`${placeOf(at, name)} is ${show(value)}, which no number equals exactly`);
  }
  throw mustBe(placeOf(at, name), 'a finite number', value, 'number');
}

/** What a category or a text is written as: 1, 1n and '1' are the same. @throws TypeError or RangeError */
export function textOf(value: unknown, at: number, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) return String(value);
  throw mustBe(placeOf(at, name), 'a string, a finite number or a boolean', value, 'number');
}

/** The error for a missing value where none may be. */
export const isMissingAt = (value: unknown, at: number, name: string): RangeError =>
  new RangeError(`${placeOf(at, name)} is missing (${String(value)})`);

/** The error for a value that is not finite when it is scaled. */
export const tooLarge = (place: string, scaled: number): RangeError =>
  new RangeError(`${place} is too large: scaled it is ${scaled}`);
