// Unfitted copies of a model, so that the caller's is never changed.

import { show } from '../errors.js';
import { type Label, type Labels, Pipeline, type ScoreTable, type Step } from '../index.js';
import { get } from '../own.js';

/** A model that can be validated: a trainer or a Pipeline. @typeParam In what it takes: rows, texts, tables */
export interface Selectable<In = never> {
  fitAsync(X: In, y: Labels<never>, options?: never): Promise<unknown>;
  predict(X: In): Label[];
  decisionFunction(X: In): Float64Array | ScoreTable;
  readonly classes: readonly Label[];
}

/** Options to change, by their paths: those of a trainer by name, those of a pipeline as 'model.average' or 'steps.0.kind'. */
export type Changes = Readonly<Record<string, unknown>>;

interface Copyable {
  unfitted?(changes?: object): unknown;
}

const expected = 'a Perceptron, a PocketPerceptron, a DualPerceptron, a MulticlassPerceptron or a Pipeline';

/** An unfitted copy of a model with some options changed. @throws TypeError or RangeError naming what cannot be copied or changed */
export function cloneOf<M>(model: M, changes: Changes = {}): M {
  if (typeof model !== 'object' || model === null)
    throw new TypeError(`the model must be ${expected}, got ${show(model)}`);
  if (isPipeline(model)) return pipelineOf(model, changes) as M;
  const copy = copyOf(model, changes, 'the model');
  if (Object.getPrototypeOf(copy) !== Object.getPrototypeOf(model)) {
    throw new TypeError(
      `the model must be ${expected}, got a class of your own, which cannot be copied: ${nameOf(model)}`,
    );
  }
  return copy as M;
}

/** Also one of another copy of the library. */
export const isPipeline = (model: object): model is Pipeline =>
  model instanceof Pipeline ||
  (Array.isArray(get(model as Pipeline, 'steps')) && get(model as Pipeline, 'model') !== undefined);

const nameOf = (value: object): string => value.constructor?.name ?? 'an object';

function copyOf(part: object, changes: Changes, name: string): object {
  const { unfitted } = part as Copyable;
  if (typeof unfitted !== 'function') {
    if (name === 'the model') throw new TypeError(`the model must be ${expected}, got ${show(part)}`);
    throw new TypeError(
      `${name} (${nameOf(part)}) cannot be copied: give it a method unfitted() that returns a new one with the same options`,
    );
  }
  const hasChanges = Object.keys(changes).length > 0;
  if (hasChanges && unfitted.length === 0) {
    throw new RangeError(
      `${name} (${nameOf(part)}) has no options that can be changed: its method unfitted() takes none`,
    );
  }
  const copy: unknown = hasChanges ? unfitted.call(part, changes) : unfitted.call(part);
  if (typeof copy !== 'object' || copy === null || copy === part) {
    throw new TypeError(`unfitted() of ${name} (${nameOf(part)}) must return a new one, got ${show(copy)}`);
  }
  return copy;
}

function pipelineOf(pipeline: Pipeline, changes: Changes): Pipeline {
  const { steps, model } = pipeline;
  const ofModel: Record<string, unknown> = {};
  const ofSteps: Record<string, unknown>[] = steps.map(() => ({}));
  for (const [path, value] of Object.entries(changes)) {
    const [, k, option = ''] = /^(?:model|steps\.(\d+))\.([^.]+)$/.exec(path) ?? [];
    const target = k === undefined ? (path.startsWith('model.') ? ofModel : undefined) : ofSteps[Number(k)];
    if (!target || option === '') throw noPath(path, pipeline);
    target[option] = value;
  }
  const copies = steps.map((step, k) =>
    at(`steps.${k}.`, () => copyOf(step, ofSteps[k] as object as Changes, `steps[${k}]`)),
  );
  const trainer = at('model.', () => cloneOf(model, ofModel));
  return new (Pipeline as unknown as new (...parts: unknown[]) => Pipeline)(...(copies as Step[]), trainer);
}

function noPath(path: string, { steps }: Pipeline): RangeError {
  const near = path.includes('.') ? '' : `: do you mean ${show(`model.${path}`)}?`;
  const last = steps.length - 1;
  const paths = last === 0 ? "'steps.0.…'" : `'steps.0.…' to 'steps.${last}.…'`;
  return new RangeError(`the pipeline has no option ${show(path)}${near}; paths begin with 'model.…' or ${paths}`);
}

/** Errors about the options of a part name its path. */
function at<T>(path: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replace(/^"(\w+)"/, `"${path}$1"`);
    throw error;
  }
}
