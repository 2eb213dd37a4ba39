// Dot products and updates of rows. Each sum has two lanes, even and odd; the last element of an odd length is in the
// even lane (docs/adr/0003). Over a whole row that is order S, over a panel a part of order P.
// One function for each type of x: a function that gets a single type of array runs several times faster.

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

export function dotF32(x: Float32Array, xAt: number, w: Float64Array, wAt: number, d: number): number {
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

/** Integers of one of three types: reading them is the smaller part of the work. */
export type Integers = Uint8Array | Int8Array | Int16Array;

export function dotInts(x: Integers, xAt: number, w: Float64Array, wAt: number, d: number): number {
  let even = 0;
  let odd = 0;
  for (let k = 0; k < d; k++) {
    const product = (x[xAt + k] as number) * (w[wAt + k] as number);
    if (k & 1) odd += product;
    else even += product;
  }
  return even + odd;
}

/** w ← w + step · x. */
export function axpyF64(w: Float64Array, wAt: number, x: Float64Array, xAt: number, step: number, d: number): void {
  for (let k = 0; k < d; k++) w[wAt + k] = (w[wAt + k] as number) + step * (x[xAt + k] as number);
}

export function axpyF32(w: Float64Array, wAt: number, x: Float32Array, xAt: number, step: number, d: number): void {
  for (let k = 0; k < d; k++) w[wAt + k] = (w[wAt + k] as number) + step * (x[xAt + k] as number);
}

export function axpyInts(w: Float64Array, wAt: number, x: Integers, xAt: number, step: number, d: number): void {
  for (let k = 0; k < d; k++) w[wAt + k] = (w[wAt + k] as number) + step * (x[xAt + k] as number);
}
