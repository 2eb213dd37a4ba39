// A model of several classes as JSON: a training run for each class, or one for all; support vectors once for all classes.

import { NO_ROWS } from '../data/kept.js';
import type { Label } from '../data/labels.js';
import { alphasFrom, colsFrom, countsFrom, samplesFrom } from './dual-json.js';
import {
  classesFrom,
  type ExactNumber,
  exactNumber,
  expectLength,
  type Fields,
  fail,
  fieldsOf,
  listOf,
  numbersFrom,
  type OptionsJSON,
  outcomeFrom,
  type Packed,
  type TrainingJSON,
  trainingFrom,
  trainingJSON,
  word,
} from './json.js';
import { type PlaneJSON, planeFrom } from './linear-json.js';
import { placesOf } from './multi.js';
import { type Advice, combinedHistory, type StopReason } from './report.js';
import { ascendingFrom, packedRows, type RowJSON, rowsFrom } from './rows-json.js';
import type { Dual, Linear, MultiDual, MultiLearned, MultiState, Plane, RunState, SupportRows } from './state.js';

/** A plane; if it is the mean, also the last weights, from which training continues. */
export interface ClassPlaneJSON extends PlaneJSON {
  last?: PlaneJSON;
  sums?: PlaneJSON;
}

/** What `MulticlassPerceptron.toJSON` gives: plain data, exact to the bit. With a kernel it contains the support vectors. */
export interface MulticlassPerceptronJSON {
  type: 'multiclass-perceptron';
  version: 1;
  options: OptionsJSON;
  classes: Label[];
  cols: number;
  /** Without a kernel: the plane of each class. */
  planes?: ClassPlaneJSON[];
  /** With a kernel: the support vectors of all classes, ascending; they are training data. */
  supports?: {
    indices: number[];
    /** The class number of each. */
    codes: number[];
    rows: RowJSON[];
    /** Multinomial: how often each was a mistake. */
    counts?: number[];
  };
  /** With a kernel: the coefficients of each class. */
  coefficients?: {
    bias: ExactNumber;
    biasSum?: ExactNumber;
    /** One-vs-rest: which support vectors belong to this class, their α and how often each was a mistake of the class. */
    places?: number[];
    alphas?: number[];
    counts?: number[];
    /** Multinomial: the coefficient of every support vector. */
    betas?: ExactNumber[];
    sums?: ExactNumber[];
    /** The cached scores of the latest rows, if they differ from those recomputed from the coefficients. */
    scores?: ExactNumber[];
  }[];
  /** With a kernel: 'blocks' if training used no Gram matrix, so that it continues in the same mode. */
  gram?: 'blocks';
  /** With a kernel: how many rows were trained on, and the number of the first row of the latest block. */
  samples?: number;
  first?: number;
  stopReason: StopReason;
  advice: Advice[];
  /** The state from which training continues: one for each class, or one for all. */
  training: TrainingJSON[];
}

type Shape = Packed<
  Pick<MulticlassPerceptronJSON, 'planes' | 'supports' | 'coefficients' | 'gram' | 'samples' | 'first'>
>;

export function multiToJSON<L extends Label>(
  state: MultiState<L>,
  options: OptionsJSON,
): Packed<MulticlassPerceptronJSON> {
  return {
    type: 'multiclass-perceptron',
    version: 1,
    options,
    classes: state.classes,
    cols: state.cols,
    ...shapeOf(state),
    stopReason: state.history.stopReason,
    advice: state.history.advice,
    training: state.runs.map(trainingJSON),
  };
}

function shapeOf(state: MultiState): Shape {
  switch (state.kind) {
    case 'planes':
      return { planes: state.runs.map(classPlane) };
    case 'multinomial planes':
      return { planes: state.runs[0].planes.map(classPlane) };
    case 'supports': {
      const { samples, first } = state.runs[0] as RunState & Dual;
      return {
        supports: rowsJSON(state.rows),
        coefficients: state.runs.map(({ supports, bias, biasSum, scores }) => ({
          bias,
          ...(supports.sums && { biasSum }),
          places: placesOf(supports.indices, state.rows.indices),
          alphas: supports.alphas,
          counts: supports.counts,
          ...(supports.sums && { sums: supports.sums }),
          ...(scores && { scores }),
        })),
        ...(state.isByBlocks && { gram: 'blocks' as const }),
        samples,
        first,
      };
    }
    case 'multinomial supports': {
      const [{ supports, biases, biasSums, samples, first, scores }] = state.runs;
      return {
        supports: { ...rowsJSON(supports), counts: supports.counts },
        coefficients: supports.betas.map((betas, k) => ({
          bias: biases[k] as number,
          ...(supports.sums && { biasSum: biasSums[k] as number }),
          betas,
          ...(supports.sums && { sums: supports.sums[k] as Float64Array }),
          ...(scores && { scores: scores[k] as Float64Array }),
        })),
        samples,
        first,
      };
    }
  }
}

const classPlane = ({ plane, last, sums }: Linear): Packed<ClassPlaneJSON> => ({
  ...plane,
  ...(plane !== last && { last }),
  ...(sums && { sums }),
});

const rowsJSON = ({ data, indices, codes }: SupportRows) => ({
  indices,
  codes,
  rows: packedRows(data),
});

// ---- reading --------------------------------------------------------------------------------------

