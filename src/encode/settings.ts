// The options of a TextVectorizer: what each may be, and how they are saved. `perceptron-wasm/predict` has this file: it is short.

import { show } from '../errors.js';
import { type Fields, fieldsOf } from '../model/json.js';

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

/** As many columns as a matrix may have. */
const MOST = 2 ** 31 - 1;

/** The most tokens of an n-gram: a text of m tokens has up to m n-grams of each length. */
const MOST_TOKENS = 100;

/** An option: its default, what it must be, and whether a value is that. */
type Rule = readonly [fallback: unknown, expected: string, ok: (value: unknown) => boolean];

const isFrom1 = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;

const count = (fallback: number): Rule => [fallback, `an integer from 1 to ${MOST}`, (value) => isFrom1(value, MOST)];

const flag = (fallback: boolean): Rule => [fallback, 'true or false', (value) => typeof value === 'boolean'];

const word = (...words: readonly string[]): Rule => [
  words[0],
  `one of ${words.map((each) => `'${each}'`).join(', ')}`,
  (value) => words.includes(value as string),
];

const RULES: Readonly<Record<keyof TextSettings, Rule>> = {
  method: word('hashing', 'vocabulary'),
  features: count(2 ** 20),
  tokens: [
    'words',
    "'words', 'characters', a RegExp or a function",
    (value) => value === 'words' || value === 'characters' || typeof value === 'function' || value instanceof RegExp,
  ],
  ngrams: [
    [1, 1],
    `[least, most], two integers from 1 to ${MOST_TOKENS}, ascending`,
    (value) =>
      Array.isArray(value) &&
      value.length === 2 &&
      isFrom1(value[1], MOST_TOKENS) &&
      isFrom1(value[0], value[1] as number),
  ],
  lowercase: flag(true),
  signed: flag(true),
  binary: flag(false),
  weighting: word('count', 'tf-idf'),
  sublinear: flag(false),
  norm: word('l2', 'l1', 'none'),
  stopWords: [
    [],
    'an array of strings',
    (value) => Array.isArray(value) && [...value].every((each) => typeof each === 'string'),
  ],
  minDocuments: count(1),
  maxDocumentShare: [1, 'a number above 0, at most 1', (value) => (value as number) > 0 && (value as number) <= 1],
  maxFeatures: count(MOST),
};

export const OPTIONS = Object.keys(RULES) as (keyof TextSettings)[];

/** Options that the other method has: 'hashing' has no minDocuments. */
export const withoutMeaning = (method: unknown): readonly (keyof TextSettings)[] =>
  method === 'vocabulary' ? ['features', 'signed'] : ['minDocuments', 'maxDocumentShare', 'maxFeatures'];

/** Checks options, each of which is undefined or given, and completes them. @throws TypeError or RangeError */
export function settingsOf(options: Fields): TextSettings {
  const settings: Fields = {};
  for (const name of OPTIONS) {
    const [fallback, expected, ok] = RULES[name];
    const given = options[name] === undefined ? fallback : options[name];
    const value = Array.isArray(given) ? Object.freeze([...given]) : given; // read once
    if (!ok(value) || typeof value !== (name === 'tokens' ? typeof value : typeof fallback)) {
      throw new (typeof value === typeof fallback ? RangeError : TypeError)(
        `"${name}" must be ${expected}, got ${Array.isArray(value) ? JSON.stringify(value) : show(value)}`,
      );
    }
    settings[name] = value;
  }
  return Object.freeze(settings as unknown as TextSettings);
}

/** The settings as they are saved. The function of `tokens` is lost. */
export function settingsJSON(settings: TextSettings): Fields {
  const { tokens, method } = settings;
  const not = withoutMeaning(method);
  const saved: Fields = {};
  for (const name of OPTIONS) if (!not.includes(name)) saved[name] = settings[name];
  if (tokens instanceof RegExp) saved.tokens = { pattern: tokens.source, flags: tokens.flags };
  return saved;
}

/** Settings from a file. @throws TypeError or RangeError */
export function settingsFrom(json: unknown, allowPatterns: boolean): TextSettings {
  const options = fieldsOf(json, 'options');
  if (typeof options.tokens !== 'string') {
    const { pattern, flags } = fieldsOf(options.tokens, 'options.tokens');
    if (!allowPatterns) {
      throw new RangeError(
        `model JSON: options.tokens is the pattern ${show(pattern)}, and a pattern can take for ever: load files that you trust with { allowPatterns: true }`,
      );
    }
    options.tokens = new RegExp(String(pattern), String(flags));
  }
  return settingsOf(options);
}
