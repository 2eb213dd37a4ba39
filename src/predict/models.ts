// Reads planes, or support vectors with coefficients, from the JSON of each kind of model. It reads only the fields that
// predictions need, and checks each of them: a model file is untrusted input.

import { RBF } from '../../assembly/layout.js';
import type { Classes, Label } from '../data/labels.js';
import { checkKernel, type KernelChoice, kernelFor } from '../gram/kernel.js';
import { colsFrom } from '../model/dual-json.js';
import {
  classesFrom,
  countFrom,
  exactNumber,
  expectLength,
  type Fields,
  fail,
  fieldsOf,
  listOf,
  numberFrom,
  numbersFrom,
} from '../model/json.js';
import { planeFrom } from '../model/linear-json.js';
import { ascendingFrom, rowsFrom } from '../model/rows-json.js';
import { meanOf } from '../model/state.js';
import { type Expansion, kernelScorer, normsOf, planeOf, planeScorer, type Scorer } from './scorers.js';
import { countRows, type Table } from './tables.js';

/** What predictions need from a model file. */
export interface Learned<L extends Label = Label> {
  readonly classes: Classes<L>;
  readonly cols: number;
  /** Whether each class has a score; otherwise the sign of the only score decides. */
  readonly isMulticlass: boolean;
  readonly score: Scorer;
}

type Reader = <L extends Label>(json: Fields) => Learned<L>;

/** The saved plane is the one that predicts: the mean, that of the pocket or the last. */
const linear: Reader = (json) => {
  const plane = planeFrom(json, '');
  return {
    classes: classesFrom(json, 'two'),
    cols: plane.weights.length,
    isMulticlass: false,
    score: planeScorer([plane]),
  };
};

const dual: Reader = (json) => {
  const options = fieldsOf(json.options, 'options');
  const cols = colsFrom(json);
  const s = fieldsOf(json.supports, 'supports');
  const supports = supportsFrom(s, cols);
  const count = countRows(supports);
  const signs = numbersFrom(s.signs, 'supports.signs', count, (value, path) => {
    if (value !== 1 && value !== -1) fail(path, '-1 or 1', value, 'number');
    return value;
  });
  return {
    classes: classesFrom(json, 'two'),
    cols,
    isMulticlass: false,
    score: scorerOf(kernelFrom(options, 'linear'), supports, [dualExpansion(json, options, s, signs)]),
  };
};

/** The mean of α if averaging is on, that of the pocket if there is one, else the last; each times y. */
function dualExpansion(json: Fields, options: Fields, s: Fields, signs: Float64Array): Expansion {
  const [average, pocket] = [flagFrom(options, 'average'), flagFrom(options, 'pocket')];
  if (average && pocket) throw new RangeError('model JSON: options.average and options.pocket exclude each other');
  const signed = (name: 'alphas' | 'pocket', of: (alpha: number, k: number) => number = (alpha) => alpha) =>
    numbersFrom(s[name], `supports.${name}`, signs.length, notNegative).map((a, k) => of(a, k) * (signs[k] as number));
  if (!average && !pocket) return { coefficients: signed('alphas'), bias: exactNumber(json.bias, 'bias') };
  const training = fieldsOf(json.training, 'training');
  if (pocket) {
    return { coefficients: signed('pocket'), bias: exactNumber(training.pocketBias, 'training.pocketBias') };
  }
  const seen = countFrom(training.seen, 'training.seen');
  const sums = numbersFrom(s.sums, 'supports.sums', signs.length);
  return {
    coefficients: signed('alphas', (alpha, k) => meanOf(alpha, sums[k] as number, seen)),
    bias: meanOf(exactNumber(json.bias, 'bias'), exactNumber(training.biasSum, 'training.biasSum'), seen),
  };
}

const multiclass: Reader = (json) => {
  const options = fieldsOf(json.options, 'options');
  const cols = colsFrom(json);
  const classes = classesFrom<never>(json, 'many');
  const { kernel, strategy = 'one-vs-rest' } = options;
  if (strategy !== 'one-vs-rest' && strategy !== 'multinomial') {
    fail('options.strategy', '"one-vs-rest" or "multinomial"', strategy, 'string');
  }
  const score =
    kernel === undefined ? planesOf(json, classes.length, cols) : expansionsOf(json, options, classes, cols);
  return { classes, cols, isMulticlass: true, score };
};

