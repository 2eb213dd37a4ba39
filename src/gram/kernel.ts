// Kernel functions K(x, z) in place of x·z (SPEC §8), under LIBSVM's names and with its defaults.

import * as at from '../../assembly/layout.js';
import { expectOptions, number, show } from '../errors.js';
import { own } from '../own.js';

/** (γ x·z + c)^p. */
export interface PolynomialKernel {
  type: 'polynomial';
  /** p, an integer of at least 1. Default 3. */
  degree?: number;
  /** γ > 0. Default 1 / columns of X. */
  gamma?: number;
  /** c. Default 0. */
  coef0?: number;
}

/** exp(−γ‖x−z‖²): a larger γ narrows the influence of a row. */
export interface RbfKernel {
  type: 'rbf';
  /** γ > 0. Default 1 / columns of X. */
  gamma?: number;
}

/** The kernel function K(x, z) in place of x·z, with LIBSVM's names and defaults; a name alone uses all defaults. */
export type Kernel = 'linear' | 'polynomial' | 'rbf' | { type: 'linear' } | PolynomialKernel | RbfKernel;

/** A checked kernel option; gamma may still depend on the data. */
export type KernelChoice = Readonly<Exclude<Kernel, string>>;

/** A kernel function with all its parameters, as the engine kernels take it. */
export interface KernelFunction {
  readonly kind: number;
  readonly gamma: number;
  readonly coef0: number;
  readonly degree: number;
}

const KEYS: Record<string, readonly string[]> = {
  linear: ['type'],
  polynomial: ['type', 'degree', 'gamma', 'coef0'],
  rbf: ['type', 'gamma'],
};

const TYPES =
  "'linear', 'polynomial', 'rbf', or { type, … } with numbers of your own such as { type: 'rbf', gamma: 0.5 }";

const positive = /* @__PURE__ */ number('a number > 0', (v) => v > 0 && v < Infinity);
const finite = /* @__PURE__ */ number('a finite number', Number.isFinite); // JSON has no −0, so −0 becomes 0 here
const power = /* @__PURE__ */ number(
  'an integer from 1 to 4294967295',
  (v) => Number.isInteger(v) && v >= 1 && v < 2 ** 32,
);

/** Checks a `kernel` option. @throws TypeError or RangeError naming what is wrong */
export function checkKernel(value: unknown, name = 'kernel'): KernelChoice {
  if (typeof value === 'string' && Object.hasOwn(KEYS, value)) return Object.freeze({ type: value }) as KernelChoice;
  const { type, degree, gamma, coef0 } = own(typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  if (typeof value === 'object' && value !== null && typeof type !== 'string') {
    throw new TypeError(`"${name}.type" must be 'linear', 'polynomial' or 'rbf', got ${show(type)}`);
  }
  if (typeof type !== 'string' || !Object.hasOwn(KEYS, type)) {
    const what = typeof type === 'string' ? `type ${show(type)}` : show(value);
    throw new ((typeof value === 'object' && value !== null) || typeof value === 'string' ? RangeError : TypeError)(
      `"${name}" must be ${TYPES}, got ${what}`,
    );
  }
  expectOptions(value, KEYS[type] as readonly string[], `the ${type} kernel`);
  return Object.freeze({
    type,
    ...(degree !== undefined && { degree: power(degree, `${name}.degree`) }),
    ...(gamma !== undefined && { gamma: positive(gamma, `${name}.gamma`) }),
    ...(coef0 !== undefined && { coef0: finite(coef0, `${name}.coef0`) }),
  }) as KernelChoice;
}

export const LINEAR: KernelChoice = /* @__PURE__ */ Object.freeze({ type: 'linear' });

/** The kernel function for rows of `cols` values. */
export function kernelFor(choice: KernelChoice, cols: number): KernelFunction {
  if (choice.type === 'linear') return { kind: at.LINEAR, gamma: 1, coef0: 0, degree: 1 };
  const { gamma = 1 / cols } = own(choice);
  if (choice.type === 'rbf') return { kind: at.RBF, gamma, coef0: 0, degree: 1 };
  const { coef0 = 0, degree = 3 } = own(choice);
  return { kind: at.POLYNOMIAL, gamma, coef0, degree };
}
