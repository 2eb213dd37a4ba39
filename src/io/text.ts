// Checks that a source begins like text, and names the format if it is another one.

import { CR, LF, TAB } from './numbers.js';
import type { ByteWindow } from './window.js';

const UTF8_MARK = [0xef, 0xbb, 0xbf] as const;

/** Bytes that are checked. */
const HEAD = 4096;

/** The first bytes of other formats, and the message for each. */
const OTHERS: readonly (readonly [number[], string])[] = [
  [[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59], 'this is NumPy .npy, not text: read it with readNpy or readData'],
  [[0x50, 0x4b, 3, 4], 'this is a zip archive (.zip, .npz, .xlsx …), expected text: unpack it, and read what is in it'],
  [[0x42, 0x5a, 0x68], 'this is compressed with bzip2: only gzip is supported'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'this is compressed with xz: only gzip is supported'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'this is compressed with zstd: only gzip is supported'],
  [[0xff, 0xfe], 'this is UTF-16, expected UTF-8: save it as UTF-8'],
  [[0xfe, 0xff], 'this is UTF-16, expected UTF-8: save it as UTF-8'],
];

/** Whether a byte is a control character, which text does not contain. */
export const isControl = (c: number): boolean => c < 32 && c !== LF && c !== CR && c !== TAB && c !== 12;

export const beginsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, k) => bytes[k] === byte);

/** Reads the first bytes and skips a byte order mark. @throws DataError if there are none, or if they are not text */
export async function expectText(window: ByteWindow): Promise<void> {
  if (window.end === 0 && !window.isLast) await window.fill();
  if (window.end < HEAD && !window.isLast) await window.fill(HEAD - window.end);
  const head = window.bytes.subarray(window.start, Math.min(window.end, window.start + HEAD));
  if (head.length === 0) throw window.fault('this is empty: there is nothing in it');
  // Text may begin with the letters BZh; a compressed file also contains control characters.
  const other = OTHERS.find(([start]) => beginsWith(head, start));
  if (other && (head.some(isControl) || (other[0][0] as number) >= 0xfe)) throw window.fault(other[1]);
  const at = head.findIndex(isControl);
  if (at >= 0) throw window.fault(`this is binary data, expected text: byte ${at} is ${head[at]}`);
  window.skip(UTF8_MARK);
}

/** The position after the line end at `at`, or −1 if the window cuts it off. @throws DataError for a single carriage return */
export function lineEnd(window: ByteWindow, at: number): number {
  const { bytes, end, isLast } = window;
  if (bytes[at] !== CR) return at + 1;
  if (at + 1 >= end && !isLast) return -1;
  if (bytes[at + 1] !== LF) throw window.faultAt(at, 'expected a line feed behind the carriage return');
  return at + 2;
}
