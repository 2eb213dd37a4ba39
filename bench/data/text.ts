// Seeded text files as they come from elsewhere: LIBSVM lines and CSV with a header, written piece by piece.

import { closeSync, openSync, writeSync } from 'node:fs';
import { Random } from './generate.js';

export interface TextRecipe {
  seed: number;
  /** The file is as large as this, or up to a piece larger. */
  bytes: number;
  cols: number;
  /**
   * How numbers are written. 'short': six decimals, as most programs print them; 'exact': as many digits as it takes to get the
   * same float64 back, up to 17.
   */
  digits: 'short' | 'exact';
}

export interface Written {
  rows: number;
  /** Numbers, labels not counted. */
  values: number;
  bytes: number;
}

/** Whole lines: one of them, or a piece of the file. */
interface Lines {
  text: string;
  rows: number;
  values: number;
}

/** Bytes that are written at once, and those after which the same lines come again: making them takes longer than reading them. */
const PIECE = 2 ** 20;
const DIFFERENT = 2 ** 24;

/** Writes a header and lines until the file is large enough. */
function writeLines(path: string, bytes: number, header: string, line: () => Lines): Written {
  const file = openSync(path, 'w');
  try {
    const pieces: Lines[] = [];
    const written = { rows: 0, values: 0, bytes: writeSync(file, header) };
    for (let i = 0; written.bytes < bytes; i++) {
      if (i * PIECE < DIFFERENT) pieces.push(pieceOf(line));
      const { text, rows, values } = pieces[i % pieces.length] as Lines;
      written.rows += rows;
      written.values += values;
      written.bytes += writeSync(file, text);
    }
    return written;
  } finally {
    closeSync(file);
  }
}

function pieceOf(line: () => Lines): Lines {
  const piece = { text: '', rows: 0, values: 0 };
  while (piece.text.length < PIECE) {
    const { text, rows, values } = line();
    piece.text += text;
    piece.rows += rows;
    piece.values += values;
  }
  return piece;
}

const numberText = (x: number, digits: TextRecipe['digits']): string => (digits === 'short' ? x.toFixed(6) : String(x));

export interface LibsvmRecipe extends TextRecipe {
  /** The chance of each column of each row to be there. */
  density: number;
  /** Each row that is a multiple of it comes again with the other label, so that no plane separates the rows. Default: none does. */
  contradictEvery?: number;
}

/** `+1 17:0.250917 …`: values from 0 to 1, as of texts scaled to length 1. */
export function writeLibsvm(
  path: string,
  { seed, bytes, cols, digits, density, contradictEvery = Infinity }: LibsvmRecipe,
): Written {
  const random = new Random(seed);
  const gap = () => Math.floor(Math.log(1 - random.next()) / Math.log(1 - density));
  let row = 0;
  return writeLines(path, bytes, '', () => {
    const [label, other] = random.next() < 0.5 ? ['-1', '+1'] : ['+1', '-1'];
    let text = '';
    let values = 0;
    for (let column = 1 + gap(); column <= cols; column += 1 + gap()) {
      // Two draws, so that there are as many digits as float64 has.
      const value = (1 + random.next() * 2 ** 20 + random.next()) / (2 ** 20 + 2);
      text += ` ${column}:${numberText(value, digits)}`;
      values++;
    }
    text += '\n';
    return ++row % contradictEvery === 0
      ? { text: label + text + other + text, rows: 2, values: 2 * values }
      : { text: label + text, rows: 1, values };
  });
}

/** A header `f1,f2,…,label`, gaussian numbers, and labels `yes` and `no` in the last column. */
export function writeCsv(path: string, { seed, bytes, cols, digits }: TextRecipe): Written {
  const random = new Random(seed);
  const names = Array.from({ length: cols }, (_, k) => `f${k + 1}`);
  return writeLines(path, bytes, `${[...names, 'label'].join(',')}\n`, () => {
    let text = '';
    for (let k = 0; k < cols; k++) text += `${numberText(random.gaussian() + random.next() / 2 ** 20, digits)},`;
    return { text: `${text}${random.next() < 0.5 ? 'no' : 'yes'}\n`, rows: 1, values: cols };
  });
}
