// The library once more, in memory that is shared or not.

import { expect, vi } from 'vitest';

/** Another copy of the library. Call vi.unstubAllGlobals() afterwards. */
export async function anotherCopy(isolated: boolean): Promise<typeof import('../../src/index.js')> {
  vi.resetModules();
  vi.stubGlobal('crossOriginIsolated', isolated);
  const [all, { resolveEngine: resolve }] = await Promise.all([
    import('../../src/index.js'),
    import('../../src/engine/engine.js'),
  ]);
  expect(resolve('auto').arena.backing.shared).toBe(isolated);
  return all;
}
