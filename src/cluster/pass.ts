// One pass of a trainer over a shard, from weights that all shards share: the part of mixing that runs on a worker.
//
// Weights travel as one list: the planes of the model one after the other, each its weights and then its bias. A pass answers with
// the values that it changed. They are compared by their bits, so that −0 counts, and sent as they are: differences would round.

import { type Label, loadModel } from '../index.js';
import { own } from '../own.js';
import { Random } from '../random.js';
import { nextTurn } from '../turn.js';
import type { Block } from './datasets.js';
import type { Spec } from './spec.js';

/** What is mixed: a Perceptron, or a MulticlassPerceptron without a kernel. */
export interface Mixable {
  readonly model: Spec;
  /** In order. */
  readonly classes: readonly Label[];
  readonly cols: number;
}

/** What a pass over a shard leaves. */
export interface Pass {
  readonly rows: number;
  /** Of each run: a run is a plane, or all planes of a multinomial model. */
  readonly mistakes: readonly number[];
  /** Σ of the steps (SPEC §4), likewise. */
  readonly sigmas: readonly number[];
  /** Places in the list of weights that the pass changed, and their values. */
  readonly changed: Uint32Array;
  readonly values: Float64Array;
  /** With averaging: Σ (rows seen before)·step·x of SPEC §9, where it is not 0. */
  readonly summed?: Uint32Array;
  readonly sums?: Float64Array;
}

/** How many planes a model has, and how many runs train them. */
export function shapeOf({ model, classes }: Mixable): { planes: number; runs: number } {
  if (model.type === 'perceptron') return { planes: 1, runs: 1 };
  return { planes: classes.length, runs: model.options?.strategy === 'multinomial' ? 1 : classes.length };
}

/** Where training of a run stands. */
export interface RunStanding {
  readonly seen: number;
  readonly sigma: number;
  readonly mistakesByEpoch: readonly number[];
}

interface PlaneJSON {
  readonly weights: Float64Array;
  readonly bias: number;
}

interface Packed extends PlaneJSON {
  readonly planes?: readonly (PlaneJSON & { readonly last?: PlaneJSON; readonly sums?: PlaneJSON })[];
  readonly training: { last?: PlaneJSON; sums?: PlaneJSON; mistakes: number; sigma: number } & readonly {
    readonly mistakes: number;
    readonly sigma: number;
  }[];
}

const planesIn = (list: Float64Array, cols: number): PlaneJSON[] =>
  Array.from({ length: list.length / (cols + 1) }, (_, k) => {
    const from = k * (cols + 1);
    return { weights: list.subarray(from, from + cols), bias: list[from + cols] as number };
  });

function listOf(planes: readonly PlaneJSON[], cols: number): Float64Array {
  const list = new Float64Array(planes.length * (cols + 1));
  planes.forEach(({ weights, bias }, k) => {
    list.set(weights, k * (cols + 1));
    list[k * (cols + 1) + cols] = bias;
  });
  return list;
}

/** The weights of classes that a run has trained with (SPEC §4), smallest and largest. */
function rangeOf({ model, classes }: Mixable, run: number): [number, number] {
  const given = own((model.options?.classWeight ?? {}) as Readonly<Record<string, number>>);
  const all = classes.map((label) => given[String(label)] ?? 1);
  const used = shapeOf({ model, classes, cols: 0 }).runs > 1 ? [1, all[run] as number] : all;
  return [Math.min(...used), Math.max(...used)];
}

/** A model with these weights, as JSON: `mean` predicts and `last` goes on, with the sums that belong to it. */
export function jsonOf(
  mixable: Mixable,
  last: Float64Array,
  average: { readonly mean: Float64Array; readonly sums: Float64Array } | undefined,
  runs: readonly RunStanding[],
  changes: object = {},
): unknown {
  const { model, classes, cols } = mixable;
  const options = { ...model.options, ...changes, classes };
  if (model.options?.aggressiveness === Infinity) Object.assign(options, { aggressiveness: 'Infinity' });
  const lasts = planesIn(last, cols);
  const [means, sums] = average ? [planesIn(average.mean, cols), planesIn(average.sums, cols)] : [];
  const random = Random.seeded(Number(model.options?.seed ?? 0)).state;
  const training = runs.map(({ seen, sigma, mistakesByEpoch }, k) => {
    const converged = mistakesByEpoch.at(-1) === 0;
    return {
      seen,
      sigma,
      classWeightRange: rangeOf(mixable, k),
      random,
      converged,
      stopReason: converged ? 'separated' : 'max-epochs',
      epochs: mistakesByEpoch.length,
      mistakes: mistakesByEpoch.reduce((a, b) => a + b, 0),
      mistakesByEpoch,
      advice: [],
    };
  });
  const base = { version: 1, type: model.type, options, classes };
  if (model.type === 'perceptron') {
    const more = means && sums ? { last: lasts[0], sums: sums[0] } : {};
    return { ...base, ...(means ?? lasts)[0], training: { ...more, ...training[0] } };
  }
  return {
    ...base,
    cols,
    planes: lasts.map((plane, k) => (means && sums ? { ...means[k], last: plane, sums: sums[k] } : plane)),
    stopReason: training.every(({ converged }) => converged) ? 'separated' : 'max-epochs',
    advice: [],
    training,
  };
}

interface Streaming {
  fitStream(blocks: AsyncIterable<Block>, options: { signal: AbortSignal | undefined }): Promise<unknown>;
  packed(): Packed;
}

/** Trains one pass over the blocks of a shard. Others have their turn between blocks. @throws as fitStream does */
export async function passOver(
  mixable: Mixable,
  common: Float64Array,
  blocks: readonly Block[],
  rows: number,
  signal?: AbortSignal,
): Promise<Pass> {
  const { model, cols } = mixable;
  const { planes, runs } = shapeOf(mixable);
  const averages = model.options?.average === true;
  const zeros = averages ? { mean: common, sums: new Float64Array(common.length) } : undefined;
  const standing = Array.from({ length: runs }, () => ({ seen: 0, sigma: 0, mistakesByEpoch: [] }));
  const trainer = loadModel(jsonOf(mixable, common, zeros, standing, { warmStart: true })) as unknown as Streaming;
  async function* oneByOne() {
    for (const block of blocks) {
      yield block;
      await nextTurn();
    }
  }
  await trainer.fitStream(oneByOne(), { signal });
  const packed = trainer.packed();
  const parts = packed.planes ?? [{ ...packed, last: packed.training.last, sums: packed.training.sums }];
  const ends = packed.planes ? packed.training : [packed.training];
  const after = listOf(
    parts.map((part) => part.last ?? part),
    cols,
  );
  if (after.length !== planes * (cols + 1)) throw new Error('a pass changed the shape of its model');
  const changed = placesWhere(after, (value, at) => !Object.is(value, common[at]));
  const sums = averages
    ? listOf(
        parts.map((part) => part.sums as PlaneJSON),
        cols,
      )
    : undefined;
  const summed = sums && placesWhere(sums, (value) => value !== 0);
  return {
    rows,
    mistakes: ends.map(({ mistakes }) => mistakes),
    sigmas: ends.map(({ sigma }) => sigma),
    changed,
    values: Float64Array.from(changed, (at) => after[at] as number),
    ...(sums && summed && { summed, sums: Float64Array.from(summed, (at) => sums[at] as number) }),
  };
}

function placesWhere(list: Float64Array, is: (value: number, at: number) => boolean): Uint32Array {
  const places: number[] = [];
  for (let at = 0; at < list.length; at++) if (is(list[at] as number, at)) places.push(at);
  return Uint32Array.from(places);
}
