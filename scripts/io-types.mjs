// The types of ./io import those of the core beside them. tsup leaves the path as it is in the sources, for both module systems.
import { readFileSync, writeFileSync } from 'node:fs';

for (const [file, core] of [
  ['dist/io.d.ts', './index.js'],
  ['dist/io.d.cts', './index.cjs'],
]) {
  const types = readFileSync(file, 'utf8');
  if (!types.includes("'../index.js'")) throw new Error(`${file} imports nothing from '../index.js'`);
  writeFileSync(file, types.replaceAll("'../index.js'", `'${core}'`));
}
