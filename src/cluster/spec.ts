// A model that is not fitted, as data that can travel: its kind and its options. The constructors on the other side check them, as
// they check everybody's.

import { mustBe } from '../errors.js';
import { DualPerceptron, MulticlassPerceptron, Perceptron, Pipeline, PocketPerceptron, Scaler } from '../index.js';
import { optionsJSON } from '../model/json.js';
import { get, own } from '../own.js';
import { TableEncoder, TextVectorizer } from '../prepare/index.js';

type Options = Readonly<Record<string, unknown>>;

export interface Spec {
  readonly type: string;
  readonly options?: Options;
  /** Of a pipeline. */
  readonly steps?: readonly Spec[];
  readonly model?: Spec;
}

type Constructor = new (options: never) => object;

const TRAINERS: Readonly<Record<string, Constructor>> = {
  perceptron: Perceptron,
  'pocket-perceptron': PocketPerceptron,
  'dual-perceptron': DualPerceptron,
  'multiclass-perceptron': MulticlassPerceptron,
};
const STEPS: Readonly<Record<string, Constructor>> = {
  scaler: Scaler,
  'table-encoder': TableEncoder,
  'text-vectorizer': TextVectorizer,
};

const typeOf = (value: object, among: Readonly<Record<string, Constructor>>): string | undefined =>
  Object.keys(among).find((type) => Object.getPrototypeOf(value) === among[type]?.prototype);

/** @throws TypeError for a class of the caller's own, or an option that cannot travel */
export function specOf(model: unknown): Spec {
  if (typeof model === 'object' && model !== null) {
    if (model instanceof Pipeline)
      return { type: 'pipeline', steps: model.steps.map(stepSpec), model: specOf(model.model) };
    const type = typeOf(model, TRAINERS);
    if (type !== undefined) {
      const { pocket, ...options } = optionsOf((model as { settings: never }).settings);
      // Every PocketPerceptron has one, without an option.
      return { type, options: { ...options, ...(pocket && type !== 'pocket-perceptron' ? { pocket } : {}) } };
    }
  }
  throw mustBe(
    'the model',
    'a Perceptron, a PocketPerceptron, a DualPerceptron, a MulticlassPerceptron or a Pipeline of them',
    model,
  );
}

function stepSpec(step: object, k: number): Spec {
  const type = typeOf(step, STEPS);
  const options =
    step instanceof Scaler ? { kind: step.kind } : get(step as { givenOptions?: Options }, 'givenOptions');
  if (type !== undefined && options) return { type, options };
  const name = `steps[${k}]`;
  throw new TypeError(
    `${name} must be a Scaler, a TableEncoder or a TextVectorizer with options that are data: workers have no others`,
  );
}

/** What a trainer was made with: all that changes its result. Callbacks and the engine stay here. */
function optionsOf(settings: Parameters<typeof optionsJSON>[0] & Options): Options {
  const { kernel, gram, maxGramBytes, aggressiveness } = settings;
  return {
    ...optionsJSON(settings),
    ...(aggressiveness === Infinity && { aggressiveness }), // which files write as a word
    ...(kernel !== undefined && { gram, maxGramBytes }), // which decide how sums are rounded
  };
}

/** The model of a spec that came from elsewhere. @throws TypeError or RangeError naming what is wrong */
export function modelFrom(spec: unknown): object {
  const { type, options, steps, model } = own(Object(spec) as Spec);
  if (type === 'pipeline') {
    const parts = [...(Array.isArray(steps) ? steps.map((step) => made(step, STEPS)) : []), made(model, TRAINERS)];
    return new (Pipeline as unknown as new (...parts: object[]) => object)(...parts);
  }
  return made({ type, options }, TRAINERS);
}

function made(spec: unknown, among: Readonly<Record<string, Constructor>>): object {
  const { type, options } = own(Object(spec) as Spec);
  const Class = Object.hasOwn(among, String(type)) ? among[type] : undefined;
  if (!Class) throw mustBe('the type of a model', `one of ${Object.keys(among).join(', ')}`, type, 'string');
  return new Class(own(Object(options)) as never);
}
