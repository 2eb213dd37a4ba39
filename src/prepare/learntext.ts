// What a TextVectorizer learns from texts: the vocabulary, and in how many texts each word or hashed column is.

import { Grams } from '../encode/grams.js';
import type { TextSettings } from '../encode/settings.js';
import { columnOfRange, idfOf, type LearnedText } from '../encode/text.js';
import { WordTable } from '../encode/words.js';

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
class VocabularyLearner implements TextLearner {
  readonly #settings: TextSettings;
  readonly #words = new WordTable();
  readonly #grams: Grams;
  /** Of each word: in how many texts it is, and how often it occurs in all. */
  readonly #documentCounts: number[] = [];
  readonly #counts: number[] = [];
  #documents = 0;

  constructor(settings: TextSettings) {
    this.#settings = settings;
    const words = this.#words;
    this.#grams = new Grams(settings, (bytes, from, to) => 2 * words.add(bytes, from, to));
  }

  add(text: string): void {
    const grams = this.#grams;
    grams.read(text);
    this.#documents++;
    const { columns, counts, length } = grams;
    const { binary } = this.#settings;
    for (let k = 0; k < length; k++) {
      const word = columns[k] as number;
      this.#documentCounts[word] = (this.#documentCounts[word] ?? 0) + 1;
      this.#counts[word] = (this.#counts[word] ?? 0) + (binary ? 1 : (counts[k] as number));
    }
  }

  learned(): LearnedText {
    const chosen = this.#chosen();
    const documents = this.#documents;
    const documentCounts = this.#documentCounts;
    return {
      documents,
      vocabulary: this.#words.pick(chosen),
      ...(this.#settings.weighting === 'tf-idf' && {
        idf: Float64Array.from(chosen, (word) => idfOf(documents, documentCounts[word] as number)),
      }),
    };
  }

  /** The words that are kept, in the order of code points. */
  #chosen(): number[] {
    const { minDocuments, maxDocumentShare, maxFeatures } = this.#settings;
    const words = this.#words;
    if (words.length === 0) {
      throw new RangeError('the texts have no words: they are empty, or have stop words alone');
    }
    const most = maxDocumentShare * this.#documents;
    const chosen: number[] = [];
    this.#documentCounts.forEach((count, word) => {
      if (count >= minDocuments && count <= most) chosen.push(word);
    });
    if (chosen.length === 0) {
      throw new RangeError(
        `none of the ${words.length} words is in at least ${minDocuments} and at most ${most} of the ${this.#documents} texts: ` +
          'set a lower "minDocuments" or a higher "maxDocumentShare"',
      );
    }
    const prefixes = Float64Array.from({ length: words.length }, (_, word) => words.prefix(word));
    const byCodePoint = (a: number, b: number): number =>
      (prefixes[a] as number) - (prefixes[b] as number) || words.compare(a, b);
    if (chosen.length > maxFeatures) {
      const counts = this.#counts;
      chosen.sort((a, b) => (counts[b] as number) - (counts[a] as number) || byCodePoint(a, b));
      chosen.length = maxFeatures;
    }
    return chosen.sort(byCodePoint);
  }
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
