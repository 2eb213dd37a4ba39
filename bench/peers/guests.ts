// The native peers as players: scikit-learn's Perceptron, LIBLINEAR, OpenBLAS. Whoever is absent is told why.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectSame } from '../harness/question.js';
import type { Work } from '../harness/results.js';
import { accuracyText, type Skipped } from './javascript.js';
import { type Entries, liblinearTool } from './liblinear.js';
import { type Missing, type Native, numbersOf } from './native.js';
import type { Player } from './turns.js';

/** The process that has the native peers, and a folder for what it is to read and to write. */
export interface House {
  native: Native | Missing;
  folder: string;
}

/** Rows that native peers know by name. */
export interface Shared extends Entries {
  name: string;
  rows: number;
  cols: number;
  /** The arrays that native.py reads. */
  arrays: Record<string, Float64Array | Uint32Array | Int8Array>;
}

export const isPlayer = (found: Player | Skipped): found is Player => 'measure' in found;
const isSkipped = (found: Player | Skipped): found is Skipped => !isPlayer(found);

/** Players and those who are not there, apart. */
export function sorted(found: readonly (Player | Skipped)[]): { players: Player[]; skipped: Skipped[] } {
  return { players: found.filter(isPlayer), skipped: found.filter(isSkipped) };
}

/** Dense rows, to be shared. */
export const denseRows = (
  name: string,
  { data, rows, cols, y }: { data: Float64Array; rows: number; cols: number; y: Int8Array },
): Shared => ({
  name,
  rows,
  cols,
  y,
  arrays: { x: data, y },
  *entriesOf(row) {
    for (let k = 0; k < cols; k++) {
      const value = data[row * cols + k] as number;
      if (value !== 0) yield [k, value] as const;
    }
  },
});

/** Writes rows to files and has native.py read them. */
export async function share(
  { native, folder }: House,
  { name, rows, cols, arrays }: Omit<Shared, keyof Entries>,
): Promise<void> {
  if ('missing' in native) return;
  const files: Record<string, string> = {};
  for (const [part, data] of Object.entries(arrays)) {
    files[part] = join(folder, `${name}.${part}`);
    writeFileSync(files[part], data);
  }
  await native.load(name, { rows, cols }, files);
}

/** A process that has scikit-learn, and its version; or what is in the way. */
function withSklearn(native: Native | Missing): { native: Native; version: string } | Missing {
  if ('missing' in native) return native;
  const version = native.sklearn;
  return typeof version === 'string' ? { native, version } : version;
}

interface Fits {
  passes: number;
  intercept: boolean;
  /** Weights that must come out, to the bit, the bias last; undefined: others may. */
  expected?: Float64Array;
  /** Behind its name, where there are several. */
  suffix?: string;
  extra?: Partial<Player>;
}

/** scikit-learn's Perceptron on rows that were shared. */
export function sklearn(
  house: House,
  on: string,
  { passes, intercept, expected, suffix = '', extra }: Fits,
): Player | Skipped {
  const found = withSklearn(house.native);
  if ('missing' in found) return { name: `scikit-learn${suffix}`, why: found.missing };
  const { native, version } = found;
  const to = join(house.folder, `${on}.weights`);
  let checked = false;
  return {
    name: `scikit-learn ${version}${suffix}`,
    kind: 'native',
    against: 'scikit-learn',
    measure: async (calls) => {
      const fit = await native.perceptron(on, { passes, intercept, calls, ...(!checked && { to }) });
      if (!checked) {
        expectSame([fit.passes], [passes], 'passes of scikit-learn');
        if (expected) expectSame(numbersOf(to), expected, `weights of scikit-learn${suffix} and ours`);
        checked = true;
      }
      return fit.ms;
    },
    ...extra,
  };
}

const LIBLINEAR = 'LIBLINEAR';
const RULE = 'L2-regularised linear SVM (-s 2), C = 1, until its own tolerance of 0.01';

/** LIBLINEAR: in memory, by scikit-learn; else its tool, reading text. `ours`: our training accuracy, for a note. */
export function liblinear(
  { native, folder }: House,
  shared: Shared,
  { intercept, ours }: { intercept: boolean; ours: number },
): Player | Skipped {
  const player = { kind: 'native', otherAlgorithm: true } as const;
  const python = withSklearn(native);
  let accuracy = 0;
  const note = (timed: string) => () => `${RULE}; ${timed}; ${accuracyText(accuracy, ours)}`;
  if (!('missing' in python)) {
    return {
      ...player,
      name: `${LIBLINEAR} (by scikit-learn's LinearSVC)`,
      measure: async (calls) => {
        const fit = await python.native.liblinear(shared.name, { intercept, calls });
        accuracy = fit.accuracy;
        return fit.ms;
      },
      note: note('rows in memory, which are copied into its own form each time'),
    };
  }
  const tool = liblinearTool(shared, { folder, intercept });
  if ('missing' in tool) return { name: LIBLINEAR, why: `${python.missing}; ${tool.missing}` };
  return {
    ...player,
    name: `${LIBLINEAR} (liblinear-train)`,
    measure: (calls) => {
      const times = Array.from({ length: calls }, tool.train);
      accuracy ||= tool.accuracy();
      return times;
    },
    note: note('a whole process each time, which reads its rows from a text file'),
  };
}

/** X·Xᵀ of rows that were shared, in one thread. `kernels`: what is said of them in the name. */
export function openblas(
  { native, folder }: House,
  on: string,
  { expected, work, kernels, extra }: { expected: Float64Array; work: Work; kernels: string; extra?: Partial<Player> },
): Player | Skipped {
  if ('missing' in native) return { name: 'OpenBLAS', why: native.missing };
  const blas = native.openblas;
  if ('missing' in blas) return { name: 'OpenBLAS', why: blas.missing };
  const to = join(folder, `${on}.gram`);
  const version = /^OpenBLAS (\S+)/.exec(blas.config)?.[1];
  let checked = false;
  return {
    name: `OpenBLAS${version ? ` ${version}` : ''} (${blas.core}${kernels})`,
    kind: 'native',
    against: `OpenBLAS (${blas.core}${kernels})`,
    work,
    measure: async (calls) => {
      const { ms } = await native.gram(on, { calls, ...(!checked && { to }) });
      if (!checked) expectSame(numbersOf(to), expected, `Gram matrices of OpenBLAS (${blas.core}) and ours`);
      checked = true;
      return ms;
    },
    ...extra,
  };
}
