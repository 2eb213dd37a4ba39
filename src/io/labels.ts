// Labels as text: they become numbers if all of them are numbers, else they stay strings.

import { show } from '../errors.js';
import type { Label } from '../index.js';

// The pattern matches each number in one way only: with two, a regular expression would try all combinations of many digits.
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Whether text is a number for the readers; it may be too large. */
const isNumber = (text: string): boolean => NUMBER.test(text);

/** Whether a word stands for a missing value in R, pandas or databases. Case matters: Na may be sodium. */
export const isMissing = (text: string): boolean =>
  /^[+-]?nan$/i.test(text) || /^(NA|N\/A|<NA>|null|NULL|Null)$/.test(text);

/** Whether a word stands for no number: it is not a class unless it is in quotes. */
export const isNotANumber = (text: string): boolean => isMissing(text) || /^[+-]?inf(inity)?$/i.test(text);

export class LabelList {
  /** The label of each row; equal labels share one string. */
  readonly #texts: string[] = [];
  readonly #known = new Map<string, string>();

  get length(): number {
    return this.#texts.length;
  }

  add(text: string): void {
    let known = this.#known.get(text);
    if (known === undefined) {
      known = text;
      this.#known.set(text, text);
    }
    this.#texts.push(known);
  }

  /** The labels. `fault` makes the error for labels that are numbers, one of them too large. */
  finish(fault: (problem: string) => Error): Label[] {
    const texts = [...this.#known.keys()];
    if (!texts.every(isNumber)) return this.#texts;
    const large = texts.find((text) => !Number.isFinite(Number(text)));
    if (large !== undefined) throw fault(`the label ${show(large)} is too large for a float64`);
    const values = new Map(texts.map((text) => [text, Number(text) + 0]));
    return this.#texts.map((text) => values.get(text) as number);
  }
}
