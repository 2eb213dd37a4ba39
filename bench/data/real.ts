// The real sets beside the project, in ../shared/data, where they are (they are never part of it).

import { existsSync, readFileSync } from 'node:fs';
import type { Generated } from './generate.js';

/** From the package's own name, since this file runs from build/bench/ (plain.ts). */
const FOLDER = new URL('../shared/data/', import.meta.resolve('perceptron-wasm/package.json'));

interface Description {
  n: number;
  d: number;
}

/** The set NAME: NAME.json, NAME.X.f64 (little-endian, row-major), NAME.y.i8; undefined where it is absent. */
export function realSet(name: string): Generated | undefined {
  const description = new URL(`${name}.json`, FOLDER);
  if (!existsSync(description)) return undefined;
  const { n: rows, d: cols } = JSON.parse(readFileSync(description, 'utf8')) as Description;
  const bytes = readFileSync(new URL(`${name}.X.f64`, FOLDER));
  // Copied, as a Buffer may begin anywhere and a Float64Array may not.
  const data = new Float64Array(new Uint8Array(bytes).buffer);
  const y = new Int8Array(readFileSync(new URL(`${name}.y.i8`, FOLDER)));
  if (data.length !== rows * cols || y.length !== rows) throw new Error(`${name}: the files are not ${rows} × ${cols}`);
  return { data, rows, cols, y };
}
