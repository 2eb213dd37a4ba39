// npx tsx bench/readme.ts [RESULTS.json] [--force] [--root FOLDER]: puts the numbers of bench/results/latest.json, or of
// another run, into README.md and bench/README.md, between the marks, with the crossover picture (docs/crossover.svg), all of them into
// bench/results/README.md, and what they are made of into bench/results/published.json. Nobody types them.
// A run that is not whole, or whose numbers do not fit together, is refused unless --force is given.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readResults } from './harness/files.js';
import { essenceOf, objectionsTo, publicationOf } from './report/publish.js';

function main(args: string[]): void {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      force: { type: 'boolean', default: false },
      root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    },
  });
  const [path = fileURLToPath(new URL('./results/latest.json', import.meta.url))] = positionals;
  const results = readResults(path);
  const objections = objectionsTo(results);
  for (const objection of objections) console.error(objection);
  if (objections.length > 0 && !values.force) {
    throw new Error(`${path} is not published for these reasons; --force does it nevertheless`);
  }
  const [readme, bench] = ['README.md', 'bench/README.md'].map((name) => readFileSync(join(values.root, name), 'utf8'));
  const files = publicationOf(essenceOf(results), { readme, bench } as { readme: string; bench: string });
  for (const [name, text] of Object.entries(files)) {
    const file = join(values.root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`${Object.keys(files).join(', ')} are up to date.`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
