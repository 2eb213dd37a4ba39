// Exact rational numbers for tests: every float64 is an integer times a power of two.

export interface Ratio {
  readonly top: bigint;
  readonly bottom: bigint;
}

export const ratio = (top: bigint, bottom = 1n): Ratio =>
  bottom < 0n ? { top: -top, bottom: -bottom } : { top, bottom };

/** A float64 as it is. */
export function exactly(x: number): Ratio {
  let bottom = 1n;
  let value = x;
  while (!Number.isInteger(value)) {
    value *= 2;
    bottom *= 2n;
  }
  return ratio(BigInt(value), bottom);
}

export const plus = (a: Ratio, b: Ratio): Ratio => ratio(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
export const times = (a: Ratio, b: Ratio): Ratio => ratio(a.top * b.top, a.bottom * b.bottom);
export const minus = (a: Ratio, b: Ratio): Ratio => plus(a, { top: -b.top, bottom: b.bottom });
export const over = (a: Ratio, b: Ratio): Ratio => ratio(a.top * b.bottom, a.bottom * b.top);
export const isAtMost = (a: Ratio, b: Ratio): boolean => a.top * b.bottom <= b.top * a.bottom;
const dot = (a: readonly Ratio[], b: readonly Ratio[]): Ratio =>
  a.reduce((sum, v, k) => plus(sum, times(v, b[k] as Ratio)), ratio(0n));

/** The squared distance of the origin to the segment from p to q, from p·p, p·q and q·q. */
function squaredDistance(pp: Ratio, pq: Ratio, qq: Ratio): Ratio {
  if (isAtMost(pp, pq)) return pp;
  if (isAtMost(qq, pq)) return qq;
  return over(minus(times(pp, qq), times(pq, pq)), minus(plus(pp, qq), plus(pq, pq)));
}

/** The exact square of the best margin of two rows of opposite classes, with a constant feature B. */
export function squaredMargin(rows: readonly (readonly number[])[], scaling: number): Ratio {
  const [p, q] = rows.map((row, i) => [...row, scaling].map((v) => exactly(i === 0 ? v : -v))) as [Ratio[], Ratio[]];
  return squaredDistance(dot(p, p), dot(p, q), dot(q, q));
}

/** Whether lower ≤ γ ≤ upper, for γ ≥ 0 with this square. */
export function isBracket({ lower, upper }: { lower: number; upper: number }, squared: Ratio): boolean {
  const isLow = lower <= 0 || isAtMost(times(exactly(lower), exactly(lower)), squared);
  return isLow && (upper === Infinity || (upper >= 0 && isAtMost(squared, times(exactly(upper), exactly(upper)))));
}
