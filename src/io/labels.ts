// Labels that come as text: numbers if all of them are, else words.

import type { Label } from '../index.js';

// One way to read each: with two, many digits would be tried in all combinations.
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Whether text is a finite number, as readers read them. */
const isNumber = (text: string): boolean => NUMBER.test(text) && Number.isFinite(Number(text));

/** Words for what is not there, as R, pandas and databases write them. Not in any case: Na may be sodium. */
export const isMissing = (text: string): boolean =>
  /^[+-]?nan$/i.test(text) || /^(NA|N\/A|<NA>|null|NULL|Null)$/.test(text);

/** Words for what is no number: no class is called so, unless it is in quotes. */
export const isNotANumber = (text: string): boolean => isMissing(text) || /^[+-]?inf(inity)?$/i.test(text);

export class LabelList {
  /** A text for each row, each text there once. */
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
