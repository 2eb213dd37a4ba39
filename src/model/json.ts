// Models as JSON: plain, versioned, exact to the bit, and without anything that differs between equal runs.
// JSON has no −0, so −0 is written as the string "-0"; every other finite double round-trips as a number.
// A model file is untrusted input: every field is checked, and an error names the field.

import { type Classes, type ClassLimit, type Label, orderClasses } from '../data/labels.js';
import { mustBe, show } from '../errors.js';
import { get, own } from '../own.js';
import type { Advice, History, PocketReport, StopReason } from './report.js';
import { MOST_EPOCHS_KEPT } from './report.js';
import type { RunState } from './state.js';

/** A finite double; −0 as "-0". */
export type ExactNumber = number | '-0';

/** Options as they are saved: with defaults, without engine and callbacks. */
export type OptionsJSON = Record<string, unknown>;

/** The state from which training continues: the part that all models share. */
export interface TrainingJSON {
  seen: number;
  sigma: number;
  classWeightRange: [number, number];
  random: number[];
  converged: boolean;
  stopReason: StopReason;
  epochs: number;
  mistakes: number;
  mistakesByEpoch: number[];
  pocket?: PocketReport;
  /** The ratchet's right answers in a row: of the last weights, and of the pocket's weights when they were stored. */
  ratchet?: { run: number; pocketRun: number };
  advice: Advice[];
}

/**
 * A model's JSON of type J before it is plain: lists are iterables that may be the model's own typed arrays, and −0 is a number.
 * `plain` makes J of it; `saveModel` writes it without a copy.
 */
export type Packed<J> = J extends readonly (infer T)[]
  ? Iterable<Packed<T>>
  : J extends ExactNumber
    ? number | J
    : J extends object
      ? { readonly [K in keyof J]: Packed<J[K]> }
      : J;

/** A copy of packed JSON in plain arrays and objects; −0 becomes "-0". */
export function plain<J>(packed: Packed<J>): J;
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : value;
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, plain);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}

export function trainingJSON(state: RunState): Packed<TrainingJSON> {
  const { history } = state;
  const [pocket, ratchet] = [get(history, 'pocket'), get(state, 'ratchet')];
  return {
    seen: state.seen,
    sigma: state.sigma,
    classWeightRange: state.classWeightRange,
    random: state.random,
    converged: history.converged,
    stopReason: history.stopReason,
    epochs: history.epochs,
    mistakes: history.mistakes,
    mistakesByEpoch: history.mistakesByEpoch,
    ...(pocket && { pocket }),
    ...(ratchet && { ratchet }),
    advice: history.advice,
  };
}

// ---- reading --------------------------------------------------------------------------------------

export type Fields = Record<string, unknown>;

/** @throws TypeError, or RangeError if the value is of type `kind` */
export function fail(path: string, expected: string, value: unknown, kind = ''): never {
  throw mustBe(`model JSON: ${path}`, expected, value, kind);
}

/** Whether a value is a list: an array, or numbers in a typed array, as `readModel` gives them. */
export const isList = (value: unknown): value is unknown[] => Array.isArray(value) || ArrayBuffer.isView(value);

/** The own fields of an object; inherited ones, `__proto__` included, count as absent. */
export function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || isList(value)) fail(path, 'an object', value);
  const copy: Fields = Object.create(null);
  for (const key of Object.keys(value)) copy[key] = (value as Fields)[key];
  return copy;
}

/** Reads fields by their names, which follow `path` in errors. */
export const reader =
  (fields: Fields, path = '') =>
  <T>(name: string, read: Read<T>): T =>
    read(fields[name], path + name);

export function listOf<T>(value: unknown, path: string, item: Read<T>): T[] {
  if (!isList(value)) fail(path, 'an array', value);
  return Array.from(value, (v: unknown, i) => item(v, `${path}[${i}]`));
}

/** A list of `length` numbers, each read by `item`. */
export function numbersFrom(
  value: unknown,
  path: string,
  length?: number,
  item: Read<number> = exactNumber,
): Float64Array {
  // Without a path for each of millions of numbers.
  const areFinite = item === exactNumber && ArrayBuffer.isView(value) && (value as Float64Array).every(Number.isFinite);
  const list = areFinite ? (value as Float64Array) : listOf(value, path, item);
  expectLength(list, length ?? list.length, path);
  return new Float64Array(list);
}

export function exactNumber(value: unknown, path: string): number {
  if (value === '-0') return -0;
  if (typeof value !== 'number' || !Number.isFinite(value)) fail(path, 'a finite number', value, 'number');
  return value;
}

