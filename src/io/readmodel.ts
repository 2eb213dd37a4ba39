// readModel: reads a model's JSON of any size.

import { expectOptions } from '../errors.js';
import { type Label, loadModel, type ScoreTable } from '../index.js';
import { own } from '../own.js';
import type { Input, LoadedModel, LoadModelOptions } from '../prepare/index.js';
import { DataError } from './errors.js';
import { type ReadModelFileOptions, readModelFile } from './modelfile.js';
import { nameOf, type Source } from './source.js';

/** A model from a file. Only calibrated models have probabilities. */
type ReadModel<L extends Label> = LoadedModel<L> & { predictProbability?(X: Input): Float64Array | ScoreTable };

/** Options of `readModel`. */
export interface ReadModelOptions extends ReadModelFileOptions, LoadModelOptions {}

/**
 * Reads a saved model of any kind and size: the files of `saveModel` and of `JSON.stringify(model)`, with gzip or without. It needs
 * little more memory than twice the model.
 * @throws DataError naming the source, the field, and the byte if it is not JSON
 *
 * @example
 * const text = JSON.stringify(new Perceptron().fit([[3, 3], [4, 3], [1, 1]], ['yes', 'yes', 'no']));
 * const model = await readModel(new TextEncoder().encode(text)); // or the path of a file
 * console.log(model.predict([[4, 4]])); // → [ 'yes' ]
 */
export async function readModel<L extends Label = Label>(
  source: Source,
  options: ReadModelOptions = {},
): Promise<ReadModel<L>> {
  const known = ['maxBytes', 'signal', 'name', 'allowPatterns', 'steps'];
  const { allowPatterns, steps, ...rest } = expectOptions(options, known, 'readModel');
  const json = await readModelFile(source, rest);
  try {
    // Other entries read calibrated models, and pipelines with steps of text and tables: each is loaded when a file needs it.
    const isCalibrated = own(Object(json)).type === 'calibrated';
    if (!isCalibrated && !hasOtherSteps(json)) return loadModel<L>(json) as ReadModel<L>;
    const { loadModel: load } = isCalibrated ? await import('../select/index.js') : await import('../prepare/index.js');
    return load<L>(json, {
      ...(allowPatterns !== undefined && { allowPatterns }),
      ...(steps && { steps }),
    }) as ReadModel<L>; // a calibrated model answers as the others do
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataError(`this is not a valid model: ${reason}`, { source: options.name ?? nameOf(source), cause });
  }
}

/** Whether JSON has steps of a pipeline that are not Scalers. */
function hasOtherSteps(json: unknown): boolean {
  const steps: unknown = own(Object(json)).steps;
  return Array.isArray(steps) && steps.some((step) => own(Object(step)).type !== 'scaler');
}
