// What a model says of one row: the class, how sure it is, and what decided.

import type { AnyModel, Label } from 'perceptron-wasm';
import type { Calibrated } from 'perceptron-wasm/select';
import type { Answer, Cell, Weight } from '../types.js';
import type { Frame } from './frame.js';
import { release } from './rows.js';

/** Parts of a score that are shown. */
const MOST_PARTS = 8;

/** A part of a score, as the library names it. */
interface Part {
  readonly index: number;
  readonly name?: string;
  readonly contribution: number;
}

interface Explaining {
  explain(x: unknown, options: object): Part[];
}

/** What is asked: a model, and how it takes its rows. */
export interface Asked {
  readonly model: AnyModel;
  readonly frame: Frame;
  readonly calibrated?: Calibrated<Label, never> | undefined;
  /** What a part of a score is called. */
  readonly nameOfPart: (index: number) => string;
}

export function answerFor({ model, frame, calibrated, nameOfPart }: Asked, cells: readonly Cell[]): Answer {
  const { classes } = model;
  const X = frame.rows([cells]);
  try {
    const found = model.decisionFunction(X as never);
    const isTwo = found instanceof Float64Array;
    const scores = Array.from(isTwo ? found : found.data);
    const probabilities = calibrated && Array.from(probabilitiesIn(calibrated.predictProbability(X as never)));
    const label = model.predict(X as never)[0] as Label;
    // Of two classes a score above 0 is the second's: turned, so that all that is shown speaks for the answer.
    const sign = isTwo && label === classes[0] ? -1 : 1;
    const own = sign * (scores[isTwo ? 0 : classes.indexOf(label)] as number);
    const options = { top: MOST_PARTS, ...(!isTwo && { label }) };
    const parts = (model as unknown as Explaining)
      .explain(frame.one(cells), options)
      .map(({ index, name, contribution }) => ({ name: name ?? nameOfPart(index), value: sign * contribution }));
    const rest = own - parts.reduce((sum, { value }) => sum + value, 0);
    const weights = (values: readonly number[]): Weight[] =>
      values.map((value, k) => ({ name: String(classes[k]), value }));
    return {
      label: String(label),
      score: own,
      scores: isTwo ? [] : weights(scores),
      ...(probabilities && { probabilities: weights(probabilities) }),
      parts: Math.abs(rest) > 1e-9 * (1 + Math.abs(own)) ? [...parts, { name: parts.length < MOST_PARTS ? 'the bias' : 'all else, and the bias', value: rest }] : parts, // biome-ignore format: one list
    };
  } finally {
    release(X);
  }
}

/** Of one row, a probability for each class. */
function probabilitiesIn(found: Float64Array | { readonly data: Float64Array }): Float64Array {
  if (!(found instanceof Float64Array)) return found.data;
  const [second = 0] = found;
  return Float64Array.of(1 - second, second);
}
