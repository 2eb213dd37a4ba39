// How soon the playground can be used, on a processor slowed four times (or as many as --slow says): npm run build && npm run build:web,
// then npm run interactive. Each visit has an empty cache. Figures count from the start of the visit; the last one is processor time
// and so depends less on what else the machine does.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { preview } from 'vite';
import { openChromium } from '../test/drivers/chromium.js';

const { values } = parseArgs({
  options: { slow: { type: 'string', default: '4' }, visits: { type: 'string', default: '9' } },
});

/** What can be pressed first in each part. */
const parts = { learn: '.step', data: '.data-choose button', measure: '.measure-start button' };

interface Visit {
  /** Something is seen. */
  readonly painted: number;
  /** The first button is there, and the frame that shows it is over. */
  readonly usable: number;
  /** The end of the last task of more than 50 ms within two seconds: from here on, a click is answered at once. */
  readonly quiet: number;
  /** What tasks took beyond 50 ms each. */
  readonly blocked: number;
  /** Of the page's main thread until it was quiet. */
  readonly processor: number;
}

async function visit(browser: Browser, address: string, button: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await tools.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slow) });
  await page.addInitScript((wanted) => {
    const seen = { usable: 0, tasks: [] as [start: number, length: number][] };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) seen.tasks.push([startTime, duration]);
    }).observe({ type: 'longtask', buffered: true });
    const look = new MutationObserver(() => {
      if (!document.querySelector(`main[class]:not([aria-busy]) ${wanted}`)) return;
      look.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel(); // after the frame
        port2.onmessage = () => {
          seen.usable = performance.now();
        };
        port1.postMessage(0);
      });
    });
    look.observe(document, { childList: true, subtree: true, attributes: true });
  }, button);
  await page.goto(address);
  await page.waitForFunction(() => (globalThis as unknown as { seen: { usable: number } }).seen.usable > 0);
  const { metrics } = await tools.send('Performance.getMetrics');
  await page.waitForTimeout(2500);
  const found = await page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { usable: number; tasks: [number, number][] } };
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    const tasks = seen.tasks.filter(([start]) => start < 2000);
    const ends = tasks.map(([start, length]) => start + length);
    const blocked = tasks.reduce((sum, [, length]) => sum + length - 50, 0);
    return { painted, usable: seen.usable, quiet: Math.max(seen.usable, ...ends), blocked };
  });
  await context.close();
  const processor = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  return { ...found, processor };
}

const middle = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

const root = resolve(import.meta.dirname, '..');
const server = await preview({ root: resolve(root, 'web'), preview: { port: 0, host: 'localhost' }, logLevel: 'warn' });
const [origin = ''] = server.resolvedUrls?.local ?? [];
const browser = await openChromium();
try {
  console.log(`Processor slowed ${values.slow} times, medians of ${values.visits} visits (smallest to largest), ms`);
  const head = ['part', 'painted', 'usable', 'quiet', 'blocked', 'processor time'];
  console.log(`| ${head.join(' | ')} |\n|---|${'--:|'.repeat(head.length - 1)}`);
  for (const [part, button] of Object.entries(parts)) {
    const visits: Visit[] = [];
    for (let k = 0; k < Number(values.visits); k++) visits.push(await visit(browser, `${origin}#/${part}`, button));
    const cell = (key: keyof Visit) => {
      const all = visits.map((one) => Math.round(one[key]));
      return `${middle(all)} (${Math.min(...all)}–${Math.max(...all)})`;
    };
    const cells = (['painted', 'usable', 'quiet', 'blocked', 'processor'] as const).map(cell);
    console.log(`| ${[part, ...cells].join(' | ')} |`);
  }
} finally {
  await browser.close();
  await server.close();
}
