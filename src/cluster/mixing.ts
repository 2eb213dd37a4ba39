// Mixing (McDonald, Hall, Mann 2010, "Distributed Training Strategies for the Structured Perceptron"): in an epoch every shard makes
// one pass from the common weights, and the new common weights are the mean of what they end with.
//
//   w ← (w₁ + … + w_K) / K       sums in the order of the shards; a value that no shard changed stays as it is
//
// With averaging, the model predicts with the mean of the weights over all rows seen, in all shards and epochs. An epoch without a
// mistake in any shard ends training. All arithmetic is here, so that results do not depend on where the passes ran.

import { expectCount, expectOptions, expectSignal, mustBe } from '../errors.js';
import { type FitReport, type Label, loadModel } from '../index.js';
import { MOST_COLS } from './datasets.js';
import { jsonOf, type Mixable, type Pass, type RunStanding, shapeOf } from './pass.js';
import { modelFrom, type Spec, specOf } from './spec.js';

/** How mixing went. It is another algorithm than training on all rows one after the other. */
export interface MixReport {
  readonly algorithm: 'mixing';
  readonly shards: number;
  /** Of all shards. */
  readonly rows: number;
  /** Epochs, with the clean one. */
  readonly epochs: number;
  /** Of all shards; a row counts once in each epoch in which it was a mistake of its shard. */
  readonly mistakes: number;
  readonly mistakesByEpoch: readonly number[];
  readonly converged: boolean;
  readonly stopReason: Extract<FitReport['stopReason'], 'separated' | 'max-epochs'>;
}

/** What mixing gives. */
export interface Mixed<M> {
  /** A new model; the one that was given stays as it is. */
  readonly model: M;
  readonly report: MixReport;
}

/** After an epoch of mixing: `onEpoch`. */
export interface MixEpoch {
  readonly epoch: number;
  readonly mistakes: number;
  readonly elapsedMs: number;
}

/** Options of mixing, here and on a cluster. */
export interface MixOptions {
  /** All labels, as the trainers' option. */
  readonly classes: readonly Label[];
  /** The columns of every shard: LIBSVM files may end before the last one. */
  readonly cols: number;
  /** Default: the model's. */
  readonly maxEpochs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onEpoch?: ((epoch: MixEpoch) => void) | undefined;
}

export const MIX_KEYS = ['classes', 'cols', 'maxEpochs', 'signal', 'onEpoch', 'shards', 'read'] as const;

/** More are a mistake. */
const MOST_SHARDS = 10_000;

/** What the options say, checked. */
export interface MixPlan extends Mixable {
  readonly maxEpochs: number;
  readonly signal: AbortSignal | undefined;
  readonly onEpoch: MixOptions['onEpoch'];
}

/** @throws TypeError or RangeError naming the option, or what mixing cannot do */
export function mixPlan(
  model: unknown,
  options: MixOptions & { shards: readonly unknown[] },
  more: readonly string[] = [],
): MixPlan {
  const given = expectOptions(options, [...MIX_KEYS, ...more], 'trainMixed');
  const { classes, cols, signal, onEpoch, shards } = given;
  if (!Array.isArray(shards)) throw mustBe('"shards"', 'an array', shards);
  if (shards.length === 0 || shards.length > MOST_SHARDS) {
    throw new RangeError(`"shards" must be 1 to ${MOST_SHARDS}, got ${shards.length}`);
  }
  if (classes === undefined) throw new TypeError('trainMixed needs "classes": a shard may lack one');
  expectCount(cols, 1, '"cols"');
  if (cols > MOST_COLS) throw new RangeError(`"cols" must be at most ${MOST_COLS}, got ${cols}`);
  expectSignal(signal);
  if (onEpoch !== undefined && typeof onEpoch !== 'function') throw mustBe('"onEpoch"', 'a function', onEpoch);
  const asked = specOf(model);
  expectMixable(asked);
  const spec: Spec = { ...asked, options: { ...asked.options, classes } };
  const made = modelFrom(spec) as { settings: { classes: readonly Label[]; maxEpochs: number } }; // checks and orders the classes
  const { maxEpochs = made.settings.maxEpochs } = given;
  expectCount(maxEpochs, 1, '"maxEpochs"');
  return { model: spec, classes: made.settings.classes, cols, maxEpochs, signal, onEpoch };
}

/** @throws TypeError or RangeError saying what mixing cannot do */
function expectMixable({ type, options = {} }: Spec): void {
  const isLinear = type === 'perceptron' || (type === 'multiclass-perceptron' && options.kernel === undefined);
  if (!isLinear)
    throw new TypeError(
      `trainMixed mixes weights: the model must be a Perceptron, or a MulticlassPerceptron without a kernel, got a ${type}`,
    );
  const { order, classWeight, validationFraction, tol } = options;
  const refused =
    order !== 'cyclic'
      ? `order '${order}': rows of a shard are visited in their order; shuffle them before you split them`
      : classWeight === 'balanced'
        ? "classWeight 'balanced': give numbers"
        : validationFraction
          ? '"validationFraction"'
          : tol !== undefined
            ? '"tol"'
            : undefined;
  if (refused !== undefined) throw new RangeError(`trainMixed does not go with ${refused}`);
}

