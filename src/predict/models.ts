// Reads planes, or support vectors with coefficients, from the JSON of each kind of model. It reads only the fields that
// predictions need, and checks each of them: a model file is untrusted input.

import { LINEAR, POLYNOMIAL, RBF } from '../../assembly/layout.js';
import type { Classes, Label } from '../data/labels.js';
import { show } from '../errors.js';
import type { KernelFunction } from '../gram/kernel.js';
import { colsFrom } from '../model/dual-json.js';
import {
  countFrom,
  exactNumber,
  expectLength,
  type Fields,
  fail,
  fieldsOf,
  flagFrom,
  integerFrom,
  listOf,
  notNegative,
  numbersFrom,
  oneOf,
  positive,
  type Read,
  reader,
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
  /** The scores of a row: one for each class, or one whose sign decides. */
  readonly many: number;
  readonly score: Scorer;
}

type Reader = <L extends Label>(json: Fields) => Learned<L>;

/** Different labels of one type in order: sorting them silently would swap the predictions. */
function classesFrom<L extends Label>({ classes }: Fields, isMulticlass: boolean): Classes<L> {
  let before: Label | undefined;
  const labels = listOf(classes, 'classes', (value, path): Label => {
    const label = typeof value === 'string' || typeof value === 'boolean' ? value : exactNumber(value, path) + 0;
    if (before !== undefined && (typeof label !== typeof before || label <= before)) {
      fail(path, `a ${typeof before} after ${show(before)}`, label, typeof before);
    }
    before = label;
    return label;
  });
  if (isMulticlass ? labels.length < 2 : labels.length !== 2) {
    fail('classes', isMulticlass ? 'two or more labels' : 'two labels', classes, 'object');
  }
  return Object.freeze(labels) as Classes<L>;
}

/** The saved plane is the one that predicts: the mean, that of the pocket or the last. */
const linear: Reader = (json) => {
  const plane = planeFrom(json, '');
  const classes = classesFrom<never>(json, false);
  return { classes, cols: plane.weights.length, many: 1, score: planeScorer([plane]) };
};

/** Reads lists of `length` numbers by their names. */
const lists =
  (fields: Fields, path: string, length: number) =>
  (name: string, item?: Read<number>): Float64Array =>
    numbersFrom(fields[name], path + name, length, item);

/** The mean of α if averaging is on, that of the pocket if there is one, else the last; each times y. */
const dual: Reader = (json) => {
  const options = fieldsOf(json.options, 'options');
  const cols = colsFrom(json);
  const { supports, list } = supportsFrom(json, cols);
  const signs = list('signs', signFrom);
  const [average, pocket] = [optionFrom(options, 'average'), optionFrom(options, 'pocket')];
  if (average && pocket) throw new RangeError('model JSON: options.average and options.pocket exclude each other');
  const training = reader(average || pocket ? fieldsOf(json.training, 'training') : {}, 'training.');
  let expansion: Expansion = {
    coefficients: list(pocket ? 'pocket' : 'alphas', notNegative),
    bias: pocket ? training('pocketBias', exactNumber) : exactNumber(json.bias, 'bias'),
  };
  if (average) {
    const biasSum = training('biasSum', exactNumber);
    expansion = meanExpansion(expansion, list('sums'), biasSum, training('seen', countFrom));
  }
  const coefficients = expansion.coefficients.map((alpha, k) => alpha * (signs[k] as number));
  return {
    classes: classesFrom<never>(json, false),
    cols,
    many: 1,
    score: scorerOf(options.kernel ?? 'linear', supports, [{ coefficients, bias: expansion.bias }]),
  };
};

const signFrom: Read<number> = (value, path) =>
  value === 1 || value === -1 ? value : fail(path, '-1 or 1', value, 'number');

const strategyFrom = oneOf('one-vs-rest', 'multinomial');

const multiclass: Reader = (json) => {
  const options = fieldsOf(json.options, 'options');
  const cols = colsFrom(json);
  const classes = classesFrom<never>(json, true);
  const strategy = strategyFrom(options.strategy ?? 'one-vs-rest', 'options.strategy');
  const score =
    options.kernel === undefined
      ? planesOf(json, classes.length, cols)
      : expansionsOf(json, options, strategy === 'multinomial', classes.length, cols);
  return { classes, cols, many: classes.length, score };
};

function planesOf(json: Fields, classes: number, cols: number): Scorer {
  const planes = listOf(json.planes, 'planes', (value, path) => planeFrom(fieldsOf(value, path), `${path}.`, cols));
  expectLength(planes, classes, 'planes');
  return planeScorer(planes);
}

