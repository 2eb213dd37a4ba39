// Labels as text: they become numbers if all of them are numbers, else they stay strings.

import { show } from '../errors.js';
import type { Label } from '../index.js';
import { NumberLists } from './numberlist.js';
import type { Dataset } from './options.js';
import type { ByteWindow } from './window.js';

/** The most different labels that are text: a Map holds twice as many. */
const MOST_TEXTS = 2 ** 23;

// The pattern matches each number in one way only: with two, a regular expression would try all combinations of many digits.
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Whether text is a number for the readers; it may be too large. */
export const isNumber = (text: string): boolean => NUMBER.test(text);

/** Whether a word stands for a missing value in R, pandas or databases. Case matters: Na may be sodium. */
export const isMissing = (text: string): boolean =>
  /^[+-]?nan$/i.test(text) || /^(NA|N\/A|n\/a|<NA>|null|NULL|Null)$/.test(text);

/** Whether a word stands for no number: it is not a class unless it is in quotes. */
export const isNotANumber = (text: string): boolean => isMissing(text) || /^[+-]?inf(inity)?$/i.test(text);

/** Labels as text: the number of its text for each row, and each text once. */
export class LabelList {
  readonly #codes = new NumberLists();
  readonly #numbers = new Map<string, number>();
  readonly #window: ByteWindow;

  constructor(window: ByteWindow) {
    this.#window = window;
  }

  get length(): number {
    return this.#codes.length;
  }

  /** @throws DataError if there are too many different labels */
  add(text: string): void {
    let code = this.#numbers.get(text);
    if (code === undefined) {
      code = this.#numbers.size;
      if (code === MOST_TEXTS) throw this.#window.lineFault(`there are more than ${MOST_TEXTS} different labels`);
      this.#numbers.set(text, code);
    }
    this.#codes.add(code);
  }

  /** The texts in the order of their first rows, and the number of its text for each row. */
  get all(): { texts: string[]; codes: Float64Array } {
    return { texts: [...this.#numbers.keys()], codes: this.#codes.current };
  }

  /** Adds another list; false, adding nothing, if there may be too many different labels. */
  addAll(texts: readonly string[], codes: Float64Array): boolean {
    if (this.#numbers.size + texts.length > MOST_TEXTS) return false;
    const own = texts.map((text) => {
      const code = this.#numbers.get(text) ?? this.#numbers.size;
      this.#numbers.set(text, code);
      return code;
    });
    for (const code of codes) this.#codes.add(own[code] as number);
    return true;
  }

  /**
   * Ends the list; the function makes the label of each row.
   * @throws DataError if all labels are numbers, and one is too large
   */
  finish(): () => Label[] {
    const texts = [...this.#numbers.keys()];
    const areNumbers = texts.every(isNumber);
    const large = areNumbers && texts.find((text) => !Number.isFinite(Number(text)));
    if (typeof large === 'string') throw this.#window.fault(`the label ${show(large)} is too large for a float64`);
    const classes: Label[] = areNumbers ? texts.map((text) => Number(text) + 0) : texts;
    return () => Array.from(this.#codes.current, (code) => classes[code] as Label);
  }
}

/** A dataset whose `y` is made when it is first asked for: until then a label takes 8 bytes outside of the heap. */
export function withLabelsOf<L extends Label>({ X, ...rest }: Omit<Dataset<L>, 'y'>, make: () => Label[]): Dataset<L> {
  const set = (owner: object, value: Label[]) =>
    Object.defineProperty(owner, 'y', { value, enumerable: true, configurable: true, writable: true });
  let made: Label[] | undefined;
  const dataset: Dataset<L> = {
    X,
    get y() {
      made ??= make();
      if (Object.getOwnPropertyDescriptor(dataset, 'y')?.configurable) set(dataset, made); // not if it is frozen
      return made as L[];
    },
    set y(value) {
      set(this, value); // this may be an object that inherits from the dataset
    },
    ...rest,
  };
  return dataset;
}
