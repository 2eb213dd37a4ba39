// A connection to Redis that has been tried: the optional peers are loaded here, and what goes wrong says what to do about it.

import type { Redis } from 'ioredis';
import { messageOf, show } from '../errors.js';

type Bull = typeof import('bullmq');

export interface Connection {
  readonly redis: Redis;
  readonly bull: Bull;
  /** Where it is, without user and password. */
  readonly place: string;
  close(): Promise<void>;
}

/** The peers, loaded at the first call. @throws Error if they are not installed */
async function loadPeers(): Promise<{ bull: Bull; IORedis: typeof Redis }> {
  try {
    const [bull, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bull, IORedis: ioredis.Redis };
  } catch (error) {
    throw new Error('perceptron-wasm/cluster needs bullmq and ioredis: run npm install bullmq ioredis', {
      cause: error,
    });
  }
}

/** A checked address. The password stays out of messages. @throws TypeError or RangeError */
function placeOf(url: unknown): string {
  if (typeof url !== 'string')
    throw new TypeError(`"url" must be an address such as 'redis://host:6379', got ${show(url)}`);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || (parsed.protocol !== 'redis:' && parsed.protocol !== 'rediss:') || parsed.hostname === '') {
    throw new RangeError(
      `"url" must begin with redis:// or rediss:// and name a host, got ${show(withoutSecrets(url))}`,
    );
  }
  return `${parsed.protocol}//${parsed.hostname}:${parsed.port || 6379}`;
}

/** What is wrong with an address shows without what may be a password: before the last @, or in a query. */
const withoutSecrets = (url: string): string => url.replace(/^(\w+:\/\/)?.*@/s, '$1…@').replace(/\?.*/s, '?…');

/** Longest pause between two attempts to connect again, in milliseconds. */
const MOST_PAUSE_MS = 1000;

/** BullMQ's scripts want so much. */
const LEAST_VERSION = [6, 2] as const;

export interface Connecting {
  readonly timeoutMs: number;
  /** How long commands may be without an answer before the connection counts as broken: a machine without power says nothing. */
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
  /** Called with what is unwise about the server, and when it goes away and comes back. */
  readonly warn: (warning: string) => void;
}

/**
 * Connects, and asks the server how it is set up. Afterwards the connection comes back by itself, and commands wait for it.
 * @throws TypeError or RangeError for a wrong address; Error if the server does not answer in `timeoutMs`, or refuses the password
 */
export async function openConnection(
  url: string,
  { timeoutMs, silenceMs, signal, warn }: Connecting,
): Promise<Connection> {
  const place = placeOf(url);
  const { bull, IORedis } = await loadPeers();
  signal?.throwIfAborted();
  let isOpen = false;
  let last: Error | undefined;
  const redis = new IORedis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    socketTimeout: silenceMs,
    maxRetriesPerRequest: null, // BullMQ's condition; they wait while the connection comes back
    retryStrategy: (times) => (isOpen ? Math.min(50 * 2 ** times, MOST_PAUSE_MS) : null),
  });
  // Without a listener an error would end the process.
  redis.on('error', (error) => {
    last = error;
  });
  const close = async () => {
    isOpen = false;
    redis.disconnect();
  };
  try {
    const info = await within(timeoutMs, signal, async () => {
      await redis.connect();
      return await redis.info().catch((error: Error) => {
        if (error.message.startsWith('NOPERM')) return ''; // a user that may not ask: nothing to warn of
        throw error;
      });
    });
    isOpen = true;
    let isAway = false;
    redis.on('close', () => {
      if (isOpen && !isAway) warn(`Redis at ${place} went away: waiting for it to come back`);
      isAway = true;
    });
    redis.on('ready', () => {
      if (isOpen && isAway) warn(`Redis at ${place} is back`);
      isAway = false;
    });
    for (const warning of warningsFrom(info)) warn(warning);
    return { redis, bull, place, close };
  } catch (error) {
    await close();
    signal?.throwIfAborted();
    throw refused(place, timeoutMs, last ?? error);
  }
}

/** The error of a server that was not reached, in words that name the remedy. */
function refused(place: string, timeoutMs: number, cause: unknown): Error {
  const said = messageOf(cause);
  if (/^(WRONGPASS|NOAUTH|ERR invalid password)/.test(said)) {
    const which = said.startsWith('NOAUTH') ? 'wants a password' : 'refuses this user or password';
    return new Error(
      `Redis at ${place} ${which}: put both into the address, redis://USER:PASSWORD@HOST:PORT (USER may be empty)`,
      { cause },
    );
  }
  const why = cause instanceof TimeoutError ? `no answer in ${timeoutMs} ms` : said;
  return new Error(`Redis at ${place} cannot be reached (${why}): is it running, and is the address right?`, { cause });
}

class TimeoutError extends Error {}

/** The result of `work`, unless that takes longer, or the signal aborts. */
async function within<T>(ms: number, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  let end = () => {};
  const ended = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError()), ms);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([work(), ended]);
  } finally {
    end();
  }
}

/** What is unwise about a server, by what it answers to INFO. */
export function warningsFrom(info: string): string[] {
  const fieldOf = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const warnings: string[] = [];
  const policy = fieldOf('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    warnings.push(
      `this Redis drops keys when it is full (maxmemory-policy ${policy}), and jobs with them: give the cluster one of its own, with noeviction`,
    );
  }
  const version = fieldOf('redis_version');
  const [major = 0, minor = 0] = version?.split('.').map(Number) ?? [Infinity];
  const [least, point] = LEAST_VERSION;
  if (major < least || (major === least && minor < point)) {
    warnings.push(`this Redis is version ${version}: BullMQ wants ${least}.${point} or later`);
  }
  if (fieldOf('redis_mode') === 'cluster') {
    warnings.push('this is a Redis Cluster, which splits keys among servers: give the workers a single server');
  }
  return warnings;
}
