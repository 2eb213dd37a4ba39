// Tokens: the words or characters of a text, as UTF-8 in one buffer. Words are separated by one space and characters by nothing, so
// that an n-gram is a range of bytes: no string is made of it.

import { show } from '../errors.js';
import type { TextSettings } from './settings.js';
import { MOST_BYTES, putCodePoint, putText } from './utf8.js';
import { WordTable } from './words.js';

/** Bytes and tokens that buffers are kept for; those of a longer text are dropped after it. */
const KEPT = 2 ** 20;

const WORD = /[\p{L}\p{N}_]/u;

/** Whether a code unit is of a word: 0: not known yet, 1: no, 2: yes. Asking a regular expression takes 30 times as long. */
const kinds = new Uint8Array(2 ** 16);

function isOfWord(c: number): boolean {
  if (c > 0xffff) return WORD.test(String.fromCodePoint(c));
  if (kinds[c] === 0) kinds[c] = WORD.test(String.fromCharCode(c)) ? 2 : 1;
  return kinds[c] === 2;
}

/** For each ASCII character of a word its byte, else 0; as it is, and lower-cased. */
const ASCII = Uint8Array.from({ length: 128 }, (_, c) => (isOfWord(c) ? c : 0));
const ASCII_LOWER = ASCII.map((c) => (c >= 65 && c <= 90 ? c + 32 : c));

/** Two or more of Python's white space: JavaScript's without U+FEFF, and U+001C to U+001F and U+0085. */
const SPACES = new RegExp(`(?:(?!\ufeff)[\\s${String.fromCharCode(0x1c)}-${String.fromCharCode(0x1f)}\x85]){2,}`, 'g');

export class Tokens {
  /** Token k is in bytes starts[k] … starts[k + 1] − gap − 1; an n-gram goes on to the start after its last token. */
  bytes = new Uint8Array(256);
  starts = new Uint32Array(64);
  /** How many tokens there are. */
  count = 0;
  /** Bytes between two tokens. */
  readonly gap: number;
  readonly #settings: TextSettings;
  readonly #stopWords: WordTable | undefined;

  constructor(settings: TextSettings) {
    this.#settings = settings;
    this.gap = settings.tokens === 'characters' ? 0 : 1;
    if (settings.stopWords.length > 0) this.#stopWords = WordTable.of(settings.stopWords);
  }

  /** Replaces the tokens by those of a text. @throws TypeError if a function gives what is not a string */
  read(text: string): void {
    const { tokens, lowercase } = this.#settings;
    if (tokens === 'words') {
      // Most texts are ASCII: they are lower-cased byte by byte, others are begun again.
      if (!lowercase || !this.#words(text, ASCII_LOWER)) this.#words(lowercase ? text.toLowerCase() : text);
      return;
    }
    if (lowercase) text = text.toLowerCase();
    if (tokens === 'characters') this.#characters(text.replace(SPACES, ' '));
    // In a list first: a function of the caller may use this object meanwhile.
    else if (typeof tokens === 'function') this.#list([...tokens(text)]);
    else this.#list(Array.from(text.matchAll(tokens), (match) => (match.length > 1 ? (match[1] ?? '') : match[0])));
  }

  /** Drops the buffers of a long text. */
  trim(): void {
    if (this.bytes.length > KEPT) this.bytes = new Uint8Array(256);
    if (this.starts.length > KEPT) this.starts = new Uint32Array(64);
  }

  /** Makes room in empty buffers. */
  #room(bytes: number, tokens: number): void {
    if (this.bytes.length < bytes) this.bytes = new Uint8Array(2 * bytes);
    if (this.starts.length < tokens + 1) this.starts = new Uint32Array(2 * tokens);
  }

  /** /[\p{L}\p{N}_]{2,}/gu. With a table of bytes: false at the first character that is not ASCII. */
  #words(text: string, table?: Uint8Array): boolean {
    const { length } = text;
    this.#room(MOST_BYTES * length + 1, length + 1);
    const { bytes, starts } = this;
    const stopWords = this.#stopWords;
    let count = 0;
    let start = 0; // of the present word
    let at = 0;
    let points = 0; // code points of the present word
    const ascii = table ?? ASCII;
    for (let i = 0; i <= length; i++) {
      let c = i < length ? text.charCodeAt(i) : 32;
      let byte = 0;
      if (c < 128) {
        byte = ascii[c] as number;
      } else {
        if (table) return false;
        c = text.codePointAt(i) as number;
        if (c > 0xffff) i++;
      }
      if (byte > 0) {
        bytes[at++] = byte;
        points++;
      } else if (c > 127 && isOfWord(c)) {
        at = putCodePoint(bytes, at, c);
        points++;
      } else if (points > 0) {
        if (points > 1 && !(stopWords && stopWords.find(bytes, start, at) >= 0)) {
          starts[count++] = start;
          bytes[at++] = 32;
          start = at;
        }
        at = start;
        points = 0;
      }
    }
    starts[count] = start;
    this.count = count;
    return true;
  }

  #characters(text: string): void {
    const { length } = text;
    this.#room(MOST_BYTES * length, length + 1);
    const { bytes, starts } = this;
    let count = 0;
    let at = 0;
    for (let i = 0; i < length; i++) {
      const c = text.codePointAt(i) as number;
      if (c > 0xffff) i++;
      starts[count++] = at;
      at = putCodePoint(bytes, at, c);
    }
    starts[count] = at;
    this.count = count;
  }

  #list(list: readonly unknown[]): void {
    let length = 0;
    for (const token of list) {
      if (typeof token !== 'string') throw new TypeError(`"tokens" must give strings, got ${show(token)}`);
      length += token.length;
    }
    this.#room(MOST_BYTES * length + list.length, list.length);
    const { bytes, starts } = this;
    let count = 0;
    let start = 0;
    for (const token of list as readonly string[]) {
      const end = putText(bytes, start, token);
      if (this.#stopWords && this.#stopWords.find(bytes, start, end) >= 0) continue;
      bytes[end] = 32;
      starts[count++] = start;
      start = end + 1;
    }
    starts[count] = start;
    this.count = count;
  }
}
