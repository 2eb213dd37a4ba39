// What a TextVectorizer learns from texts: the vocabulary, and in how many texts each word or hashed column is.

import { withRoom } from '../data/entries.js';
import { type Counts, Grams, sort } from '../encode/grams.js';
import type { TextSettings } from '../encode/settings.js';
import { columnOfRange, idfOf, type LearnedText } from '../encode/text.js';
import { WordTable } from '../encode/words.js';
import { NumberQueue } from './numberqueue.js';

/** Learns from one text after the other; `learned` is the result. */
export interface TextLearner {
  /** Adds a text. */
  add(text: string): void;
  /** @throws RangeError if nothing is left */
  learned(): LearnedText;
}

export const learnerOf = (settings: TextSettings): TextLearner =>
  settings.method === 'vocabulary' ? new VocabularyLearner(settings) : new HashingLearner(settings);

/** Counts the words of texts; then chooses and orders them. */
export class VocabularyLearner implements TextLearner {
  readonly #settings: TextSettings;
  readonly #words = new WordTable();
  readonly #grams: Grams;
  /** Of each word: in how many texts it is, and how often it occurs in all. */
  #documentCounts = new Uint32Array(1024);
  #counts = new Float64Array(1024);
  /** Texts added so far. */
  documents = 0;
  /** For each text how many different words it has, and these: twice the number of the word, plus 1 if its count follows, which else is 1. */
  readonly #rows: NumberQueue | undefined;
  #chosen: readonly number[] = [];

  /** `keepsRows`: for `rows`. */
  constructor(settings: TextSettings, keepsRows = false) {
    if (keepsRows) this.#rows = new NumberQueue();
    this.#settings = settings;
    const words = this.#words;
    this.#grams = new Grams(settings, (bytes, from, to) => 2 * words.add(bytes, from, to));
  }

  add(text: string): void {
    const grams = this.#grams;
    grams.read(text);
    this.documents++;
    const { columns, counts, length } = grams;
    const { binary } = this.#settings;
    if (this.#words.length > this.#counts.length) this.#grow();
    const rows = this.#rows;
    rows?.push(length);
    for (let k = 0; k < length; k++) {
      const word = columns[k] as number;
      const count = counts[k] as number;
      this.#documentCounts[word] = (this.#documentCounts[word] as number) + 1;
      this.#counts[word] = (this.#counts[word] as number) + (binary ? 1 : count);
      rows?.push(2 * word + (count > 1 ? 1 : 0));
      if (count > 1) rows?.push(count);
    }
  }

  #grow(): void {
    const [documentCounts, counts] = [this.#documentCounts, this.#counts];
    this.#documentCounts = new Uint32Array(2 * this.#words.length);
    this.#documentCounts.set(documentCounts);
    this.#counts = new Float64Array(2 * this.#words.length);
    this.#counts.set(counts);
  }

  learned(): LearnedText {
    const chosen = this.#choose();
    this.#chosen = chosen;
    const { documents } = this;
    const documentCounts = this.#documentCounts;
    return {
      documents,
      vocabulary: pick(this.#words, chosen),
      ...(this.#settings.weighting === 'tf-idf' && {
        idf: Float64Array.from(chosen, (word) => idfOf(documents, documentCounts[word] as number)),
      }),
    };
  }

  /**
   * Each call gives the next text's counts by column of what was learned, so that no text is read again; they are valid until the
   * call after.
   */
  rows(): () => Counts {
    const kept = this.#rows as NumberQueue;
    const columnOf = new Int32Array(this.#words.length).fill(-1);
    this.#chosen.forEach((word, column) => {
      columnOf[word] = column;
    });
    const byColumn = new Float64Array(this.#chosen.length);
    const row = { columns: new Uint32Array(64), counts: new Float64Array(64), length: 0 };
    return () => {
      const words = kept.take();
      row.columns = withRoom(row.columns, words);
      row.counts = withRoom(row.counts, words);
      row.length = 0;
      for (let k = 0; k < words; k++) {
        const key = kept.take();
        const count = key & 1 ? kept.take() : 1;
        const column = columnOf[key >>> 1] as number;
        if (column < 0) continue;
        row.columns[row.length++] = column;
        byColumn[column] = count;
      }
      sort(row.columns, row.length);
      for (let i = 0; i < row.length; i++) row.counts[i] = byColumn[row.columns[i] as number] as number;
      return row;
    };
  }

  /** The words that are kept, in the order of code points. */
  #choose(): number[] {
    const { minDocuments, maxDocumentShare, maxFeatures } = this.#settings;
    const words = this.#words;
    if (words.length === 0) {
      throw new RangeError('the texts have no words: they are empty, or have stop words alone');
    }
    const most = maxDocumentShare * this.documents;
    const chosen: number[] = [];
    for (let word = 0; word < words.length; word++) {
      const count = this.#documentCounts[word] as number;
      if (count >= minDocuments && count <= most) chosen.push(word);
    }
    if (chosen.length === 0) {
      throw new RangeError(
        `none of the ${words.length} words is in at least ${minDocuments} and at most ${most} of the ${this.documents} texts: ` +
          'set a lower "minDocuments" or a higher "maxDocumentShare"',
      );
    }
    if (chosen.length > maxFeatures) {
      const counts = this.#counts;
      chosen.sort((a, b) => (counts[b] as number) - (counts[a] as number) || compare(words, a, b));
      chosen.length = maxFeatures;
    }
    return inOrder(words, chosen);
  }
}

