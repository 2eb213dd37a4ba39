// Inputs made from a corpus: some bytes or tokens of one input changed, dropped, doubled, or taken from another input.

import type { Random } from '../../src/random.js';

/** What readers and parsers treat in a special way. */
const WORDS = [
  ...[
    '0',
    '-0',
    '"-0"',
    '1',
    '-1',
    '0.5',
    '1e308',
    '1e999',
    '-1e-324',
    '4294967296',
    '9007199254740993',
    'NaN',
    'null',
  ],
  ...[
    'true',
    'false',
    '""',
    '[]',
    '{}',
    '[[]]',
    '"__proto__":1,',
    '{"length":3}',
    ',',
    ':',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '"',
  ],
  ...[
    '\\',
    '\\u0000',
    '\ufeff',
    '\u0000',
    '#',
    '1:1',
    '2147483647:1',
    'qid:1',
    '[0,0,0]',
    '"needs":["x"],',
    '"version":2,',
  ],
  ...['-', '+', '.', 'e', '\u2028', '"yes"', 'Infinity', '1e', '00', "'shape': (2, 2)", '<f4', '|b1', 'True'],
].map((word) => new TextEncoder().encode(word));

const joined = (...parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** The most bytes of an input: larger ones take long and reach nothing else. */
const LONGEST = 20_000;

type Change = (input: Uint8Array, random: Random, corpus: readonly Uint8Array[]) => Uint8Array;

const place = (input: Uint8Array, random: Random) => random.below(input.length + 1);
const stretch = (input: Uint8Array, random: Random, most: number): [number, number] => {
  const from = place(input, random);
  return [from, Math.min(input.length, from + 1 + random.below(most))];
};
const any = <T>(list: readonly T[], random: Random): T => list[random.below(list.length)] as T;

/** Where a token of text (a number, a word, a string) begins and ends, around a random place. */
function token(input: Uint8Array, random: Random): [number, number] {
  const isPart = (byte: number | undefined) => byte !== undefined && /[\w.+"-]/.test(String.fromCharCode(byte));
  let from = place(input, random);
  while (from < input.length && !isPart(input[from])) from++;
  let to = from;
  while (from > 0 && isPart(input[from - 1])) from--;
  while (to < input.length && isPart(input[to])) to++;
  return [from, to];
}

const replaced = (input: Uint8Array, [from, to]: [number, number], by: Uint8Array) =>
  joined(input.subarray(0, from), by, input.subarray(to));

const changes: readonly Change[] = [
  (input, random) => {
    const copy = input.slice();
    if (copy.length > 0) copy[random.below(copy.length)] = random.below(256);
    return copy;
  },
  (input, random) => {
    const copy = input.slice();
    const at = random.below(copy.length || 1);
    if (at < copy.length) copy[at] = (copy[at] as number) ^ (1 << random.below(8));
    return copy;
  },
  (input, random) => replaced(input, stretch(input, random, 8), new Uint8Array()),
  (input, random) => replaced(input, stretch(input, random, 200), new Uint8Array()),
  (input, random) => {
    const [from, to] = stretch(input, random, 64);
    const at = place(input, random);
    return replaced(input, [at, at], input.subarray(from, to));
  },
  (input, random) => replaced(input, token(input, random), any(WORDS, random)),
  (input, random) => replaced(input, token(input, random), any(WORDS, random)),
  (input, random) => replaced(input, token(input, random), input.subarray(...token(input, random))),
  (input, random) => {
    const at = place(input, random);
    return replaced(input, [at, at], any(WORDS, random));
  },
  (input, random) => input.subarray(0, place(input, random)),
  (input, random, corpus) => {
    const other = any(corpus, random);
    return replaced(input, stretch(input, random, 100), other.subarray(...stretch(other, random, 100)));
  },
  (input, random, corpus) => {
    const other = any(corpus, random);
    return replaced(input, token(input, random), other.subarray(...token(other, random)));
  },
];

/** A new input: one of the corpus, changed one to four times. */
export function mutated(corpus: readonly Uint8Array[], random: Random): Uint8Array {
  let input = any(corpus, random);
  for (let left = 1 + random.below(4); left > 0; left--) input = any(changes, random)(input, random, corpus);
  return input.slice(0, LONGEST);
}
