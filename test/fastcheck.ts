// fast-check with a fixed seed, so that a run of the tests needs no luck. TEST_SEED=7 tries other cases, TEST_SEED=random any.
// Tests import 'fast-check' by its name; vitest.config.ts puts this file in its place.

import fc from '../node_modules/fast-check/lib/fast-check.js';

const { TEST_SEED: seed = '1' } = process.env;
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

export default fc;