/** Reads a value of a file. @throws TypeError or RangeError naming the field */
export type Read<T> = (value: unknown, path: string) => T;

/** Reads numbers that `ok` accepts; −0 becomes 0. */
const numberThat =
  (expected: string, ok: (value: number) => boolean): Read<number> =>
  (value, path) =>
    typeof value === 'number' && ok(value) ? value + 0 : fail(path, expected, value, 'number');

export const notNegative = /* @__PURE__ */ numberThat('a number ≥ 0', (value) => value >= 0 && value < Infinity);
export const positive = /* @__PURE__ */ numberThat('a number > 0', (value) => value > 0 && value < Infinity);
export const countFrom = /* @__PURE__ */ numberThat(
  'an integer ≥ 0',
  (value) => Number.isSafeInteger(value) && value >= 0,
);

/** Reads integers of a range. */
export const integerFrom = (least: number, most: number): Read<number> =>
  numberThat(
    `an integer from ${least} to ${most}`,
    (value) => Number.isInteger(value) && value >= least && value <= most,
  );

export const word = /* @__PURE__ */ integerFrom(0, 2 ** 32 - 1);

export const stringFrom: Read<string> = (value, path) =>
  typeof value === 'string' ? value : fail(path, 'a string', value);

export const flagFrom: Read<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : fail(path, 'true or false', value);

/** Reads one of some words. */
export const oneOf =
  <T extends string>(...words: readonly T[]): Read<T> =>
  (value, path) =>
    words.includes(value as T) ? (value as T) : fail(path, words.map(show).join(' or '), value, 'string');

/** @throws RangeError if a list does not have `length` values */
export function expectLength(list: ArrayLike<unknown>, length: number, path: string): void {
  if (list.length !== length) {
    throw new RangeError(`model JSON: ${path} must have ${length} values, got ${list.length}`);
  }
}

const stopReasonFrom = /* @__PURE__ */ oneOf<StopReason>(
  'separated',
  'max-epochs',
  'early-stop',
  'no-progress',
  'stopped',
  'aborted',
);
const codeFrom = /* @__PURE__ */ oneOf<Advice['code']>('sorted-labels', 'not-separated', 'unscaled', 'memorised');

/** Why training ended, and the advice. */
export function outcomeFrom(fields: Fields, path: string): Pick<History, 'stopReason' | 'advice'> {
  const read = reader(fields, path);
  const advice = read('advice', (list, name) =>
    listOf(list, name, (value, at) => {
      const part = reader(fieldsOf(value, at), `${at}.`);
      const message = part('message', stringFrom);
      return Object.freeze({ code: part('code', codeFrom), message });
    }),
  );
  return { stopReason: read('stopReason', stopReasonFrom), advice: Object.freeze(advice) };
}

function historyFrom(t: Fields, path: string, hasPocket: boolean): History {
  const read = reader(t, path);
  const mistakesByEpoch = read('mistakesByEpoch', (value, at) => listOf(value, at, countFrom));
  const epochs = read('epochs', countFrom);
  const mistakes = read('mistakes', countFrom);
  expectLength(mistakesByEpoch, Math.min(epochs, MOST_EPOCHS_KEPT), `${path}mistakesByEpoch`);
  const sum = mistakesByEpoch.reduce((a, b) => a + b, 0);
  if (epochs <= MOST_EPOCHS_KEPT ? sum !== mistakes : sum > mistakes) {
    throw new RangeError(`model JSON: ${path}mistakesByEpoch sums to ${sum}, ${path}mistakes is ${mistakes}`);
  }
  return Object.freeze({
    converged: read('converged', flagFrom),
    ...outcomeFrom(t, path),
    epochs,
    mistakes,
    mistakesByEpoch: Object.freeze(mistakesByEpoch),
    ...(hasPocket && { pocket: read('pocket', (value, at) => pocketFrom(value, at, mistakes)) }),
  });
}

function pocketFrom(value: unknown, path: string, mistakes: number): PocketReport {
  const read = reader(fieldsOf(value, path), `${path}.`);
  const replacedAt = read('replacedAt', countFrom);
  if (replacedAt > mistakes) fail(`${path}.replacedAt`, `an integer from 0 to ${mistakes}`, replacedAt, 'number');
  return Object.freeze({ errors: read('errors', countFrom), lastErrors: read('lastErrors', countFrom), replacedAt });
}

function ratchetFrom(value: unknown, path: string): { run: number; pocketRun: number } {
  const read = reader(fieldsOf(value, path), `${path}.`);
  return { run: read('run', countFrom), pocketRun: read('pocketRun', countFrom) };
}

