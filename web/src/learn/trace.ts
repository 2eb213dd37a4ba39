// Training, recorded: every step of a fit, as the library makes it. The page decides nothing; it follows.
//
// The library tells of its mistakes. In order 'cyclic' the samples between them are known to have been right, so they are
// filled in, with scores that the page computes. The pocket is filled here by the library's rule (SPEC §6).

import {
  type Diagnosis,
  DualPerceptron,
  type Epoch,
  type FitReport,
  Perceptron,
  type PerceptronOptions,
  PocketPerceptron,
} from 'perceptron-wasm';
import type { EpochFacts, Plane, Point, Setup, Step, Trace } from './types.js';

/** A fit that has looked at so many samples is stopped at the end of the epoch: nobody watches so many steps. */
export const MOST_SAMPLES = 20_000;

/** The same for mistakes, each of which is a look at all points where there is a kernel or a pocket. */
const MOST_MISTAKES = 5000;

export const noPlane: Plane = { w: [0, 0], b: 0 };

/** s = w·x + b, added as the library does (SPEC §12). */
export const scoreOn = ({ w, b }: Plane, x: number, y: number): number => x * w[0] + y * w[1] + b;

/** Whether there are points of both classes. */
export const isLearnable = (points: readonly Point[]): boolean =>
  points.some((point) => point.label === 1) && points.some((point) => point.label === -1);

/** Whether the line is straight: then there are weights, and w is drawn. */
export const isLinear = (setup: Setup): boolean => setup.kernel === 'linear';

/** Whether the best line so far is kept. A kernel has no pocket here: what bends separates by itself. */
export const hasPocket = (setup: Setup): boolean => setup.trainer === 'pocket' && isLinear(setup);

/** K(p, (x, y)). The polynomial's constant is 1, so that it holds the straight lines too. */
export function kernelOf({ kernel, gamma, degree }: Setup): (p: Point, x: number, y: number) => number {
  if (kernel === 'rbf') return (p, x, y) => Math.exp(-gamma * ((p.x - x) ** 2 + (p.y - y) ** 2));
  if (kernel === 'polynomial') return (p, x, y) => (gamma * (p.x * x + p.y * y) + 1) ** degree;
  return (p, x, y) => p.x * x + p.y * y;
}

/** The library's trainer. */
function trainerFor(setup: Setup, callbacks: Callbacks) {
  const { learningRate, margin, order, seed, maxEpochs, gamma, degree } = setup;
  const options = { learningRate, margin, order, seed, maxEpochs, ...callbacks };
  if (setup.kernel === 'rbf') return new DualPerceptron({ ...options, kernel: { type: 'rbf', gamma } });
  if (setup.kernel === 'polynomial') {
    return new DualPerceptron({ ...options, kernel: { type: 'polynomial', gamma, degree, coef0: 1 } });
  }
  return hasPocket(setup) ? new PocketPerceptron(options) : new Perceptron(options);
}

type Callbacks = Required<Pick<PerceptronOptions<number>, 'onUpdate' | 'onEpoch'>>;

/** What stands still where there is nothing to learn. */
const nothing: FitReport = {
  converged: false,
  stopReason: 'stopped',
  epochs: 0,
  mistakes: 0,
  mistakesByEpoch: [],
  engine: 'js',
  threads: 1,
  timings: { copyMs: 0, gramMs: 0, trainMs: 0 },
  advice: [],
};

/** Follows a fit, and notes its steps. */
class Recorder {
  readonly steps: Step[] = [];
  readonly epochs: EpochFacts[] = [];
  readonly #setup: Setup;
  readonly #hasSamples: boolean;
  /** For kernels: the latest scores of all points, without b, which is added last as in the library. */
  readonly #scores: Float64Array;
  #plane: Plane | undefined;
  #bias = 0;
  #mistakes = 0;
  /** The next sample of this epoch. */
  #cursor = 0;
  #pocket: Step['pocket'];
  #margin: Diagnosis['margin'] = { lower: -Infinity, upper: Infinity };
  #bound: number | null = null;

  constructor(setup: Setup) {
    this.#setup = setup;
    this.#hasSamples = setup.order === 'cyclic';
    this.#scores = new Float64Array(setup.points.length);
    this.#plane = isLinear(setup) ? noPlane : undefined;
    // The library counts the mistakes of the start as well.
    if (hasPocket(setup)) this.#pocket = { plane: noPlane, errors: errorsOf(setup, noPlane), isNew: false };
  }

