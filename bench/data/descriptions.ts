// Short texts: descriptions of Debian packages where they are (../shared/data), else made words by Zipf's law.

import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Columns: section, package, description, tags, architecture, installedSize, host. May be absent. */
export const FILE = new URL(
  '../shared/data/debian-packages.tsv.gz',
  import.meta.resolve('perceptron-wasm/package.json'),
);

/** The first `count` texts. */
export function descriptions(count: number): string[] {
  if (!existsSync(FILE)) return Array.from({ length: count }, (_, i) => madeText(i));
  const lines = gunzipSync(readFileSync(FILE)).toString().trimEnd().split('\n');
  return lines.slice(1, 1 + count).map((line) => line.split('\t')[2] as string);
}

/** Seven words; the k-th most frequent has a share of about 1 / k. */
function madeText(seed: number): string {
  let state = Math.imul(seed + 1, 0x9e3779b9) >>> 0;
  const words = Array.from({ length: 7 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return `word${Math.floor(20_000 ** (state / 2 ** 32)).toString(36)}`;
  });
  return words.join(' ');
}
