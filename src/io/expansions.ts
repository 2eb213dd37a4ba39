// What a kernel model predicts with: its support vectors, and a coefficient of each for each score.

import type { DualPerceptronJSON, MulticlassPerceptronJSON } from '../index.js';

type Numbers = ArrayLike<number | '-0'>;

/** Scores are Σ coefficients[k][s] · K(supports[s], x) + biases[k]. */
export interface Expansions {
  /** The support vectors, row-major. */
  readonly supports: Float64Array;
  readonly cols: number;
  readonly coefficients: readonly Float64Array[];
  readonly biases: Float64Array;
}

/** The mean over the samples seen, from the last value and the sum of (samples seen before a step) · step (SPEC §5). */
const meanOf = (last: number, sum: number, seen: number): number => (seen === 0 ? last : (seen * last - sum) / seen);

const means = (last: Numbers, sums: Numbers | undefined, seen: number): Float64Array =>
  Float64Array.from(last, (value, s) => (sums ? meanOf(Number(value), Number(sums[s]), seen) : Number(value)));

/** Support vectors as dense rows. */
function densely(
  rows: Iterable<Numbers | { columns: ArrayLike<number>; values: Numbers }>,
  cols: number,
  count: number,
) {
  const supports = new Float64Array(count * cols);
  let at = 0;
  for (const row of rows) {
    const [columns, values] = 'columns' in row ? [row.columns, row.values] : [undefined, row];
    for (let k = 0; k < values.length; k++) supports[at + (columns?.[k] ?? k)] = Number(values[k]);
    at += cols;
  }
  return supports;
}

/** The expansion of a dual model that predicts: the mean, that of the pocket or the last. */
function ofTwo({ supports, cols, bias, training }: DualPerceptronJSON): Expansions {
  const { rows, signs, alphas, sums, pocket } = supports;
  const chosen = pocket ? Float64Array.from(pocket) : means(alphas, sums, training.seen);
  const [last, mean] = [pocket ? training.pocketBias : bias, training.biasSum];
  return {
    supports: densely(rows, cols, signs.length),
    cols,
    coefficients: [chosen.map((alpha, s) => alpha * (signs[s] as number))],
    biases: means([last ?? 0], mean === undefined ? undefined : [mean], training.seen),
  };
}

/** The expansions of a model of several classes. */
function ofMany({ supports, cols, coefficients = [], training }: MulticlassPerceptronJSON): Expansions {
  if (!supports) throw new Error('the model has no support vectors');
  const { rows, codes } = supports;
  /** How many samples the run of class k saw: multinomial models have one run for all classes. */
  const seenBy = (k: number): number => (training[k] ?? training[0])?.seen ?? 0;
  return {
    supports: densely(rows, cols, codes.length),
    cols,
    coefficients: coefficients.map(({ places, alphas = [], betas, sums }, k) => {
      if (!places) return means(betas ?? [], sums, seenBy(k));
      const row = new Float64Array(codes.length);
      means(alphas, sums, seenBy(k)).forEach((alpha, at) => {
        const place = places[at] as number;
        row[place] = codes[place] === k ? alpha : -alpha;
      });
      return row;
    }),
    biases: Float64Array.from(coefficients, ({ bias, biasSum }, k) =>
      Number(means([bias], biasSum === undefined ? undefined : [biasSum], seenBy(k))[0]),
    ),
  };
}

/** The expansions of a model with a kernel. */
export const expansionsOf = (json: DualPerceptronJSON | MulticlassPerceptronJSON): Expansions =>
  json.type === 'dual-perceptron' ? ofTwo(json) : ofMany(json);
