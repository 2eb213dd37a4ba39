// The way of input through the steps of a pipeline: what each makes of it goes to the next, and is released in the end.

import type { Label } from '../data/labels.js';
import { oneRow, type Row } from '../data/row.js';
import { isEmpty, type Rows } from '../data/rows.js';
import type { Stage } from '../data/stages.js';
import { Scaler } from '../model/scaler.js';
import { get, has } from '../own.js';
import type { PipelineBlocks, Step } from './step.js';
import type { Block } from './stream.js';

/** Rows on their way through steps. What a step made is disposed of; the caller's input is not. */
class Passage {
  rows: unknown;
  #isOurs = false;

  constructor(X: unknown) {
    this.rows = X;
  }

  /** Goes on with what a step made of the rows; a step may return the rows themselves. */
  next(rows: Rows): void {
    if (rows === this.rows) return;
    this.dispose();
    this.rows = rows;
    this.#isOurs = true;
  }

  dispose(): void {
    if (this.#isOurs) (this.rows as { dispose?(): void }).dispose?.();
  }
}

/** Whether there is nothing for a step to do. */
function isNothing(step: Step, X: unknown): boolean {
  if (step instanceof Scaler) return isEmpty(X as Rows);
  if (Array.isArray(X)) return X.length === 0;
  const lists = Object.values(Object(get(Object(X), 'columns')));
  return lists.length > 0 && lists.every((list) => Object(list).length === 0);
}

/** What fitted steps make of X. No rows stay no rows. */
function through(steps: readonly Step[], X: unknown): Passage {
  const passage = new Passage(X);
  try {
    for (const step of steps) {
      passage.next(isNothing(step, passage.rows) ? [] : step.transform(passage.rows as never));
    }
    return passage;
  } catch (error) {
    passage.dispose();
    throw error;
  }
}

/** Calls `use` with what fitted steps make of X, and disposes of it. */
export function onRows<T>(steps: readonly Step[], X: unknown, use: (rows: Rows) => T): T {
  const passage = through(steps, X);
  try {
    return use(passage.rows as Rows);
  } finally {
    passage.dispose();
  }
}

/** Blocks of rows that fitted steps make of blocks of their input. Errors name the block. */
export async function* blocksThrough<L extends Label>(
  steps: readonly Step[],
  blocks: PipelineBlocks<unknown, L>,
): AsyncGenerator<Block<L>> {
  let number = -1;
  for await (const block of typeof blocks === 'function' ? blocks() : blocks) {
    number++;
    let passage = new Passage(undefined);
    try {
      if (block) passage = through(steps, block.X);
    } catch (error) {
      if (error instanceof Error) error.message = `block ${number}: ${error.message}`;
      throw error;
    }
    try {
      yield block && { X: passage.rows as Rows, y: block.y, sampleWeight: get(block, 'sampleWeight') }; // fitStream refuses what is not a block
    } finally {
      passage.dispose();
    }
  }
}

/** What fitted steps make of one row. */
export function rowThrough(steps: readonly Step[], x: unknown): Row {
  if (steps.every((step) => step.transformOne)) {
    return steps.reduce((row, step) => step.transformOne?.(row), x) as Row;
  }
  const cols = steps[0]?.inputCols;
  return onRows(steps, cols === undefined ? [x] : oneRow(x as Row, cols), (rows) => {
    const matrix = rows as { row?(i: number): Row & { slice?(): Row } };
    if (!get(matrix, 'row')) return (rows as Row[])[0] as Row;
    const row = matrix.row?.(0) as Row & { slice?(): Row };
    return row.slice ? row.slice() : row;
  });
}

/** Steps that are fitted anew, beside those that predict until all is done. */
export class Draft extends Passage {
  /** Steps read X twice: what can be read only once is kept. */
  constructor(X: unknown) {
    const isIterator = typeof X === 'object' && X !== null && has(X, 'next') && Symbol.iterator in X;
    super(isIterator ? [...(X as Iterable<unknown>)] : X);
  }

  /** As far as they are fitted. */
  readonly steps: Step[] = [];

  /** Fits new copies of steps to the rows, and passes the rows through them: run all stages. */
  *fitting(steps: readonly Step[]): Generator<Stage, void> {
    for (const step of steps) {
      const draft = step.unfitted && step.adopt ? step.unfitted() : step;
      yield* fitted(draft, this.rows as never);
      this.next(yield* transformed(draft, this.rows as never));
      this.steps.push(draft);
    }
  }

  /** Publishes what was learned. */
  adopt(steps: readonly Step[]): void {
    this.steps.forEach((draft, k) => {
      if (draft !== steps[k]) steps[k]?.adopt?.(draft as never);
    });
  }
}

function* fitted(step: Step, X: never): Generator<Stage, void> {
  if (!step.fitting) {
    step.fit(X);
    return;
  }
  const { stages, adopt, release } = step.fitting(X);
  try {
    yield* stages;
    adopt();
  } finally {
    release();
  }
}

function* transformed(step: Step, X: never): Generator<Stage, Rows> {
  if (!step.transforming) return step.transform(X);
  const { stages, matrix, dispose } = step.transforming(X);
  let made: Rows | undefined;
  try {
    yield* stages;
    made = matrix();
    return made;
  } finally {
    if (!made) dispose();
  }
}
