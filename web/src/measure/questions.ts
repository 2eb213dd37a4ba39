// The questions, and the library that answers them: a file of its own, loaded when somebody asks.
//
// All contestants must give the same answer before they are timed: engines and plain loops to the bit, both forms by `compare`.

import {
  compare,
  DenseMatrix,
  DualPerceptron,
  type EngineKind,
  gram,
  gramAsync,
  Perceptron,
  stopThreads,
} from 'perceptron-wasm';
import 'perceptron-wasm/scalar'; // engine 'wasm-scalar'
import workerUrl from 'perceptron-wasm/worker.js?url';
// The loops that the benchmark measures against too (npm run bench): one baseline.
import { gramMatrix as plainGram } from '../../../bench/baseline/gram.js';
import { fit as plainFit } from '../../../bench/baseline/perceptron.js';
import { counted, number } from '../ui/numbers.js';
import { type Contestant, contest, pause } from './contest.js';
import { type Generated, generate, type Recipe } from './data.js';
import type { Finding, Machine, Measurement, Topic } from './results.js';
import type { Size } from './sizes.js';
import { engineNames, PLAIN } from './words.js';

export interface Work {
  readonly size: Size;
  readonly machine: Machine;
  readonly signal: AbortSignal;
  /** Hears what is measured now, and which share of everything is done. */
  onProgress(what: string, share: number): void;
}

export type Answers = Pick<Measurement, 'engines' | 'absent' | 'findings'>;

const ENGINES: readonly EngineKind[] = ['js', 'wasm-scalar', 'wasm-simd'];
const MAX_EPOCHS = 1000;
const MAX_THREADS = 16;

interface Question {
  readonly topic: Topic;
  readonly what: string;
  readonly recipe: Recipe;
  /** Checks the answers, and tells who takes part; X is given back afterwards. */
  contestants(
    set: Generated,
    X: DenseMatrix,
  ): Promise<{ contestants: readonly Contestant[]; checked: string; epochs?: string }>;
}

const sizeText = ({ rows, cols }: Recipe, epochs?: string): string =>
  `${number(rows)} × ${number(cols)}${epochs === undefined ? '' : `, ${epochs}`}`;

function expectSame(one: ArrayLike<number>, other: ArrayLike<number>, what: string): void {
  for (let k = 0; k < Math.max(one.length, other.length); k++) {
    if (!Object.is(one[k], other[k]))
      throw new Error(`the ${what} of the plain loop and of the library differ at ${k}`);
  }
}

/** A number made of a result, which is given back. */
function taken(G: DenseMatrix): number {
  const value = G.data[1] as number;
  G.dispose();
  return value;
}

/** Answers all questions; throws the signal's reason if it is called off. */
export async function answer({ size, machine, signal, onProgress }: Work): Promise<Answers> {
  const absent: { what: string; reason: string }[] = [];
  const engines = workingEngines(absent);
  const best = engines.at(-1) as EngineKind;
  const [small, ...large] = forEngines(size, engines, best, signal);
  const questions = [...large, ...forForms(size, best)];
  if (machine.isIsolated && machine.processors > 1) questions.push(...forThreads(size, machine.processors, signal));
  else absent.push({ what: 'threads', reason: whyNoThreads(machine) });
  // Where it loses comes last, not first.
  if (small) questions.push(small);

  const findings: Finding[] = [];
  try {
    for (const [k, { topic, what, recipe, contestants }] of questions.entries()) {
      const tell = (share: number) => onProgress(what, (k + share) / questions.length);
      tell(0);
      await pause(signal);
      const set = await generate(recipe, signal);
      const X = DenseMatrix.from(set);
      try {
        const { contestants: all, checked, epochs } = await contestants(set, X);
        await pause(signal);
        const timings = await contest(all, size, signal, tell);
        findings.push({ topic, what, size: sizeText(recipe, epochs), timings, checked });
      } finally {
        X.dispose();
      }
    }
  } finally {
    stopThreads();
  }
  return { engines: [...engines].reverse(), absent, findings };
}

/** Slowest first; those that do not work here are added to `absent`. */
function workingEngines(absent: { what: string; reason: string }[]): EngineKind[] {
  const tried = compare([[0], [1]], [0, 1], { engines: ENGINES, forms: ['primal'], budgetMs: 0 });
  const working = ENGINES.filter((kind) => tried.results.some(({ engine }) => engine === kind));
  const [missing, ...others] = tried.absent.filter(({ engine }) => engine !== undefined);
  // Where neither works it is for the same reason.
  if (missing?.engine) {
    const what = others.length > 0 ? 'WebAssembly' : engineNames[missing.engine];
    absent.push({ what, reason: inWords(missing.reason) });
  }
  return working;
}

/** Browsers explain their policies at length. */
const inWords = (reason: string): string =>
  /content security/i.test(reason)
    ? "this host forbids it: its Content-Security-Policy would have to allow script-src 'wasm-unsafe-eval'."
    : reason;

function whyNoThreads({ isIsolated }: Machine): string {
  return isIsolated
    ? 'this browser gives the page one processor.'
    : 'the page is not cross-origin isolated. Its host would have to send the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.';
}

// ---- JavaScript or WebAssembly? ----------------------------------------------------------------------

