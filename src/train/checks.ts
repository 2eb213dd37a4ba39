// Checks of single options: each returns the checked value, or throws an error that names the option.

import { checkLength, isList } from '../data/parts.js';
import { readable } from '../data/views.js';
import { type Check, number, show, word } from '../errors.js';

export const positive = number('a number > 0', (v) => v > 0 && v < Infinity);
/** The kernels use B·B, which must be a number > 0 too. */
export const scaling = number('a number > 0', (v) => v > 0 && v * v > 0 && v * v < Infinity);
export const notNegative = number('a number ≥ 0', (v) => v >= 0 && v < Infinity);
export const finite = number('a finite number', Number.isFinite, true);
export const bytes = number(
  'an integer of at least 1, or Infinity',
  (v) => v >= 1 && (Number.isSafeInteger(v) || v === Infinity),
);
export const count = number('an integer of at least 1', (v) => Number.isSafeInteger(v) && v >= 1);
export const seed = number('an integer from 0 to 4294967295', (v) => Number.isInteger(v) && v >= 0 && v < 2 ** 32);
export const share = number('a number from 0 to less than 1', (v) => v >= 0 && v < 1);

export const boolean: Check<boolean> = (value, name) => {
  if (typeof value !== 'boolean') throw new TypeError(`"${name}" must be true or false, got ${show(value)}`);
  return value;
};

export const callback: Check<(...args: never[]) => unknown> = (value, name) => {
  if (typeof value !== 'function') throw new TypeError(`"${name}" must be a function, got ${show(value)}`);
  return value as (...args: never[]) => unknown;
};

export const order = /* @__PURE__ */ word('cyclic', 'shuffle', 'random', 'batch');
export const update = /* @__PURE__ */ word('perceptron', 'pa1', 'pa2');
export const ceiling = number('a number > 0, or Infinity', (v) => v > 0);
export const gramMode = /* @__PURE__ */ word('full', 'rows', 'auto');
export const gramOrBlocks = /* @__PURE__ */ word('full', 'rows', 'blocks', 'auto');
export const strategy = /* @__PURE__ */ word('one-vs-rest', 'multinomial');

/** An array-like of finite numbers, copied. */
export const vector: Check<Float64Array> = (value, name) => {
  const list = value as ArrayLike<number>;
  if (!isList(list)) throw new TypeError(`"${name}" must be an array of numbers, got ${show(value)}`);
  const copy = new Float64Array(checkLength(list.length, name));
  for (let i = 0; i < copy.length; i++) {
    const v: unknown = list[i];
    if (typeof v !== 'number') throw new TypeError(`${name}[${i}] must be a number, got ${show(v)}`);
    if (!Number.isFinite(v)) throw new RangeError(`${name}[${i}] is ${v}`);
    copy[i] = v;
  }
  return copy;
};

/** A copy of the weights of rows, each checked. @throws TypeError or RangeError naming the weight, or if all are zero and must not be */
export function sampleWeights(value: unknown, mayBeZero = false): Float64Array {
  const name = 'sampleWeight';
  const list = (ArrayBuffer.isView(value) ? readable(value, name) : value) as ArrayLike<number>;
  if (!isList(list)) throw new TypeError(`"${name}" must be an array of numbers, got ${show(value)}`);
  const copy = new Float64Array(checkLength(list.length, name));
  let isZero = copy.length > 0 && !mayBeZero;
  for (let i = 0; i < copy.length; i++) {
    const v: unknown = list[i];
    if (typeof v !== 'number') throw new TypeError(`${name}[${i}] must be a number, got ${show(v)}`);
    if (!(v >= 0 && v < Infinity)) throw new RangeError(`${name}[${i}] is ${v}; a weight is a finite number ≥ 0`);
    copy[i] = v;
    isZero &&= v === 0;
  }
  if (isZero) throw new RangeError(`"${name}" has no weight above 0: no row is left to train on`);
  return copy;
}

export const names: Check<readonly string[]> = (value, name) => {
  if (!Array.isArray(value)) throw new TypeError(`"${name}" must be an array of strings, got ${show(value)}`);
  return Object.freeze(
    Array.from(value, (v: unknown, i) => {
      if (typeof v !== 'string') throw new TypeError(`${name}[${i}] must be a string, got ${show(v)}`);
      return v;
    }),
  );
};

export const classWeight: Check<'balanced' | Readonly<Record<string, number>>> = (value, name) => {
  if (value === 'balanced') return value;
  if (typeof value !== 'object' || value === null || Symbol.iterator in value) {
    throw new TypeError(`"${name}" must be 'balanced' or an object of weights by class, got ${show(value)}`);
  }
  const copy: Record<string, number> = Object.create(null);
  for (const [key, weight] of Object.entries(value)) copy[key] = positive(weight, `${name}[${show(key)}]`);
  return Object.freeze(copy);
};
