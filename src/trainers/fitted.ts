// The type of a model after `fit`, so that labels need no type argument.

import type { Label } from '../data/labels.js';
import type { Model, MulticlassModel } from '../model/model.js';
import type { FitAsyncOptions } from '../train/options.js';

/**
 * The type that `fit` returns. If the caller stated no label type (`T` is `Bare`, such as `Perceptron<Label>`), it is the trainer
 * for the labels of y; a trainer with a type argument and a subclass keep their type.
 *
 * `fit` has it as the default of a type parameter: TypeScript does not compare defaults, so that a `Perceptron<string>` is
 * assignable to a `Perceptron<Label>`.
 */
export type Fitted<T, Bare, Labelled> = Bare extends T ? Labelled : T;

/** The options of `fitAsync` of every trainer: a call on a union of trainers needs a signature that all of them have. */
export type AnyFitAsyncOptions<L extends Label> = FitAsyncOptions<L, Model<L> | MulticlassModel<L>>;
