// `npm run runtimes`: every case of the digest in every runtime, and docs/runtimes.md with the hashes. Names as arguments choose
// runtimes (`npm run runtimes -- Deno Firefox`); the others keep their line. What is neither here nor to be fetched is skipped.

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runtimes } from './runtimes/all.js';
import { tableWith } from './runtimes/table.js';

const file = resolve(import.meta.dirname, '../docs/runtimes.md');
const wanted = process.argv.slice(2);
const chosen = runtimes.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.startsWith(part)));
if (chosen.length === 0) throw new RangeError(`no runtime is called ${wanted.join(', ')}`);

let failed = false;
for (const runtime of chosen) {
  if (!runtime.isHere(true)) {
    console.log(`${runtime.name}: skipped, it is not on this machine`);
    continue;
  }
  const start = Date.now();
  try {
    const ran = await runtime.run(1);
    const seconds = Math.round((Date.now() - start) / 1000);
    const wrong = ran.ways.flatMap(({ how, wrong }) => wrong.map((name) => `${how.engine}: ${name}`));
    console.log(`${runtime.name} ${ran.version}: ${wrong.length} wrong, ${seconds} s`);
    for (const name of wrong.slice(0, 10)) console.log(`  ${name}`);
    failed ||= wrong.length > 0;
    writeFileSync(file, tableWith(readFileSync(file, 'utf8'), runtime, ran, seconds));
  } catch (error) {
    failed = true;
    console.log(`${runtime.name}: FAILED: ${error instanceof Error ? error.message : error}`);
  }
}
process.exit(failed ? 1 : 0);