/** Where mixing stands after an epoch: plain data, which is also the checkpoint. */
export interface MixState {
  /** The common weights. */
  readonly common: Float64Array;
  /** With averaging: the weights after every row, added up. */
  readonly totals: Float64Array | undefined;
  readonly runs: readonly RunStanding[];
}

/** Before the first epoch: the weights are 0, or the model's initial ones. */
export function mixStart(mixable: Mixable): MixState {
  const { model, cols } = mixable;
  const { planes, runs } = shapeOf(mixable);
  const common = new Float64Array(planes * (cols + 1));
  const { initialWeights, initialBias, average } = (model.options ?? {}) as {
    initialWeights?: ArrayLike<number>;
    initialBias?: number;
    average?: boolean;
  };
  if (initialWeights) {
    if (initialWeights.length !== cols) {
      throw new RangeError(`"initialWeights" has ${initialWeights.length} values, "cols" is ${cols}`);
    }
    common.set(initialWeights);
  }
  if (initialBias) common[cols] = initialBias;
  const standing = { seen: 0, sigma: 0, mistakesByEpoch: [] };
  return {
    common,
    totals: average ? new Float64Array(common.length) : undefined,
    runs: Array.from({ length: runs }, () => standing),
  };
}

/** The state after an epoch, of the passes of all shards in their order. */
function mix({ common, totals, runs }: MixState, passes: readonly Pass[]): MixState {
  const size = common.length;
  const isChanged = new Uint8Array(size);
  const next = new Float64Array(size);
  const all = totals?.slice();
  passes.forEach((pass, k) => {
    const own = common.slice();
    pass.changed.forEach((at, i) => {
      own[at] = pass.values[i] as number;
      isChanged[at] = 1;
    });
    if (k === 0) next.set(own);
    else for (let at = 0; at < size; at++) next[at] = (next[at] as number) + (own[at] as number);
    if (!all) return;
    // Σ of the weights after each of n rows: n·w − Σ (rows before)·step·x.
    const sums = new Float64Array(size);
    pass.summed?.forEach((at, i) => {
      sums[at] = pass.sums?.[i] as number;
    });
    for (let at = 0; at < size; at++) {
      all[at] = (all[at] as number) + (pass.rows * (own[at] as number) - (sums[at] as number));
    }
  });
  for (let at = 0; at < size; at++) {
    next[at] = isChanged[at] ? (next[at] as number) / passes.length : (common[at] as number);
  }
  const add = (of: (pass: Pass) => number) => passes.reduce((sum, pass) => sum + of(pass), 0);
  return {
    common: next,
    totals: all,
    runs: runs.map(({ seen, sigma, mistakesByEpoch }, run) => ({
      seen: seen + add(({ rows }) => rows),
      // A step moves the mean by its K-th part.
      sigma: sigma + add(({ sigmas }) => sigmas[run] as number) / passes.length,
      mistakesByEpoch: [...mistakesByEpoch, add(({ mistakes }) => mistakes[run] as number)],
    })),
  };
}

const epochsOf = ({ runs }: MixState): number => runs[0]?.mistakesByEpoch.length ?? 0;

/** The mistakes of an epoch, of all runs; the last one without a number. */
const mistakesIn = ({ runs }: MixState, epoch = -1): number =>
  runs.reduce((sum, { mistakesByEpoch }) => sum + (mistakesByEpoch.at(epoch) ?? 0), 0);

const isClean = (state: MixState): boolean => epochsOf(state) > 0 && mistakesIn(state) === 0;

/**
 * Mixes until an epoch is clean, or there have been `maxEpochs`.
 * @param passes all shards, in their order, from the common weights
 * @param keep called with each new state
 */
export async function mixing(
  plan: MixPlan,
  from: MixState,
  passes: (state: MixState) => Promise<readonly Pass[]>,
  keep?: (state: MixState) => Promise<void>,
): Promise<MixState> {
  const started = performance.now();
  let state = from;
  while (!isClean(state) && epochsOf(state) < plan.maxEpochs) {
    plan.signal?.throwIfAborted();
    state = mix(state, await passes(state));
    await keep?.(state);
    plan.onEpoch?.({ epoch: epochsOf(state), mistakes: mistakesIn(state), elapsedMs: performance.now() - started });
  }
  return state;
}

/** The model of a state, and how mixing went. */
export function mixedOf<M>(plan: MixPlan, state: MixState, shards: number): Mixed<M> {
  const { common, totals, runs } = state;
  const seen = runs[0]?.seen ?? 0;
  const sums = totals && common.map((w, at) => seen * w - (totals[at] as number));
  const mean = totals?.map((total) => total / seen);
  const json = jsonOf(plan, common, sums && mean && { sums, mean }, runs);
  const epochs = epochsOf(state);
  const mistakesByEpoch = Array.from({ length: epochs }, (_, epoch) => mistakesIn(state, epoch));
  const converged = isClean(state);
  return {
    model: loadModel(json) as unknown as M,
    report: Object.freeze({
      algorithm: 'mixing',
      shards,
      rows: epochs > 0 ? seen / epochs : 0,
      epochs,
      mistakes: mistakesByEpoch.reduce((a, b) => a + b, 0),
      mistakesByEpoch,
      converged,
      stopReason: converged ? 'separated' : 'max-epochs',
    }),
  };
}
