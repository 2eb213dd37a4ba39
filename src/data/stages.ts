// Long work on the caller's data, such as copying rows in, as a stage: it goes through `count` items and does them piece by
// piece, in order. `fit` does all items as one piece; `fitAsync` gives other work its turn between two pieces (async/turns.ts).

/** One stage: `piece` does items from … to − 1, some milliseconds of work at most. */
export interface Stage {
  /** How many items there are. */
  readonly count: number;
  /** Items in a piece. */
  readonly size: number;
  piece(from: number, to: number): void;
}

/** Values that plain JavaScript checks in one piece; and those that are only copied or compared. */
export const PIECE = 2 ** 14;
export const LARGE_PIECE = 2 ** 17;
