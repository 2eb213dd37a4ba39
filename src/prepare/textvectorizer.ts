// TextVectorizer: texts → sparse rows of word counts or TF-IDF weights, by hashing or with a vocabulary.

import { RowBuffer } from '../data/entries.js';
import type { Stage } from '../data/stages.js';
import type { Counts } from '../encode/grams.js';
import { atPath } from '../encode/paths.js';
import { digestOf, type TextSettings, type TextTokens } from '../encode/settings.js';
import { TextEncoding, textFrom } from '../encode/text.js';
import { expectOptions } from '../errors.js';
import { NotFittedError, SparseBuilder, type SparseMatrix } from '../index.js';
import { type ExactNumber, type Packed, plain } from '../model/json.js';
import { learnerOf, VocabularyLearner } from './learntext.js';
import { wordsByColumn, wordsOf } from './names.js';
import { eachText, expectText, listOfTexts } from './texts.js';
import { changed, settingsJSON, textSettings } from './textsettings.js';

/** Options of `TextVectorizer`. */
export interface TextVectorizerOptions {
  /** 'hashing' (default): a word's column is its hash, and nothing is learned; 'vocabulary': the words of the texts in `fit`. */
  method?: 'hashing' | 'vocabulary';
  /** Columns of method 'hashing'. Default: 2²⁰. */
  features?: number;
  /**
   * 'words' (default): two or more letters, digits or underscores of any script; 'characters': code points, runs of white space as
   * one space; a RegExp: what it matches, or its one capturing group; a function: what it gives. All see the lower-cased text.
   */
  tokens?: TextTokens;
  /** The fewest and the most tokens in a row that are counted as one. Words are joined by a space. Default: [1, 1]. */
  ngrams?: readonly [number, number];
  /** Whether texts are lower-cased first. Default: true. */
  lowercase?: boolean;
  /** With hashing: half of the words count as −1, so that words which share a column cancel on average. Default: true. */
  signed?: boolean;
  /** Whether every count is 1. Default: false. */
  binary?: boolean;
  /** 'tf-idf': counts times ln((1 + texts) / (1 + texts with the word)) + 1, which `fit` learns. Default: 'count'. */
  weighting?: 'count' | 'tf-idf';
  /** Whether a count c becomes 1 + ln c; a negative one −1 − ln −c. Default: false. */
  sublinear?: boolean;
  /** What each row is divided by: its length, the sum of its absolute values, or nothing. Default: 'l2'. */
  norm?: 'l2' | 'l1' | 'none';
  /** Words that are left out before n-grams are made; lower-case, unless `lowercase` is false. Default: none. */
  stopWords?: readonly string[];
  /** With a vocabulary: the fewest texts that a word must be in. Default: 1. */
  minDocuments?: number;
  /** With a vocabulary: the largest share of the texts that a word may be in. Default: 1. */
  maxDocumentShare?: number;
  /** With a vocabulary: how many words are kept, the most frequent ones. Default: all. */
  maxFeatures?: number;
}

/** What `TextVectorizer.toJSON` gives. */
export interface TextVectorizerJSON {
  type: 'text-vectorizer';
  version: 1;
  /** All options with their defaults; a RegExp as { pattern, flags }. */
  options: Record<string, unknown>;
  /** MurmurHash3 of the options' JSON: a file with other options is refused. */
  digest: number;
  /** How many texts it was fitted on. */
  documents?: number;
  /** The words, by column. */
  vocabulary?: string[];
  /** With hashing and TF-IDF: the columns that `idf` is about. */
  columns?: number[];
  /** The inverse document frequency of each word or listed column. */
  idf?: ExactNumber[];
}

/** Texts in a piece of a stage. */
const TEXTS_IN_PIECE = 64;

/**
 * Turns texts into sparse rows: one column a word, or a word's hash. The features are those of scikit-learn's HashingVectorizer,
 * CountVectorizer (`norm: 'none'`) and TfidfVectorizer.
 *
 * @example
 * import { TextVectorizer } from 'perceptron-wasm/prepare';
 * const texts = ['red apples, red pears', 'green pears'];
 * const words = new TextVectorizer({ method: 'vocabulary', norm: 'none' }).fit(texts);
 * console.log(words.featureNames); // → [ 'apples', 'green', 'pears', 'red' ]
 * console.log(words.transform(texts).row(0).values); // → Float64Array(3) [ 1, 1, 2 ]
 * console.log(new TextVectorizer().transform(texts).cols); // → 1048576
 */
export class TextVectorizer {
  /** Survives minification: consoles and messages show it. */
  static readonly name = 'TextVectorizer';
  readonly #settings: TextSettings;
  #encoding: TextEncoding | undefined;
  #names: readonly string[] | undefined;

