// The JSON text of a value in chunks, never as a whole: byte for byte what JSON.stringify gives of the same value in plain arrays.

import { chunksOf } from './writers.js';

/** Numbers that are formatted at once. */
const BLOCK = 4096;

/** JSON has no −0: models have the string "-0" instead. */
const scalar = (value: unknown): string => (Object.is(value, -0) ? '"-0"' : (JSON.stringify(value) ?? 'null'));

/** The JSON text of a value whose lists may be any iterables and typed arrays; −0 is written as "-0". */
export const jsonChunks = (value: unknown): Generator<string, void, undefined> => chunksOf(tokensOf(value));

function* tokensOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) yield scalar(value);
  else if (ArrayBuffer.isView(value)) yield* numbersOf(value as Float64Array);
  else if (Symbol.iterator in value) yield* listOf(value as Iterable<unknown>);
  else yield* objectOf(value);
}

function* numbersOf(list: Float64Array): Generator<string> {
  yield '[';
  for (let at = 0; at < list.length; at += BLOCK) {
    const block = list.subarray(at, at + BLOCK);
    const isOdd = block.some((value) => Object.is(value, -0) || !Number.isFinite(value));
    yield (at === 0 ? '' : ',') + (isOdd ? Array.from(block, scalar).join(',') : block.join(','));
  }
  yield ']';
}

function* listOf(items: Iterable<unknown>): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before;
    yield* tokensOf(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* objectOf(value: object): Generator<string> {
  let before = '{';
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* tokensOf(field);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
