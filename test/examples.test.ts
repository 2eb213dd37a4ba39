// The programs of examples/ run as their first lines say.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const file = resolve(import.meta.dirname, '../examples/spam-filter.mjs');

describe('examples/spam-filter.mjs', () => {
  let server: ChildProcess;
  let address: string;

  beforeAll(async () => {
    server = spawn(process.execPath, [file], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
    [address] = (await once(lines, 'line')) as [string];
  });

  afterAll(async () => {
    server.kill();
    await once(server, 'exit');
  });

  const ask = async (body: string) => (await fetch(address, { method: 'POST', body })).json();

  test('tells spam from other messages, and which words decided', async () => {
    expect(await ask('Claim your free prize now')).toMatchObject({
      kind: 'spam',
      because: expect.arrayContaining(['prize']),
    });
    expect(await ask('The meeting is at noon, can you bring the notes?')).toMatchObject({ kind: 'ham' });
    expect(await ask('')).toMatchObject({ because: [] });
  });

  test('refuses a message that is too long', async () => {
    expect((await fetch(address, { method: 'POST', body: 'x'.repeat(20_000) })).status).toBe(413);
  });

  test('has fewer than 25 lines', () => {
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThan(25);
  });
});
