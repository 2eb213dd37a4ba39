// Reads DATA: rows of numbers as a matrix (data.ts), all other tables as they are (rawtable.ts). The first lines and the options
// decide. A word or a gap further down a file of numbers makes the file a table: it is read again, if it can be.

import { DataError } from '../io/index.js';
import type { Context } from './context.js';
import { type Data, loadData } from './data.js';
import { CommandError } from './errors.js';
import { probe } from './probing.js';
import type { TableChoices } from './rawtable.js';
import { type Input, isModel, looksLikeTable, openInput } from './source.js';

/** Reads a file of numbers as they are, and another with `asTable`. @throws DataError naming the place, CommandError */
export async function loadEither<T>(
  path: string,
  options: TableChoices,
  context: Context,
  asTable: (input: Input) => Promise<T>,
  opened?: Input,
): Promise<Data | T> {
  const input = opened ?? (await openInput(path, context));
  const { name, head, source } = input;
  if (isModel(head)) throw new CommandError(`${name} is a model, not data (see perceptron-wasm inspect)`);
  if (asksForTable(options) || looksLikeTable(head)) return asTable(input);
  const found = await probe(input, options);
  if (found === 'table') return asTable(input);
  try {
    return await loadData(path, options, context, input);
  } catch (error) {
    // An error without a line is of the file, not of what is in it.
    if (!(error instanceof DataError) || error.line === undefined || found === 'other') throw error;
    // What was read from a pipe is gone.
    if (typeof source !== 'string') throw new CommandError(`${error.message}${ASK}`, { cause: error });
    return asTable(input).catch((again) => {
      context.interrupt.signal.throwIfAborted();
      // The first error is about the file as it looked.
      throw again instanceof CommandError || again instanceof DataError ? error : again;
    });
  }
}

const ASK = '; from a pipe, say with --missing median that this is a table with gaps or words';

const asksForTable = ({ text, category, missing, format }: TableChoices): boolean =>
  [text, category, missing].some((given) => given !== undefined) || format === 'json' || format === 'parquet';
