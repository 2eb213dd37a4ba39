// loadModel: any saved model, also one with steps of text and tables.

import { type AnyModel, type Label, loadModel as loadOfCore } from '../index.js';

/** The model in a JSON object, of any kind. @throws TypeError or RangeError naming what is wrong */
export function loadModel<L extends Label = Label>(json: unknown): AnyModel<L> {
  return loadOfCore<L>(json);
}
