// loadModel: any saved model, also one with steps of text and tables.

import { expectOptions, show } from '../errors.js';
import { type AnyModel, type Label, loadModel as loadOfCore, type Step } from '../index.js';
import { TextVectorizer } from './textvectorizer.js';

export interface LoadModelOptions {
  /** Whether a RegExp of the file is used: one that somebody else wrote can take for ever. Default false. */
  allowPatterns?: boolean;
  /** Readers of steps of your own, by the `type` in their JSON. */
  steps?: Readonly<Record<string, (json: unknown) => Step>>;
}

/**
 * The model in a JSON object, of any kind: all trainers and pipelines, of every version.
 * @throws TypeError or RangeError naming what is wrong
 */
export function loadModel<L extends Label = Label>(json: unknown, options: LoadModelOptions = {}): AnyModel<L> {
  const { allowPatterns = false, steps = {} } = expectOptions(options, ['allowPatterns', 'steps'], 'loadModel');
  if (typeof allowPatterns !== 'boolean') {
    throw new TypeError(`"allowPatterns" must be true or false, got ${show(allowPatterns)}`);
  }
  const readers = {
    'text-vectorizer': (step: unknown) => TextVectorizer.fromJSON(step, { allowPatterns }),
    ...steps,
  };
  for (const [type, read] of Object.entries(readers)) {
    if (typeof read !== 'function') throw new TypeError(`"steps.${type}" must be a function, got ${show(read)}`);
  }
  return loadOfCore<L>(json, readers);
}
