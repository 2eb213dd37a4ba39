// What the suites of hostile input share: callers whose arguments answer differently each time they are asked, and witnesses that
// no other matrix was touched.

import { expect } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import { DenseMatrix, type Engine } from '../../src/index.js';
import type { Any } from './refusals.js';

/** Sizes of the holes that blocks of a small call fit in: whoever writes behind its block writes into a witness. */
const HOLES = [2, 2, 2, 4, 4, 8, 8, 16, 32, 64, 256, 1024];

/**
 * Calls `act` in a memory where a live matrix lies behind every hole. Every witness must keep every byte, and no block may stay.
 * Returns the result, or the error as it was thrown.
 */
export function amongWitnesses<T>(act: () => T, engine?: Engine): T | Error {
  const { witnesses, check } = surround(engine);
  try {
    return settle(act);
  } finally {
    check();
    for (const witness of witnesses) witness.dispose();
  }
}

/** As `amongWitnesses`, for promises. */
export async function amongWitnessesAsync<T>(act: () => Promise<T>, engine?: Engine): Promise<T | Error> {
  const { witnesses, check } = surround(engine);
  try {
    return await act().catch(asError);
  } finally {
    check();
    for (const witness of witnesses) witness.dispose();
  }
}

function surround(engine: Engine | undefined) {
  const options = engine && { engine };
  const { arena } = resolveEngine(engine);
  const holes: DenseMatrix[] = [];
  const witnesses: DenseMatrix[] = [];
  for (const [k, size] of HOLES.entries()) {
    holes.push(DenseMatrix.allocate(1, size, options));
    const witness = DenseMatrix.allocate(1, 64, options);
    witness.data.fill(1000 + k);
    witnesses.push(witness);
  }
  for (const hole of holes) hole.dispose();
  const { liveBytes, blocks } = arena.usage;
  const check = () => {
    for (const [k, { data }] of witnesses.entries()) {
      expect(
        data.every((value) => value === 1000 + k),
        `witness ${k} was written to`,
      ).toBe(true);
    }
    expect(arena.usage).toMatchObject({ liveBytes, blocks });
  };
  return { witnesses, check };
}

function settle<T>(act: () => T): T | Error {
  try {
    return act();
  } catch (error) {
    return asError(error);
  }
}

function asError(error: unknown): Error {
  if (error instanceof Error) return error;
  throw error;
}

/** Calls `act`, which must throw a TypeError or a RangeError with this message, among witnesses. */
export function refusesHostile(act: () => unknown, message: string | RegExp, engine?: Engine): void {
  const error = amongWitnesses(act, engine);
  expect(error, 'nothing was thrown').toBeInstanceOf(Error);
  expect([TypeError, RangeError]).toContain((error as Error).constructor);
  if (typeof message === 'string') expect((error as Error).message).toBe(message);
  else expect((error as Error).message).toMatch(message);
}

/** An object with `values`, of which `key` gives one answer after the other, and then the last one for ever. */
export function fickle<T extends object>(values: T, key: PropertyKey, ...answers: unknown[]): Any {
  let asked = 0;
  return Object.defineProperty({ ...values }, key, {
    enumerable: true,
    get: () => answers[Math.min(asked++, answers.length - 1)],
  });
}

/** A list whose item i is asked for with a call. */
export const lazy = <T>(length: number, item: (i: number) => T): ArrayLike<T> =>
  new Proxy({ length } as ArrayLike<T>, {
    get: (target, key) => (typeof key === 'string' && /^\d+$/.test(key) ? item(Number(key)) : Reflect.get(target, key)),
  });
