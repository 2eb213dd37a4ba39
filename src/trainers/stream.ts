// Rows that come block by block, from whatever yields them.

import { type Classes, type Label, type Labels, listed } from '../data/labels.js';
import { isEmpty, type Rows, shapeOf } from '../data/rows.js';
import { expectOptions, expectSignal, show } from '../errors.js';
import { callback, count } from '../train/checks.js';

/** Some rows of a stream, and their labels. */
export interface Block<L extends Label = Label> {
  X: Rows;
  y: Labels<L>;
}

type Stream<L extends Label> = AsyncIterable<Block<L>> | Iterable<Block<L>>;

/** Blocks, or a function that starts them anew for each epoch. */
export type Blocks<L extends Label = Label> = Stream<L> | (() => Stream<L>);

export interface FitStreamOptions<L extends Label = Label> {
  /** All classes there are, unless the trainer was told: a class may come late in a stream. */
  classes?: readonly L[];
  /**
   * Passes over the stream, fewer if one is clean. More than one needs an array, or a function that starts the stream anew.
   * In dual form the rows of a second pass are numbered as new ones, and may be supports a second time. Default 1.
   */
  epochs?: number;
  /** Ends training between two blocks, with the signal's reason; the model stays as far as it got. */
  signal?: AbortSignal;
  /** Called after every block: its number from 0, its rows, and the mistakes made on them. Blocks of no rows are left out. */
  onBlock?: (block: { block: number; rows: number; mistakes: number }) => void;
}

/** @throws TypeError or RangeError naming what is wrong */
export function streamOptions<L extends Label>(options: FitStreamOptions<L>, blocks: Blocks<L>) {
  expectOptions(options, ['classes', 'epochs', 'signal', 'onBlock'], 'fitStream');
  const { epochs = 1, signal, onBlock } = options;
  count(epochs, 'epochs');
  expectSignal(signal);
  if (onBlock !== undefined) callback(onBlock, 'onBlock');
  if (typeof blocks !== 'function') {
    expectStream(blocks);
    if (epochs > 1 && !canStartAgain(blocks)) {
      throw new RangeError(
        `"epochs" ${epochs} needs a function that returns the blocks anew for each epoch: this stream is over after one`,
      );
    }
  }
  return { epochs, signal, onBlock };
}

/** Whether it can be gone through again, as an array can and a generator cannot. */
const canStartAgain = (blocks: object): boolean =>
  Symbol.iterator in blocks && ((blocks as Iterable<unknown>)[Symbol.iterator]() as unknown) !== blocks;

function expectStream(blocks: unknown): void {
  const stream = blocks as Partial<AsyncIterable<unknown> & Iterable<unknown>> | null;
  const isStream =
    typeof blocks === 'object' &&
    (typeof stream?.[Symbol.asyncIterator] === 'function' || typeof stream?.[Symbol.iterator] === 'function');
  if (!isStream) {
    throw new TypeError(
      `"blocks" must be an iterable of { X, y }, async or not, or a function that returns one, got ${show(blocks)}`,
    );
  }
}

interface Arrived<L extends Label> extends Block<L> {
  readonly block: {
    /** From 0. */
    readonly number: number;
    readonly rows: number;
    /** Whether there was one before it. */
    readonly isLater: boolean;
    /** The same error, saying which block it was. */
    failed(error: unknown): unknown;
  };
}

/** Blocks as they come; those of no rows are left out. @throws RangeError if there was no row at all */
export async function* inBlocks<L extends Label>(blocks: Blocks<L>): AsyncGenerator<Arrived<L>> {
  const stream = typeof blocks === 'function' ? blocks() : blocks;
  expectStream(stream);
  let number = -1;
  let isLater = false;
  for await (const given of stream) {
    number++;
    const at = number;
    const failed = (error: unknown) => {
      // Ours say which block it was; what a callback threw is passed on as it is.
      const Kind = [TypeError, RangeError].find((kind) => (error as Error | null)?.constructor === kind);
      return Kind ? new Kind(`block ${at}: ${(error as Error).message}`, { cause: error }) : error;
    };
    if (typeof given !== 'object' || given === null) {
      throw new TypeError(`block ${at} must be { X, y }, got ${show(given)}`);
    }
    const { X, y } = given;
    let rows = 0;
    try {
      if (isEmpty(X)) continue;
      rows = shapeOf(X, 'X').rows;
    } catch (error) {
      throw failed(error);
    }
    yield { X, y, block: { number, rows, isLater, failed } };
    isLater = true;
  }
  if (!isLater) throw new RangeError('the stream has no rows');
}

/** The classes of a block: known from before, given now, or an error that says so. */
export function blockClasses<L extends Label>(
  known: Classes<L> | undefined,
  given: Classes<L> | undefined,
  method: string,
): Classes<L> {
  if (known && given && !(known.length === given.length && known.every((label, k) => label === given[k]))) {
    throw new RangeError(`"classes" must stay ${listed(known)}, got ${listed(given)}`);
  }
  const classes = known ?? given;
  if (!classes) {
    const when = method === 'partialFit' ? ' the first time' : ': a class may come late in a stream';
    throw new RangeError(`${method} needs "classes"${when}`);
  }
  return classes;
}
