// The type of a model after `fit`: labels need no type argument.

import type { Label } from '../data/labels.js';
import type { Model, MulticlassModel } from '../model/model.js';
import type { FitAsyncOptions } from '../train/options.js';

/**
 * What `fit` gives back: a trainer whose label type nobody stated (`T` is `Bare`, such as `Perceptron<Label>`) takes that of the labels it was fitted
 * with; a trainer with a type argument of its own and a subclass stay what they are.
 *
 * `fit` has it as the default of a type parameter: TypeScript does not compare defaults, so that a `Perceptron<string>` remains assignable to a
 * `Perceptron<Label>`.
 */
export type Fitted<T, Bare, Labelled> = Bare extends T ? Labelled : T;

/** What `fitAsync` of every trainer takes: a call on a union of trainers needs a signature that they all have. */
export type AnyFitAsyncOptions<L extends Label> = FitAsyncOptions<L, Model<L> | MulticlassModel<L>>;
