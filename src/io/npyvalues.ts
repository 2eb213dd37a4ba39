// Reads the values of a NumPy array from a window: swaps bytes, widens what a matrix does not store, and checks.

import type { ElementType } from './npyheader.js';
import type { Values } from './pieces.js';
import type { ByteWindow } from './window.js';

/** Reverses the bytes of each element. */
function swap(bytes: Uint8Array, size: number): void {
  for (let at = 0; at < bytes.length; at += size) {
    for (let low = at, high = at + size - 1; low < high; low++, high--) {
      const byte = bytes[low] as number;
      bytes[low] = bytes[high] as number;
      bytes[high] = byte;
    }
  }
}

/** 64-bit integers as float64. Integers that float64 cannot hold exactly become NaN. */
function fromWide(raw: ArrayBuffer, isSigned: boolean): Float64Array {
  const words = new Uint32Array(raw);
  return Float64Array.from({ length: words.length / 2 }, (_, k) => {
    const low = words[2 * k] as number;
    const high = isSigned ? (words[2 * k + 1] as number) | 0 : (words[2 * k + 1] as number);
    return high >= -(2 ** 21) && high < 2 ** 21 ? high * 2 ** 32 + low : NaN;
  });
}

/** Bytes of elements as a matrix stores them: f4, u1, i1 and i2 as they are, all others as float64. */
function decode(bytes: Uint8Array, { kind, bytes: size, isLittle }: ElementType): Values {
  const raw = bytes.slice();
  if (!isLittle) swap(raw, size);
  const { buffer } = raw;
  if (kind === 'f') return size === 4 ? new Float32Array(buffer) : new Float64Array(buffer);
  if (size === 8) return fromWide(buffer, kind === 'i');
  if (size === 4) return Float64Array.from(kind === 'i' ? new Int32Array(buffer) : new Uint32Array(buffer));
  if (size === 2) return kind === 'i' ? new Int16Array(buffer) : Float64Array.from(new Uint16Array(buffer));
  if (kind === 'i') return new Int8Array(buffer);
  return kind === 'u' ? raw : Float64Array.from(raw);
}

/** Passes `count` values to `take`, some at a time; `placeOf` names a value in errors. @throws DataError if there are fewer or more */
export async function readValues(
  window: ByteWindow,
  element: ElementType,
  count: number,
  placeOf: (at: number) => string,
  take: (values: Values) => void,
): Promise<void> {
  let at = 0;
  for (;;) {
    const there = Math.floor((window.end - window.start) / element.bytes);
    const values = Math.min(there, count - at);
    if (values > 0) {
      const to = window.start + values * element.bytes;
      const part = decode(window.bytes.subarray(window.start, to), element);
      const bad = part.findIndex((value) => value - value !== 0 || (element.kind === 'b' && value > 1));
      if (bad >= 0) throw window.fault(wrongValue(part[bad] as number, element, placeOf(at + bad)));
      take(part);
      at += values;
      window.start = to;
    }
    if (at === count && window.end > window.start) break;
    if (window.isLast) break;
    await window.fill();
  }
  if (at < count) {
    throw window.fault(`this .npy file is cut off: its header says ${count} values, but ${at} came`);
  }
  if (window.end > window.start) throw window.fault(`its header says ${count} values, but more bytes follow`);
}

function wrongValue(value: number, { kind, name }: ElementType, place: string): string {
  if (kind === 'f') return `${place} is ${value}, expected a finite number`;
  if (kind === 'b') return `${place} is ${value}, expected 0 or 1 (bool)`;
  return `${place} is an integer (${name}) beyond 2⁵³, which float64 cannot hold exactly`;
}
