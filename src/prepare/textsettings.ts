// The options of a TextVectorizer as its constructor takes them: what only a caller can give wrong.

import { OPTIONS, settingsOf, type TextSettings, withoutMeaning } from '../encode/settings.js';
import { expectOptions } from '../errors.js';

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
