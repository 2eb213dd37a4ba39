// Your data over time: long trainings, other parts in between, and the bits of the command line.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { choose, download, drop, example, headline, shownCommand, train, useScratch } from './datapage.js';
import { accessibilityFaults, useSite } from './site.js';

const site = useSite();
const scratch = useScratch();

describe.runIf(hasBrowser)('a long training', () => {
  test('shows how far it is, ends on a click, and keeps what it has', async () => {
    const page = await site.open('#/data?epochs=900000000', { acceptDownloads: true });
    await choose(page, example('moons.csv'));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.getByText(/Epoch [\d,]+ of at most 900,000,000/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop here' }).click();
    await page.locator('.data-results').waitFor();
    expect(await headline(page)).toMatch(/^Stopped\. So far it is right on/);
    expect(JSON.parse(await download(page))).toHaveProperty('model.training.stopReason', 'aborted');
  });

  test('the look at all rows afterwards, which takes as long with a kernel, can be left', async () => {
    const page = await site.open('#/data?trainer=dual&epochs=1&heldout=0');
    let state = 1;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    // Labels that nothing can learn: every second row is kept, and all rows are held against those.
    const lines = Array.from(
      { length: 40_000 },
      () => `${random().toFixed(6)},${random().toFixed(6)},${random() < 0.5}`,
    );
    await choose(page, scratch.file('noise.csv', `a,b,kind\n${lines.join('\n')}\n`));
    await page.locator('.data-summary').waitFor();
    // Clicked from inside, as soon as the button has the focus: the look may be over before anybody outside is told.
    const left = page.evaluate(
      () =>
        new Promise<string | null | undefined>((resolve) => {
          const main = document.querySelector('main') as Element;
          const seen = new MutationObserver(() => {
            const cancel = document.activeElement as HTMLElement;
            if (cancel.textContent !== 'Cancel') return;
            seen.disconnect();
            resolve(main.querySelector('.data-progress')?.textContent);
            cancel.click();
          });
          seen.observe(main, { childList: true, subtree: true, characterData: true, attributes: true });
        }),
    );
    await train(page);
    expect(await left).toMatch(/Looked at [\d,]+ of 40,000 rows once more/);
    await page.locator('.data-progress').waitFor({ state: 'detached' });
    expect(await page.locator('#spoken').textContent()).toBe('Cancelled.');
    expect(await page.locator('.data-results').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Train');
  });

  test('of very many passes the chart shows the first, and says so', async () => {
    const page = await site.open('#/data?epochs=150000');
    await choose(page, scratch.file('xor.csv', 'a,b,kind\n0,0,x\n1,1,x\n0,1,y\n1,0,y\n'));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.getByText('The first 100,000 of 150,000 epochs').waitFor();
  });

  test('another file ends it, and the model that is shown stays the one that is downloaded', async () => {
    const page = await site.open('#/data', { acceptDownloads: true });
    await choose(page, example('messages.txt'));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    const model = await download(page);
    await page.getByText('More options').click();
    await page.getByLabel('Epochs at most').fill('900000000');
    await page.getByRole('radio', { name: /^Pocket/ }).check();
    await choose(page, example('moons.csv'));
    await page.locator('.data-summary', { hasText: 'moons.csv' }).waitFor();
    await page.getByText('Below is an earlier result').waitFor();
    await page.getByLabel('Epochs at most').press('Enter');
    await page.getByText(/Epoch [\d,]+ of at most 900,000,000/).waitFor();
    await choose(page, scratch.file('broken.csv', 'a,b\n1\n'));
    await page.locator('.trouble').waitFor();
    expect(await page.locator('.data-of').textContent()).toBe('The result for messages.txt');
    expect(await download(page)).toBe(model);
    await page.getByRole('button', { name: 'Train' }).waitFor();
  });

  test('who looks at another part comes back to the data, the model and the options', async () => {
    const page = await site.open('#/data?epochs=7', { acceptDownloads: true });
    await choose(page, example('moons.csv'));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    const model = await download(page);
    await page.getByRole('link', { name: 'Measure' }).click();
    await page.locator('main.part-measure').waitFor();
    await page.getByRole('link', { name: 'Your data' }).click();
    await page.locator('main.part-data').waitFor();
    expect(await download(page)).toBe(model);
    expect(page.url()).toContain('#/data?epochs=7');
    // And what is dropped is taken once, not twice.
    await page.evaluate(() => {
      const seen = { readings: 0 };
      Object.assign(globalThis, { seen });
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (this: Worker, message: { do?: string }) {
        if (message.do === 'read') seen.readings++;
        post.call(this, message);
      };
    });
    await drop(page, [{ name: 'dropped.csv', text: 'a,b,kind\n1,2,x\n3,1,y\n' }]);
    await page.locator('.data-summary', { hasText: 'dropped.csv' }).waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { seen: object }).seen)).toEqual({ readings: 1 });
    // What to try next went with the data that it was about.
    await page.getByText('Below is an earlier result').waitFor();
    expect(await page.getByText('To try next').count()).toBe(0);
  });

  test('training goes on while another part is looked at, and can be stopped afterwards', async () => {
    const page = await site.open('#/data?epochs=900000000');
    await choose(page, example('moons.csv'));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.getByText(/Epoch [\d,]+ of/).waitFor();
    await page.getByRole('link', { name: 'Measure' }).click();
    await page.locator('main.part-measure').waitFor();
    await page.goBack();
    await page.locator('main.part-data').waitFor();
    await page.getByRole('button', { name: 'Stop here' }).click();
    await page.locator('.data-results').waitFor();
  });
});

