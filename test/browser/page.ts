// Pages that have the built library, from a server of our own with headers to choose, and calls of inside.ts in them.

import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { hasBrowser, useBrowser } from './chromium.js';
import type * as inside from './inside.js';

export const root = resolve(import.meta.dirname, '../..');

const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const policy = (text: string) => ({ ...isolation, 'Content-Security-Policy': text });

/** What a site may send with every file. */
const headers = {
  isolated: isolation,
  credentialless: { ...isolation, 'Cross-Origin-Embedder-Policy': 'credentialless' },
  plain: {},
  /** No eval, and workers from files alone. */
  csp: policy("script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"),
  /** What the docs ask for where workers are inlined. */
  cspBlob: policy("script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:"),
  cspWithoutWasm: policy("script-src 'self'"),
  trustedTypes: policy("script-src 'self' 'wasm-unsafe-eval' blob:; require-trusted-types-for 'script'"),
};
export type Site = keyof typeof headers;

type Inside = typeof inside;
type Action = {
  [K in keyof Inside]: Inside[K] extends (library: never, ...args: never[]) => unknown ? K : never;
}[keyof Inside];
type Args<K extends Action> = Inside[K] extends (library: never, ...args: infer A) => unknown ? A : never;
type Result<K extends Action> = Inside[K] extends (library: never, ...args: never[]) => infer R ? Awaited<R> : never;

/** A page of the site that has loaded the library. */
export interface Opened {
  readonly page: Page;
  /** Calls a function of inside.ts there, and gives what it answers. */
  run<K extends Action>(action: K, ...args: Args<K>): Promise<Result<K>>;
  /** What went wrong in the page without anybody catching it. */
  readonly errors: string[];
}

export interface Pages {
  open(site: Site, library?: string): Promise<Opened>;
  /** More files of all sites, by path: scripts. */
  readonly files: Map<string, string>;
}

const html = (library: string) => `<!doctype html><title>test</title><link rel="icon" href="data:,">
<script type="module" src="/start.js?library=${encodeURIComponent(library)}"></script>`;

const start = `const library = await import(new URL(import.meta.url).searchParams.get('library'));
const inside = await import('/inside.js');
globalThis.run = (action, args) => inside[action](library, ...args);`;

function insideScript(): string {
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
  return transpileModule(readFileSync(join(import.meta.dirname, 'inside.ts'), 'utf8'), { compilerOptions }).outputText;
}

const threadCounts: (readonly [Site, number])[] = [
  ['plain', 1],
  ['isolated', 1],
  ['isolated', 2],
];

/** Tests in one page for each number of threads, without and with isolation; what nobody catches there fails. */
export function inEachPage(pages: Pages, tests: (opened: () => Opened, threads: number) => void): void {
  describe.runIf(hasBrowser).each(threadCounts)('in a page (%s, %i threads)', (site, threads) => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await pages.open(site);
    });
    afterAll(async () => {
      expect(opened.errors).toEqual([]);
      await opened.page.close();
    });
    tests(() => opened, threads);
  });
}

/** One browser for the tests of a file, and a server for each site that they open. */
export function usePages(): Pages {
  const browser = useBrowser();
  const files = new Map([['/start.js', start]]);
  const servers = new Map<Site, Promise<Server>>();

  beforeAll(() => {
    if (!existsSync(join(root, 'dist/index.js'))) throw new Error('there is no dist/: run `npm run build` first');
    files.set('/inside.js', insideScript());
  });
  afterAll(async () => {
    for (const server of await Promise.all(servers.values())) server.close();
  });

  const serverOf = (site: Site) => {
    const known = servers.get(site) ?? serve(headers[site], files);
    servers.set(site, known);
    return known;
  };
  return {
    files,
    async open(site, library = '/dist/index.js') {
      const { port } = (await serverOf(site)).address() as AddressInfo;
      const page = await browser().newPage();
      page.setDefaultTimeout(60_000);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('crash', () => errors.push('the page crashed'));
      await page.goto(`http://localhost:${port}/?library=${encodeURIComponent(library)}`);
      return {
        page,
        errors,
        run: async (action, ...args) => {
          await page.waitForFunction(() => 'run' in globalThis);
          type Run = { run(action: string, args: unknown[]): unknown };
          return page.evaluate(([name, given]) => (globalThis as unknown as Run).run(name, given), [
            action,
            args,
          ] as const) as never;
        },
      };
    },
  };
}

function serve(sent: Record<string, string>, files: ReadonlyMap<string, string>): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [status, type, body] = answer(url, files);
    const send = () =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...sent }).end(body);
    setTimeout(send, Number(url.searchParams.get('wait') ?? 0));
  });
  return new Promise((done) => server.listen(0, 'localhost', () => done(server)));
}

function answer(
  { pathname, searchParams }: URL,
  files: ReadonlyMap<string, string>,
): [number, string, string | Buffer] {
  const script = files.get(pathname);
  if (script !== undefined) return [200, 'text/javascript', script];
  if (pathname === '/') return [200, 'text/html', html(searchParams.get('library') ?? '')];
  // As hosts of single-page applications do: the page itself for what they do not know.
  if (pathname === '/unknown') return [200, 'text/html', html('/dist/index.js')];
  const file = join(root, pathname);
  return /^\/dist\/[\w.-]+\.js$/.test(pathname) && existsSync(file)
    ? [200, 'text/javascript', readFileSync(file)]
    : [404, 'text/plain', 'not found'];
}
