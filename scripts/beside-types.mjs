// The types of ./cluster, ./io, ./prepare and ./select import those of the core beside them, and may import those of each other. tsup
// leaves the path as it is in the sources, for both module systems.
import { readFileSync, writeFileSync } from 'node:fs';

for (const name of ['cluster', 'io', 'prepare', 'select']) {
  for (const [kind, end] of [
    ['ts', 'js'],
    ['cts', 'cjs'],
  ]) {
    const file = `dist/${name}.d.${kind}`;
    const types = readFileSync(file, 'utf8');
    if (name !== 'cluster' && !types.includes("'../index.js'"))
      throw new Error(`${file} imports nothing from '../index.js'`);
    const beside = types
      .replaceAll("'../index.js'", `'./index.${end}'`)
      .replaceAll(/'\.\.\/(io|prepare|select)\/index\.js'/g, `'./$1.${end}'`);
    writeFileSync(file, beside);
  }
}
