// Splits and joins lists of support vectors: an object with their rows, and lists with a number for each, some of them class by class.

import { concat, joinKept, type KeptRows, partOfKept } from '../data/kept.js';

type List = Float64Array | Uint32Array | Int8Array;
type Lists = List | readonly List[] | undefined;

/** The same object with other rows and lists. */
function mapped<S extends { readonly data: KeptRows }>(
  s: S,
  data: KeptRows,
  map: (lists: Lists, name: string) => Lists,
): S {
  const result: Record<string, unknown> = { ...s, data };
  for (const name in s) if (name !== 'data') result[name] = map(s[name] as Lists, name);
  return result as S;
}

const isNested = (lists: Lists): lists is readonly List[] => Array.isArray(lists);

/** The first `count` support vectors. */
export const firstOf = <S extends { readonly data: KeptRows }>(supports: S, count: number): S =>
  mapped(supports, partOfKept(supports.data, 0, count), (lists) =>
    isNested(lists) ? lists.map((list) => list.slice(0, count)) : lists?.slice(0, count),
  );

/** The support vectors of a, then those of b. Lists that one of them lacks are left out. */
export function joined<S extends { readonly data: KeptRows }>(a: S, b: S): S {
  const both = (x: List, y: List): List => concat(x.constructor as new (length: number) => List, x, y);
  return mapped(a, joinKept(a.data, b.data), (x, name) => {
    const y = b[name as keyof S] as Lists;
    if (!x || !y) return undefined;
    return isNested(x) ? x.map((list, k) => both(list, (y as readonly List[])[k] as List)) : both(x, y as List);
  });
}
