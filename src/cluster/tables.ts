// Tables with words and gaps, as the command line takes them: the label column apart, labels as numbers if all of them are numbers.

import type { Label } from '../index.js';
import { labelsOf, type TableData } from '../io/index.js';
import { FileError } from './root.js';

/** The input of an encoder, and the labels. @throws FileError naming what is wrong, without what is in the file */
export function tableOf(
  { columns, label, names, schema, problems, problemCount }: TableData,
  path: string,
  as: 'table' | 'texts',
  lenient: boolean,
): { X: unknown; y: readonly Label[] } {
  const [problem] = problems;
  if (problem && !lenient) {
    throw new FileError(
      `${path}:${problem.line}:${problem.column}: there are ${problemCount} problems in this file: see perceptron-wasm inspect`,
    );
  }
  if (!label) throw new FileError(`${path} has no label column: say which one it is with read: { label }`);
  const { y, rows } = labelsOf(columns[label.name] as Float64Array | (string | null)[]);
  if (rows && !lenient) throw new FileError(`${path} has rows without a label`);
  const picked = (name: string): Float64Array | (string | null)[] => {
    const column = columns[name] as Float64Array | (string | null)[];
    if (!rows) return column;
    return column instanceof Float64Array
      ? Float64Array.from(rows, (i) => column[i] as number)
      : Array.from(rows, (i) => column[i] as string | null);
  };
  const others = names.filter((name) => name !== label.name);
  if (as === 'table') return { X: { columns: Object.fromEntries(others.map((name) => [name, picked(name)])) }, y };
  const texts = schema.filter(({ name, kind }) => name !== label.name && kind === 'text');
  const [only] = texts.length === 1 ? texts : others.map((name) => ({ name }));
  if (!only || (texts.length !== 1 && others.length !== 1)) {
    throw new FileError(`${path} has ${texts.length} columns of text; leave the others out with read: { ignore }`);
  }
  return { X: Array.from(picked(only.name) as (string | null)[], (text) => text ?? ''), y };
}
