// y = a·u + b·v, with the smallest sum of squared relative errors: a plain one would see the longest times only.

export interface Sum {
  u: number;
  v: number;
  /** Above 0. */
  y: number;
}

/** NaN where the points do not decide: fewer than two of them, or all with the same u / v. */
export function relativeFit(points: readonly Sum[]): { a: number; b: number } {
  let [uu, uv, vv, u1, v1] = [0, 0, 0, 0, 0];
  for (const { u, v, y } of points) {
    const [ru, rv] = [u / y, v / y];
    uu += ru * ru;
    uv += ru * rv;
    vv += rv * rv;
    u1 += ru;
    v1 += rv;
  }
  const determinant = uu * vv - uv * uv;
  if (!(determinant > 1e-12 * uu * vv)) return { a: Number.NaN, b: Number.NaN };
  return { a: (u1 * vv - v1 * uv) / determinant, b: (v1 * uu - u1 * uv) / determinant };
}