function expansionsOf(json: Fields, options: Fields, isMultinomial: boolean, classes: number, cols: number): Scorer {
  const average = optionFrom(options, 'average');
  const { supports, count, list } = supportsFrom(json, cols);
  const runs = average ? listOf(json.training, 'training', fieldsOf) : [];
  if (average) expectLength(runs, isMultinomial ? 1 : classes, 'training');
  const parts = listOf(json.coefficients, 'coefficients', fieldsOf);
  expectLength(parts, classes, 'coefficients');
  // The class of each support vector.
  const codes = isMultinomial ? undefined : list('codes', integerFrom(0, classes - 1));
  const expansions = parts.map((fields, k): Expansion => {
    const path = `coefficients[${k}].`;
    const part = reader(fields, path);
    // One-vs-rest: a class has coefficients for some support vectors; those of its own rows are positive.
    const places = codes && part('places', (value, at) => ascendingFrom(value, at, count));
    const coefficientsIn = lists(fields, path, places?.length ?? count);
    let expansion: Expansion = {
      coefficients: places ? coefficientsIn('alphas', notNegative) : coefficientsIn('betas'),
      bias: part('bias', exactNumber),
    };
    if (average) {
      const run = isMultinomial ? 0 : k;
      const seen = countFrom(runs[run]?.seen, `training[${run}].seen`);
      expansion = meanExpansion(expansion, coefficientsIn('sums'), part('biasSum', exactNumber), seen);
    }
    if (!places) return expansion;
    const coefficients = new Float64Array(count);
    places.forEach((place, at) => {
      coefficients[place] = (expansion.coefficients[at] as number) * (codes[place] === k ? 1 : -1);
    });
    return { coefficients, bias: expansion.bias };
  });
  return scorerOf(options.kernel, supports, expansions);
}

/** The mean over the samples seen, from the last values and lazy sums. */
const meanExpansion = (last: Expansion, sums: Float64Array, biasSum: number, seen: number): Expansion => ({
  coefficients: last.coefficients.map((value, k) => meanOf(value, sums[k] as number, seen)),
  bias: meanOf(last.bias, biasSum, seen),
});

function scorerOf(kernel: unknown, supports: Table, expansions: readonly Expansion[]): Scorer {
  const choice = kernelFrom(kernel, supports.cols);
  if (choice.kind === LINEAR) return planeScorer(expansions.map((expansion) => planeOf(expansion, supports)));
  const norms = normsOf(supports);
  const bad = norms.indexOf(Infinity);
  // exp would turn an infinite distance into 0 silently.
  if (choice.kind === RBF && bad >= 0) {
    throw new RangeError(`model JSON: supports.rows[${bad}] has values too large for the rbf kernel`);
  }
  return kernelScorer(choice, supports, norms, expansions);
}

/** The support vectors, and a reader of what is saved beside them. */
function supportsFrom(json: Fields, cols: number) {
  const fields = fieldsOf(json.supports, 'supports');
  const supports: Table = { ...rowsFrom(fields.rows, 'supports.rows', undefined, cols), cols };
  const count = countRows(supports);
  return { supports, count, list: lists(fields, 'supports.', count) };
}

/** An option that is true or false; false if it is missing. */
const optionFrom = (options: Fields, name: string): boolean => flagFrom(options[name] ?? false, `options.${name}`);

const KINDS: Readonly<Record<string, number>> = { linear: LINEAR, polynomial: POLYNOMIAL, rbf: RBF };
const typeFrom = oneOf(...Object.keys(KINDS));

/** The kernel function for rows of `cols` values, from its name or { type, … }. */
function kernelFrom(value: unknown, cols: number): KernelFunction {
  const given: Fields = typeof value === 'string' ? { type: value } : fieldsOf(value, 'options.kernel');
  const field = reader({ gamma: 1 / cols, coef0: 0, degree: 3, ...given }, 'options.kernel.');
  return {
    kind: KINDS[typeFrom(given.type, 'options.kernel.type')] as number,
    gamma: field('gamma', positive),
    coef0: field('coef0', exactNumber) + 0,
    degree: field('degree', integerFrom(1, 2 ** 32 - 1)),
  };
}

/** The reader of each kind of model, by its "type". */
export const readers: Readonly<Record<string, Reader>> = {
  perceptron: linear,
  'pocket-perceptron': linear,
  'dual-perceptron': dual,
  'multiclass-perceptron': multiclass,
};
