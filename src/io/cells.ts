// How a table keeps the text of numbers. Whether a column holds numbers or words is known only behind the last row, and words must
// then be as the file has them: "1.50", not 1.5. A number is kept with one byte more, its mark: the length of its text. Length and
// value give the text back if it has at most 15 digits, no exponent and no leading zeros; nothing else is a word that matters.

import { NumberScanner } from './numbers.js';

/** Marks of cells that are no numbers. */
export const MISSING = 0;
/** The value of the cell is the number of its text in the column's dictionary. */
export const WORD = 255;

/** The mark of a number whose text is what JavaScript writes. */
export const CANONICAL = 61;
/** Flags of a mark: the text begins with a plus, or with the point (behind a sign). */
const HAS_PLUS = 64;
const HAS_NO_ZERO = 128;
const LENGTH = 63;

/** Not a mark: the text is a code such as 01234 or an integer that no float64 holds; it is to be kept as a word. */
export const CODE = -1;

const [PLUS, MINUS, POINT, ZERO, NINE] = [43, 45, 46, 48, 57];
/** The most characters of a number without its sign that its value and length give back. */
const MOST_CHARACTERS = 16;

const isDigit = (c: number | undefined): boolean => (c as number) >= ZERO && (c as number) <= NINE;

function areDigits(bytes: Uint8Array, from: number, to: number): boolean {
  for (let p = from; p < to; p++) if (!isDigit(bytes[p])) return false;
  return true;
}

/** The mark of a finite number that a scanner has read from these bytes, or CODE. */
export function markOf(bytes: Uint8Array, from: number, to: number, value: number, isPlain: boolean): number {
  if (isPlain && to - from <= MOST_CHARACTERS && (bytes[from] as number) > ZERO) return to - from; // 1 to 9: the common case
  const first = bytes[from] as number;
  const flag = first === PLUS ? HAS_PLUS : 0;
  const p = first === PLUS || first === MINUS ? from + 1 : from;
  const isPadded = bytes[p] === ZERO && isDigit(bytes[p + 1]);
  const isLong = !isPlain && Math.abs(value) >= 2 ** 53;
  if ((isPadded || isLong) && areDigits(bytes, from, to)) return CODE;
  if (isPadded || !isPlain || to - p > MOST_CHARACTERS) return CANONICAL;
  return (to - from) | flag | (bytes[p] === POINT ? HAS_NO_ZERO : 0);
}

/** The text of a number with its mark. */
export function textOf(value: number, mark: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (mark === CANONICAL) return value === 0 ? `${sign}0` : String(value);
  const size = Math.abs(value);
  const lead = mark & HAS_PLUS ? '+' : sign;
  const hasNoZero = (mark & HAS_NO_ZERO) !== 0;
  const length = (mark & LENGTH) - lead.length + (hasNoZero ? 1 : 0);
  // Below 10⁻⁶ JavaScript writes an exponent.
  let text = size > 0 && size < 1e-6 ? size.toFixed(length - 2) : String(size);
  const zeros = length - text.length;
  if (zeros > 0) text += text.includes('.') ? '0'.repeat(zeros) : `.${'0'.repeat(zeros - 1)}`;
  return lead + (hasNoZero ? text.slice(1) : text);
}

/** Whether a number was written with digits only. */
export const isDigitsOnly = (value: number, mark: number): boolean =>
  value >= 0 && !Object.is(value, -0) && Number.isInteger(value) && mark < CANONICAL && String(value).length === mark;

const scratch = new Uint8Array(64);
const scanner = new NumberScanner();

/** The number that a string is, with its mark; undefined if it is none, or to be kept as a word. */
export function numberIn(text: string): { value: number; mark: number } | undefined {
  const { length } = text;
  if (length === 0 || length >= scratch.length || text.charCodeAt(0) > NINE) return undefined;
  for (let k = 0; k < length; k++) {
    const c = text.charCodeAt(k);
    if (c > 127) return undefined;
    scratch[k] = c;
  }
  scratch[length] = 0;
  const value = scanner.read(scratch, 0);
  if (scanner.end !== length || !Number.isFinite(value)) return undefined;
  const mark = markOf(scratch, 0, length, value, scanner.isPlain);
  return mark === CODE ? undefined : { value, mark };
}
