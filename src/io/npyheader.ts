// The header of a NumPy .npy file: magic, version, and a Python dictionary with the type, the order and the shape
// (numpy.lib.format). It is untrusted input: every field is checked.

import { beginsWith } from './text.js';
import type { ByteWindow } from './window.js';

export const NPY_MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const;

/** NumPy's own limit is 10,000 characters. */
const HEADER_LIMIT = 2 ** 16;

/** How one value is stored. */
export interface ElementType {
  readonly kind: 'f' | 'i' | 'u' | 'b';
  readonly bytes: number;
  readonly isLittle: boolean;
  /** NumPy's name of the type. */
  readonly name: string;
}

export interface NpyHeader {
  readonly element: ElementType;
  readonly shape: readonly number[];
  /** Whether values are stored column by column (Fortran order). */
  readonly isByColumns: boolean;
}

/**
 * Reads the header and moves the window behind it. `hint` is the advice for values that are not numbers.
 * @throws DataError if there is no valid header, or if its type is not supported
 */
export async function readHeader(window: ByteWindow, hint = 'features are numbers'): Promise<NpyHeader> {
  if (window.end === 0) await window.fill();
  const { bytes, end } = window;
  if (end === 0) throw window.fault('this is empty: there is nothing in it');
  if (!beginsWith(bytes.subarray(0, end), NPY_MAGIC)) {
    const got = window.show(0, 8);
    throw window.fault(`expected NumPy .npy, which begins with "\\u0093NUMPY", got ${got}`);
  }
  const major = bytes[6] as number;
  const lengthBytes = major === 1 ? 2 : 4;
  if (end < 8 + lengthBytes) throw window.fault('this .npy file is cut off: it ends within its header');
  if (major < 1 || major > 3) throw window.fault(`expected version 1, 2 or 3 of .npy, got ${major}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  const length = lengthBytes === 2 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > HEADER_LIMIT) throw window.fault(`expected a header of at most ${HEADER_LIMIT} bytes, got ${length}`);
  const start = 8 + lengthBytes;
  if (end < start + length) await window.fill(start + length - end);
  if (window.end < start + length) throw window.fault('this .npy file is cut off: it ends within its header');
  const text = new TextDecoder(major === 3 ? 'utf-8' : 'latin1').decode(window.bytes.slice(start, start + length));
  window.start = start + length;
  return parseHeader(window, text, hint);
}

function parseHeader(window: ByteWindow, text: string, hint: string): NpyHeader {
  const { descr, fortran_order: order, shape, ...others } = parseDictionary(window, text);
  if (descr === undefined || shape === undefined || typeof order !== 'boolean' || Object.keys(others).length > 0) {
    throw window.fault('its .npy header must have descr, fortran_order and shape, and nothing else');
  }
  const isShape = Array.isArray(shape) && shape.every((length) => Number.isSafeInteger(length) && length >= 0);
  if (!isShape) throw window.fault(`the shape in its .npy header is not valid: ${shorten(JSON.stringify(shape))}`);
  return { element: parseType(window, descr, hint), shape, isByColumns: order };
}

/** Parses a Python dictionary of strings, booleans and tuples: as JSON, after replacing Python's syntax. */
function parseDictionary(window: ByteWindow, text: string): Record<string, unknown> {
  const json = text
    .replaceAll("'", '"')
    .replaceAll('(', '[')
    .replaceAll(')', ']')
    .replaceAll(/\bTrue\b/g, 'true')
    .replaceAll(/\bFalse\b/g, 'false')
    .replaceAll(/(\d)L\b/g, '$1') // as Python 2 wrote integers
    .replaceAll(/,\s*(?=[\]}])/g, '');
  try {
    const entries: unknown = JSON.parse(json);
    if (typeof entries === 'object' && entries !== null) return { ...entries };
  } catch {
    // The error below covers this.
  }
  throw window.fault('its .npy header is not a dictionary of descr, fortran_order and shape');
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 37)}...` : text);

function parseType(window: ByteWindow, descr: unknown, hint: string): ElementType {
  const [name = '', order, kind = '', size] =
    (typeof descr === 'string' && /^([<>|=]?)([a-zA-Z])(\d*)$/.exec(descr)) || [];
  const bytes = Number(size);
  const isRead =
    (kind === 'f' && (bytes === 4 || bytes === 8)) ||
    ((kind === 'i' || kind === 'u') && [1, 2, 4, 8].includes(bytes)) ||
    (kind === 'b' && bytes === 1);
  if (!isRead) {
    const help = /^[fcg]$/.test(kind) ? 'save X.astype(float)' : hint;
    const got = shorten(JSON.stringify(descr));
    throw window.fault(`expected f4, f8, i1 to i8, u1 to u8 or bool, got ${got}: ${help}`);
  }
  if (bytes > 1 && order === '|') throw window.fault(`its .npy header gives ${name} no byte order`);
  return { kind: kind as ElementType['kind'], bytes, isLittle: order !== '>', name };
}
