// LIBLINEAR's own command-line tools, for where scikit-learn, which embeds it, is absent. They read text.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Missing } from './native.js';

const [TRAIN, PREDICT] = ['liblinear-train', 'liblinear-predict'];

/** Rows of any storage, one after the other: their entries that are not 0, columns from 0. */
export interface Entries {
  y: ArrayLike<number>;
  entriesOf: (row: number) => Iterable<readonly [column: number, value: number]>;
}

export interface Tool {
  /** Milliseconds of a whole process: it starts, reads its file, trains and writes its model. */
  train: () => number;
  /** The share of rows it gets right, after `train`. */
  accuracy: () => number;
}

/** What a run of a program printed; throws a sentence if it failed. */
function run(command: string, args: readonly string[]): void {
  const { status, signal, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 60_000 });
  if (error) throw new Error(`${command} cannot be run (${error.message})`);
  if (status !== 0) throw new Error(`${command} ended with ${signal ?? `exit status ${status}: ${stderr.trim()}`}`);
}

/** Whether both tools are on the PATH; they exit with 1 when they are told nothing. */
function missingTool(): string | undefined {
  return [TRAIN, PREDICT].find((command) => spawnSync(command, [], { stdio: 'ignore' }).error);
}

/** LIBLINEAR's program that trains on a file of LIBSVM text, or what is in the way. */
export function liblinearProgram(): { train: string } | Missing {
  const absent = missingTool();
  return absent ? { missing: `${absent} is not on the PATH` } : { train: TRAIN };
}

/** Writes the rows in LIBSVM's format to `folder` and gives a tool for them, or what is in the way. */
export function liblinearTool(
  { y, entriesOf }: Entries,
  { folder, intercept }: { folder: string; intercept: boolean },
): Tool | Missing {
  const program = liblinearProgram();
  if ('missing' in program) return program;
  const [rows, model, said] = ['rows.libsvm', 'model', 'said'].map((name) => join(folder, `liblinear-${name}`)) as [
    string,
    string,
    string,
  ];
  writeFileSync(rows, Array.from(y, (label, i) => `${label}${entriesText(entriesOf(i))}\n`).join(''));
  return {
    train: () => {
      const started = performance.now();
      run(TRAIN, ['-s', '2', '-q', '-B', intercept ? '1' : '-1', rows, model]);
      return performance.now() - started;
    },
    accuracy: () => {
      run(PREDICT, [rows, model, said]);
      const labels = readFileSync(said, 'utf8').trim().split('\n').map(Number);
      return labels.filter((label, i) => label === y[i]).length / y.length;
    },
  };
}

function entriesText(entries: Iterable<readonly [number, number]>): string {
  let text = '';
  for (const [column, value] of entries) text += ` ${column + 1}:${value}`;
  return text;
}
