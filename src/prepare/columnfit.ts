// What `fit` learns about one column of a table, from its values in the order of the rows. Every value is read once.

import type { CategoryPart, NumberPart, Part } from '../encode/table.js';
import { isMissing } from '../encode/values.js';
import { show } from '../errors.js';
import { isMissingAt, numberOf, textOf } from './advice.js';
import { type ColumnKind, Evidence, tooManyValues } from './infer.js';
import { fillOf, mostFrequent, scaleOf } from './statistics.js';
import type { ColumnSettings } from './tableoptions.js';
import type { TextVectorizer } from './textvectorizer.js';

/** What a part of every kind has. */
type Base = Pick<Part, 'name' | 'refuses' | 'hasIndicator'>;

/** A text column whose vectorizer has still to be fitted. */
export interface TextFit {
  readonly base: Base;
  readonly texts: readonly string[];
  readonly vectorizer: TextVectorizer;
}

/** What was learned about a column; neither part nor text: it is ignored. */
export interface Settled {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly reason: string;
  readonly part?: NumberPart | CategoryPart;
  readonly text?: TextFit;
}

/** Learns a column of one kind. */
interface Learner {
  /** `value` is not missing. */
  add(value: unknown, i: number): void;
  /** What was learned from at least one value. */
  learned(base: Base): Pick<Settled, 'part' | 'text'>;
}

/** Learns one column, whose kind may have to be guessed first. */
export class ColumnFit {
  readonly name: string;
  readonly settings: ColumnSettings;
  readonly #rows: number;
  #missing = 0;
  #learner: Learner | undefined;
  /** While the kind is not known: the values so far, and what they tell. */
  #guess: { readonly values: unknown[]; readonly evidence: Evidence } | undefined;
  #kind: ColumnKind | undefined;
  #reason = 'as the option "columns" says';

  constructor(name: string, settings: ColumnSettings, rows: number) {
    this.name = name;
    this.settings = settings;
    this.#rows = rows;
    this.#kind = settings.kind;
    if (settings.kind === undefined) this.#guess = { values: [], evidence: new Evidence() };
    else this.#learner = learnerOf(settings.kind, this);
  }

  /** Whether the values of the column are not needed. */
  get isIgnored(): boolean {
    return this.#kind === 'ignore';
  }

  get rows(): number {
    return this.#rows;
  }

  /** Takes the value of row i. @throws TypeError or RangeError naming row and column */
  add(value: unknown, i: number): void {
    if (this.#guess) {
      if (
        !isMissing(value) &&
        (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol')
      ) {
        textOf(value, i, this.name); // throws
      }
      this.#guess.evidence.add(value);
      this.#guess.values.push(value);
    } else if (!isMissing(value)) {
      this.#learner?.add(value, i);
    } else if (this.settings.missing === 'refuse') {
      throw isMissingAt(value, i, this.name);
    } else {
      this.#missing++;
    }
  }

  /** After the last row: guesses the kind, if that is needed, and learns. @throws RangeError if no value is there */
  settle(): Settled {
    const { name, settings } = this;
    const guess = this.#guess;
    if (guess) {
      const { kind, reason } = guess.evidence.about(name);
      this.#guess = undefined;
      this.#kind = kind;
      this.#reason = reason;
      this.#learner = learnerOf(kind, this);
      if (kind !== 'ignore') guess.values.forEach((value, i) => void this.add(value, i));
    }
    const kind = this.#kind as ColumnKind;
    const told = { name, kind, reason: this.#reason };
    if (!this.#learner) return told;
    if (this.#missing === this.#rows) {
      throw new RangeError(`column ${show(name)} has no value: every one is missing; 'ignore' the column`);
    }
    const hasIndicator = settings.indicator && this.#missing > 0;
    return { ...told, ...this.#learner.learned({ name, refuses: settings.missing === 'refuse', hasIndicator }) };
  }
}

function learnerOf(kind: ColumnKind, fit: ColumnFit): Learner | undefined {
  if (kind === 'number') return new NumberLearner(fit);
  if (kind === 'category') return new CategoryLearner(fit);
  return kind === 'text' ? new TextLearner(fit) : undefined;
}

class NumberLearner implements Learner {
  readonly #fit: ColumnFit;
  /** By row; NaN where it is missing. */
  readonly #values: Float64Array;

  constructor(fit: ColumnFit) {
    this.#fit = fit;
    this.#values = new Float64Array(fit.rows).fill(NaN);
  }

  add(value: unknown, i: number): void {
    this.#values[i] = numberOf(value, i, this.#fit.name);
  }

  learned(base: Base): { part: NumberPart } {
    const { missing, standardize } = this.#fit.settings;
    const present = this.#values.filter((value) => !Number.isNaN(value));
    const fill = fillOf[missing](present, base.name);
    // As if the caller had filled the holes: the bits of a Scaler on the filled column.
    const filled = this.#values.map((value) => (Number.isNaN(value) ? fill : value));
    const { mean, scale } = standardize ? scaleOf(filled, base.name) : { mean: 0, scale: 1 };
    return { part: { ...base, kind: 'number', fill, mean, scale } };
  }
}

class CategoryLearner implements Learner {
  readonly #fit: ColumnFit;
  /** How often each value is there, in order of first appearance. */
  readonly #counts = new Map<string, number>();

  constructor(fit: ColumnFit) {
    this.#fit = fit;
  }

  add(value: unknown, i: number): void {
    const { name, settings } = this.#fit;
    const text = textOf(value, i, name);
    const before = this.#counts.get(text) ?? 0;
    if (before === 0 && this.#counts.size >= settings.maxValues) throw tooManyValues(name, settings.maxValues, i);
    this.#counts.set(text, before + 1);
  }

  learned(base: Base): { part: CategoryPart } {
    const { missing, unknown } = this.#fit.settings;
    const fill = missing === 'most-frequent' ? mostFrequent(this.#counts) : undefined;
    const values = [...this.#counts.keys()];
    return { part: { ...base, kind: 'category', values, fill, refusesUnknown: unknown === 'refuse' } };
  }
}

class TextLearner implements Learner {
  readonly #fit: ColumnFit;
  readonly #texts: string[];

  constructor(fit: ColumnFit) {
    this.#fit = fit;
    this.#texts = new Array<string>(fit.rows).fill('');
  }

  add(value: unknown, i: number): void {
    this.#texts[i] = textOf(value, i, this.#fit.name);
  }

  learned(base: Base): { text: TextFit } {
    return { text: { base, texts: this.#texts, vectorizer: this.#fit.settings.vectorizer() } };
  }
}
