// A page stays responsive while it trains: its timers tick. How long they have to wait is the benchmark's to tell.

import { describe, expect, test } from 'vitest';
import { hasBrowser } from './chromium.js';
import type { JobName, Sent } from './inside.js';
import { type Site, usePages } from './page.js';

const jobs: readonly JobName[] = ['primal', 'nested', 'dual', 'multiclass', 'gram'];
const sites: (readonly [Site, Sent, readonly JobName[]])[] = [
  ['plain', {}, jobs],
  ['isolated', { threads: 2 }, jobs],
  ['isolated', {}, ['primal', 'nested']],
  ['cspWithoutWasm', {}, ['primal', 'nested']],
];

const pages = usePages();

describe.runIf(hasBrowser)('a page that works in one go', () => {
  test('has no tick of its timer meanwhile', async () => {
    const { page, run } = await pages.open('plain');
    await run('prepare', 'nested');
    expect(await run('ticksNow', 'nested')).toBe(0);
    await page.close();
  });
});

describe.runIf(hasBrowser).each(sites)('a page (%s, %o)', (site, options, some) => {
  test.each(some)('has ticks of its timer while it works: %s', async (job) => {
    const { page, run } = await pages.open(site); // a new one, since what comes first takes longest
    await run('prepare', job);
    expect(await run('ticks', job, options)).toBeGreaterThan(2);
    await page.close();
  });
});
