// Values of a table that `fit` refuses: its errors also say what to do, where the options can still be changed.

import * as values from '../encode/values.js';

function adviceFor(value: unknown): string {
  if (values.isMissing(value)) return `: set "missing" to 'mean', 'median', 'most-frequent' or 'zero'`;
  if (typeof value === 'number') return '; give null for a missing value';
  if (typeof value === 'bigint') return `: make it a 'category', 'ignore' the column, or round it with Number(value)`;
  if (typeof value === 'string') {
    return `; make the column a 'category' or 'text', or give null for a missing value`;
  }
  return `: give ${value instanceof Date ? 'date.getTime()' : 'a number or a string'}, or 'ignore' the column`;
}

/** The error about a value, with advice. */
function advised(error: unknown, value: unknown): unknown {
  if (error instanceof Error) error.message += adviceFor(value);
  return error;
}

/** `numberOf` with advice. */
export function numberOf(value: unknown, at: number, name: string): number {
  try {
    return values.numberOf(value, at, name);
  } catch (error) {
    throw advised(error, value);
  }
}

/** `textOf` with advice. */
export function textOf(value: unknown, at: number, name: string): string {
  try {
    return values.textOf(value, at, name);
  } catch (error) {
    throw advised(error, value);
  }
}

/** The error for a missing value where none may be, with advice. */
export const isMissingAt = (value: unknown, at: number, name: string): unknown =>
  advised(values.isMissingAt(value, at, name), value);