/** Checks type and version, and returns the fields. */
export function openModel(json: unknown, types: readonly string[]): Fields {
  if (typeof json === 'string') throw new TypeError('model JSON must be an object, got a string: use JSON.parse first');
  const fields = fieldsOf(json, 'the model');
  oneOf(...types)(fields.type, 'type');
  if (fields.version !== 1) {
    throw new RangeError(`model JSON: version ${show(fields.version)} is not known here; this release reads version 1`);
  }
  // A later version lists here what a reader must know to use the model; other fields that it adds may be ignored.
  const [needed] = fields.needs === undefined ? [] : listOf(fields.needs, 'needs', stringFrom);
  if (needed !== undefined) {
    throw new RangeError(
      `model JSON: this model needs ${show(needed)}, which this version of perceptron-wasm does not have; ` +
        'read it with the version that saved it, or a newer one',
    );
  }
  return fields;
}

/** The classes in a model's JSON. */
export function classesFrom<L extends Label>(json: Fields, limit: ClassLimit): Classes<L> {
  const wanted = limit === 'two' ? 'an array of two labels' : 'an array of labels';
  if (!Array.isArray(json.classes)) fail('classes', wanted, json.classes);
  const given = Array.from(json.classes as L[]); // also copies holes as undefined
  const classes: Classes<L> = orderClasses(given, 'classes', limit);
  // Sorting them silently would swap the predictions.
  if (classes.some((label, k) => label !== given[k])) {
    throw new RangeError(`model JSON: classes must be in order, got ${json.classes.map(show).join(', ')}`);
  }
  return classes;
}

/** The state of a training run, checked, and the fields at `path` for the caller's own checks. */
export function trainingFrom(
  value: unknown,
  path: string,
  flags: { pocket?: boolean; ratchet?: boolean } = {},
): { state: RunState; training: Fields } {
  const { pocket = false, ratchet = false } = own(flags);
  const t = fieldsOf(value, path);
  const read = reader(t, `${path}.`);
  const random = read('random', (list, at) => listOf(list, at, word));
  if (random.length !== 4 || random.every((w) => w === 0)) {
    fail(`${path}.random`, 'four words, not all zero', t.random, 'object');
  }
  const range = read('classWeightRange', (list, at) => listOf(list, at, notNegative));
  const [least, most] = range;
  if (range.length !== 2 || least === undefined || most === undefined || !(least > 0) || most < least) {
    fail(`${path}.classWeightRange`, 'two numbers > 0, ascending', t.classWeightRange, 'object');
  }
  const state = {
    seen: read('seen', countFrom),
    sigma: read('sigma', notNegative),
    classWeightRange: [least, most] as const,
    random: Uint32Array.from(random),
    ...(ratchet && { ratchet: read('ratchet', ratchetFrom) }),
    history: historyFrom(t, `${path}.`, pocket),
  };
  return { state, training: t };
}

/** The options in a model's JSON, as a trainer takes them. @throws RangeError for an option that a file must not set */
export function optionsFrom(json: Fields): Fields {
  const options = fieldsOf(json.options, 'options');
  for (const key of NOT_SAVED) {
    if (key in options) throw new RangeError(`model JSON: options.${key} cannot come from a file`);
  }
  return options.aggressiveness === 'Infinity' ? { ...options, aggressiveness: Infinity } : options;
}

/** Options that change how training runs here, but not the result. */
const NOT_SAVED = ['engine', 'onUpdate', 'onEpoch', 'gram', 'maxGramBytes'];

/** The settings that decide which others are saved. */
interface SavedSettings {
  readonly validationFraction: number;
  readonly tol: number | undefined;
  readonly update: string;
  readonly aggressiveness: number;
}

/** The settings that are saved with a model. */
export function optionsJSON(settings: SavedSettings): OptionsJSON {
  const isPlain = settings.update === 'perceptron';
  // JSON has no Infinity.
  const saved = settings.aggressiveness === Infinity ? { ...settings, aggressiveness: 'Infinity' } : settings;
  return Object.fromEntries(
    Object.entries(saved).filter(
      ([key, value]) =>
        value !== undefined &&
        !NOT_SAVED.includes(key) &&
        (key !== 'patience' || settings.validationFraction !== 0 || settings.tol !== undefined) &&
        ((key !== 'update' && key !== 'aggressiveness') || !isPlain) &&
        ((key !== 'pocket' && key !== 'ratchet') || value),
    ),
  );
}
