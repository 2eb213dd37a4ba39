// Step: what a pipeline asks of its steps.

import type { Label } from '../data/labels.js';
import type { Row } from '../data/row.js';
import type { Rows } from '../data/rows.js';
import type { Stage } from '../data/stages.js';
import type { Block } from './stream.js';

/**
 * A step of a pipeline: anything that is fitted to input and makes rows of it. The pipeline disposes of matrices that `transform`
 * returns. A step with these three methods alone is fitted in place: a fit that fails later leaves it fitted.
 */
export interface Step<In = never> {
  fit(X: In): unknown;
  transform(X: In): Rows;
  /** Plain data with a `type`, by which `loadModel` finds its reader. */
  toJSON(): object;
  /** The JSON with the step's own arrays. @internal */
  packed?(): object;
  /**
   * A new one with the same options but for `changes`, not fitted: `perceptron-wasm/select` fits a copy in every fold. A step that
   * has `adopt`, too, is fitted as such a copy by `fit` of the pipeline.
   */
  unfitted?(changes?: object): Step;
  /** Takes over what another one has learned. @internal */
  adopt?(fitted: never): void;
  /** `fit` in stages: run them, then call `adopt`; always call `release`. @internal */
  fitting?(X: never): { stages: Iterable<Stage>; adopt(): void; release(): void };
  /** `transform` in stages: run them, then call `matrix` or `dispose`. @internal */
  transforming?(X: never): { stages: Iterable<Stage>; matrix(): Rows; dispose(): void };
  /** `transform` of one row. @internal */
  transformOne?(x: unknown): Row;
  /** Whether `transform` can be called: it is fitted, or needs no fit. @internal */
  readonly isReady?: boolean;
  /** The columns that it takes; undefined for text and tables. @internal */
  readonly inputCols?: number | undefined;
  /** The columns that it makes, if it is ready. @internal */
  readonly outputCols?: number | undefined;
  /** The names of the columns that it makes of x. @internal */
  namesIn?(x: unknown): (column: number) => string | undefined;
}

/** One row of the input In: a row of Rows, a text of texts, a record of a table. */
export type OneOf<In> = [In] extends [Rows] ? Row : [In] extends [Iterable<infer T>] ? T : object;

type PipelineBlock<In, L extends Label> = Omit<Block<L>, 'X'> & { X: In };
type Stream<In, L extends Label> = AsyncIterable<PipelineBlock<In, L>> | Iterable<PipelineBlock<In, L>>;

/** Blocks of a pipeline's input, or a function that starts them again for each epoch. */
export type PipelineBlocks<In, L extends Label = Label> = Stream<In, L> | (() => Stream<In, L>);
