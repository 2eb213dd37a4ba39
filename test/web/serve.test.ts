// `npm run web`, as a real process: what it sends is what threads need, and what keeps workers from the network.

import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
let server: ChildProcess | undefined;
afterEach(() => server?.kill());

test('the playground is served with the headers that isolate a page, and says where', async () => {
  // The last part of the command; the parts before it build, which is done.
  server = spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'preview', 'web', '--port', '0'], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
  });
  let said = '';
  const address = await new Promise<string>((done, fail) => {
    const look = (text: Buffer) => {
      said += text;
      const found = /http:\/\/localhost:\d+\//.exec(said);
      if (found) done(found[0]);
    };
    server?.stdout?.on('data', look);
    server?.stderr?.on('data', look);
    server?.on('exit', (code) => fail(new Error(`it ended with ${code}: ${said}`)));
  });
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(response.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  const html = await response.text();
  // A worker has the policy that its own file is sent with, not the page's.
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'self'");
  expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy}"`);
  const [script] = /assets\/[\w-]+\.js/.exec(html) ?? [];
  expect((await fetch(new URL(script as string, address))).headers.get('content-security-policy')).toBe(policy);
  expect(html).toContain('<title>Perceptron playground</title>');
});
