// The header of a NumPy .npy file: magic, version, and a Python dictionary with the type, the order and the shape
// (numpy.lib.format). It comes from elsewhere and may lie: nothing is believed that is not checked.

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
  /** As NumPy writes it. */
  readonly name: string;
}

export interface NpyHeader {
  readonly element: ElementType;
  readonly shape: readonly number[];
}

const DICTIONARY = /^\{\s*((?:'\w+'\s*:\s*(?:'[^']*'|True|False|\([\dL,\s-]*\)|\[.*\])\s*,?\s*)*)\}\s*$/s;
const ENTRY = /'(\w+)'\s*:\s*('[^']*'|True|False|\([\dL,\s-]*\)|\[.*\])/gs;

/**
 * Reads the header and moves the window behind it. `hint`: what may help where values are no numbers.
 * @throws DataError if it is none, or of arrays that are not read
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
  const inside = DICTIONARY.exec(text)?.[1];
  if (inside === undefined) throw window.fault('its .npy header is not a dictionary of descr, fortran_order and shape');
  const entries = new Map([...inside.matchAll(ENTRY)].map(([, key, value]) => [key as string, value as string]));
  const { descr, fortran_order, shape } = Object.fromEntries(entries);
  if (descr === undefined || shape === undefined || !/^(True|False)$/.test(fortran_order ?? '') || entries.size !== 3) {
    throw window.fault('its .npy header must have descr, fortran_order and shape, and nothing else');
  }
  const dimensions = parseShape(window, shape);
  if (fortran_order === 'True' && dimensions.length > 1) {
    throw window.fault('expected C order, got Fortran order: save np.ascontiguousarray(X)');
  }
  return { element: parseType(window, descr, hint), shape: dimensions };
}

function parseType(window: ByteWindow, descr: string, hint: string): ElementType {
  const name = descr.startsWith("'") ? descr.slice(1, -1) : descr;
  const [, order = '', kind = '', size = ''] = /^([<>|=]?)([a-zA-Z?])(\d*)$/.exec(name) ?? [];
  const bytes = Number(size);
  const isRead =
    (kind === 'f' && (bytes === 4 || bytes === 8)) ||
    ((kind === 'i' || kind === 'u') && [1, 2, 4, 8].includes(bytes)) ||
    (kind === 'b' && bytes === 1);
  if (!isRead) {
    const shown = name.length > 40 ? `${name.slice(0, 37)}...` : name;
    const help = /^[fcg]$/.test(kind) ? 'save X.astype(float)' : hint;
    throw window.fault(`expected f4, f8, i1 to i8, u1 to u8 or bool, got ${JSON.stringify(shown)}: ${help}`);
  }
  if (bytes > 1 && order === '|') throw window.fault(`its .npy header gives ${name} no byte order`);
  return { kind: kind as ElementType['kind'], bytes, isLittle: order !== '>', name };
}

function parseShape(window: ByteWindow, text: string): number[] {
  const inside = text.startsWith('(') ? text.slice(1, -1).trim() : undefined;
  const isTuple = inside === '' || /^\d+L?\s*,(\s*\d+L?\s*,)*(\s*\d+L?)?$/.test(inside ?? '-');
  const shape = (inside ?? '').split(',').flatMap((part) => (part.trim() === '' ? [] : [Number.parseInt(part, 10)]));
  if (!isTuple || !shape.every(Number.isSafeInteger)) {
    throw window.fault(`its .npy header has no shape: got ${JSON.stringify(text.slice(0, 60))}`);
  }
  return shape;
}
