// The worker of Your data holds the user's file: where the host sends the policy it can reach no other place, whatever runs in it.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { choose, example } from './datapage.js';
import { useSite } from './site.js';

const site = useSite();
let elsewhere: Server;
let asked = 0;
beforeAll(async () => {
  // Somebody who lets everybody read: only the policy can be in the way.
  elsewhere = createServer((_, response) => {
    asked++;
    const open = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
    response.writeHead(200, open).end('here');
  });
  await new Promise<void>((done) => elsewhere.listen(0, 'localhost', done));
});
afterAll(() => elsewhere.close());

/** Asks another port from inside the worker that has read a file; answers what it was told. */
async function askedFrom(host: 'isolated' | 'plain'): Promise<string> {
  const address = `http://localhost:${(elsewhere.address() as AddressInfo).port}/`;
  const page = await site.open('#/data', {
    host,
    expected: ['Content Security Policy', 'Fetch API cannot load', `a request to ${address.slice(0, -1)}`],
  });
  await choose(page, example('fruit.csv'));
  await page.locator('.data-summary').waitFor();
  const [worker] = page.workers();
  if (!worker) throw new Error('there is no worker');
  return worker.evaluate(
    (url) =>
      fetch(url).then(
        (response) => response.text(),
        () => 'refused',
      ),
    address,
  );
}

describe.runIf(hasBrowser)('the worker with the file', () => {
  test('can ask nobody else, where the host sends the policy', async () => {
    expect(await askedFrom('isolated')).toBe('refused');
    expect(asked).toBe(0);
  });

  test('could, where it does not: the page’s own policy is not the worker’s', async () => {
    expect(await askedFrom('plain')).toBe('here');
  });
});
