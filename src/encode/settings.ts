// The options of a TextVectorizer, checked and complete.

import { number, show, word } from '../errors.js';
import { type Fields, fail, fieldsOf } from '../model/json.js';

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

/** Options that one method has and the other has not. */
const OF_METHOD = {
  hashing: ['features', 'signed'],
  vocabulary: ['minDocuments', 'maxDocumentShare', 'maxFeatures'],
} as const;

/** The most tokens of an n-gram: a text of m tokens has up to m n-grams of each length. */
const MOST_TOKENS = 100;

/** As many as a matrix may have. */
const MOST_FEATURES = 2 ** 31 - 1;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;

function flag(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`"${name}" must be true or false, got ${show(value)}`);
  return value;
}

function tokensOf(value: unknown): TextTokens {
  if (value === 'words' || value === 'characters' || typeof value === 'function') return value as TextTokens;
  if (Object.prototype.toString.call(value) !== '[object RegExp]') {
    throw new (typeof value === 'string' ? RangeError : TypeError)(
      `"tokens" must be 'words', 'characters', a RegExp or a function, got ${show(value)}`,
    );
  }
  const { source, flags } = value as RegExp;
  // A copy of our own: a RegExp has a state, and may have any properties.
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const groups = (new RegExp(`${source}|`, flags).exec('') as RegExpExecArray).length - 1;
  if (groups > 1) {
    throw new RangeError(
      `"tokens" must have one capturing group at most, which is then the token, got ${groups}: use (?:…) for others`,
    );
  }
  return pattern;
}

function ngramsOf(value: unknown): readonly [number, number] {
  const expected = `"ngrams" must be [least, most], two integers from 1 to ${MOST_TOKENS}`;
  if (!Array.isArray(value)) throw new TypeError(`${expected}, got ${show(value)}`);
  const [least, most] = value;
  if (!(value.length === 2 && isCount(least) && isCount(most) && least <= most && most <= MOST_TOKENS)) {
    throw new RangeError(`${expected}, ascending, got [${Array.from(value.slice(0, 3), show).join(', ')}]`);
  }
  return Object.freeze([least, most] as const);
}

function stopWordsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new TypeError(`"stopWords" must be an array of words, got ${show(value)}`);
  return Object.freeze(
    Array.from(value, (each: unknown, i) => {
      if (typeof each !== 'string') throw new TypeError(`"stopWords[${i}]" must be a string, got ${show(each)}`);
      return each;
    }),
  );
}

const count = (most: number) => number(`an integer from 1 to ${most}`, (value) => isCount(value) && value <= most);

/** Checks options, each of which is undefined or given. @throws TypeError or RangeError */
export function settingsOf(options: Fields): TextSettings {
  const read = <T>(name: string, fallback: unknown, check: (value: unknown, name: string) => T): T =>
    check(options[name] === undefined ? fallback : options[name], name);
  const method = read('method', 'hashing', word('hashing', 'vocabulary'));
  const other = method === 'hashing' ? 'vocabulary' : 'hashing';
  for (const name of OF_METHOD[other]) {
    if (options[name] !== undefined) throw new RangeError(`"${name}" is an option of method '${other}' alone`);
  }
  const settings = {
    method,
    features: read('features', 2 ** 20, count(MOST_FEATURES)),
    tokens: read('tokens', 'words', tokensOf),
    ngrams: read('ngrams', [1, 1], ngramsOf),
    lowercase: read('lowercase', true, flag),
    signed: read('signed', true, flag),
    binary: read('binary', false, flag),
    weighting: read('weighting', 'count', word('count', 'tf-idf')),
    sublinear: read('sublinear', false, flag),
    norm: read('norm', 'l2', word('l2', 'l1', 'none')),
    stopWords: read('stopWords', [], stopWordsOf),
    minDocuments: read('minDocuments', 1, count(Number.MAX_SAFE_INTEGER)),
    maxDocumentShare: read(
      'maxDocumentShare',
      1,
      number('a number above 0, at most 1', (v) => v > 0 && v <= 1),
    ),
    maxFeatures: read('maxFeatures', MOST_FEATURES, count(MOST_FEATURES)),
  };
  if (settings.tokens === 'characters' && settings.stopWords.length > 0) {
    throw new RangeError(`"stopWords" are words: they have no meaning with tokens 'characters'`);
  }
  return Object.freeze(settings);
}

/** The settings as they are saved. @throws TypeError if tokens are made by a function */
export function settingsJSON(settings: TextSettings): Record<string, unknown> {
  const { tokens } = settings;
  if (typeof tokens === 'function') {
    throw new TypeError('"tokens" is a function, which JSON cannot hold: use a RegExp to save this TextVectorizer');
  }
  const not: readonly string[] = OF_METHOD[settings.method === 'hashing' ? 'vocabulary' : 'hashing'];
  const saved = {
    ...settings,
    tokens: typeof tokens === 'string' ? tokens : { pattern: tokens.source, flags: tokens.flags },
  };
  return Object.fromEntries(Object.entries(saved).filter(([name]) => !not.includes(name)));
}

/** Settings from a file. @throws TypeError or RangeError */
export function settingsFrom(json: unknown, allowPatterns: boolean): TextSettings {
  const options = fieldsOf(json, 'options');
  const { tokens } = options;
  if (typeof tokens !== 'string') {
    const { pattern, flags } = fieldsOf(tokens, 'options.tokens');
    if (typeof pattern !== 'string') fail('options.tokens.pattern', 'a string', pattern);
    if (typeof flags !== 'string') fail('options.tokens.flags', 'a string', flags);
    if (!allowPatterns) {
      throw new RangeError(
        `model JSON: options.tokens is a regular expression, ${show(pattern)}: a pattern can take for ever on some texts; ` +
          'if you trust the file, load it with { allowPatterns: true }',
      );
    }
    options.tokens = new RegExp(pattern, flags);
  }
  return settingsOf(options);
}
