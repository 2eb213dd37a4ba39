// Decimal numbers from bytes, correctly rounded: the same float64 as Number() of the text, without making a string.
//
// A mantissa below 2⁵³ and a power of ten up to 10²² are both exact in float64, so one multiplication or division rounds once
// and gives the nearest float64 (Clinger, "How to read floating point numbers accurately", 1990). Programs that print float64 in
// full write longer mantissas: their quotient is computed to about 100 bits, and used if the bits beyond the 53rd decide the
// rounding (Ziv's test). All other numbers go to Number(), which takes ten times as long.

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
const PLUS = 43;
export const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
export const COLON = 58;
const LOWER_E = 101;

const POWERS = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
const EXACT = 2 ** 53;

/** A mantissa of this many digits is below 2⁵³; and how many more digits `longQuotient` accepts. */
const SAFE_DIGITS = 15;
const MORE_DIGITS = 7;

/** An exponent beyond this gives 0 or infinity for every mantissa that fits a field. */
const FAR = 1_000_000;

/** Bytes of ASCII as a string. */
function asciiOf(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}

/** a·b − product, exactly, where `product` is a·b rounded (Dekker 1971). */
function lostIn(product: number, a: number, b: number): number {
  const [scaledA, scaledB] = [134217729 * a, 134217729 * b];
  const highA = scaledA - (scaledA - a);
  const highB = scaledB - (scaledB - b);
  const [lowA, lowB] = [a - highA, b - highB];
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}

/** (first·10^more + rest) / 10^power, rounded once; NaN if the rounding is in doubt. first < 10¹⁵, power ≤ 22. */
function longQuotient(first: number, more: number, rest: number, power: number): number {
  const shift = POWERS[more] as number;
  const divisor = POWERS[power] as number;
  // The mantissa, as a sum of two float64.
  const product = first * shift;
  const tail = lostIn(product, first, shift) + rest;
  const high = product + tail;
  const low = tail - (high - product);
  // The quotient, as a sum of two float64; the remainder of the first is exact.
  const quotient = high / divisor;
  const back = quotient * divisor;
  const correction = (high - back - lostIn(back, quotient, divisor) + low) / divisor;
  const doubt = Math.abs(correction) * 2 ** -40;
  const value = quotient + (correction + doubt);
  return value === quotient + (correction - doubt) ? value : NaN;
}

/** Reads decimal numbers from bytes. */
export class NumberScanner {
  /** The end of the latest number; its start if there was none. */
  end = 0;
  /** Whether the latest number has no exponent, and so few digits that they are all in its mantissa. */
  isPlain = true;

  /**
   * The number that begins at `at`: digits with an optional sign, point and exponent. NaN if there is none; infinite if it is too
   * large. Precondition: a byte that cannot be part of a number follows within `bytes`.
   */
  read(bytes: Uint8Array, at: number): number {
    let p = at;
    let c = bytes[p] as number;
    const isNegative = c === MINUS;
    if (isNegative || c === PLUS) c = bytes[++p] as number;
    const first = p;
    let mantissa = 0;
    while (c >= ZERO && c <= NINE) {
      mantissa = 10 * mantissa + (c - ZERO);
      c = bytes[++p] as number;
    }
    let behind = 0; // digits after the point
    if (c === DOT) {
      const point = ++p;
      c = bytes[p] as number;
      while (c >= ZERO && c <= NINE) {
        mantissa = 10 * mantissa + (c - ZERO);
        c = bytes[++p] as number;
      }
      behind = p - point;
      if (p === first + 1) return this.#none(at);
    } else if (p === first) {
      return this.#none(at);
    }
    this.end = p;
    this.isPlain = true;
    if (mantissa >= EXACT || behind > 22 || (c | 32) === LOWER_E) return this.#other(bytes, at, mantissa, behind);
    const value = behind === 0 ? mantissa : mantissa / (POWERS[behind] as number);
    return isNegative ? -value : value;
  }

  #none(at: number): number {
    this.end = at;
    return NaN;
  }

  /** A number with an exponent, or of many digits, whose digits end at `end`. */
  #other(bytes: Uint8Array, at: number, mantissa: number, behind: number): number {
    const digits = this.end;
    this.isPlain = false;
    let power = -behind;
    if (((bytes[digits] as number) | 32) === LOWER_E) {
      power += this.#exponent(bytes, digits + 1);
      if (this.end === digits) return this.#none(at);
    }
    let value = NaN;
    if (mantissa < EXACT) {
      if (power >= -22 && power <= 22) {
        value = power < 0 ? mantissa / (POWERS[-power] as number) : mantissa * (POWERS[power] as number);
      }
    } else if (power >= -22 && power <= 0) {
      value = this.#long(bytes, at, digits, -power);
    }
    // NaN: the fast methods do not apply.
    if (Number.isNaN(value)) return Number(asciiOf(bytes, at, this.end));
    return bytes[at] === MINUS ? -value : value;
  }

  /** A mantissa of many digits, divided by a power of ten; NaN if there are too many. */
  #long(bytes: Uint8Array, at: number, end: number, power: number): number {
    let first = 0;
    let rest = 0;
    let digits = 0;
    for (let p = at; p < end; p++) {
      const digit = (bytes[p] as number) - ZERO;
      if (digit < 0 || (digits === 0 && digit === 0)) continue; // a sign, the point, leading zeros
      digits++;
      if (digits <= SAFE_DIGITS) first = 10 * first + digit;
      else rest = 10 * rest + digit;
    }
    const more = digits - SAFE_DIGITS;
    return more <= MORE_DIGITS ? longQuotient(first, more, rest, power) : NaN;
  }

  /** Reads the exponent whose sign or first digit is at `at`, if there is one, and moves `end` behind it. */
  #exponent(bytes: Uint8Array, at: number): number {
    let p = at;
    let c = bytes[p] as number;
    const isNegative = c === MINUS;
    if (isNegative || c === PLUS) c = bytes[++p] as number;
    const first = p;
    let exponent = 0;
    while (c >= ZERO && c <= NINE) {
      exponent = Math.min(FAR, 10 * exponent + (c - ZERO));
      c = bytes[++p] as number;
    }
    if (p > first) this.end = p;
    return isNegative ? -exponent : exponent;
  }
}
