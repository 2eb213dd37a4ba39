// The check of links of the documentation site finds what is broken.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenLinks } from '../../scripts/docs/links.js';

let folder: string;
const put = (name: string, html: string) => writeFileSync(join(folder, name), html);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perceptron-links-'));
  mkdirSync(join(folder, 'sub'));
  put('index.html', '<a href="sub/page.html#part">a</a> <a href="#here" id="here">b</a> <img src="picture.png">');
  put('picture.png', '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('finds nothing where each link leads to a file and each anchor to an element', () => {
  put('sub/page.html', '<h2 id="part">x</h2> <a href="../">up</a> <a href="https://example.org/none">elsewhere</a>');
  expect(brokenLinks(folder)).toEqual([]);
});

test('names a missing file, a missing anchor, and a link that leaves the folder', () => {
  put(
    'sub/page.html',
    '<a href="gone.html">a</a> <a href="../index.html#gone">b</a> <a href="../../x.html">c</a> <a href="/x.html">d</a>',
  );
  expect(brokenLinks(folder)).toEqual([
    'index.html: sub/page.html#part: nothing has the id "part"',
    'sub/page.html: gone.html is not a file',
    'sub/page.html: ../index.html#gone: nothing has the id "gone"',
    'sub/page.html: ../../x.html leaves the site',
    'sub/page.html: /x.html leaves the site',
  ]);
});