  /** @throws TypeError or RangeError naming the option that is wrong */
  constructor(options: TextVectorizerOptions = {}) {
    this.#settings = textSettings(options);
    const { method, weighting } = this.#settings;
    if (method === 'hashing' && weighting === 'count') this.#encoding = new TextEncoding(this.#settings);
  }

  /**
   * Learns vocabulary and document frequencies, whatever the options need. Hashing with counts has nothing to learn: the texts
   * are not read.
   * @throws TypeError naming the first text that is not a string; RangeError if no word is left
   */
  fit(texts: Iterable<string>): this {
    if (this.#needsNoFit) return this;
    const learner = learnerOf(this.#settings);
    eachText(texts, (text) => learner.add(text));
    this.#learn(new TextEncoding(this.#settings, learner.learned()));
    return this;
  }

  /** A matrix with a row for each text. @throws NotFittedError before fit; TypeError naming the first text that is not a string */
  transform(texts: Iterable<string>): SparseMatrix {
    const encoding = this.#ready('transform');
    return matrixOf(encoding.cols, (row, add) =>
      eachText(texts, (text) => {
        encoding.encode(text, row);
        add();
      }),
    );
  }

  /** `fit`, then `transform` of the same texts. A vocabulary and its rows are made in one pass (1.4 times as fast). */
  fitTransform(texts: Iterable<string>): SparseMatrix {
    if (this.#settings.method === 'hashing') {
      const list = listOfTexts(texts) as ArrayLike<string> & Iterable<string>;
      return this.fit(list).transform(list);
    }
    const learner = new VocabularyLearner(this.#settings, true);
    eachText(texts, (text) => learner.add(text));
    const encoding = new TextEncoding(this.#settings, learner.learned());
    const next = learner.rows();
    const X = matrixOf(encoding.cols, (row, add) => {
      for (let i = 0; i < learner.documents; i++) {
        encoding.weigh(next(), row);
        add();
      }
    });
    this.#learn(encoding);
    return X;
  }

  /** The words, by column; undefined with hashing. @throws NotFittedError before fit */
  get featureNames(): readonly string[] | undefined {
    const words = this.#ready('featureNames').learned?.vocabulary;
    if (words) this.#names ??= Object.freeze([...wordsOf(words)]);
    return this.#names;
  }

  /** Plain data, exact to the bit. @throws TypeError if `tokens` is a function */
  toJSON(): TextVectorizerJSON {
    return plain<TextVectorizerJSON>(this.packed());
  }

  /** The JSON with the vectorizer's own arrays. @internal */
  packed(): Packed<TextVectorizerJSON> {
    const { learned } = this.#ready('toJSON');
    if (typeof this.#settings.tokens === 'function') {
      throw new TypeError('"tokens" is a function, which JSON cannot hold: use a RegExp to save this TextVectorizer');
    }
    const options = settingsJSON(this.#settings);
    const { documents, vocabulary, columns, idf } = learned ?? {};
    return {
      type: 'text-vectorizer',
      version: 1,
      options,
      digest: digestOf(options),
      ...(documents !== undefined && { documents }),
      ...(vocabulary && { vocabulary: { [Symbol.iterator]: () => wordsOf(vocabulary) } }),
      ...(columns && { columns }),
      ...(idf && { idf }),
    };
  }

  /**
   * A vectorizer from `toJSON`. A file with a RegExp is refused unless `allowPatterns` is true: a pattern can take for ever.
   * @throws TypeError or RangeError naming the field that is wrong
   */
  static fromJSON(json: unknown, options: { allowPatterns?: boolean } = {}): TextVectorizer {
    const { allowPatterns = false } = expectOptions(options, ['allowPatterns'], 'TextVectorizer.fromJSON');
    const encoding = textFrom(json, '', { allowPatterns });
    const vectorizer = atPath('', () => TextVectorizer.#with(encoding.settings));
    vectorizer.#encoding = encoding;
    return vectorizer;
  }

  /** A new vectorizer with settings that have been checked. */
  static #with(settings: TextSettings): TextVectorizer {
    const { features, signed, minDocuments, maxDocumentShare, maxFeatures, ...options } = settings;
    return new TextVectorizer(
      settings.method === 'hashing'
        ? { ...options, features, signed }
        : { ...options, minDocuments, maxDocumentShare, maxFeatures },
    );
  }

  // ---- a step of a pipeline -------------------------------------------------------------------------

  /** For perceptron-wasm/cluster. @internal */
  get givenOptions(): TextVectorizerOptions {
    return changed(this.#settings, {});
  }

  /** A new vectorizer with the same options but for `changes`. For pipelines. @internal */
  unfitted(changes?: TextVectorizerOptions): TextVectorizer {
    return changes ? new TextVectorizer(changed(this.#settings, changes)) : TextVectorizer.#with(this.#settings);
  }

  /** Takes over what another vectorizer has learned. For pipelines. @internal */
  adopt(fitted: TextVectorizer): void {
    this.#learn(fitted.#encoding);
  }

  /**
   * `fit` in stages: run them, then call `adopt`. With `keepsRows`, `counted` then encodes these texts once, in their order, without
   * reading them again; undefined with hashing. For pipelines. @internal
   */
  fitting(
    texts: ArrayLike<string> | Iterable<string>,
    keepsRows = false,
  ): { stages: Stage[]; adopt(): void; counted(): TextEncoding | undefined; release(): void } {
    const list = listOfTexts(texts);
    const keeper =
      keepsRows && this.#settings.method === 'vocabulary' ? new VocabularyLearner(this.#settings, true) : undefined;
    const learner = keeper ?? learnerOf(this.#settings);
    const isIdle = this.#needsNoFit;
    return {
      stages: isIdle ? [] : [stageOf(list, (text) => learner.add(text))],
      adopt: () => {
        if (!isIdle) this.#learn(new TextEncoding(this.#settings, learner.learned()));
      },
      counted: () => keeper && new CountedTexts(this.encoding, keeper.rows()),
      release: () => {},
    };
  }

  /** `transform` in stages: run them, then call `matrix` or `dispose`. For pipelines. @internal */
  transforming(texts: ArrayLike<string> | Iterable<string>): {
    stages: Stage[];
    matrix(): SparseMatrix;
    dispose(): void;
  } {
    const encoding = this.#ready('transform');
    const list = listOfTexts(texts);
    const builder = new SparseBuilder({ cols: encoding.cols });
    const row = new RowBuffer();
    return {
      stages: [stageOf(list, (text) => addRow(encoding, text, row, builder))],
      matrix: () => builder.finish(),
      dispose: () => builder.dispose(),
    };
  }

  /** The row of one text. For pipelines. @internal */
  transformOne(text: unknown): { indices: Uint32Array; values: Float64Array } {
    if (typeof text !== 'string') expectText(text, 0);
    const row = new RowBuffer();
    this.#ready('transform').encode(text as string, row);
    return { indices: row.columns.subarray(0, row.length), values: row.values.subarray(0, row.length) };
  }

  /** Whether transform can be called. @internal */
  get isReady(): boolean {
    return this.#encoding !== undefined;
  }

  /** How many columns a row has; undefined before fit. @internal */
  get outputCols(): number | undefined {
    return this.#encoding?.cols;
  }

  /** The words of this text by column; with hashing, all that share it. For pipelines. @internal */
  namesIn(text: unknown): (column: number) => string | undefined {
    return wordsByColumn(this.#ready('explain'), expectText(text, 0));
  }

  /** What transform applies, for text columns of tables. @internal */
  get encoding(): TextEncoding {
    return this.#ready('transform');
  }

  #learn(encoding: TextEncoding | undefined): void {
    this.#encoding = encoding;
    this.#names = undefined;
  }

  get #needsNoFit(): boolean {
    return this.#settings.method === 'hashing' && this.#settings.weighting === 'count';
  }

  #ready(what: string): TextEncoding {
    if (!this.#encoding) throw new NotFittedError(`this TextVectorizer is not fitted yet: call fit before ${what}`);
    return this.#encoding;
  }
}

/** An encoding for texts whose words have been counted: it gives one row after the other, whatever the text. */
class CountedTexts extends TextEncoding {
  readonly #next: () => Counts;

  constructor({ settings, learned }: TextEncoding, next: () => Counts) {
    super(settings, learned);
    this.#next = next;
  }

  override encode(_: string, row: RowBuffer, offset?: number): void {
    this.weigh(this.#next(), row, offset);
  }
}

/** A matrix of the rows that `fill` puts into a buffer, and adds one after the other. */
function matrixOf(cols: number, fill: (row: RowBuffer, add: () => void) => void): SparseMatrix {
  const builder = new SparseBuilder({ cols });
  const row = new RowBuffer();
  try {
    fill(row, () => {
      builder.add(row.columns, row.values, row.length);
      row.length = 0;
    });
    return builder.finish();
  } finally {
    builder.dispose(); // a finished builder has passed its memory to the matrix
  }
}

function addRow(encoding: TextEncoding, text: string, row: RowBuffer, builder: SparseBuilder): void {
  row.length = 0;
  encoding.encode(text, row);
  builder.add(row.columns, row.values, row.length);
}

/** A stage that calls `see` with each text. */
const stageOf = (list: ArrayLike<unknown>, see: (text: string) => void): Stage => ({
  count: list.length,
  size: TEXTS_IN_PIECE,
  piece(from, to) {
    for (let i = from; i < to; i++) see(expectText(list[i], i));
  },
});