function planesOf(json: Fields, classes: number, cols: number): Scorer {
  const planes = listOf(json.planes, 'planes', (value, path) => planeFrom(fieldsOf(value, path), `${path}.`, cols));
  expectLength(planes, classes, 'planes');
  return planeScorer(planes);
}

function expansionsOf(json: Fields, options: Fields, classes: readonly Label[], cols: number): Scorer {
  const isMultinomial = options.strategy === 'multinomial';
  const average = flagFrom(options, 'average');
  const s = fieldsOf(json.supports, 'supports');
  const supports = supportsFrom(s, cols);
  const count = countRows(supports);
  const runs = average ? listOf(json.training, 'training', fieldsOf) : [];
  if (average) expectLength(runs, isMultinomial ? 1 : classes.length, 'training');
  const parts = listOf(json.coefficients, 'coefficients', fieldsOf);
  expectLength(parts, classes.length, 'coefficients');
  const codes = isMultinomial ? undefined : codesFrom(s.codes, count, classes.length);
  const expansions = parts.map((part, k): Expansion => {
    const path = `coefficients[${k}].`;
    // One-vs-rest: a class has coefficients for some support vectors; those of its own rows are positive.
    const places = codes && ascendingFrom(part.places, `${path}places`, count);
    const length = places ? places.length : count;
    let values = places
      ? numbersFrom(part.alphas, `${path}alphas`, length, notNegative)
      : numbersFrom(part.betas, `${path}betas`, length);
    let bias = exactNumber(part.bias, `${path}bias`);
    if (average) {
      const run = isMultinomial ? 0 : k;
      const seen = countFrom(runs[run]?.seen, `training[${run}].seen`);
      const sums = numbersFrom(part.sums, `${path}sums`, length);
      values = values.map((value, at) => meanOf(value, sums[at] as number, seen));
      bias = meanOf(bias, exactNumber(part.biasSum, `${path}biasSum`), seen);
    }
    if (!places) return { coefficients: values, bias };
    const coefficients = new Float64Array(count);
    places.forEach((place, at) => {
      coefficients[place] = (values[at] as number) * (codes?.[place] === k ? 1 : -1);
    });
    return { coefficients, bias };
  });
  return scorerOf(kernelFrom(options), supports, expansions);
}

/** The class number of each support vector. */
function codesFrom(value: unknown, count: number, classes: number): Float64Array {
  return numbersFrom(value, 'supports.codes', count, (code, path) => {
    if (countFrom(code, path) >= classes) fail(path, `an integer from 0 to ${classes - 1}`, code, 'number');
    return code as number;
  });
}

function scorerOf(choice: KernelChoice, supports: Table, expansions: readonly Expansion[]): Scorer {
  if (choice.type === 'linear') return planeScorer(expansions.map((expansion) => planeOf(expansion, supports)));
  const kernel = kernelFor(choice, supports.cols);
  const norms = normsOf(supports);
  const bad = norms.indexOf(Infinity);
  // exp would turn an infinite distance into 0 silently.
  if (kernel.kind === RBF && bad >= 0) {
    throw new RangeError(`model JSON: supports.rows[${bad}] has values too large for the rbf kernel`);
  }
  return kernelScorer(kernel, supports, norms, expansions);
}

function supportsFrom(s: Fields, cols: number): Table {
  const rows = listOf(s.rows, 'supports.rows', (row) => row);
  return { ...rowsFrom(rows, 'supports.rows', rows.length, cols), cols };
}

const notNegative = (value: unknown, path: string): number => numberFrom(0, value, path);

/** An option that is true or false; false if it is missing. */
function flagFrom(options: Fields, name: string): boolean {
  const value = options[name] ?? false;
  if (typeof value !== 'boolean') fail(`options.${name}`, 'true or false', value);
  return value;
}

function kernelFrom({ kernel }: Fields, missing?: string): KernelChoice {
  const given = kernel ?? missing;
  const isObject = typeof given === 'object' && given !== null;
  return checkKernel(isObject ? fieldsOf(given, 'options.kernel') : given, 'options.kernel');
}

/** The reader of each kind of model, by its "type". */
export const readers: Readonly<Record<string, Reader>> = {
  perceptron: linear,
  'pocket-perceptron': linear,
  'dual-perceptron': dual,
  'multiclass-perceptron': multiclass,
};