/** The words with these numbers, in this order. */
function pick({ bytes, starts }: WordTable, numbers: readonly number[]): WordTable {
  const table = new WordTable();
  for (const k of numbers) table.add(bytes, starts[k] as number, starts[k + 1] as number);
  return table;
}

/**
 * The words with these numbers in the order of code points. First 53-bit numbers are sorted, without calling back: the first bytes of a
 * word, as many as there is room for, and its place in the list. Then those that begin alike.
 */
function inOrder(words: WordTable, numbers: readonly number[]): number[] {
  const { bytes, starts } = words;
  const bits = Math.ceil(Math.log2(numbers.length));
  const places = 2 ** bits;
  const first = Math.floor((53 - bits) / 8);
  const keys = new Float64Array(numbers.length);
  for (let place = 0; place < keys.length; place++) {
    const word = numbers[place] as number;
    const start = starts[word] as number;
    const end = starts[word + 1] as number;
    let prefix = 0;
    for (let at = start; at < start + first; at++) prefix = 256 * prefix + (at < end ? (bytes[at] as number) : 0);
    keys[place] = places * prefix + place;
  }
  keys.sort();
  const sorted = Array.from(keys, (key) => numbers[key % places] as number);
  const prefixAt = (k: number): number => Math.floor((keys[k] as number) / places);
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (to < sorted.length && prefixAt(to) === prefixAt(from)) to++;
    if (to > from + 1) {
      const alike = sorted.slice(from, to).sort((a, b) => compare(words, a, b));
      for (const word of alike) sorted[from++] = word;
    }
    from = to;
  }
  return sorted;
}

/** Below 0 if word a comes before word b in the order of code points, which is that of UTF-8 bytes. */
function compare({ bytes, starts }: WordTable, a: number, b: number): number {
  let [atA, atB] = [starts[a] as number, starts[b] as number];
  const [endA, endB] = [starts[a + 1] as number, starts[b + 1] as number];
  while (atA < endA && atB < endB) {
    const by = (bytes[atA++] as number) - (bytes[atB++] as number);
    if (by !== 0) return by;
  }
  return endA - atA - (endB - atB);
}

/** Counts in how many texts each hashed column is. */
class HashingLearner implements TextLearner {
  readonly #grams: Grams;
  readonly #documentCounts = new Map<number, number>();
  #documents = 0;

  constructor(settings: TextSettings) {
    const { features } = settings;
    this.#grams = new Grams(settings, (bytes, from, to) => 2 * columnOfRange(bytes, from, to, features));
  }

  add(text: string): void {
    this.#grams.read(text);
    this.#documents++;
    const { columns, length } = this.#grams;
    for (let k = 0; k < length; k++) {
      const column = columns[k] as number;
      this.#documentCounts.set(column, (this.#documentCounts.get(column) ?? 0) + 1);
    }
  }

  learned(): LearnedText {
    const columns = Uint32Array.from(this.#documentCounts.keys()).sort();
    const countOf = (column: number) => this.#documentCounts.get(column) as number;
    const idf = Float64Array.from(columns, (column) => idfOf(this.#documents, countOf(column)));
    return { documents: this.#documents, columns, idf };
  }
}
