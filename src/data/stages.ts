// Long work on the caller's data, such as copying rows in, as a list of stages. A stage goes through `count` items and does them
// piece by piece, in order. `fit` runs every piece in a row; `fitAsync` lets others have their turn in between (async/turns.ts).

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

/** Runs all stages now, each as one piece. */
export function runStages(stages: readonly Stage[]): void {
  for (const stage of stages) if (stage.count > 0) stage.piece(0, stage.count);
}
