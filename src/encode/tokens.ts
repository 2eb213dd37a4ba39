// Tokens: the words or characters of a text, as UTF-8 in one buffer. Words are separated by one space and characters by nothing, so
// that an n-gram is a range of bytes: no string is made of it.

import { show } from '../errors.js';
import type { TextSettings } from './settings.js';
import { MOST_BYTES, utf8Of, writeText } from './utf8.js';
import { WordTable } from './words.js';

/** Bytes and tokens that buffers are kept for; those of a longer text are dropped after it. */
const KEPT = 2 ** 20;

const WORD = /[\p{L}\p{N}_]/u;

/** Whether a code point of two or three bytes is of a word: 0: not known yet, 1: no, 2: yes. Asking WORD takes 30 times as long. */
const kinds = new Uint8Array(2 ** 16);

function isOfWord(c: number): boolean {
  if (c > 0xffff) return WORD.test(String.fromCodePoint(c));
  if (kinds[c] === 0) kinds[c] = WORD.test(String.fromCharCode(c)) ? 2 : 1;
  return kinds[c] === 2;
}

/** The code point of `size` bytes, two to four. */
function codePointAt(bytes: Uint8Array, at: number, size: number): number {
  let c = (bytes[at] as number) & (0xff >> (size + 1));
  for (let i = 1; i < size; i++) c = (c << 6) | ((bytes[at + i] as number) & 63);
  return c;
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

  /** Writes a text into the buffer, with a byte of room after it, and makes room for tokens. Returns how many bytes it has. */
  #write(text: string): number {
    const { length } = text;
    if (this.bytes.length <= MOST_BYTES * length) this.bytes = new Uint8Array(2 * MOST_BYTES * length + 1);
    if (this.starts.length < length + 2) this.starts = new Uint32Array(2 * length + 2);
    return writeText(text, this.bytes);
  }

  /**
   * /[\p{L}\p{N}_]{2,}/gu, in place: words move to the front of the buffer. With a table of bytes: false at the first character
   * that is not ASCII.
   */
  #words(text: string, table?: Uint8Array): boolean {
    const end = this.#write(text);
    const { bytes, starts } = this;
    const stopWords = this.#stopWords;
    const ascii = table ?? ASCII;
    let count = 0;
    let start = 0; // of the present word
    let at = 0;
    let points = 0; // code points of the present word
    for (let i = 0; i <= end; ) {
      const first = i < end ? (bytes[i] as number) : 32;
      if (first < 128) {
        i++;
        const byte = ascii[first] as number;
        if (byte > 0) {
          bytes[at++] = byte;
          points++;
          continue;
        }
      } else {
        if (table) return false;
        const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        const next = i + size;
        if (isOfWord(codePointAt(bytes, i, size))) {
          while (i < next) bytes[at++] = bytes[i++] as number;
          points++;
          continue;
        }
        i = next;
      }
      if (points > 1 && !(stopWords && stopWords.find(bytes, start, at) >= 0)) {
        starts[count++] = start;
        bytes[at++] = 32;
        start = at;
      }
      at = start;
      points = 0;
    }
    starts[count] = start;
    this.count = count;
    return true;
  }

  #characters(text: string): void {
    const end = this.#write(text);
    const { bytes, starts } = this;
    let count = 0;
    for (let i = 0; i < end; i++) if (((bytes[i] as number) & 0xc0) !== 0x80) starts[count++] = i;
    starts[count] = end;
    this.count = count;
  }

  #list(list: readonly unknown[]): void {
    const words = list.map((token) => {
      if (typeof token !== 'string') throw new TypeError(`"tokens" must give strings, got ${show(token)}`);
      return utf8Of(token);
    });
    const kept = words.filter((word) => !(this.#stopWords && this.#stopWords.find(word, 0, word.length) >= 0));
    const length = kept.reduce((sum, word) => sum + word.length + 1, 0);
    if (this.bytes.length < length) this.bytes = new Uint8Array(2 * length);
    if (this.starts.length <= kept.length) this.starts = new Uint32Array(2 * kept.length);
    let at = 0;
    kept.forEach((word, k) => {
      this.starts[k] = at;
      this.bytes.set(word, at);
      at += word.length;
      this.bytes[at++] = 32;
    });
    this.starts[kept.length] = at;
    this.count = kept.length;
  }
}
