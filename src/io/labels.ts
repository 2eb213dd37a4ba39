// Labels as text: they become numbers if all of them are numbers, else they stay strings.

import type { Label } from '../index.js';

// The pattern matches each number in one way only: with two, a regular expression would try all combinations of many digits.
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Whether text is a finite number for the readers. */
const isNumber = (text: string): boolean => NUMBER.test(text) && Number.isFinite(Number(text));

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

  finish(): Label[] {
    const texts = [...this.#known.keys()];
    if (!texts.every(isNumber)) return this.#texts;
    const values = new Map(texts.map((text) => [text, Number(text) + 0]));
    return this.#texts.map((text) => values.get(text) as number);
  }
}
