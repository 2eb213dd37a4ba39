// A question and its answers. Each question is a file of bench/questions/ that asks itself when run.ts runs it
// (`npm run bench -- --only scan`), in a process of its own: what one question did to the heap and to the
// compiler's guesses does not touch the next. It prints nothing: run.ts does, and keeps the answers.

import { type EngineKind, Perceptron } from 'perceptron-wasm';
import 'perceptron-wasm/scalar'; // engine 'wasm-scalar'
import { ratioOf } from './measure.js';
import {
  type Answer,
  BASELINE,
  type Findings,
  MODES,
  type Mode,
  type Target,
  type Timing,
  type Told,
} from './results.js';

export { type Answer, BASELINE, type Findings, type Target } from './results.js';

/** What run.ts hears from a question. */
export type Message = { kind: 'asked'; question: string } | { kind: 'told'; told: Omit<Told, 'name' | 'seconds'> };

/** By run.ts, through the environment. */
const mode = process.env.PERCEPTRON_BENCH_MODE as Mode;

/** What fits the mode: tiny sizes for smoke, a few seconds for quick, all there is for full. */
export function byMode<T>(choices: Record<Mode, T>): T {
  if (!MODES.includes(mode)) throw new Error('questions are put by bench/run.ts: npm run bench -- --only PATTERN');
  return choices[mode];
}

export const isFull = (): boolean => byMode({ smoke: false, quick: false, full: true });

/** Whether everything is asked: at full size, or with tiny sizes, to see that it runs. */
export const asksAll = (): boolean => byMode({ smoke: true, quick: false, full: true });

/** A target holds for the full sizes alone: in other modes there is none. */
export const whenFull = <T extends object>(target: T): T | Record<string, never> => (isFull() ? target : {});

/** Contestants in the order that answersOf expects: the baseline, what a user gets, our other engines, other ways. */
interface Compared {
  what: string;
  timings: readonly Timing[];
  kind?: 'train';
  /** Of what a user gets, at full size. */
  target?: Target;
}

/** One answer for each of ours; those about other engines, and other ways to call us, say so. */
export function answersOf({ what, timings, kind, target }: Compared): Answer[] {
  const [baseline, ...ours] = timings as [Timing, ...Timing[]];
  return ours.map((timing, i): Answer => {
    const { name } = timing;
    const answer = { ...ratioOf(baseline, timing), against: BASELINE };
    if (i === 0) return { what, ...answer, ...(kind && { kind }), ...(target && whenFull({ target })) };
    if ((ENGINES as readonly string[]).includes(name)) {
      return { what: `${what}, engine ${name}`, engine: name, ...answer };
    }
    return { what: `${what}, ${name}`, ...answer };
  });
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

/** Puts the question and tells the answers to run.ts. */
export function tell(question: string, find: () => Findings): void {
  send({ kind: 'asked', question });
  send({ kind: 'told', told: { question, ...find() } });
}

/** The same, of answers that must be waited for; so must this call be, before the next question. */
export async function tellLater(question: string, find: () => Promise<Findings>): Promise<void> {
  send({ kind: 'asked', question });
  send({ kind: 'told', told: { question, ...(await find()) } });
}

function send(message: Message): void {
  if (!process.send) throw new Error('questions are put by bench/run.ts: npm run bench -- --only PATTERN');
  process.send(message);
}

/** Throws unless both hold the same numbers to the bit. */
export function expectSame(a: ArrayLike<number>, b: ArrayLike<number>, what: string): void {
  if (a.length !== b.length) throw new Error(`${what}: ${a.length} against ${b.length} numbers`);
  for (let i = 0; i < a.length; i++) {
    if (!Object.is(a[i], b[i])) throw new Error(`${what} differ at ${i}: ${a[i]} against ${b[i]}`);
  }
}
