// readModel: reads a model's JSON of any size.

import { type AnyModel, type Label, loadModel } from '../index.js';
import { DataError } from './errors.js';
import { type ReadModelOptions, readModelFile } from './modelfile.js';
import { nameOf, type Source } from './source.js';

export type { ReadModelOptions } from './modelfile.js';

/**
 * Reads a saved model of any kind and size: the files of `saveModel` and of `JSON.stringify(model)`, with gzip or without. It needs
 * little more memory than twice the model.
 * @throws DataError naming the source, the field, and the byte if it is not JSON
 */
export async function readModel<L extends Label = Label>(
  source: Source,
  options: ReadModelOptions = {},
): Promise<AnyModel<L>> {
  const json = await readModelFile(source, options);
  try {
    return loadModel<L>(json);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataError(`this is not a valid model: ${reason}`, { source: options.name ?? nameOf(source), cause });
  }
}
