// Dot products and updates of rows. Each sum has two lanes, even and odd; the last element of an odd length is in the
// even lane (docs/adr/0003). Over a whole row that is order S, over a panel a part of order P.
// float64 has functions of its own: a function that gets a single type of array runs several times faster.

/** x · w; x from element `xAt`, w from element `wAt`. */
export function dotF64(x: Float64Array, xAt: number, w: Float64Array, wAt: number, d: number): number {
  let even = 0;
  let odd = 0;
  const pairs = d - (d & 1);
  for (let k = 0; k < pairs; k += 2) {
    even += (x[xAt + k] as number) * (w[wAt + k] as number);
    odd += (x[xAt + k + 1] as number) * (w[wAt + k + 1] as number);
  }
  if (d & 1) even += (x[xAt + pairs] as number) * (w[wAt + pairs] as number);
  return even + odd;
}

/** The same for other lists; NaN if a value is not a number. */
export function dotAny(x: ArrayLike<unknown>, xAt: number, w: Float64Array, wAt: number, d: number): number {
  let even = 0;
  let odd = 0;
  for (let k = 0; k < d; k += 2) {
    const value = x[xAt + k];
    const next = k + 1 < d ? x[xAt + k + 1] : 0;
    if (typeof value !== 'number' || typeof next !== 'number') return NaN;
    even += value * (w[wAt + k] as number);
    if (k + 1 < d) odd += next * (w[wAt + k + 1] as number);
  }
  return even + odd;
}

/** w ← w + step · x. */
export function axpyF64(w: Float64Array, wAt: number, x: Float64Array, xAt: number, step: number, d: number): void {
  for (let k = 0; k < d; k++) w[wAt + k] = (w[wAt + k] as number) + step * (x[xAt + k] as number);
}

export function axpyAny(
  w: Float64Array,
  wAt: number,
  x: ArrayLike<number>,
  xAt: number,
  step: number,
  d: number,
): void {
  for (let k = 0; k < d; k++) w[wAt + k] = (w[wAt + k] as number) + step * (x[xAt + k] as number);
}
