// The options of a TextVectorizer as its constructor takes them, and how they are saved; src/encode/settings.ts reads what was saved.

import { MOST, MOST_TOKENS, type TextSettings, withoutMeaning } from '../encode/settings.js';
import { expectOptions, show } from '../errors.js';
import type { Fields } from '../model/json.js';
import type { TextVectorizerOptions } from './textvectorizer.js';

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

const OPTIONS = Object.keys(RULES) as (keyof TextSettings)[];

/** What scikit-learn calls them. */
const OTHER_NAMES = {
  nfeatures: 'features',
  analyzer: 'tokens',
  tokenizer: 'tokens',
  tokenpattern: 'tokens',
  ngramrange: 'ngrams',
  alternatesign: 'signed',
  useidf: 'weighting',
  sublineartf: 'sublinear',
  mindf: 'minDocuments',
  maxdf: 'maxDocumentShare',
};

/** A copy of our own that finds every match: a RegExp has a state, and may have any properties. @throws RangeError */
function patternOf({ source, flags }: RegExp): RegExp {
  const groups = (new RegExp(`${source}|`, flags).exec('') as RegExpExecArray).length - 1;
  if (groups > 1) {
    throw new RangeError(
      `"tokens" must have one capturing group at most, which is then the token, got ${groups}: use (?:…) for others`,
    );
  }
  return new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
}

const isPattern = (value: unknown): value is RegExp => Object.prototype.toString.call(value) === '[object RegExp]';

/** Checks options, each of which is undefined or given, and completes them. @throws TypeError or RangeError */
function settingsOf(options: Fields): TextSettings {
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

/** Settings as options, but for `changes`; options that another method does not have are left out. */
export function changed(settings: TextSettings, changes: TextVectorizerOptions): TextVectorizerOptions {
  const not = withoutMeaning(changes.method ?? settings.method);
  return {
    ...Object.fromEntries(Object.entries(settings).filter(([name]) => !not.includes(name as never))),
    ...changes,
  };
}

/** @throws TypeError or RangeError naming the option that is wrong */
export function textSettings(given: object): TextSettings {
  const options: Record<string, unknown> = { ...expectOptions(given, OPTIONS, 'TextVectorizer', OTHER_NAMES) };
  if (isPattern(options.tokens)) options.tokens = patternOf(options.tokens);
  const settings = settingsOf(options);
  const { method, tokens, stopWords } = settings;
  for (const name of withoutMeaning(method)) {
    if (options[name] !== undefined) {
      const other = method === 'hashing' ? 'vocabulary' : 'hashing';
      throw new RangeError(`"${name}" is an option of method '${other}' alone`);
    }
  }
  if (tokens === 'characters' && stopWords.length > 0) {
    throw new RangeError(`"stopWords" are words: they have no meaning with tokens 'characters'`);
  }
  return settings;
}
