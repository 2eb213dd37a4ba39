// A Redis of the test's own: on a free port of the loopback, with its files in a temporary folder, ended with the test.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** The server to test with: that in REDIS_SERVER, or on the PATH. Undefined: there is none. */
export const program: string | undefined = [process.env.REDIS_SERVER, 'redis-server'].find((name) => {
  if (!name) return false;
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});
if (!program) console.log('tests of the cluster are skipped: there is no redis-server (REDIS_SERVER, or on the PATH)');

export interface Server {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** A connection to look with. */
  readonly redis: Redis;
  /** Ends the process as a power cut would. */
  kill(): Promise<void>;
  /** Lets it stand still: it keeps its connections, and answers nothing. Or go on. */
  pause(): void;
  resume(): void;
  /** Starts it again, with what it has on its disk. */
  start(): Promise<void>;
  /** Ends it and removes its files. */
  end(): Promise<void>;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Whether somebody listens. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a server; `settings` are lines of its configuration. */
export async function startRedis(...settings: string[]): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'perceptron-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const redis = new Redis({ port, lazyConnect: true, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on('error', () => {}); // it is killed in tests
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve();
      const ending = child;
      child.once('exit', () => {
        running.delete(ending);
        resolve();
      });
      child.kill(signal);
    });
  const server: Server = {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    redis,
    async start() {
      const isTls = settings.includes('tls');
      const words = settings
        .filter((line) => line !== 'tls')
        .flatMap((line) => {
          const [name, ...values] = line.split(' ');
          return [`--${name}`, ...values];
        });
      const base = [
        ...(isTls ? ['--port', '0', '--tls-port', `${port}`] : ['--port', `${port}`]),
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
        '--save',
        '',
        '--maxmemory-policy',
        'noeviction',
      ];
      child = spawn(program as string, [...base, ...words], { stdio: 'ignore' });
      running.add(child);
      while (!(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    kill: () => end('SIGKILL'),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async end() {
      redis.disconnect();
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  if (!settings.some((line) => /^(requirepass|tls)/.test(line))) await redis.connect().catch(() => {});
  return server;
}
