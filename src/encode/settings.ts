// The settings of a TextVectorizer as a file has them. `perceptron-wasm/predict` has this file: it checks what applying them needs.
// The options of the constructor, and how they are saved, are in src/prepare/textsettings.ts.

import { show } from '../errors.js';
import {
  type Fields,
  fail,
  fieldsOf,
  flagFrom,
  integerFrom,
  listOf,
  oneOf,
  positive,
  type Read,
  reader,
  stringFrom,
} from '../model/json.js';
import { murmur } from './murmur.js';
import { utf8Of } from './utf8.js';

/** Words, characters, what a regular expression matches, or what a function gives. */
export type TextTokens = 'words' | 'characters' | RegExp | ((text: string) => Iterable<string>);

export interface TextSettings {
  readonly method: 'hashing' | 'vocabulary';
  readonly features: number;
  readonly tokens: TextTokens;
  readonly ngrams: readonly [number, number];
  readonly lowercase: boolean;
  readonly signed: boolean;
  readonly binary: boolean;
  readonly weighting: 'count' | 'tf-idf';
  readonly sublinear: boolean;
  readonly norm: 'l2' | 'l1' | 'none';
  readonly stopWords: readonly string[];
  readonly minDocuments: number;
  readonly maxDocumentShare: number;
  readonly maxFeatures: number;
}

/** A RegExp as it is saved. */
interface RegExpJSON {
  readonly pattern: string;
  readonly flags: string;
}

/** The most columns that a matrix may have. */
export const MOST = 2 ** 31 - 1;

/** The most tokens of an n-gram: a text of m tokens has up to m n-grams of each length. */
export const MOST_TOKENS = 100;

const count = integerFrom(1, MOST);

const ngramsFrom: Read<number[]> = (value, path) => {
  const range = listOf(value, path, integerFrom(1, MOST_TOKENS));
  const [least = 2, most = 1] = range;
  return range.length === 2 && least <= most ? range : fail(path, 'two integers, ascending', value, 'object');
};

const tokensFrom: Read<string | RegExpJSON> = (value, path) => {
  if (typeof value === 'string') return oneOf('words', 'characters')(value, path);
  const field = reader(fieldsOf(value, path), `${path}.`);
  return { pattern: field('pattern', stringFrom), flags: field('flags', stringFrom) };
};

/** How each setting is read, in the order in which they are saved. */
const READERS: Readonly<Record<keyof TextSettings, Read<unknown>>> = {
  method: oneOf('hashing', 'vocabulary'),
  features: count,
  tokens: tokensFrom,
  ngrams: ngramsFrom,
  lowercase: flagFrom,
  signed: flagFrom,
  binary: flagFrom,
  weighting: oneOf('count', 'tf-idf'),
  sublinear: flagFrom,
  norm: oneOf('l2', 'l1', 'none'),
  stopWords: (value, path) => listOf(value, path, stringFrom),
  minDocuments: count,
  maxDocumentShare: positive,
  maxFeatures: count,
};

/** Options that the other method has: 'hashing' has no minDocuments. */
export const withoutMeaning = (method: unknown): readonly (keyof TextSettings)[] =>
  method === 'vocabulary' ? ['features', 'signed'] : ['minDocuments', 'maxDocumentShare', 'maxFeatures'];

/** A number that changes with the settings: a file whose settings were edited would count other words than it was trained on. */
export function digestOf(saved: object): number {
  const bytes = utf8Of(JSON.stringify(saved));
  return murmur(bytes, 0, bytes.length) >>> 0;
}

/** Settings from the JSON of a TextVectorizer. @throws TypeError or RangeError naming the field that is wrong */
export function settingsFrom(json: Fields, allowPatterns: boolean): TextSettings {
  const options = fieldsOf(json.options, 'options');
  const not = withoutMeaning(options.method);
  const settings: Fields = {};
  for (const [name, read] of Object.entries(READERS) as [keyof TextSettings, Read<unknown>][]) {
    if (!not.includes(name)) settings[name] = read(options[name], `options.${name}`);
  }
  if (json.digest !== digestOf(settings)) {
    throw new RangeError('model JSON: options are not those that this file was saved with: its digest differs');
  }
  if (typeof settings.tokens === 'object') {
    const { pattern, flags } = settings.tokens as RegExpJSON;
    if (!allowPatterns) {
      throw new RangeError(
        `model JSON: options.tokens is the pattern ${show(pattern)}, and a pattern can take for ever: load files that you trust with { allowPatterns: true }`,
      );
    }
    settings.tokens = new RegExp(pattern, flags);
  }
  return settings as unknown as TextSettings;
}
