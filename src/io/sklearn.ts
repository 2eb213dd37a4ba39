// scikit-learn's linear classifiers as plain JSON: the three attributes with which Perceptron, SGDClassifier, LogisticRegression,
// LinearSVC and similar classifiers predict. Two classes: one row, positive for the second class, as here.

import { show } from '../errors.js';
import type { AnyModel, Label, MulticlassPerceptron, Perceptron } from '../index.js';
import { modelOf, planesOf } from './planes.js';

/** The attributes of a fitted linear classifier, with scikit-learn's names. */
export interface SklearnModel<L extends Label = Label> {
  /** One row of weights for two classes, else a row for each class. */
  coef_: number[][];
  intercept_: number[];
  classes_: L[];
}

/**
 * A linear model with scikit-learn's attributes. The planes are exact, except two that are rounded: the difference of a
 * MulticlassPerceptron's two planes, and the weights of a Pipeline, which include its scaler.
 * @throws RangeError if the kernel is not linear
 *
 * @example
 * const model = new Perceptron().fit([[3, 3], [4, 3], [1, 1]], [1, 1, -1]);
 * console.log(toSklearn(model).coef_); // → [ [ 1, 1 ] ]
 */
export function toSklearn<L extends Label>(model: AnyModel<L>): SklearnModel<L> {
  const { labels, planes } = planesOf(model);
  return {
    coef_: planes.map(({ weights }) => [...weights]),
    intercept_: planes.map(({ bias }) => bias),
    classes_: [...labels],
  };
}

/**
 * The model with the attributes of a fitted linear classifier: it predicts what that classifier does, except for rounding and
 * scores of exactly 0. A Perceptron for two classes, a MulticlassPerceptron for more; other fields are ignored.
 * @throws TypeError or RangeError naming the field that is wrong
 *
 * @example
 * const model = fromSklearn({ coef_: [[1, 2]], intercept_: [-1], classes_: ['no', 'yes'] });
 * console.log(model.predict([[1, 1]])); // → [ 'yes' ]
 */
export function fromSklearn<L extends Label = Label>(json: unknown): Perceptron<L> | MulticlassPerceptron<L> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    const hint = typeof json === 'string' ? ': use JSON.parse first' : '';
    throw new TypeError(`fromSklearn takes an object with coef_, intercept_ and classes_, got ${show(json)}${hint}`);
  }
  const labels = labelsOf<L>(own(json, 'classes_'));
  const rows = labels.length === 2 ? 1 : labels.length;
  const coefficients = listOf(own(json, 'coef_'), 'coef_', rows, (row, path) => {
    const weights = Float64Array.from(listOf(row, path, undefined, finite));
    if (weights.length === 0) throw new RangeError(`${path} must have a number for each column, got none`);
    return weights;
  });
  const width = coefficients[0]?.length;
  coefficients.forEach(({ length }, k) => {
    if (length !== width) throw new RangeError(`coef_[${k}] must have ${width} values, as coef_[0] has, got ${length}`);
  });
  const given = own(json, 'intercept_');
  // Without an intercept some classifiers have one 0 for all classes.
  const intercepts =
    typeof given === 'number'
      ? labels.map(() => finite(given, 'intercept_'))
      : listOf(given, 'intercept_', rows, finite);
  const planes = coefficients.map((weights, k) => ({ weights, bias: intercepts[k] as number }));
  return modelOf({ labels, planes, strategy: undefined });
}

/** An own field of the object; an inherited field counts as absent. */
const own = (json: object, name: keyof SklearnModel): unknown =>
  Object.hasOwn(json, name) ? (json as Partial<SklearnModel>)[name] : undefined;

function listOf<T>(
  value: unknown,
  path: string,
  length: number | undefined,
  item: (value: unknown, path: string) => T,
): T[] {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) {
    throw new TypeError(`${path} must be an array, got ${show(value)}`);
  }
  const list = value as unknown[]; // readModelFile gives numbers as typed arrays
  if (list.length !== (length ?? list.length)) {
    throw new RangeError(
      `${path} must have ${length} ${length === 1 ? 'value' : 'values'} for these classes_, got ${list.length}`,
    );
  }
  return Array.from(list, (v: unknown, i) => item(v, `${path}[${i}]`));
}

function finite(value: unknown, path: string): number {
  if (typeof value !== 'number') throw new TypeError(`${path} must be a finite number, got ${show(value)}`);
  if (!Number.isFinite(value)) throw new RangeError(`${path} must be a finite number, got ${value}`);
  return value;
}

function isLabel(value: unknown): value is Label {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function labelsOf<L extends Label>(value: unknown): L[] {
  const type = Array.isArray(value) ? typeof value[0] : '';
  const labels = listOf(value, 'classes_', undefined, (label, path) => {
    if (!isLabel(label))
      throw new TypeError(`${path} must be a finite number, a string or a boolean, got ${show(label)}`);
    if (typeof label !== type) throw new TypeError(`${path} is ${show(label)}; the other labels are of type ${type}`);
    return label as L;
  });
  if (labels.length < 2) throw new RangeError(`classes_ must have two labels or more, got ${labels.length}`);
  if (new Set(labels).size < labels.length) throw new RangeError('classes_ must be different labels');
  return labels;
}
