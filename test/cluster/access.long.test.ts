// Passwords, users with few rights, encryption, and servers that are set up unwisely: tried on servers that are set up so.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { connectCluster, startWorker } from '../../src/cluster/index.js';
import { Perceptron } from '../../src/index.js';
import { program, type Server, startRedis } from './redis.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'perceptron-access-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
writeFileSync(
  join(root, 'rows.svm'),
  Array.from({ length: 40 }, (_, i) => `${i % 2} 1:${(i % 2) + 0.1 * (i % 5)} 2:${i}`).join('\n'),
);

describe.runIf(program)('a server', () => {
  let server: Server;
  afterEach(() => server.end());

  test('a user with the rights of docs/cluster.md, and no more, can be worker and coordinator', async () => {
    server = await startRedis('user perceptron on >geheim ~perceptron-wasm:* +@all -@admin -@dangerous +info');
    const url = server.url.replace('//', '//perceptron:geheim@');
    const worker = await startWorker({ url, dataRoot: root, threads: 1 });
    const cluster = await connectCluster({ url, patienceMs: 20_000 });
    const { folds } = await cluster.crossValidate(new Perceptron(), { data: 'rows.svm', folds: 4 });
    expect(folds).toHaveLength(4);
    const mixed = await cluster.trainMixed(new Perceptron(), {
      shards: ['rows.svm'],
      classes: [0, 1],
      cols: 2,
      maxEpochs: 2,
    });
    expect(mixed.report.epochs).toBe(2);
    await cluster.close();
    await worker.close();
  });

  test('a worker whose user has too few rights is refused at once', async () => {
    server = await startRedis('user perceptron on >geheim ~perceptron-wasm:* +@read +@connection +info');
    const url = server.url.replace('//', '//perceptron:geheim@');
    await expect(startWorker({ url, dataRoot: root })).rejects.toThrow(/NOPERM/);
  });

  test('without a password, or with a wrong one, the error says what is wanted and keeps the secret', async () => {
    server = await startRedis('requirepass geheim');
    const call = (secret: string) => connectCluster({ url: server.url.replace('//', `//${secret}`) });
    await expect(call('')).rejects.toThrow(
      /^Redis at redis:\/\/127.0.0.1:\d+ wants a password: put both into the address, redis:\/\/USER:PASSWORD@HOST:PORT/,
    );
    await expect(call(':falsch@')).rejects.toThrow(/^Redis at redis:\/\/127.0.0.1:\d+ refuses this user or password/);
    await (await call(':geheim@')).close();
  });

  test('a server that drops keys when it is full is warned of', async () => {
    server = await startRedis('maxmemory-policy allkeys-lru');
    const warnings: string[] = [];
    await (await connectCluster({ url: server.url, onWarning: (warning) => warnings.push(warning) })).close();
    expect(warnings).toEqual([
      expect.stringMatching(/^this Redis drops keys when it is full \(maxmemory-policy allkeys-lru\)/),
    ]);
  });

  test('rediss:// works with a certificate of one’s own authority, and is refused without it', async () => {
    const at = (name: string) => join(root, name);
    const openssl = (...args: string[]) =>
      execFileSync('sh', ['-c', 'openssl "$@"', 'sh', ...args], { stdio: 'ignore' });
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      at('ca.key'),
      '-out',
      at('ca.pem'),
      '-subj',
      '/CN=test-ca',
    );
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      at('key.pem'),
      '-out',
      at('server.csr'),
      '-subj',
      '/CN=127.0.0.1',
    );
    writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1');
    openssl(
      'x509',
      '-req',
      '-in',
      at('server.csr'),
      '-CA',
      at('ca.pem'),
      '-CAkey',
      at('ca.key'),
      '-CAcreateserial',
      '-days',
      '2',
      '-out',
      at('cert.pem'),
      '-extfile',
      at('names'),
    );
    server = await startRedis(
      'tls',
      `tls-cert-file ${at('cert.pem')}`,
      `tls-key-file ${at('key.pem')}`,
      `tls-ca-cert-file ${at('ca.pem')}`,
      'tls-auth-clients no',
    );
    const url = server.url.replace('redis:', 'rediss:');
    await expect(connectCluster({ url, connectTimeoutMs: 5000 })).rejects.toThrow(
      /cannot be reached \(.*(certificate|self-signed).*\)/,
    );
    // Node reads certificates of authorities at its start.
    const entry = pathToFileURL(resolve(import.meta.dirname, '../../dist/cluster.js')).href;
    const start = (what: string, options: object) => {
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, 'process.mjs'), entry, what, JSON.stringify({ url, ...options })],
        {
          env: { ...process.env, NODE_EXTRA_CA_CERTS: at('ca.pem') },
          stdio: ['pipe', 'pipe', 'inherit'],
        },
      );
      return { child, lines: createInterface(child.stdout) };
    };
    const worker = start('worker', { dataRoot: root, threads: 1 });
    const coordinator = start('mix', { shards: ['rows.svm'], classes: [0, 1], cols: 2, maxEpochs: 2 });
    const said: string[] = [];
    for await (const line of coordinator.lines) said.push(line);
    expect(said.slice(0, 2)).toEqual(['epoch 1', 'epoch 2']);
    worker.child.kill('SIGTERM');
    await new Promise((done) => worker.child.once('exit', done));
  });
});
