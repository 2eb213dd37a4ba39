// Model files, good and spoiled.

import { expect } from 'vitest';

// Bad files do not type-check, which is the point of them.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Any = any;
export type ErrorClass = new (...args: never[]) => Error;

/** 40 rows that no plane separates, with values that are not whole; one is −0. */
export const X = Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(3 * i) / 3, ((i * 7) % 11) / 7]);
(X[1] as number[])[2] = -0;
export const y = X.map(([a, b, c], i) =>
  (a as number) + (b as number) > (c as number) / 2 !== (i % 9 === 0) ? 'yes' : 'no',
);

export const bits = (values: Float64Array) => [...new BigUint64Array(values.slice().buffer)];
export const saved = (model: { toJSON(): unknown }): Any => JSON.parse(JSON.stringify(model));

/** Expects every one of these ways to load a file to refuse it so. */
export const refusesWith =
  (...loaders: ((json: unknown) => unknown)[]) =>
  (json: unknown, type: ErrorClass, message: string | RegExp): void => {
    for (const load of loaders) {
      let error: Any;
      try {
        load(json);
      } catch (thrown) {
        error = thrown;
      }
      expect(error, 'nothing was thrown').toBeDefined();
      if (typeof message === 'string') expect(error.message).toBe(message);
      else expect(error.message).toMatch(message);
      expect(error.constructor).toBe(type);
    }
  };

/** A file with the value at a path such as 'training.random[0]' replaced; undefined takes the field away. */
export function spoil(file: Any, path: string, value: unknown): Any {
  const json = structuredClone(file);
  const keys = path.split(/[.[\]]+/).filter(Boolean);
  const last = keys.pop() as string;
  const owner = keys.reduce((at, key) => at[key], json);
  if (value === undefined && !Array.isArray(owner)) delete owner[last];
  else owner[last] = value;
  return json;
}
