// The JSON of a pipeline. One Scaler is written as 0.1 wrote it, in the field "scaler"; anything else is the list "steps".

import type { Label } from '../data/labels.js';
import type { DualPerceptronJSON } from '../model/dual-json.js';
import { expectLength, fail, fieldsOf, listOf, openModel } from '../model/json.js';
import type { PerceptronJSON } from '../model/linear-json.js';
import type { MulticlassPerceptronJSON } from '../model/multi-json.js';
import { Scaler, type ScalerJSON } from '../model/scaler.js';
import { has } from '../own.js';
import type { Step } from './step.js';
import { type AnyTrainer, loadTrainer } from './trainers.js';

/** What `Pipeline.toJSON` gives: the steps and the model. */
export interface PipelineJSON {
  type: 'pipeline';
  version: 1;
  /** The only step, if that is a Scaler. */
  scaler?: ScalerJSON;
  /** All steps, if they are not one Scaler. */
  steps?: { type?: string }[];
  model: PerceptronJSON | DualPerceptronJSON | MulticlassPerceptronJSON;
}

/** Readers of steps, by the type of their JSON. */
export type StepReaders = Readonly<Record<string, (json: unknown) => Step>>;

/** The steps and the model in a pipeline's JSON. @throws TypeError or RangeError naming the wrong field */
export function pipelineParts<L extends Label>(
  json: unknown,
  readers?: StepReaders,
): [first: Scaler, ...others: Step[], model: AnyTrainer<L>] {
  const fields = openModel(json, ['pipeline']);
  const isOld = fields.steps === undefined;
  const steps: Step[] = isOld
    ? [nested(fields.scaler, 'scaler', Scaler.fromJSON)]
    : listOf(fields.steps, 'steps', (value, path) => nested(value, path, (step) => stepFrom(step, readers)));
  if (steps.length === 0) fail('steps', 'one or more steps', fields.steps, 'object');
  const model = nested(fields.model, 'model', loadTrainer<L>);
  const learned = model.packed();
  const cols = has(learned, 'cols') ? learned.cols : (learned.weights as Float64Array).length;
  if (isOld) expectLength((steps[0] as unknown as Scaler).means, cols, 'scaler.means');
  else expectChain(steps, cols);
  return [...steps, model] as unknown as [Scaler, AnyTrainer<L>]; // types of files are not known
}

function stepFrom(json: unknown, readers: StepReaders | undefined): Step {
  const { type } = fieldsOf(json, 'the step');
  if (type === 'scaler') return Scaler.fromJSON(json);
  const known = readers ?? {};
  const read = typeof type === 'string' && Object.hasOwn(known, type) ? known[type] : undefined;
  if (read) return read(json);
  const others = readers ? Object.keys(known).join(', ') : 'one that loadModel of perceptron-wasm/prepare reads';
  return fail('type', `scaler or ${others}`, type, 'string');
}

/** Checks that each step takes as many columns as the one before it makes. @throws RangeError */
function expectChain(steps: readonly Step[], modelCols: number): void {
  steps.forEach((step, k) => {
    const [next, name] = k + 1 < steps.length ? [steps[k + 1], `steps[${k + 1}]`] : [undefined, 'the model'];
    const takes = next ? next.inputCols : modelCols;
    const makes = step.outputCols;
    if (next?.isReady && takes === undefined) {
      throw new RangeError(`model JSON: ${name} takes text or a table, so it must be the first step`);
    }
    if (makes !== undefined && takes !== undefined && makes !== takes) {
      throw new RangeError(`model JSON: steps[${k}] makes ${makes} columns, but ${name} takes ${takes}`);
    }
  });
}

/** Loads a part of a model's JSON; errors name its path from the top. */
function nested<T>(json: unknown, path: string, load: (json: unknown) => T): T {
  fieldsOf(json, path);
  try {
    return load(json);
  } catch (error) {
    if (error instanceof Error) {
      error.message = error.message.replace(/^model JSON: |^/, (own) => `model JSON: ${path}${own ? '.' : ': '}`);
    }
    throw error;
  }
}
