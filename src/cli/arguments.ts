// Parses and checks arguments by the table of options (options.ts), and returns them with their types.

import { parseArgs } from 'node:util';
import { UsageError } from './errors.js';

/** One option, for the parser and the help. */
export interface Option<T> {
  /** The name of its value in the help; undefined: it takes no value. */
  readonly placeholder?: string;
  readonly short?: string;
  readonly help: string;
  /** The default, as the help shows it. */
  readonly fallback?: string;
  /** Reads the value. @throws UsageError naming the option, what it takes and what came */
  read(text: string, flag: string): T;
  /** Joins the values of an option that may be given several times; without it the last one counts. */
  join?(earlier: T, later: T): T;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;

export type ValuesOf<O extends OptionTable> = { [K in keyof O]?: O[K] extends Option<infer T> ? T : never };

export interface Parsed<O extends OptionTable> {
  readonly values: ValuesOf<O>;
  readonly operands: readonly string[];
}

const wrong = (flag: string, expected: string, text: string) =>
  new UsageError(`${flag} takes ${expected}, got ${JSON.stringify(text)}`);

type Details = Pick<Option<unknown>, 'short' | 'fallback'>;

export const flag = (help: string, details: Details = {}): Option<boolean> => ({ help, ...details, read: () => true });

export const text = (placeholder: string, help: string, details: Details = {}): Option<string> => ({
  placeholder,
  help,
  ...details,
  read(given, name) {
    if (given === '') throw wrong(name, placeholder, given);
    return given;
  },
});

export const word = <T extends string>(choices: readonly T[], help: string, details: Details = {}): Option<T> => ({
  placeholder: choices.join('|'),
  help,
  ...details,
  read(given, name) {
    const found = choices.find((choice) => choice === given);
    if (found === undefined) throw wrong(name, `one of ${choices.join(', ')}`, given);
    return found;
  },
});

/** A number for which `ok` is true; `expected` describes such numbers. */
export const number = (
  expected: string,
  ok: (value: number) => boolean,
  placeholder: string,
  help: string,
  details: Details = {},
): Option<number> => ({
  placeholder,
  help,
  ...details,
  read(given, name) {
    const value = given.trim() === '' ? Number.NaN : Number(given);
    if (!Number.isFinite(value) || !ok(value)) throw wrong(name, expected, given);
    return value;
  },
});

export const integer = (
  [least, most]: readonly [number, number],
  placeholder: string,
  help: string,
  details: Details = {},
): Option<number> =>
  number(
    most === Number.MAX_SAFE_INTEGER ? `an integer of at least ${least}` : `an integer from ${least} to ${most}`,
    (value) => Number.isInteger(value) && value >= least && value <= most,
    placeholder,
    help,
    details,
  );

export const positive = (placeholder: string, help: string, details: Details = {}): Option<number> =>
  number('a number > 0', (value) => value > 0, placeholder, help, details);

/**
 * The options by name and with their types, and the operands.
 * @throws UsageError for an unknown option (with a similar one), a missing value, or a wrong value
 */
export function parse<O extends OptionTable>(args: readonly string[], options: O): Parsed<O> {
  const { tokens } = parseArgs({
    args: [...args],
    // The checks below have better messages, and a value may be a negative number.
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { placeholder, short }]) => [
        name,
        { type: placeholder === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
      ]),
    ),
  });
  const found = new Map<string, unknown>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) throw new UsageError(`unknown option ${token.rawName}${hintFor(token.name, options)}`);
    const value = option.read(valueFor(token, option), token.rawName);
    const isAnother = option.join !== undefined && found.has(token.name);
    found.set(token.name, isAnother ? option.join?.(found.get(token.name), value) : value);
  }
  return { values: Object.fromEntries(found) as ValuesOf<O>, operands };
}

function valueFor(
  { rawName, value, inlineValue }: { rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
  { placeholder }: Option<unknown>,
): string {
  if (placeholder === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value, got ${JSON.stringify(value)}`);
    return '';
  }
  // "-" is standard input or output, and "-1" is a number; anything else with a dash is the next option.
  const isOption = !inlineValue && /^-./.test(value ?? '') && Number.isNaN(Number(value));
  if (value === undefined || isOption) throw new UsageError(`${rawName} needs a value: ${rawName} ${placeholder}`);
  return value;
}

/** Option names of other tools (svm-train, liblinear, scikit-learn), and ours. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  maxiter: 'epochs',
  maxepochs: 'epochs',
  iterations: 'epochs',
  niter: 'epochs',
  n: 'epochs',
  e: 'epochs',
  lr: 'eta',
  eta0: 'eta',
  learningrate: 'eta',
  alpha: 'eta',
  cv: 'folds',
  v: 'folds',
  crossvalidation: 'folds',
  g: 'gamma',
  d: 'degree',
  r: 'coef0',
  t: 'kernel',
  s: 'trainer',
  model: 'trainer',
  randomstate: 'seed',
  shuffle: 'order',
  standardize: 'scale',
  normalize: 'scale',
  averaged: 'average',
  fitintercept: 'no-intercept',
  bias: 'no-intercept',
  target: 'label',
  y: 'label',
  drop: 'ignore',
  exclude: 'ignore',
  categorical: 'category',
  onehot: 'category',
  impute: 'missing',
  fillna: 'missing',
  na: 'missing',
  out: 'output',
  silent: 'quiet',
  samples: 'rows',
  features: 'cols',
  columns: 'cols',
  probability: 'scores',
  njobs: 'threads',
  nthreads: 'threads',
  jobs: 'threads',
  j: 'threads',
  workers: 'threads',
  cores: 'threads',
};

function hintFor(name: string, options: OptionTable): string {
  const plain = name.replaceAll(/[_-]/g, '').toLowerCase();
  const known = Object.keys(options);
  const near = known
    .map((option) => ({ option, steps: editSteps(plain, option.replaceAll('-', '')) }))
    .sort((a, b) => a.steps - b.steps)[0];
  const found =
    known.find((option) => option.replaceAll('-', '') === plain) ??
    known.find((option) => option === ELSEWHERE[plain]) ??
    known.find((option) => plain.length > 2 && option.replaceAll('-', '').startsWith(plain)) ??
    (near && plain.length > 2 && near.steps <= 2 ? near.option : undefined);
  return found === undefined ? '' : `: do you mean --${found}?`;
}

/** The Levenshtein distance. */
export function editSteps(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