function forEngines(size: Size, engines: readonly EngineKind[], best: EngineKind, signal: AbortSignal): Question[] {
  // As `compare` does it, but with a pause after each fit: the page shall answer.
  const fits = async ({ data, cols, y }: Generated, X: DenseMatrix, maxEpochs: number) => {
    const expected = plainFit(data, y, cols, maxEpochs);
    let epochs = 0;
    for (const engine of engines) {
      await pause(signal);
      const { weights, bias, report } = new Perceptron<number>({ engine, maxEpochs }).fit(X, y);
      expectSame(weights, expected.weights, 'weights');
      expectSame([bias, report.mistakes], [expected.bias, expected.mistakes], 'bias and mistakes');
      epochs = report.epochs;
    }
    const checked = `${counted(expected.mistakes, 'mistake')}, the same weights to the bit`;
    return { checked, epochs: counted(epochs, 'epoch') };
  };
  const fitting = (engine: EngineKind, X: DenseMatrix, y: Int8Array, maxEpochs: number): Contestant => {
    const model = new Perceptron<number>({ engine, maxEpochs });
    return { name: engineNames[engine], run: () => model.fit(X, y).bias };
  };
  return [
    {
      topic: 'small',
      what: 'A small set',
      recipe: size.small,
      async contestants(set, X) {
        const contestants = [
          { name: PLAIN, run: () => plainFit(set.data, set.y, set.cols, MAX_EPOCHS).bias },
          fitting(best, X, set.y, MAX_EPOCHS),
        ];
        return { ...(await fits(set, X, MAX_EPOCHS)), contestants };
      },
    },
    {
      topic: 'train',
      what: 'Training',
      recipe: size.train,
      async contestants(set, X) {
        const { epochs } = size.train;
        const copying = new Perceptron<number>({ engine: best, maxEpochs: epochs });
        const contestants = [
          { name: PLAIN, run: () => plainFit(set.data, set.y, set.cols, epochs).bias },
          ...engines.map((engine) => fitting(engine, X, set.y, epochs)),
          { name: `${engineNames[best]}, rows copied`, run: () => copying.fit(set, set.y).bias },
        ];
        return { ...(await fits(set, X, epochs)), contestants };
      },
    },
    {
      topic: 'gram',
      what: 'Gram matrix',
      recipe: size.gram,
      async contestants({ data, rows, cols }, X) {
        const expected = plainGram(data, rows, cols);
        for (const engine of engines) {
          await pause(signal);
          const G = gram(X, { engine });
          expectSame(G.data, expected, 'Gram matrices');
          G.dispose();
        }
        const contestants = [
          { name: PLAIN, run: () => plainGram(data, rows, cols)[1] as number },
          ...engines.map((engine) => ({ name: engineNames[engine], run: () => taken(gram(X, { engine })) })),
        ];
        return { contestants, checked: 'the same matrix to the bit' };
      },
    },
  ];
}

// ---- primal or dual? -----------------------------------------------------------------------------------

function forForms(size: Size, best: EngineKind): Question[] {
  return size.shapes.map((recipe) => ({
    topic: 'shape',
    what: 'Dual against primal',
    recipe,
    async contestants({ y }, X) {
      const options = { engine: best, maxEpochs: recipe.epochs };
      const { results, formsAgree } = compare(X, y, { engines: [best], budgetMs: 0, maxEpochs: recipe.epochs });
      if (formsAgree !== true) throw new Error(`primal and dual disagree on ${sizeText(recipe)}`);
      const primal = new Perceptron<number>(options);
      const dual = new DualPerceptron<number>(options);
      return {
        contestants: [
          { name: 'primal', run: () => primal.fit(X, y).bias },
          { name: 'dual', run: () => dual.fit(X, y).bias },
        ],
        checked: 'the same mistakes in every epoch',
        epochs: counted(results[0]?.epochs ?? 0, 'epoch'),
      };
    },
  }));
}

// ---- one thread or many? -------------------------------------------------------------------------------

function forThreads(size: Size, processors: number, signal: AbortSignal): Question[] {
  const threads = Math.min(MAX_THREADS, processors);
  const many = { threads, workerUrl, signal };
  const names = ['1 thread', `${threads} threads`] as const;
  return [
    {
      topic: 'threads-gram',
      what: 'Gram matrix, large',
      recipe: size.threadsGram,
      async contestants(_set, X) {
        const expected = gram(X);
        await pause(signal);
        const shared = await gramAsync(X, many);
        expectSame(shared.data, expected.data, 'Gram matrices');
        shared.dispose();
        expected.dispose();
        return {
          contestants: [
            { name: names[0], run: () => taken(gram(X)) },
            { name: names[1], run: async () => taken(await gramAsync(X, many)) },
          ],
          checked: 'the same matrix to the bit',
        };
      },
    },
    {
      topic: 'threads-fit',
      what: 'Training with few mistakes',
      recipe: size.threadsFit,
      async contestants({ y }, X) {
        const maxEpochs = size.threadsFit.epochs;
        const alone = new Perceptron<number>({ maxEpochs }).fit(X, y);
        await pause(signal);
        const together = await new Perceptron<number>({ maxEpochs }).fitAsync(X, y, many);
        if (JSON.stringify(alone) !== JSON.stringify(together)) throw new Error('one thread and many disagree');
        const { threadsReason, epochs } = together.report;
        return {
          contestants: [
            { name: names[0], run: () => alone.fit(X, y).bias },
            { name: names[1], run: async () => (await together.fitAsync(X, y, many)).bias },
          ],
          checked: `the same model to the bit${threadsReason === undefined ? '' : `; ${threadsReason}`}`,
          epochs: counted(epochs, 'epoch'),
        };
      },
    },
  ];
}
