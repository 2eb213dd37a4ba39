// Names of features for `explain`: the words of a text, the columns and values of a table.

import { Grams } from '../encode/grams.js';
import { type Part, type TableEncoding, widthOf } from '../encode/table.js';
import { columnOfRange, type TextEncoding } from '../encode/text.js';
import { isMissing, textOf } from '../encode/values.js';
import type { WordTable } from '../encode/words.js';
import { recordOf } from './tables.js';

/** The name of a column of the result; undefined: it has none. */
export type NameOf = (column: number) => string | undefined;

/** What separates words that share a column. */
const OR = ' | ';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of UTF-8. */
export const textOfBytes = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Word k of a vocabulary. */
const wordAt = ({ bytes, starts }: WordTable, k: number): string =>
  textOfBytes(bytes.subarray(starts[k], starts[k + 1]));

/** Words that are decoded at once: a call of the decoder takes longer than a word. */
const SOME = 1024;

/** All words of a vocabulary. */
export function* wordsOf(words: WordTable): Generator<string> {
  const { bytes, starts, length } = words;
  let [text, first, isAscii] = ['', 0, false];
  for (let k = 0; k < length; k++) {
    if (k % SOME === 0) {
      first = starts[k] as number;
      const piece = bytes.subarray(first, starts[Math.min(k + SOME, length)]);
      text = textOfBytes(piece);
      isAscii = text.length === piece.length;
    }
    yield isAscii ? text.slice((starts[k] as number) - first, (starts[k + 1] as number) - first) : wordAt(words, k);
  }
}

/** The words of this text by column; with hashing, all of them that share it. */
export function wordsByColumn({ settings, learned }: TextEncoding, text: string): NameOf {
  const words = learned?.vocabulary;
  if (words) return (column) => (column < words.length ? wordAt(words, column) : undefined);
  const names = new Map<number, Set<string>>();
  const { features } = settings;
  new Grams(settings, (bytes, from, to) => {
    const column = columnOfRange(bytes, from, to, features);
    const before = names.get(column) ?? new Set();
    names.set(column, before.add(textOfBytes(bytes.subarray(from, to))));
    return -1;
  }).read(text);
  return (column) => (names.has(column) ? [...(names.get(column) as Set<string>)].join(OR) : undefined);
}

/** The names of the features of a record: column, column=value, column:word, column is missing. */
export function namesInRecord({ parts, starts, cols, columns }: TableEncoding, record: unknown): NameOf {
  const value = recordOf(record, columns);
  const words: NameOf[] = [];
  return (column) => {
    if (!(column >= 0 && column < cols)) return undefined;
    let k = parts.length - 1;
    while ((starts[k] as number) > column) k--; // a category without values has no column
    const part = parts[k] as Part;
    const { name } = part;
    const at = column - (starts[k] as number);
    if (at === widthOf(part)) return `${name} is missing`;
    if (part.kind === 'number') return name;
    if (part.kind === 'category') return `${name}=${part.values[at]}`;
    words[k] ??= wordsByColumn(part.encoding, isMissing(value(k)) ? '' : textOf(value(k), -1, name));
    const word = words[k]?.(at);
    return word === undefined ? undefined : `${name}:${word}`;
  };
}
