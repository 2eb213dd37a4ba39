// Stages: long work on the caller's data, such as copying rows, done in order and piece by piece. `fit` does all items of a stage
// as one piece; `fitAsync` lets other work have its turn between two pieces (async/turns.ts).

/** One stage: `piece` does items from … to − 1, some milliseconds of work at most. */
export interface Stage {
  /** How many items there are. */
  readonly count: number;
  /** Items in a piece. */
  readonly size: number;
  piece(from: number, to: number): void;
}

/** Items in a piece for values that plain JavaScript checks; and for values that are only copied or compared. */
export const PIECE = 2 ** 14;
export const LARGE_PIECE = 2 ** 17;
