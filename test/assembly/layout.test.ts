// docs/memory.md draws the training record as assembly/layout.ts has it: every field, in its order, each line at its offset.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as constants from '../../assembly/layout.js';

const layout: Record<string, number> = { ...constants };
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The fields of layout.ts up to RECORD_BYTES; those of the dual form that share an offset name the field that they share it with. */
const [record = ''] = read('assembly/layout.ts').split('export const RECORD_BYTES');
const fields = [...record.matchAll(/^export const (\w+) = \d+; *\/\/ +(?:([A-Z]+) +)?(?:u32|f64|scratch)/gm)]
  .map(([, name = '', shared]) => ({ name, shared }))
  .filter(({ name }) => name !== 'GROUP_SCORES'); // an offset within GROUP

const map = read('docs/memory.md');
const [, drawn = ''] = map.match(/^```\n(0 +pointers and shape.*?)^```$/ms) ?? [];
const namesIn = (line: string) => (line.match(/\b[A-Z][A-Z_]*\b/g) ?? []) as string[];

test('every field is drawn, in the order of offsets', () => {
  const lines = drawn.split('\n').filter((line) => /^\d/.test(line));
  const names = lines.flatMap(namesIn);
  const own = fields.filter(({ shared }) => !shared).map(({ name }) => name);
  expect(names).toEqual(own.sort((a, b) => (layout[a] as number) - (layout[b] as number)));
  for (const line of lines) expect(layout[namesIn(line)[0] as string], line).toBe(Number.parseInt(line, 10));
});

test('fields with a second name have it', () => {
  const both = namesIn(drawn.split('\n').find((line) => line.includes('under the names')) ?? '');
  const shared = fields.filter((field) => field.shared);
  expect(new Set(both)).toEqual(new Set(shared.flatMap(({ name, shared: other }) => [name, other])));
  for (const { name, shared: other } of shared) {
    expect(layout[name], name).toBe(layout[other as string]);
    expect(both.indexOf(name) - both.indexOf(other as string)).toBe(shared.length);
  }
});

test('a record has the bytes that the map says, and is a whole number of aligned pieces', () => {
  expect(map).toContain(`| training record | ${constants.RECORD_BYTES} | always |`);
  expect(constants.RECORD_BYTES % 16).toBe(0);
  expect(constants.RECORD_BYTES).toBeGreaterThanOrEqual(constants.STEP + 8);
});
