// A short search by the fuzzer, with a fixed seed and a fixed number of inputs: it needs no luck and no clock.
//
// To search for longer, and to keep what reaches new code:
//   FUZZ_MINUTES=60 FUZZ_SEED=7 FUZZ_KEEP=1 npx vitest run --project long test/fuzz

import { expect, test } from 'vitest';
import { someOf } from '../effort.js';
import { data } from './data.js';
import { fuzz, keptInputs, type Target } from './fuzzer.js';
import { models } from './models.js';
import { tables } from './tables.js';

const { FUZZ_MINUTES, FUZZ_SEED = '1', FUZZ_KEEP } = process.env;
/** New inputs of a target, three times as many where they are quick. */
const count = someOf([8000], [400])[0]!;
const targets: Target[] = [models, data, tables];

test.each(targets)('$name: every input of the kept corpus', async (target) => {
  for (const input of keptInputs(target.name)) await target.run(input);
});

test.each(targets)(
  '$name: new inputs, guided by coverage',
  async (target) => {
    const found = await fuzz(target, {
      seed: Number(FUZZ_SEED),
      runs: target === models ? count * 3 : count,
      ...(FUZZ_MINUTES !== undefined && { minutes: Number(FUZZ_MINUTES) }),
      keeps: FUZZ_KEEP === '1',
    });
    if (FUZZ_MINUTES !== undefined) console.log(target.name, found);
    // The search does search: it found inputs that reach more than the ones it began with.
    expect(found.corpus).toBeGreaterThan(target.seeds.length + keptInputs(target.name).length / 2);
    expect(found.functions).toBeGreaterThan(40);
  },
  FUZZ_MINUTES === undefined ? undefined : 60_000 * (Number(FUZZ_MINUTES) + 10),
);
