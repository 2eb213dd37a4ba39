// The program in a page: of Chromium, Firefox or WebKit, from a server of ours, isolated or not.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openChromium } from '../../test/drivers/chromium.js';
import type { Driven } from '../../test/drivers/driven.js';
import { bundle } from './bundle.js';
import type { Outcome } from './program.js';

/** With these headers a page may share memory with its workers. */
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** Asks a browser of this version to run a script in the page of an address. */
export type Ask = (url: string, script: string) => Promise<{ version: string; answer: unknown }>;

/** Runs the program in a page. */
export async function inPage(isIsolated: boolean, every: number, ask: Ask): Promise<Outcome & { version: string }> {
  const program = await bundle('index');
  const server = createServer(({ url }, response) => {
    const isProgram = url === '/program.mjs';
    const type = isProgram ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(200, { 'Content-Type': type, ...(isIsolated && ISOLATED) });
    response.end(isProgram ? program : '<!doctype html><title>digest</title>');
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', () => done()));
  try {
    const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
    const script = `const { digest } = await import('/program.mjs');
      return { ...(await digest(${every})), isIsolated: crossOriginIsolated };`;
    const { version, answer } = await ask(url, script);
    const outcome = answer as Outcome & { isIsolated: boolean };
    if (outcome.isIsolated !== isIsolated) throw new Error(`crossOriginIsolated is ${outcome.isIsolated}`);
    return { version, ...outcome };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export const inChromium: Ask = async (url, script) => {
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(url);
    return { version: browser.version(), answer: await page.evaluate(`(async () => { ${script} })()`) };
  } finally {
    await browser.close();
  }
};

/** In a browser that is driven by WebDriver. */
export const inDriven =
  (open: () => Promise<Driven>): Ask =>
  async (url, script) => {
    const browser = await open();
    try {
      await browser.goto(url);
      return { version: browser.version, answer: await browser.evaluate(script) };
    } finally {
      await browser.close();
    }
  };
