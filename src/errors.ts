// Errors: small asserters, and how a message shows a value. A message names the argument, what was expected and what came.

import { quoted } from './escape.js';
import { own } from './own.js';

/**
 * Thrown by `predict`, `weights`, `toJSON` and others before `fit`.
 * @throws Nothing: it is itself what others throw
 *
 * @example
 * try {
 *   new Perceptron().predict([[1, 2]]);
 * } catch (error) {
 *   console.log(error instanceof NotFittedError); // → true
 * }
 */
export class NotFittedError extends Error {
  static override readonly name = 'NotFittedError';
  /** 'NotFittedError'. */
  override name = 'NotFittedError';
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/** The name of a typed array's type, also from another realm. */
export const kindOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

/** A value as an error message shows it. */
export function show(value: unknown): string {
  if (typeof value === 'string') return quoted(short(value));
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return short(`${value}n`);
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value)) {
    const { length } = value as { length?: number };
    return `a ${kindOf(value)} of ${length ?? value.byteLength}`;
  }
  return 'an object';
}

/** `1,234,567`. Asking the platform how English groups digits takes 13 ms at the first call. */
export const grouped = (n: number): string =>
  Number.isSafeInteger(n) ? String(n).replace(/\B(?=(\d{3})+$)/g, ',') : n.toLocaleString('en');

/** The message of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The error for a wrong value: a RangeError if it is of type `kind`, else a TypeError. */
export const mustBe = (name: string, expected: string, value: unknown, kind = ''): RangeError | TypeError =>
  new (typeof value === kind ? RangeError : TypeError)(`${name} must be ${expected}, got ${show(value)}`);

/** Checks that a value is an integer of at least `least`. @throws TypeError or RangeError */
export function expectCount(value: unknown, least: number, name: string): void {
  if (!Number.isSafeInteger(value) || (value as number) < least) {
    throw mustBe(name, `an integer of at least ${least}`, value, 'number');
  }
}

/** Options that only fitAsync and gramAsync have. */
const OF_FIT_ASYNC = ['threads', 'signal', 'workerUrl', 'onProgress', 'keepPartial'];

/** The end of the message for an unknown option: the likely option, or the call that has it. */
function hint(
  key: string,
  known: readonly string[],
  where: string,
  otherNames: Readonly<Record<string, string>>,
): string {
  const plain = (name: string) => name.replace(/[_-]/g, '').toLowerCase();
  const wanted = plain(key);
  const found =
    known.find((name) => plain(name) === wanted) ??
    known.find((name) => name === otherNames[wanted]) ??
    known.find((name) => wanted.length > 3 && (plain(name).startsWith(wanted) || wanted.startsWith(plain(name))));
  if (!found && OF_FIT_ASYNC.includes(key))
    return `: it is an option of ${where === 'gram' ? 'gramAsync' : 'fitAsync'}`;
  return found ? `: do you mean ${show(found)}?` : '';
}

/**
 * Checks that the options are an object and have known keys only. Returns a copy that inherits nothing: each option is read once,
 * so that what is checked later is what is used. @throws TypeError or RangeError
 */
export function expectOptions<T>(
  options: T,
  known: readonly string[],
  where: string,
  otherNames: Readonly<Record<string, string>> = {},
): T {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw mustBe(`the options of ${where}`, 'an object', options);
  }
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new RangeError(
        `${where} has no option ${show(key)}${hint(key, known, where, otherNames)}; it has ${known.join(', ') || 'none here'}`,
      );
    }
  }
  return own(options);
}

/** Checks an option and returns its value. @throws TypeError or RangeError */
export type Check<T> = (value: unknown, name: string) => T;

/** A check for numbers. −0 becomes 0 unless `keepsSign`. */
export function number(expected: string, ok: (value: number) => boolean, keepsSign = false): Check<number> {
  return (value, name) => {
    if (typeof value !== 'number' || !ok(value)) throw mustBe(`"${name}"`, expected, value, 'number');
    return keepsSign ? value : value + 0;
  };
}

/** A check for one of some words. */
export function word<T extends string>(...words: readonly T[]): Check<T> {
  const [last, ...others] = words.map((w) => `'${w}'`).reverse();
  const expected = `${others.reverse().join(', ')} or ${last}`;
  return (value, name) => {
    if (!words.includes(value as T)) throw new RangeError(`"${name}" must be ${expected}, got ${show(value)}`);
    return value as T;
  };
}

/** Checks that a signal is an AbortSignal or undefined. @throws TypeError */
export function expectSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    const isController = typeof signal === 'object' && signal !== null && 'signal' in signal;
    const got = isController ? 'an AbortController: give its .signal' : show(signal);
    throw new TypeError(`"signal" must be an AbortSignal, got ${got}`);
  }
}
