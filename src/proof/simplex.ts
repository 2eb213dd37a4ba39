// λ ≥ 0 with Σ λ_j a_j = 0 and Σ λ_j = 1, or a plane w·a_j > 0 for all j: exactly one of them exists (Gordan 1873).
// A dual simplex method without costs in integers: rows of M / d are those of the inverse of the basis, and d is its determinant,
// so that every division is exact (Edmonds 1967; Bareiss 1968). Bland's rule makes it end.

export type Exact = { readonly samples: number[]; readonly lambdas: bigint[] } | { readonly plane: bigint[] };

export const bitsOf = (v: bigint): number => (v < 0n ? -v : v).toString(16).length * 4;

export interface Columns {
  readonly count: number;
  /** The length of a column, with the 1 at its end. */
  readonly size: number;
  /** a_j and a 1, in integers. */
  column(j: number): bigint[];
  /** The first j for which sign · row·a_j > 0; −1 if there is none. */
  find(row: readonly bigint[], sign: number): number;
}

/** `start`: columns that are likely to be the support. undefined if it takes more than `effort`, about in nanoseconds. */
export function solveExactly(
  { size, column, find }: Columns,
  start: readonly number[],
  effort: number,
): Exact | undefined {
  const M = Array.from({ length: size }, (_, r) => Array.from({ length: size }, (_, k) => BigInt(r === k)));
  const basis = new Array<number>(size).fill(-1); // −1: none yet, and the row's value has to be 0
  let d = 1n;
  let left = effort;
  const times = (row: readonly bigint[], a: readonly bigint[]) =>
    row.reduce((sum, v, k) => sum + v * (a[k] as bigint), 0n);
  const enter = (j: number, r: number, entries: readonly bigint[]) => {
    const pivot = entries[r] as bigint;
    const by = M[r] as bigint[];
    const words = bitsOf(pivot) / 64;
    M.forEach((row, i) => {
      if (i === r) return;
      const entry = entries[i] as bigint;
      for (let k = 0; k < size; k++) {
        const [own, other] = [row[k] as bigint, by[k] as bigint];
        if (own === 0n && other === 0n) continue;
        row[k] = (pivot * own - entry * other) / d;
        left -= 256 + words * words;
      }
    });
    d = pivot;
    basis[r] = j;
    if (d > 0n) return;
    d = -d;
    M.forEach((row, i) => {
      M[i] = row.map((v) => -v);
    });
  };
  for (const j of start) {
    const a = column(j);
    const entries = M.map((row) => times(row, a));
    const r = entries.findIndex((v, i) => v !== 0n && basis[i] === -1);
    if (r >= 0) enter(j, r, entries);
    if (left < 0) return undefined;
  }
  while (left > 0) {
    let r = -1;
    basis.forEach((j, i) => {
      const value = M[i]?.[size - 1] as bigint;
      if ((j < 0 ? value !== 0n : value < 0n) && (r < 0 || j < (basis[r] as number))) r = i;
    });
    if (r < 0) {
      const samples = basis.flatMap((j, i) => (j >= 0 && M[i]?.[size - 1] !== 0n ? [i] : []));
      return {
        samples: samples.map((i) => basis[i] as number),
        lambdas: samples.map((i) => M[i]?.[size - 1] as bigint),
      };
    }
    const row = M[r] as bigint[];
    const sign = (row[size - 1] as bigint) < 0n ? -1 : 1;
    const j = find(row, sign);
    if (j < 0) return { plane: row.slice(0, -1).map((v) => (sign > 0 ? -v : v)) };
    const a = column(j);
    enter(
      j,
      r,
      M.map((other) => times(other, a)),
    );
  }
  return undefined;
}
