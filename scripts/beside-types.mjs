// The types of ./io and ./prepare import those of the core beside them. tsup leaves the path as it is in the sources, for both
// module systems.
import { readFileSync, writeFileSync } from 'node:fs';

for (const name of ['io', 'prepare']) {
  for (const [kind, core] of [
    ['ts', './index.js'],
    ['cts', './index.cjs'],
  ]) {
    const file = `dist/${name}.d.${kind}`;
    const types = readFileSync(file, 'utf8');
    if (!types.includes("'../index.js'")) throw new Error(`${file} imports nothing from '../index.js'`);
    writeFileSync(file, types.replaceAll("'../index.js'", `'${core}'`));
  }
}
