// The textbook's pocket (Gallant 1990; SPEC §6) as one writes it in JavaScript: rows are arrays, and after every
// update all of them are scored anew, N·d. The list of mistakes from which the next one is drawn comes from that
// count. η = 1, zero start, a constant feature of 1. Nobody tunes this file for or against us: keeping the scores
// is what we sell.

export interface Pocket {
  weights: number[];
  bias: number;
  /** Training mistakes of the pocket, and of the last weights. */
  errors: number;
  lastErrors: number;
  /** After how many updates the pocket was last replaced; 0 is the start. */
  replacedAt: number;
  updates: number;
}

/** `updates` at most, with labels −1 and +1; `below(count)` draws from 0 to count − 1. */
export function fitPocket(
  X: readonly (readonly number[])[],
  y: readonly number[],
  updates: number,
  below: (count: number) => number,
): Pocket {
  const weights: number[] = (X[0] as readonly number[]).map(() => 0);
  let bias = 0;
  let mistakes = mistakesOf(X, y, weights, bias);
  const pocket = { weights: [...weights], bias, errors: mistakes.length, replacedAt: 0 };
  let update = 0;
  while (mistakes.length > 0 && update < updates) {
    const i = mistakes[below(mistakes.length)] as number;
    const x = X[i] as readonly number[];
    const label = y[i] as number;
    for (let k = 0; k < x.length; k++) weights[k] = (weights[k] as number) + label * (x[k] as number);
    bias += label;
    update++;
    mistakes = mistakesOf(X, y, weights, bias);
    if (mistakes.length < pocket.errors) {
      pocket.weights = [...weights];
      pocket.bias = bias;
      pocket.errors = mistakes.length;
      pocket.replacedAt = update;
    }
  }
  return { ...pocket, lastErrors: mistakes.length, updates: update };
}

/** The rows with y·s ≤ 0, ascending. */
function mistakesOf(
  X: readonly (readonly number[])[],
  y: readonly number[],
  weights: readonly number[],
  bias: number,
): number[] {
  const mistakes: number[] = [];
  for (let i = 0; i < X.length; i++) {
    const x = X[i] as readonly number[];
    let score = bias;
    for (let k = 0; k < x.length; k++) score += (x[k] as number) * (weights[k] as number);
    if ((y[i] as number) * score <= 0) mistakes.push(i);
  }
  return mistakes;
}
