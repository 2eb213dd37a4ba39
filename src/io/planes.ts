// Converts linear models to planes, and planes to models: other programs' model files contain planes.

import { show } from '../errors.js';
import {
  type AnyModel,
  type Label,
  MulticlassPerceptron,
  type MulticlassPerceptronJSON,
  Perceptron,
  type PerceptronJSON,
  Scaler,
  type Strategy,
  type TrainingJSON,
} from '../index.js';
import { has, own } from '../own.js';
import { Random } from '../random.js';

/** Weights and bias. */
export interface Plane {
  readonly weights: Float64Array;
  readonly bias: number;
}

/** Two labels and one plane, positive for the second; or three labels or more, and a plane for each. */
interface Planes<L extends Label = Label> {
  readonly labels: readonly L[];
  readonly planes: readonly Plane[];
  /** Three or more labels: how the planes were learned. */
  readonly strategy: Strategy | undefined;
}

/** The intercept options with which training continues. */
interface InterceptOptions {
  readonly fitIntercept?: boolean;
  readonly interceptScaling?: number;
}

/**
 * The planes that a model predicts with. They are rounded if they are the difference of two planes or include a scaler.
 * @throws RangeError if the kernel is not linear, or if a weight overflows
 */
export function planesOf<L extends Label>(model: AnyModel<L>): Planes<L> {
  if (typeof model?.predict !== 'function') throw new TypeError(`"model" must be a fitted model, got ${show(model)}`);
  if (has(model, 'steps')) {
    const { planes, ...rest } = planesOf(model.model);
    const steps = model.steps as readonly { kind?: unknown }[];
    const other = steps.find((step) => !(step instanceof Scaler));
    if (other)
      throw new RangeError(
        `the model has a step ${other.constructor.name}, which other programs do not have; give pipeline.model`,
      );
    return { ...rest, planes: planes.map((plane) => (steps as readonly Scaler[]).reduceRight(unscaled, plane)) };
  }
  const labels = model.classes;
  if (!has(model, 'biases'))
    return { labels, planes: [{ weights: model.weights, bias: model.bias }], strategy: undefined };
  const { biases } = model;
  const planes = model.weights.map((weights, k) => ({ weights, bias: biases[k] as number }));
  const [first, second] = planes as [Plane, Plane];
  if (planes.length === 2) return { labels, planes: [difference(second, first)], strategy: undefined };
  const isJoint = model.toJSON().options.strategy === 'multinomial';
  return { labels, planes, strategy: isJoint ? 'multinomial' : 'one-vs-rest' };
}

/** The plane that scores unscaled rows as `plane` scores scaled ones: w / scale, b − Σ w·mean / scale. */
function unscaled({ weights, bias }: Plane, scaler: Scaler): Plane {
  const { means, scales } = scaler;
  if (means.length !== weights.length) {
    throw new RangeError(`the scaler was fitted on ${means.length} columns, the model on ${weights.length}`);
  }
  const own = weights.map((w, k) => w / (scales[k] as number));
  return checked(
    own,
    own.reduce((b, w, k) => b - w * (means[k] as number), bias),
  );
}

const difference = (a: Plane, b: Plane): Plane =>
  checked(
    a.weights.map((w, k) => w - (b.weights[k] as number)),
    a.bias - b.bias,
  );

function checked(weights: Float64Array, bias: number): Plane {
  const bad = weights.findIndex((w) => !Number.isFinite(w));
  if (bad >= 0) throw new RangeError(`the weight of column ${bad} is too large for one plane: it is ${weights[bad]}`);
  if (!Number.isFinite(bias)) throw new RangeError(`the bias is too large for one plane: it is ${bias}`);
  return { weights, bias };
}

/** A model with these planes. Its training is unknown: continued training uses them as initial weights. */
export function modelOf<L extends Label>(
  { labels, planes, strategy = 'one-vs-rest' }: Planes<L>,
  options: InterceptOptions = {},
): Perceptron<L> | MulticlassPerceptron<L> {
  const order = labels.map((_, k) => k).sort((a, b) => ((labels[a] as L) < (labels[b] as L) ? -1 : 1));
  const classes = order.map((k) => labels[k] as L);
  if (classes.length > 2) {
    const ordered = order.map((k) => planes[k] as Plane);
    return manyOf(classes, ordered, { strategy, ...options });
  }
  const [plane] = planes as [Plane];
  return twoOf(classes, order[0] === 0 ? plane : opposite(plane), options);
}

/** The plane with the opposite sign. */
export const opposite = ({ weights, bias }: Plane): Plane => ({ weights: weights.map((w) => -w), bias: -bias });

const plain = ({ weights, bias }: Plane) => ({ weights: [...weights], bias });

/** The state of training before the first epoch. */
const untrained = (): TrainingJSON => ({
  seen: 0,
  sigma: 0,
  classWeightRange: [1, 1],
  random: [...Random.seeded(0).state],
  converged: false,
  stopReason: 'stopped',
  epochs: 0,
  mistakes: 0,
  mistakesByEpoch: [],
  advice: [],
});

function twoOf<L extends Label>(classes: L[], plane: Plane, options: InterceptOptions): Perceptron<L> {
  const weights = [...plane.weights];
  const bias = own(options).fitIntercept === false ? 0 : plane.bias; // 0, never −0
  const json: PerceptronJSON = {
    type: 'perceptron',
    version: 1,
    // As initial weights, so that bounds after more training (SPEC §4) start from here.
    options: { ...options, initialWeights: weights, initialBias: bias },
    classes,
    weights,
    bias,
    training: untrained(),
  };
  return Perceptron.fromJSON<L>(json);
}

function manyOf<L extends Label>(
  classes: L[],
  planes: readonly Plane[],
  options: InterceptOptions & { strategy: Strategy },
): MulticlassPerceptron<L> {
  const runs = options.strategy === 'multinomial' ? 1 : classes.length;
  const json: MulticlassPerceptronJSON = {
    type: 'multiclass-perceptron',
    version: 1,
    options: { ...options },
    classes,
    cols: (planes[0] as Plane).weights.length,
    planes: planes.map(plain),
    stopReason: 'stopped',
    advice: [],
    training: Array.from({ length: runs }, untrained),
  };
  return MulticlassPerceptron.fromJSON<L>(json);
}
