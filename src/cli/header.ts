// The column names of a CSV file from its first bytes: for messages before the rows are read, or when they cannot be read.

import { editSteps } from './arguments.js';
import { CommandError, inOneLine } from './errors.js';
import { counted } from './output.js';

const DELIMITERS = [',', '\t', ';'] as const;

/** The fields of the first line that is not blank, split by the delimiter that makes the most fields. */
export function firstFields(head: Uint8Array | undefined): readonly string[] {
  const text = new TextDecoder().decode(head).replace(/^\uFEFF/, '');
  const line = text.split(/\r?\n/).find((one) => one.trim() !== '') ?? '';
  const ways = DELIMITERS.map((delimiter) => fieldsOf(line, delimiter));
  return ways.reduce((most, fields) => (fields.length > most.length ? fields : most));
}

function fieldsOf(line: string, delimiter: string): string[] {
  const fields = [''];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === delimiter && !isQuoted) fields.push('');
    else fields.push(`${fields.pop()}${character}`);
  }
  // Only the reader handles names with line breaks.
  if (isQuoted) return [];
  return fields.map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"'),
  );
}

const MOST_NAMES = 5;

const listed = (names: readonly string[]): string =>
  names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', …' : '');

/** How the columns of a file differ from those of a model: `known` are the names in the model, `found` those in the file. */
export function otherColumns(
  file: { readonly name: string; readonly cols: number; readonly names?: readonly string[] | undefined },
  model: { readonly name: string; readonly cols: number; readonly names?: readonly string[] | undefined },
): CommandError {
  const missing = file.names ? (model.names?.filter((name) => !file.names?.includes(name)) ?? []) : [];
  const strange = model.names ? (file.names?.filter((name) => !model.names?.includes(name)) ?? []) : [];
  const parts = [
    `${file.name} has ${counted(file.cols, 'feature column')}, ${model.name} has ${model.cols}`,
    // Lists help only if the two have a name in common.
    ...(missing.length > 0 && missing.length < model.cols ? [`missing: ${listed(missing)}`] : []),
    ...(strange.length > 0 && strange.length < file.cols ? [`not in ${model.name}: ${listed(strange)}`] : []),
  ];
  return new CommandError(parts.join('; '));
}

/** The most similar name: the same in another case, or at most two edits away. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string) => text.trim().toLowerCase();
  const same = names.find((known) => plain(known) === plain(name));
  if (same !== undefined) return same;
  const most = Math.min(2, Math.floor(name.length / 2));
  const steps = names.map((known) => ({ known, steps: editSteps(plain(name), plain(known)) }));
  return steps.sort((a, b) => a.steps - b.steps).find((one) => one.steps <= most)?.known;
}

/** Adds a similar column name to the error about an unknown one; `head` has the names of a CSV file, the error has at least some. */
export function withHint(error: unknown, head: Uint8Array | undefined): unknown {
  const message = inOneLine(error);
  const [start, name, rest = ''] = /^.*?there is no column "(.*?)"(?=; there are (.*)$)/.exec(message) ?? [];
  if (start === undefined || name === undefined) return error;
  const told = Array.from(rest.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, one]) => one as string);
  const near = nearest(name, [...firstFields(head), ...told]);
  if (near === undefined) return error;
  return new CommandError(`${start}: do you mean ${JSON.stringify(near)}?`, { cause: error });
}
