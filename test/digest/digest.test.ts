// The net under every change inside: a hash of what users get, for each case of cases.ts; the cases of 0.1 as they were when it
// landed. All engines and numbers of threads must give it. `npm test` tries a case in the caller's thread or in others, in turns,
// `npm run test:long` all ways. A hash changes only where what users get is meant to change: UPDATE_DIGEST=1 then writes the file
// anew, and the commit says which entries changed and why.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { stopThreads } from '../../src/index.js';
import '../../src/scalar.js';
import { someOf } from '../effort.js';
import { cases, type How } from './cases.js';

const file = new URL('./digest.json', import.meta.url);
const isUpdating = process.env.UPDATE_DIGEST === '1';
const expected: Record<string, string> = isUpdating ? {} : JSON.parse(readFileSync(file, 'utf8'));

const all: How[] = [
  { engine: 'wasm-simd', threads: 0 },
  { engine: 'wasm-simd', threads: 3 },
  { engine: 'js', threads: 0 },
  { engine: 'wasm-scalar', threads: 0 },
  { engine: 'wasm-simd', threads: 1 },
];
const waysOf = (index: number) => someOf(all, [all[index % 2]!]);

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

afterAll(async () => {
  await stopThreads();
  if (isUpdating) writeFileSync(file, `${JSON.stringify(expected, null, 1)}\n`);
});

test('names are different, and none is left over', () => {
  const names = cases.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  if (!isUpdating) expect(Object.keys(expected).sort()).toEqual([...names].sort());
});

test.each(['guarantees', 'runtimes'])('docs/%s.md tells how many there are', (page) => {
  const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
  expect(text).toContain(`${cases.length} cases`);
});

for (const [index, { name, run }] of cases.entries()) {
  test(name, async () => {
    for (const how of waysOf(index)) {
      const hash = hashOf(await run(how));
      if (isUpdating) expected[name] ??= hash;
      expect(`${how.engine}, threads ${how.threads}: ${hash}`).toBe(
        `${how.engine}, threads ${how.threads}: ${expected[name]}`,
      );
    }
  });
}
