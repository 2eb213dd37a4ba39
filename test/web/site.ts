// The built playground in a real browser, from a server of our own: under a sub-path, with headers to choose. Whatever a
// page logs as an error, or asks of another origin, fails the test that opened it.

import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve, sep } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { headers } from '../../web/vite.config.js';
import { useBrowser } from '../browser/chromium.js';

const folder = resolve(import.meta.dirname, '../../web/dist');
const require = createRequire(import.meta.url);
/** Its source: it runs in the page. */
export const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.csv': 'text/csv',
};

/** What hosts send. The page's own policy comes on top. */
const hosts = {
  /** As `npm run web`. */
  isolated: headers,
  /** As most static hosts: no threads. */
  plain: {},
  /** Wasm is forbidden: engine 'js'. */
  withoutWasm: { 'Content-Security-Policy': "script-src 'self'" },
};
type Host = keyof typeof hosts;

export const widths = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 860 } } as const;
export type Width = keyof typeof widths;

export interface OpenOptions extends BrowserContextOptions {
  readonly host?: Host;
  readonly width?: Width;
  /** Console errors that belong to the test, by what they contain. */
  readonly expected?: readonly string[];
  /** What is done to the page before it is loaded. */
  before?(page: Page): Promise<void>;
}

export interface Site {
  /** Opens an address such as '#/learn?preset=xor', or '?embed=1#/learn'. */
  open(address?: string, options?: OpenOptions): Promise<Page>;
  /** The files that were asked for, by whomever, since a page was opened. */
  readonly asked: ReadonlySet<string>;
}

/** One browser and its servers for the tests of a file. */
export function useSite(): Site {
  const browser = useBrowser();
  const servers = new Map<Host, Promise<Server>>();
  const opened: { page: Page; faults: string[] }[] = [];
  const asked = new Set<string>();

  beforeAll(() => {
    if (!existsSync(join(folder, 'index.html'))) {
      throw new Error('there is no web/dist: run `npm run build && npm run build:web` first');
    }
  });
  afterEach(async () => {
    const all = opened.splice(0);
    for (const { page } of all) await page.context().close();
    expect(all.flatMap(({ faults }) => faults)).toEqual([]);
  });
  afterAll(async () => {
    for (const server of await Promise.all(servers.values())) server.close();
  });

  return {
    asked,
    async open(address = '', { host = 'isolated', width = 'desktop', expected = [], before, ...options } = {}) {
      const server = servers.get(host) ?? serve(hosts[host], asked);
      servers.set(host, server);
      const origin = `http://localhost:${((await server).address() as AddressInfo).port}`;
      const isPhone = width === 'phone';
      const context = await browser().newContext({
        viewport: widths[width],
        ...(isPhone && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
        ...options,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const faults: string[] = [];
      const note = (text: string) => {
        if (!expected.some((part) => text.includes(part))) faults.push(text);
      };
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) note(`console: ${message.text()}`);
      });
      page.on('pageerror', (error) => note(`uncaught: ${error}`));
      page.on('crash', () => note('the page crashed'));
      page.on('request', (request) => {
        const { protocol, origin: other } = new URL(request.url());
        if (protocol !== 'blob:' && other !== origin) note(`a request to ${other}`);
      });
      page.on('response', (response) => {
        if (response.status() >= 400) note(`${response.status()} for ${response.url()}`);
      });
      opened.push({ page, faults });
      asked.clear();
      await before?.(page);
      await page.goto(`${origin}/some/folder/${address}`);
      await page.locator('main[class]:not([aria-busy])').waitFor();
      return page;
    },
  };
}

/** Faults that keep people out, found by axe; minor ones too, as all of them are ours to mend. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Through the debugger, as the page's policy allows no script but its own.
  await page.evaluate(axe);
  // Colours on their way from one to another are nobody's choice.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished.catch(() => undefined)),
    ),
  );
  return page.evaluate(async () => {
    interface Found {
      violations: {
        id: string;
        impact: string;
        help: string;
        nodes: { target: unknown[]; failureSummary: string }[];
      }[];
    }
    const { violations } = await (globalThis as unknown as { axe: { run(): Promise<Found> } }).axe.run();
    return violations.flatMap(({ id, impact, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${impact} ${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
    );
  });
}

/** What stands out to the right of the window: a page scrolls down only. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The page's files under `/some/folder/`, with these headers. */
export function serve(sent: Record<string, string>, asked: Set<string> = new Set()): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    // As narrow as a phone, where a browser's window cannot be.
    if (pathname === '/phone') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(
        `<!doctype html><title>Phone</title><iframe width="390" height="800" src="${decodeURIComponent(search.slice(1))}"></iframe>`,
      );
      return;
    }
    const path = pathname.replace(/^\/some\/folder\//, '') || 'index.html';
    const file = join(folder, decodeURIComponent(path));
    const isThere = pathname.startsWith('/some/folder/') && file.startsWith(folder + sep) && existsSync(file);
    if (isThere) asked.add(path);
    const type = types[extname(file)] ?? 'application/octet-stream';
    response.writeHead(isThere ? 200 : 404, { 'Content-Type': type, 'Cache-Control': 'no-store', ...sent });
    response.end(isThere ? readFileSync(file) : 'not found');
  });
  return new Promise((done) => server.listen(0, 'localhost', () => done(server)));
}
