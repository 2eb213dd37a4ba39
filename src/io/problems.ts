// What is wrong in a file, collected: the first problems in the order of the file, and how many there are.

import { visible } from '../escape.js';
import type { Problem } from './tabletypes.js';

/** How many problems are kept. */
export const MOST_PROBLEMS = 1000;

const inOrder = (a: Problem, b: Problem): number => a.line - b.line || a.column - b.column;

export class Problems {
  readonly #kept: Problem[] = [];
  count = 0;

  /** Whether the next problem is kept: those that come in the order of the file need no text after the first ones. */
  get keepsMore(): boolean {
    return this.#kept.length < MOST_PROBLEMS;
  }

  /** Adds the next problem of the file. */
  add(line: number, column: number, what: () => string): void {
    this.count++;
    if (this.keepsMore) this.#kept.push({ line, column, what: visible(what()) });
  }

  /** Adds `count` problems of one column, of which these are the first, and puts all in the order of the file. */
  merge(first: readonly Problem[], count: number): void {
    this.count += count;
    this.#kept.push(...first.map(({ line, column, what }) => ({ line, column, what: visible(what) })));
    this.#kept.sort(inOrder);
    this.#kept.length = Math.min(this.#kept.length, MOST_PROBLEMS);
  }

  get first(): Problem | undefined {
    return this.#kept[0];
  }

  finish(): Problem[] {
    return this.#kept;
  }
}
