// What a TableEncoder learns, in stages: names, values, kinds and statistics, words.

import { PIECE, type Stage } from '../data/stages.js';
import { type Part, TableEncoding } from '../encode/table.js';
import type { TextEncoding } from '../encode/text.js';
import { show } from '../errors.js';
import { ColumnFit, type Settled, type TextFit } from './columnfit.js';
import type { ColumnKind } from './infer.js';
import type { TableSettings } from './tableoptions.js';
import { noColumn, type Table, tableOf } from './tables.js';
import type { TextVectorizer } from './textvectorizer.js';

/** A column of the table that was fitted. */
export interface FittedColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly reason: string;
}

/** What an encoder has learned. */
export interface FittedTable {
  readonly columns: readonly FittedColumn[];
  readonly encoding: TableEncoding;
  /** Of the text columns, by name. */
  readonly vectorizers: ReadonlyMap<string, TextVectorizer>;
}

/**
 * The stages of a fit; `fitted` is what they have learned. With `keepsRows`, `counted` then encodes the rows of this table once, in
 * their order, without counting the words again.
 * @throws TypeError or RangeError if it is no table
 */
export function fittingTable(
  table: Table,
  settings: TableSettings,
  keepsRows = false,
): { stages: Stage[]; fitted(): FittedTable; counted(): TableEncoding; release(): void } {
  const view = tableOf(table);
  const { rows, scan } = view;
  let fits: readonly ColumnFit[] = [];
  const settled: Settled[] = [];
  let texts: readonly (ReturnType<TextVectorizer['fitting']> & { readonly name: string })[] = [];

  const begin: Stage = {
    count: 1,
    size: 1,
    piece() {
      fits = fitsOf(view.columns, settings, rows);
    },
  };
  const read: Stage = {
    count: rows,
    get size() {
      return rowsInPiece(fits.length);
    },
    piece(from, to) {
      for (let i = from; i < to; i++) {
        for (let k = 0; k < fits.length; k++) {
          const fit = fits[k] as ColumnFit;
          if (!fit.isIgnored) fit.add(view.value(i, k), i);
        }
      }
    },
  };
  const settle: Stage = {
    get count() {
      return fits.length;
    },
    size: 1,
    piece(from, to) {
      for (const fit of fits.slice(from, to)) settled.push(fit.settle());
    },
  };
  const words = combined(() => {
    texts = settled.flatMap(({ text }) =>
      text ? [{ name: text.base.name, ...text.vectorizer.fitting(text.texts, keepsRows) }] : [],
    );
    return texts.flatMap(({ stages }) => stages);
  });

  const partsWith = (encodingOf: (text: TextFit) => TextEncoding): Part[] =>
    settled.flatMap(({ part, text }): Part[] => {
      if (text) return [{ ...text.base, kind: 'text', encoding: encodingOf(text) }];
      return part ? [part] : [];
    });
  const fitted = (): FittedTable => {
    for (const { name, adopt } of texts) ofColumn(name, adopt);
    const parts = partsWith(({ vectorizer }) => vectorizer.encoding);
    if (parts.length === 0) {
      const told = settled.map(({ name, reason }) => `${show(name)} (${reason})`).join(', ');
      throw new RangeError(`every column of the table is ignored: ${told}`);
    }
    return {
      columns: settled.map(({ name, kind, reason }) => ({ name, kind, reason })),
      encoding: new TableEncoding(parts),
      vectorizers: new Map(settled.flatMap(({ name, text }) => (text ? [[name, text.vectorizer]] : []))),
    };
  };
  const counted = () => {
    const encodings = new Map(texts.map((text) => [text.name, text.counted()]));
    return new TableEncoding(partsWith(({ base, vectorizer }) => encodings.get(base.name) ?? vectorizer.encoding));
  };
  const release = () => {
    for (const text of texts) text.release();
  };
  const scanned = scan ? [{ count: rows, size: rowsInPiece(1), piece: scan }] : [];
  return { stages: [...scanned, begin, read, settle, words], fitted, counted, release };
}

/** Runs the work of one text column: an error names it. */
function ofColumn(name: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) error.message = `column ${show(name)}: ${error.message}`;
    throw error;
  }
}

/** How many rows are in a piece. Reading a value takes longer than adding numbers. */
export const rowsInPiece = (columns: number): number => Math.ceil(PIECE / (8 * columns));

/** @throws RangeError if the options name a column that the table has not */
function fitsOf(names: readonly string[], { columns, others }: TableSettings, rows: number): ColumnFit[] {
  if (names.length === 0) throw new RangeError('the table has no columns');
  for (const name of columns.keys()) {
    if (!names.includes(name)) throw noColumn(name, names);
  }
  return names.map((name) => new ColumnFit(name, columns.get(name) ?? others, rows));
}

/** Stages that are known when the earlier ones are over, as one; a piece of it is a piece of one of them. */
function combined(later: () => readonly Stage[]): Stage {
  let pieces: (() => void)[] = [];
  return {
    get count() {
      pieces = later().flatMap(({ count, size, piece }) =>
        Array.from({ length: Math.ceil(count / size) }, (_, k) => () => {
          piece(k * size, Math.min(count, (k + 1) * size));
        }),
      );
      return pieces.length;
    },
    size: 1,
    piece(from, to) {
      for (const run of pieces.slice(from, to)) run();
    },
  };
}
