// The update in numbers: w ← w + η y x = (3, 3) − 1·(1, 1) = (2, 2).

import { number } from '../ui/numbers.js';
import { cleaner, shownStep } from './dust.js';
import { isLinear, noPlane, stepAt } from './trace.js';
import type { Plane, Point, Trace } from './types.js';

/** One line of it. All are texts: "w", "w + η y x", "(3, 3) − 1·(1, 1)", "(2, 2)". */
export interface EquationRow {
  /** Whether the sample was right; how w and b, or with a kernel α and b, change. */
  readonly kind: 'check' | 'w' | 'b' | 'alpha';
  readonly left: string;
  /** Empty at the start. */
  readonly rule: string;
  readonly numbers: string;
  readonly result: string;
}

/** 12 → "₁₂". */
export const subscript = (whole: number): string =>
  String(whole).replace(/\d/g, (digit) => String.fromCharCode(0x2080 + Number(digit)));

/** (3, 3). */
export const pair = (a: number, b: number): string => `(${number(a)}, ${number(b)})`;

/** What is added, with its sign in front: 1 → "+ 1", −1 → "− 1". */
const signed = (value: number): string => (value < 0 ? `− ${number(-value)}` : `+ ${number(value)}`);

const factor = (value: number): string => (value < 0 ? `(${number(value)})` : number(value));

/** What just happened; at the start, what there is. */
export function equationAt(trace: Trace, steps: number): readonly EquationRow[] {
  const { setup } = trace;
  const made = stepAt(trace, steps);
  if (!made) {
    const b: EquationRow = { kind: 'b', left: 'b', rule: '', numbers: '', result: '0' };
    return isLinear(setup) ? [{ ...b, kind: 'w', left: 'w', result: '(0, 0)' }, b] : [b];
  }
  const step = shownStep(trace, made);
  const { x, y, label } = setup.points[step.index] as Point;
  const { learningRate: eta, margin } = setup;
  const { before, after, score, isMistake } = step;
  const product = label * score;
  const rows: EquationRow[] = [
    {
      kind: 'check',
      left: 'y·s',
      rule: before ? 'y (w·x + b)' : 'y (Σ α y K + b)',
      numbers: `${number(label)} · ${before ? expanded(before, x, y) : factor(score)}`,
      result: `${number(product)} ${isMistake ? '≤' : '>'} ${number(margin)}`,
    },
  ];
  if (!isMistake) return rows;
  if (before && after) {
    rows.push({
      kind: 'w',
      left: 'w',
      rule: 'w + η y x',
      numbers: `${pair(...before.w)} ${signed(eta * label)}·${pair(x, y)}`,
      result: pair(...after.w),
    });
  } else {
    const count = trace.counts(steps)[step.index] as number;
    const alpha = `α${subscript(step.index + 1)}`;
    rows.push({
      kind: 'alpha',
      left: alpha,
      rule: `${alpha} + η`,
      numbers: `${number(eta * (count - 1))} + ${number(eta)}`,
      result: number(eta * count),
    });
  }
  rows.push({
    kind: 'b',
    left: 'b',
    rule: 'b + η y',
    numbers: `${number(cleaner(trace)(step.bias - eta * label))} ${signed(eta * label)}`,
    result: number(step.bias),
  });
  return rows;
}

const expanded = ({ w, b }: Plane, x: number, y: number): string =>
  `(${number(w[0])}·${factor(x)} ${signed(w[1])}·${factor(y)} ${signed(b)})`;

/** A row as one line: w ← w + η y x = (3, 3) − 1·(1, 1) = (2, 2). */
export const asText = ({ kind, left, rule, numbers, result }: EquationRow): string =>
  rule === '' ? `${left} = ${result}` : `${left} ${kind === 'check' ? '=' : '←'} ${rule} = ${numbers} = ${result}`;

/** The line itself as an equation: 2x₁ + 2x₂ − 3 = 0. */
export function lineText({ w, b }: Plane = noPlane): string {
  if (w[0] === 0 && w[1] === 0) return 'no line';
  const term = (value: number, name: string) =>
    value === 0 ? '' : `${value < 0 ? '−' : '+'} ${Math.abs(value) === 1 ? '' : number(Math.abs(value))}${name}`;
  const terms = [term(w[0], 'x₁'), term(w[1], 'x₂'), b === 0 ? '' : signed(b)].filter((text) => text !== '');
  return `${terms.join(' ').replace(/^\+ /, '').replace(/^− /, '−')} = 0`;
}