/** The options of a model that decide its shape. */
interface Expected {
  readonly average: boolean;
  readonly strategy: 'one-vs-rest' | 'multinomial';
  readonly kernel: unknown;
}

/** The state in a model's JSON, checked. @throws TypeError or RangeError naming the field */
export function multiFromJSON<L extends Label>(json: Fields, options: Expected): MultiState<L> {
  const classes = classesFrom<L>(json, 'many');
  const cols = colsFrom(json);
  const isMultinomial = options.strategy === 'multinomial';
  const runs = listOf(json.training, 'training', (value, path) => trainingFrom(value, path).state);
  expectLength(runs, isMultinomial ? 1 : classes.length, 'training');
  const { stopReason, advice } = outcomeFrom(json, '');
  const history = isMultinomial ? (runs[0] as RunState).history : combinedHistory(runs, stopReason, advice);
  const learned = options.kernel
    ? supportsFrom(json, runs, classes.length, cols, options)
    : planesFrom(json, runs, classes.length, cols, options);
  return { classes, cols, history, ...learned };
}

function planesFrom(json: Fields, runs: RunState[], classes: number, cols: number, options: Expected): MultiLearned {
  const planes = listOf(json.planes, 'planes', (value, path): Linear => {
    const fields = fieldsOf(value, path);
    const plane = planeFrom(fields, `${path}.`, cols);
    if (!options.average) return { plane, last: plane, sums: undefined };
    const part = (name: string): Plane =>
      planeFrom(fieldsOf(fields[name], `${path}.${name}`), `${path}.${name}.`, cols);
    return { plane, last: part('last'), sums: part('sums') };
  });
  expectLength(planes, classes, 'planes');
  if (options.strategy === 'multinomial') {
    return { kind: 'multinomial planes', runs: [{ ...(runs[0] as RunState), planes }] };
  }
  return { kind: 'planes', runs: runs.map((run, k) => ({ ...run, ...(planes[k] as Linear) })) };
}

function supportsFrom(json: Fields, runs: RunState[], classes: number, cols: number, options: Expected): MultiLearned {
  const { samples, first } = samplesFrom(json, '');
  const s = fieldsOf(json.supports, 'supports');
  const indices = ascendingFrom(s.indices, 'supports.indices', samples);
  const count = indices.length;
  const codes = listOf(s.codes, 'supports.codes', (value, path) => {
    const code = word(value, path);
    if (code >= classes) fail(path, `an integer from 0 to ${classes - 1}`, code, 'number');
    return code;
  });
  expectLength(codes, count, 'supports.codes');
  const rows: SupportRows = {
    data: rowsFrom(s.rows, 'supports.rows', count, cols),
    indices,
    codes: Uint32Array.from(codes),
  };
  const parts = listOf(json.coefficients, 'coefficients', fieldsOf);
  expectLength(parts, classes, 'coefficients');
  const numbers = (k: number, name: string, length: number): Float64Array =>
    numbersFrom(parts[k]?.[name], `coefficients[${k}].${name}`, length);
  const number = (k: number, name: string): number => exactNumber(parts[k]?.[name], `coefficients[${k}].${name}`);
  const scores = parts.map((part, k) =>
    part.scores === undefined ? undefined : numbers(k, 'scores', samples - first),
  );

  if (options.strategy === 'multinomial') {
    const [run] = runs as [RunState];
    if (scores.some((list) => (list === undefined) !== (scores[0] === undefined))) {
      throw new RangeError('model JSON: coefficients must all have scores, or none');
    }
    const supports = {
      ...rows,
      counts: countsFrom(s.counts, 'supports.counts', count, run.history.mistakes, 'training[0]'),
      betas: parts.map((_, k) => numbers(k, 'betas', count)),
      sums: options.average ? parts.map((_, k) => numbers(k, 'sums', count)) : undefined,
    };
    const dual: MultiDual = {
      supports,
      biases: Float64Array.from(parts, (_, k) => number(k, 'bias')),
      biasSums: Float64Array.from(parts, (_, k) => (options.average ? number(k, 'biasSum') : 0)),
      samples,
      first,
      scores: scores[0] && (scores as Float64Array[]),
    };
    return { kind: 'multinomial supports', runs: [{ ...run, ...dual }] };
  }
  const duals = runs.map((run, k): RunState & Dual => {
    const path = `coefficients[${k}]`;
    const places = ascendingFrom(parts[k]?.places, `${path}.places`, count);
    const own = places.length;
    return {
      ...run,
      supports: {
        data: NO_ROWS,
        indices: places.map((place) => indices[place] as number),
        signs: Int8Array.from(places, (place) => (codes[place] === k ? 1 : -1)),
        alphas: alphasFrom(parts[k]?.alphas, `${path}.alphas`, own, run.sigma, `training[${k}]`),
        counts: countsFrom(parts[k]?.counts, `${path}.counts`, own, run.history.mistakes, `training[${k}]`),
        sums: options.average ? numbers(k, 'sums', own) : undefined,
        pocket: undefined,
      },
      bias: number(k, 'bias'),
      biasSum: options.average ? number(k, 'biasSum') : 0,
      pocketBias: 0,
      samples,
      first,
      scores: scores[k],
    };
  });
  if (json.gram !== undefined && json.gram !== 'blocks') fail('gram', '"blocks", if anything', json.gram, 'string');
  return { kind: 'supports', rows, isByBlocks: json.gram === 'blocks', runs: duals };
}
