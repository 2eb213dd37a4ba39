// The beginning of a text: what it is if it is none.

import { CR, LF, TAB } from './numbers.js';
import type { ByteWindow } from './window.js';

const UTF8_MARK = [0xef, 0xbb, 0xbf] as const;

/** Bytes looked at. */
const HEAD = 4096;

/** What files begin with that are sometimes taken for text. */
const OTHERS: readonly (readonly [number[], string])[] = [
  [[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59], 'this is NumPy .npy, not text: read it with readNpy or readData'],
  [[0x50, 0x4b, 3, 4], 'this is a zip archive (.zip, .npz, .xlsx …), expected text: unpack it, and read what is in it'],
  [[0x42, 0x5a, 0x68], 'this is compressed with bzip2: of compressed files, gzip is read'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'this is compressed with xz: of compressed files, gzip is read'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'this is compressed with zstd: of compressed files, gzip is read'],
  [[0xff, 0xfe], 'this is UTF-16, expected UTF-8: save it as UTF-8'],
  [[0xfe, 0xff], 'this is UTF-16, expected UTF-8: save it as UTF-8'],
];

/** A byte that no text has. */
export const isControl = (c: number): boolean => c < 32 && c !== LF && c !== CR && c !== TAB && c !== 12;

export const beginsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, k) => bytes[k] === byte);

/** Gets the first bytes of a text; a byte order mark is skipped. @throws DataError if there are none, or they are not text */
export async function expectText(window: ByteWindow): Promise<void> {
  if (window.end === 0 && !window.isLast) await window.fill();
  if (window.end < HEAD && !window.isLast) await window.fill(HEAD - window.end);
  const head = window.bytes.subarray(window.start, Math.min(window.end, window.start + HEAD));
  if (head.length === 0) throw window.fault('this is empty: there is nothing in it');
  // A short text may begin with the letters BZh; a compressed file goes on with bytes that no text has.
  const other = OTHERS.find(([start]) => beginsWith(head, start));
  if (other && (head.some(isControl) || (other[0][0] as number) >= 0xfe)) throw window.fault(other[1]);
  const at = head.findIndex(isControl);
  if (at >= 0) throw window.fault(`this is binary data, expected text: byte ${at} is ${head[at]}`);
  window.skip(UTF8_MARK);
}

/** Behind the line end at `at`, or −1 if it is cut off by the window. @throws DataError if it is a carriage return alone */
export function lineEnd(window: ByteWindow, at: number): number {
  const { bytes, end, isLast } = window;
  if (bytes[at] !== CR) return at + 1;
  if (at + 1 >= end && !isLast) return -1;
  if (bytes[at + 1] !== LF) throw window.faultAt(at, 'expected a line feed behind the carriage return');
  return at + 2;
}
