// A question, its answers, and how they are told. Each question is a file that asks itself when run.ts runs it
// (`npm run bench -- --only scan`), in a process of its own: what one question did to the heap and to the
// compiler's guesses does not touch the next.

import { type EngineKind, Perceptron } from 'perceptron-wasm';
import type { Ratio, Timing } from './measure.js';

/** At least, or at most, so many times. */
export type Target = { atLeast: number } | { atMost: number };

export interface Answer extends Ratio {
  /** What was done, e.g. 'scoring 1000 × 1000'. */
  what: string;
  /** What the ratio is to, e.g. 'idiomatic JS'. */
  against: string;
  target?: Target;
}

export interface Findings {
  answers: Answer[];
  timings?: Timing[];
  /** Anything else that was found out. */
  notes?: string[];
  /** Numbers to go on computing with, for whoever put the question. */
  facts?: Record<string, number>;
}

export interface Told extends Findings {
  question: string;
}

const ENGINES: readonly EngineKind[] = ['wasm-simd', 'wasm-scalar', 'js'];

/** The engines that work here. */
export const availableEngines = (): EngineKind[] => ENGINES.filter(isAvailable);

function isAvailable(engine: EngineKind): boolean {
  try {
    new Perceptron({ engine });
    return true;
  } catch {
    return false;
  }
}

export const isMet = ({ ratio, target }: Answer): boolean | undefined =>
  target && ('atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost);

/** Whether somebody would do better with plain JavaScript. */
export const isLost = ({ ratio, against }: Answer): boolean => against === 'idiomatic JS' && ratio < 1;

/** 6.34 → '6.3', 0.0712 → '0.071', 12.3 → '12'. */
export const short = (x: number): string =>
  x >= 10 ? x.toFixed(0) : x >= 1 ? x.toFixed(2).slice(0, 4) : x.toPrecision(2);

/** 1000 × 100,000. */
export const shapeText = (rows: number, cols: number): string => `${grouped(rows)} × ${grouped(cols)}`;

const grouped = (n: number): string => (n < 10_000 ? String(n) : n.toLocaleString('en'));

export const targetText = (target: Target): string =>
  'atLeast' in target ? `≥ ${target.atLeast}x` : `≤ ${target.atMost}x`;

export function answerLine(answer: Answer): string {
  const { what, ratio, low, high, against, target } = answer;
  const verdict = target ? `, target ${targetText(target)}: ${isMet(answer) ? 'met' : 'MISSED'}` : '';
  const spread = low === high ? '' : ` (${short(low)}–${short(high)})`;
  return `${what}: ${short(ratio)}x ${against}${spread}${verdict}`;
}

function timingLine({ name, ms, rounds, marginPercent, samples }: Timing, width: number): string {
  const within = marginPercent === undefined ? '' : ` ± ${marginPercent.toFixed(1)} %`;
  const range = `${milliseconds(Math.min(...rounds))}–${milliseconds(Math.max(...rounds))}`;
  return `    ${name.padEnd(width)}  ${milliseconds(ms).padStart(7)} ms${within}  (${rounds.length} rounds ${range}, ${samples} samples)`;
}

const milliseconds = (ms: number): string => (ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3));

/** Puts the question and tells the answers: on standard output, and to run.ts. */
export function tell(question: string, find: () => Findings): void {
  put(question);
  answer(question, find());
}

/** The same, of answers that must be waited for; so must this call be, before the next question. */
export async function tellLater(question: string, find: () => Promise<Findings>): Promise<void> {
  put(question);
  answer(question, await find());
}

function put(question: string): void {
  if (!process.send) throw new Error('questions are put by bench/run.ts: npm run bench -- --only PATTERN');
  console.log(`\n${question}`);
}

function answer(question: string, findings: Findings): void {
  const { timings = [], answers, notes = [] } = findings;
  const width = Math.max(...timings.map(({ name }) => name.length));
  for (const timing of timings) console.log(timingLine(timing, width));
  for (const note of notes) console.log(`    ${note}`);
  for (const answer of answers) console.log(`  ${answerLine(answer)}`);
  process.send?.({ question, ...findings } satisfies Told);
}

/** Throws unless both hold the same numbers to the bit. */
export function expectSame(a: ArrayLike<number>, b: ArrayLike<number>, what: string): void {
  if (a.length !== b.length) throw new Error(`${what}: ${a.length} against ${b.length} numbers`);
  for (let i = 0; i < a.length; i++) {
    if (!Object.is(a[i], b[i])) throw new Error(`${what} differ at ${i}: ${a[i]} against ${b[i]}`);
  }
}