describe.runIf(hasBrowser)('the same file gives the same bits as the command that is shown', () => {
  // data-bits.long.test.ts has the other formats and trainers: they take the same way through the page.
  test('a packed file, with a kernel', async () => {
    const page = await site.open('#/data?trainer=dual&gamma=3', { acceptDownloads: true });
    await choose(page, scratch.file('moons.csv.gz', gzipSync(readFileSync(example('moons.csv')))));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await download(page)).toBe(await scratch.trainedThere(page));
  });

  test('a matrix and its labels, dropped together', async () => {
    const page = await site.open('#/data?epochs=30', { acceptDownloads: true });
    const values = Float64Array.from({ length: 60 }, (_, i) => Math.sin(i * 7));
    const header = "\x93NUMPY\x01\0v\0{'descr': '<f8', 'fortran_order': False, 'shape': (30, 2), }".padEnd(127);
    const X = scratch.file('X.npy', Buffer.concat([Buffer.from(`${header}\n`, 'latin1'), Buffer.from(values.buffer)]));
    const y = scratch.file(
      'y.txt',
      Array.from({ length: 30 }, (_, i) => ((values[2 * i] ?? 0) > 0 ? 'up' : 'down')).join('\n'),
    );
    await choose(page, X);
    await page.locator('main').getByText('the answers to learn from are in a file of their own').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('.data-labels input[type=file]').setInputFiles(y);
    await page.getByText('30 rows · 2 columns · 2 classes').waitFor();
    await choose(page, y, X);
    await page.getByText('“X.npy” is taken as the rows').waitFor();
    await page.getByText('30 rows · 2 columns · 2 classes').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await shownCommand(page)).toContain('--labels y.txt');
    expect(await download(page)).toBe(await scratch.trainedThere(page));
  });

  test('without WebAssembly: slower, and said so', async () => {
    const page = await site.open('#/data?epochs=40', {
      host: 'withoutWasm',
      acceptDownloads: true,
    });
    await choose(page, scratch.file('flowers.csv', readFileSync(example('flowers.csv'))));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await page.locator('.data-story').innerText()).toMatch(
      /by plain JavaScript.*WebAssembly is forbidden or missing/,
    );
    expect(await download(page)).toBe(await scratch.trainedThere(page));
  });

  test('on a plain host: one thread', async () => {
    const page = await site.open('#/data', { host: 'plain' });
    await page.getByRole('button', { name: /Messages/ }).click();
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await page.locator('.data-story').innerText()).toContain('on 1 thread');
  });
});
