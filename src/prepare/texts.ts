// The texts that a caller gives: an array, or anything that is iterated.

import { show } from '../errors.js';
import { has } from '../own.js';

const notTexts = (texts: unknown): TypeError =>
  new TypeError(
    typeof texts === 'string'
      ? `"texts" must be an iterable of strings, got one string, ${show(texts)}: put it in an array`
      : `"texts" must be an iterable of strings, got ${show(texts)}`,
  );

/** A text, checked. @throws TypeError naming its index */
export function expectText(text: unknown, i: number): string {
  if (typeof text !== 'string') throw new TypeError(`texts[${i}] must be a string, got ${show(text)}`);
  return text;
}

const isObject = (texts: unknown): texts is object => typeof texts === 'object' && texts !== null;

/** The texts as an array or another list with indices; an iterable is read into an array. @throws TypeError */
export function listOfTexts(texts: unknown): ArrayLike<unknown> {
  if (Array.isArray(texts)) return texts;
  if (isObject(texts) && Symbol.iterator in texts) return Array.from(texts as Iterable<unknown>);
  if (isObject(texts) && has(texts, 'length') && Number.isSafeInteger(texts.length) && (texts.length as number) >= 0) {
    return texts as unknown as ArrayLike<unknown>;
  }
  throw notTexts(texts);
}

/** Calls `see` with each text, one after the other. @throws TypeError */
export function eachText(texts: unknown, see: (text: string) => void): void {
  const isStream = isObject(texts) && !Array.isArray(texts) && Symbol.iterator in texts;
  if (isStream) {
    let i = 0;
    for (const text of texts as Iterable<unknown>) see(expectText(text, i++));
    return;
  }
  const list = listOfTexts(texts);
  for (let i = 0; i < list.length; i++) see(expectText(list[i], i));
}
