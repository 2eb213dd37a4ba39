// The types of ./io, ./prepare and ./select import those of the core beside them, and ./select may import those of ./prepare. tsup leaves the path as it is in the sources, for both
// module systems.
import { readFileSync, writeFileSync } from 'node:fs';

for (const name of ['io', 'prepare', 'select']) {
  for (const [kind, end] of [
    ['ts', 'js'],
    ['cts', 'cjs'],
  ]) {
    const file = `dist/${name}.d.${kind}`;
    const types = readFileSync(file, 'utf8');
    if (!types.includes("'../index.js'")) throw new Error(`${file} imports nothing from '../index.js'`);
    const beside = types
      .replaceAll("'../index.js'", `'./index.${end}'`)
      .replaceAll("'../prepare/index.js'", `'./prepare.${end}'`);
    writeFileSync(file, beside);
  }
}
