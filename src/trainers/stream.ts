// Blocks of rows from an iterable or a stream: the options of fitStream, the blocks one after the other, and their classes.

import { type Classes, type Label, type Labels, listed } from '../data/labels.js';
import { isEmpty, type Rows, sourceOf } from '../data/rows.js';
import { expectOptions, expectSignal, show } from '../errors.js';
import { get } from '../own.js';
import { callback, count } from '../train/checks.js';

/** Some rows of a stream and their labels. */
export interface Block<L extends Label = Label> {
  X: Rows;
  y: Labels<L>;
  /** The weight of each row, as in `fit`. All may be 0. */
  sampleWeight?: ArrayLike<number> | undefined;
}

type Stream<L extends Label> = AsyncIterable<Block<L>> | Iterable<Block<L>>;

/** Blocks, or a function that starts them again for each epoch. */
export type Blocks<L extends Label = Label> = Stream<L> | (() => Stream<L>);

/** Options of `fitStream`. */
export interface FitStreamOptions<L extends Label = Label> {
  /** All classes, unless the trainer has the option: a class may first occur late in a stream. */
  classes?: readonly L[];
  /**
   * Epochs over the stream; fewer if one has no mistake. More than one needs an array, or a function that starts the stream again.
   * In dual form the rows of a second epoch count as new rows, and may be support vectors a second time. Default 1.
   */
  epochs?: number;
  /** Ends training between two blocks, with the signal's reason; the model keeps the blocks so far. */
  signal?: AbortSignal;
  /** Called after every block with its number from 0, its rows, and the mistakes on them. Empty blocks are skipped. */
  onBlock?: (block: { block: number; rows: number; mistakes: number }) => void;
}

/** Checks the options. @throws TypeError or RangeError naming what is wrong */
export function streamOptions<L extends Label>(options: FitStreamOptions<L>, blocks: Blocks<L>) {
  options = expectOptions(options, ['classes', 'epochs', 'signal', 'onBlock'], 'fitStream');
  const { classes, epochs = 1, signal, onBlock } = options;
  count(epochs, 'epochs');
  expectSignal(signal);
  if (onBlock !== undefined) callback(onBlock, 'onBlock');
  if (typeof blocks !== 'function') {
    expectStream(blocks);
    if (epochs > 1 && !canStartAgain(blocks)) {
      throw new RangeError(
        `"epochs" ${epochs} needs a function that returns the blocks again for each epoch: this stream can be read only once`,
      );
    }
  }
  return { classes, epochs, signal, onBlock };
}

/** Whether it can be iterated again: an array can, a generator cannot. */
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
    /** Whether there was a block before it. */
    readonly isLater: boolean;
    /** The same error, naming the block. */
    failed(error: unknown): unknown;
  };
}

/** The blocks one after the other, without empty ones. @throws RangeError if there is no row at all */
export async function* inBlocks<L extends Label>(blocks: Blocks<L>): AsyncGenerator<Arrived<L>> {
  const stream = typeof blocks === 'function' ? blocks() : blocks;
  expectStream(stream);
  let number = -1;
  let isLater = false;
  for await (const given of stream) {
    number++;
    const at = number;
    const failed = (error: unknown) => {
      // Errors of the library name the block; errors of callbacks are passed on.
      const Kind = [TypeError, RangeError].find((kind) => (error as Error | null)?.constructor === kind);
      return Kind ? new Kind(`block ${at}: ${(error as Error).message}`, { cause: error }) : error;
    };
    if (typeof given !== 'object' || given === null) {
      throw new TypeError(`block ${at} must be { X, y }, got ${show(given)}`);
    }
    const { X, y } = given;
    const sampleWeight = get(given, 'sampleWeight');
    let rows = 0;
    try {
      if (isEmpty(X)) continue;
      rows = sourceOf(X, 'X').rows;
    } catch (error) {
      throw failed(error);
    }
    yield { X, y, sampleWeight, block: { number, rows, isLater, failed } };
    isLater = true;
  }
  if (!isLater) throw new RangeError('the stream has no rows');
}

/** The classes for a block: the known ones, or those given now. @throws RangeError if there are none or they differ */
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
