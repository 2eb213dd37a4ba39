// Small asserters and the words errors are made of: the argument, what was expected, what came.

/** predict, weights and the like before fit. */
export class NotFittedError extends Error {
  static override readonly name = 'NotFittedError';
  override name = 'NotFittedError';
}

/** A value as an error message shows it. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value)) {
    const { length } = value as { length?: number };
    return `a ${Object.prototype.toString.call(value).slice(8, -1)} of ${length ?? value.byteLength}`;
  }
  return 'an object';
}

/** Refuses anything but an integer of at least `least`. */
export function expectCount(value: unknown, least: number, name: string): void {
  if (!Number.isSafeInteger(value) || (value as number) < least) {
    throw new (typeof value === 'number' ? RangeError : TypeError)(
      `${name} must be an integer of at least ${least}, got ${show(value)}`,
    );
  }
}

/** Options of another call, and which. */
const OF_FIT_ASYNC = ['threads', 'signal', 'workerUrl', 'onProgress', 'keepPartial'];

/** The option that may be meant, or where it belongs. */
function hint(
  key: string,
  known: readonly string[],
  where: string,
  elsewhere: Readonly<Record<string, string>>,
): string {
  const plain = (name: string) => name.replace(/[_-]/g, '').toLowerCase();
  const wanted = plain(key);
  const found =
    known.find((name) => plain(name) === wanted) ??
    known.find((name) => name === elsewhere[wanted]) ??
    known.find((name) => wanted.length > 3 && (plain(name).startsWith(wanted) || wanted.startsWith(plain(name))));
  if (!found && OF_FIT_ASYNC.includes(key)) return `: it is one of ${where === 'gram' ? 'gramAsync' : 'fitAsync'}`;
  return found ? `: do you mean ${show(found)}?` : '';
}

/** Refuses anything but an object with these keys. */
export function expectOptions(
  options: unknown,
  known: readonly string[],
  where: string,
  elsewhere: Readonly<Record<string, string>> = {},
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`the options of ${where} must be an object, got ${show(options)}`);
  }
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new RangeError(
        `${where} has no option ${show(key)}${hint(key, known, where, elsewhere)}; it has ${known.join(', ') || 'none here'}`,
      );
    }
  }
}

/** A check of an option: gives the value back, as what it is. */
export type Check<T> = (value: unknown, name: string) => T;

/** A number; −0 is taken as 0 unless the sign of a zero means something. */
export function number(expected: string, ok: (value: number) => boolean, keepsSign = false): Check<number> {
  return (value, name) => {
    if (typeof value !== 'number') throw new TypeError(`"${name}" must be ${expected}, got ${show(value)}`);
    if (!ok(value)) throw new RangeError(`"${name}" must be ${expected}, got ${show(value)}`);
    return keepsSign ? value : value + 0;
  };
}

/** One of some words. */
export function word<T extends string>(...words: readonly T[]): Check<T> {
  const [last, ...others] = words.map((w) => `'${w}'`).reverse();
  const expected = `${others.reverse().join(', ')} or ${last}`;
  return (value, name) => {
    if (!words.includes(value as T)) throw new RangeError(`"${name}" must be ${expected}, got ${show(value)}`);
    return value as T;
  };
}

/** Refuses anything but an AbortSignal, or none. */
export function expectSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    const isController = typeof signal === 'object' && signal !== null && 'signal' in signal;
    const got = isController ? 'an AbortController: give its .signal' : show(signal);
    throw new TypeError(`"signal" must be an AbortSignal, got ${got}`);
  }
}
