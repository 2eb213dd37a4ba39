// Where the dual form overtakes the primal, from times at several numbers of passes.

interface Point {
  epochs: number;
  primalMs: number;
  dualMs: number;
}

/**
 * From how many passes on the dual form stays the faster one, on straight lines between the logarithms of passes and of
 * primal / dual; points in any order. 0: it is from the first point on; Infinity: not even at the last.
 */
export function crossingOf(points: readonly Point[]): number {
  const sorted = [...points].sort((a, b) => a.epochs - b.epochs);
  const leads = sorted.map(({ primalMs, dualMs }) => Math.log(primalMs / dualMs));
  const before = leads.findLastIndex((lead) => lead < 0);
  if (before < 0) return 0;
  if (before === sorted.length - 1) return Infinity;
  const [from, to] = [sorted[before] as Point, sorted[before + 1] as Point];
  const [behind, ahead] = [leads[before] as number, leads[before + 1] as number];
  const share = -behind / (ahead - behind);
  return from.epochs * (to.epochs / from.epochs) ** share;
}

/** How many times one is the other, or the other the one: 1 where they agree. */
export const factorBetween = (one: number, other: number): number => Math.max(one / other, other / one);