  /** After an update of the library's. */
  onUpdate(index: number, epoch: number, weights: ArrayLike<number> | undefined, bias: number): void {
    if (this.#hasSamples) this.#fillTo(index, epoch);
    const { points, learningRate } = this.#setup;
    const score = this.#scoreOf(index);
    const before = this.#plane;
    const point = points[index] as Point;
    if (before && weights) {
      const after: Plane = { w: [weights[0] as number, weights[1] as number], b: bias };
      this.#plane = after;
      if (this.#pocket) {
        const errors = errorsOf(this.#setup, after);
        const isNew = errors < this.#pocket.errors;
        this.#pocket = isNew ? { plane: after, errors, isNew } : { ...this.#pocket, isNew };
      }
    } else {
      const kernel = kernelOf(this.#setup);
      points.forEach((other, i) => {
        this.#scores[i] = (this.#scores[i] as number) + learningRate * point.label * kernel(point, other.x, other.y);
      });
    }
    this.#bias = bias;
    this.#mistakes++;
    this.#cursor = index + 1;
    this.#note(index, epoch, score, true, before);
  }

  /** After an epoch of the library's. Returns whether to go on. */
  onEpoch({ epoch, mistakes, loss }: Epoch<number>, diagnose: () => Diagnosis): boolean {
    if (this.#hasSamples) this.#fillTo(this.#setup.points.length, epoch);
    this.#cursor = 0;
    // γ* is one number, and both sides hold at any time, whatever the weights (SPEC §4): every plane's own margin is a lower
    // side, every ‖w̃_T‖ / ηT an upper one. So the best of each so far holds too, and the bracket never opens again. The same
    // for the bound on mistakes, which comes from a lower side.
    // Nor need it be looked at after every epoch of a long fit, which would take most of the time.
    if (epoch <= 20 || epoch % 5 === 0) this.#learnFrom(diagnose());
    this.epochs.push({
      epoch,
      steps: this.steps.length,
      totalMistakes: this.#mistakes,
      mistakes,
      loss,
      margin: this.#margin,
      mistakeBound: this.#bound,
    });
    return epoch * this.#setup.points.length < MOST_SAMPLES && this.#mistakes < MOST_MISTAKES;
  }

  /** What the end proves is a part of its last epoch, whatever that one was. */
  onEnd(diagnosis: Diagnosis): void {
    this.#learnFrom(diagnosis);
    const last = this.epochs.pop();
    if (last) this.epochs.push({ ...last, margin: this.#margin, mistakeBound: this.#bound });
  }

  #learnFrom({ margin, mistakeBound }: Diagnosis): void {
    const lower = Math.max(this.#margin.lower, margin.lower);
    const upper = Math.min(this.#margin.upper, margin.upper);
    this.#margin = { lower, upper };
    if (mistakeBound !== null) this.#bound = Math.min(this.#bound ?? Infinity, mistakeBound);
  }

  #scoreOf(index: number): number {
    const { x, y } = this.#setup.points[index] as Point;
    return this.#plane ? scoreOn(this.#plane, x, y) : (this.#scores[index] as number) + this.#bias;
  }

  /** Between two mistakes, and after the last of an epoch, all samples were right. */
  #fillTo(end: number, epoch: number): void {
    if (this.#pocket?.isNew && this.#cursor < end) this.#pocket = { ...this.#pocket, isNew: false };
    for (; this.#cursor < end; this.#cursor++) {
      this.#note(this.#cursor, epoch, this.#scoreOf(this.#cursor), false, this.#plane);
    }
  }

  #note(index: number, epoch: number, score: number, isMistake: boolean, before: Plane | undefined): void {
    const [mistakes, bias, after, pocket] = [this.#mistakes, this.#bias, this.#plane, this.#pocket];
    this.steps.push({ epoch, index, score, isMistake, mistakes, before, after, bias, pocket });
  }
}

/** How many points a plane gets wrong, by the rule of training: not (y·s > margin). */
const errorsOf = ({ points, margin }: Setup, plane: Plane): number =>
  points.reduce((sum, { x, y, label }) => sum + (label * scoreOn(plane, x, y) > margin ? 0 : 1), 0);

/** Everything that happens, from an empty start to the end. The same setup gives the same trace. */
export function traceOf(setup: Setup): Trace {
  const recorder = new Recorder(setup);
  let report = nothing;
  if (isLearnable(setup.points)) {
    const rows = setup.points.map(({ x, y }) => [x, y]);
    const labels = setup.points.map(({ label }): number => label);
    const model = trainerFor(setup, {
      onUpdate: ({ index, epoch, weights, bias }) => recorder.onUpdate(index, epoch, weights, bias),
      onEpoch: (epoch) => recorder.onEpoch(epoch, () => epoch.snapshot().diagnose(rows, labels)),
    }).fit(rows, labels);
    report = model.report;
    recorder.onEnd(model.diagnose(rows, labels));
  }
  const { steps, epochs } = recorder;
  return { setup, steps, hasSamples: setup.order === 'cyclic', epochs, report, ...viewsOf(setup, steps) };
}

/** What is asked again and again for one moment: remembered until another is asked for. */
function viewsOf(setup: Setup, steps: readonly Step[]): Pick<Trace, 'counts' | 'scoreAt'> {
  const { points, learningRate } = setup;
  const kernel = kernelOf(setup);
  let counted = new Uint32Array(points.length);
  let countedAt = 0;
  const countsAt = (moment: number): Uint32Array => {
    const end = Math.max(0, Math.min(moment, steps.length));
    if (end < countedAt) {
      counted = new Uint32Array(points.length);
      countedAt = 0;
    }
    for (; countedAt < end; countedAt++) {
      const { index, isMistake } = steps[countedAt] as Step;
      if (isMistake) counted[index] = (counted[index] as number) + 1;
    }
    return counted;
  };

  let supports: { point: Point; weight: number }[] = [];
  let supportsAt = -1;
  const kernelScoreAt = (moment: number, x: number, y: number): number => {
    if (moment !== supportsAt) {
      const counts = countsAt(moment);
      supports = points
        .map((point, i) => ({ point, weight: learningRate * (counts[i] as number) * point.label }))
        .filter(({ weight }) => weight !== 0);
      supportsAt = moment;
    }
    let sum = 0;
    for (const { point, weight } of supports) sum += weight * kernel(point, x, y);
    return sum + biasAt(steps, moment);
  };

  return {
    counts: (moment) => countsAt(moment).slice(),
    scoreAt: (moment, x, y) => {
      const plane = predictingAt({ setup, steps }, moment);
      return plane ? scoreOn(plane, x, y) : kernelScoreAt(moment, x, y);
    },
  };
}

type Recorded = Pick<Trace, 'setup' | 'steps'>;

/** The step just made; undefined at the start. */
export const stepAt = ({ steps }: Pick<Trace, 'steps'>, moment: number): Step | undefined =>
  steps[Math.min(moment, steps.length) - 1];

const biasAt = (steps: readonly Step[], moment: number): number => stepAt({ steps }, moment)?.bias ?? 0;

/** The line that moves; undefined with a kernel that bends lines. */
export const planeAt = (trace: Recorded, moment: number): Plane | undefined => {
  const step = stepAt(trace, moment);
  return step ? step.after : isLinear(trace.setup) ? noPlane : undefined;
};

/** The line that predicts: the one in the pocket where there is one, else the one that moves. */
const predictingAt = (trace: Recorded, moment: number): Plane | undefined =>
  stepAt(trace, moment)?.pocket?.plane ?? planeAt(trace, moment);

/** How many steps there are once the next mistake is corrected; undefined if there is no other mistake. */
export function nextMistake({ steps }: Pick<Trace, 'steps'>, moment: number): number | undefined {
  const at = steps.findIndex((step, k) => k >= moment && step.isMistake);
  return at < 0 ? undefined : at + 1;
}

/** How many steps there are once the next sample is looked at; undefined at the end. */
export const nextSample = ({ steps }: Pick<Trace, 'steps'>, moment: number): number | undefined =>
  moment < steps.length ? moment + 1 : undefined;

/** How many steps there are just after so many mistakes; all of them if there are not so many. */
export function stepsAfter({ steps }: Pick<Trace, 'steps'>, mistakes: number): number {
  if (mistakes <= 0) return 0;
  const at = steps.findIndex((step) => step.mistakes >= mistakes);
  return at < 0 ? steps.length : at + 1;
}

/** How many mistakes there are in so many steps. */
export const mistakesAt = (trace: Pick<Trace, 'steps'>, moment: number): number => stepAt(trace, moment)?.mistakes ?? 0;

/** How many epochs were over by then. */
export function epochsAt({ epochs }: Pick<Trace, 'epochs'>, moment: number): number {
  let done = 0;
  while (done < epochs.length && (epochs[done] as EpochFacts).steps <= moment) done++;
  return done;
}
