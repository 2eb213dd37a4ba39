// Numbers as people read them: a real minus sign, no more digits than help.

/** By their most significant digits: making one takes far longer than using it, and Learn writes numbers at every step. */
const formats = new Map<number, Intl.NumberFormat>();

function inFull(value: number, maximumSignificantDigits: number): string {
  // The first format of a page takes some 20 ms, of the 65 in which Learn shows itself: not for what is written the same without.
  if (Math.abs(value) < 1000 && Number(value.toPrecision(maximumSignificantDigits)) === value) return String(value);
  const format = formats.get(maximumSignificantDigits) ?? new Intl.NumberFormat('en', { maximumSignificantDigits });
  formats.set(maximumSignificantDigits, format);
  return format.format(value);
}

/** 3 → "3", -0.25 → "−0.25", 1234.5 → "1,234.5", 1e-7 → "1e−7". Digits are significant ones. */
export function number(value: number, digits = 4): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  const text =
    size !== 0 && (size < 1e-4 || size >= 1e9)
      ? value.toExponential(Math.max(0, digits - 1)).replace(/\.?0*e\+?/, 'e')
      : inFull(value, Number.isInteger(value) ? 21 : digits);
  return text === '-0' ? '0' : text.replace('-', '−').replace('e-', 'e−');
}

/** 0.973 → "97.3 %". All but one of many is not 100 %, and one of many is not 0 %. */
export function percent(share: number): string {
  const isPart = share > 0 && share < 1;
  let digits = 3;
  while (isPart && digits < 15 && Number((100 * share).toPrecision(digits)) === 100) digits++;
  return `${number(100 * share, digits)} %`;
}

/** 1 → "1 mistake", 2 → "2 mistakes". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

const UNITS = ['bytes', 'KB', 'MB', 'GB'];

/** 1500 → "1.5 KB". */
export function bytes(count: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)));
  return `${number(count / 1000 ** power, 3)} ${UNITS[power]}`;
}

/** 0.5 → "0.5 ms", 1500 → "1.5 s". */
export const duration = (ms: number): string => (ms < 1000 ? `${number(ms, 3)} ms` : `${number(ms / 1000, 3)} s`);
