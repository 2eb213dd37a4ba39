// A model file is untrusted input: an error names the field that is wrong, and nothing but a TypeError or a RangeError comes out.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DualPerceptron,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
} from '../../src/index.js';
import { loadPredictor } from '../../src/predict/index.js';
import { type Any, type ErrorClass, refusesWith, saved, spoil, X, y } from '../model/spoiled.js';

const z = X.map(([a], i) => (i % 3 === 0 ? 'c' : (a as number) > 0 ? 'b' : 'a'));
const sparse = {
  values: X.flat(),
  indices: X.flatMap(() => [0, 1, 2]),
  indptr: X.map((_, i) => 3 * i).concat(3 * X.length),
  cols: 3,
};
const few = { maxEpochs: 3 };
const files: Record<string, Any> = {
  perceptron: saved(new Perceptron({ ...few, average: true }).fit(X, y)),
  pocket: saved(new PocketPerceptron(few).fit(X, y)),
  dual: saved(new DualPerceptron({ ...few, kernel: { type: 'rbf', gamma: 0.3 } }).fit(X, y)),
  'linear dual': saved(new DualPerceptron(few).fit(sparse, y)),
  'averaged dual': saved(new DualPerceptron({ ...few, kernel: 'polynomial', average: true }).fit(sparse, y)),
  'dual pocket': saved(new DualPerceptron({ ...few, kernel: 'rbf', pocket: true }).fit(X, y)),
  planes: saved(new MulticlassPerceptron(few).fit(X, z)),
  'multinomial planes': saved(new MulticlassPerceptron({ ...few, strategy: 'multinomial' }).fit(X, z)),
  supports: saved(new MulticlassPerceptron({ ...few, kernel: 'rbf', average: true }).fit(X, z)),
  'multinomial supports': saved(
    new MulticlassPerceptron({ ...few, kernel: 'rbf', strategy: 'multinomial', average: true }).fit(X, z),
  ),
  pipeline: saved(new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron(few)).fit(X, y)),
};
const refuses = refusesWith(loadPredictor);

const spoiled: [file: string, path: string, value: unknown, type: ErrorClass, message: string | RegExp][] = [
  ['perceptron', 'type', 'svm', RangeError, /^model JSON: type must be "perceptron" or .* or "calibrated", got "svm"$/],
  ['perceptron', 'type', undefined, TypeError, /^model JSON: type must be "perceptron" or .*, got undefined$/],
  ['perceptron', 'type', '__proto__', RangeError, /^model JSON: type must be .*, got "__proto__"$/],
  ['perceptron', 'version', 2, RangeError, 'model JSON: version 2 is not known here; this release reads version 1'],
  ['perceptron', 'weights', undefined, TypeError, 'model JSON: weights must be an array, got undefined'],
  [
    'perceptron',
    'weights',
    [],
    RangeError,
    'model JSON: weights must be an array of at least one number, got an array of 0',
  ],
  ['perceptron', 'weights[1]', null, TypeError, 'model JSON: weights[1] must be a finite number, got null'],
  ['perceptron', 'weights[1]', '1', TypeError, 'model JSON: weights[1] must be a finite number, got "1"'],
  ['pocket', 'bias', NaN, RangeError, 'model JSON: bias must be a finite number, got NaN'],
  ['perceptron', 'classes', 'no', TypeError, 'model JSON: classes must be an array, got "no"'],
  ['perceptron', 'classes', ['no'], RangeError, 'model JSON: classes must be two labels, got an array of 1'],
  ['perceptron', 'classes', ['no', 1], TypeError, 'model JSON: classes[1] must be a string after "no", got 1'],
  ['perceptron', 'classes', ['yes', 'no'], RangeError, 'model JSON: classes[1] must be a string after "yes", got "no"'],
  ['perceptron', 'classes', ['no', null], TypeError, 'model JSON: classes[1] must be a finite number, got null'],
  ['perceptron', 'classes', ['no', 'no'], RangeError, 'model JSON: classes[1] must be a string after "no", got "no"'],
  ['perceptron', 'classes', ['a', 'b', 'c'], RangeError, 'model JSON: classes must be two labels, got an array of 3'],
  ['planes', 'classes', ['a'], RangeError, 'model JSON: classes must be two or more labels, got an array of 1'],
  ['dual', 'options', undefined, TypeError, 'model JSON: options must be an object, got undefined'],
  ['dual', 'options.average', 'yes', TypeError, 'model JSON: options.average must be true or false, got "yes"'],
  ['dual', 'options.pocket', 1, TypeError, 'model JSON: options.pocket must be true or false, got 1'],
  [
    'averaged dual',
    'options.pocket',
    true,
    RangeError,
    'model JSON: options.average and options.pocket exclude each other',
  ],
  ['dual', 'options.kernel.gamma', -1, RangeError, 'model JSON: options.kernel.gamma must be a number > 0, got -1'],
  [
    'dual',
    'options.kernel.type',
    'sigmoid',
    RangeError,
    'model JSON: options.kernel.type must be "linear" or "polynomial" or "rbf", got "sigmoid"',
  ],
  ['dual', 'options.kernel', 7, TypeError, 'model JSON: options.kernel must be an object, got 7'],
  [
    'averaged dual',
    'options.kernel',
    { type: 'polynomial', degree: 0 },
    RangeError,
    /^model JSON: options.kernel.degree must be an integer from 1 to 4294967295, got 0$/,
  ],
  [
    'dual',
    'options.kernel',
    { type: 'rbf', coef0: 'x' },
    TypeError,
    'model JSON: options.kernel.coef0 must be a finite number, got "x"',
  ],
  ['dual', 'cols', 0, RangeError, 'model JSON: cols must be an integer from 1 to 536870912, got 0'],
  ['dual', 'cols', 2, RangeError, 'model JSON: supports.rows[0] must have 2 values, got 3'],
  ['dual', 'supports', null, TypeError, 'model JSON: supports must be an object, got null'],
  ['dual', 'supports.rows', {}, TypeError, 'model JSON: supports.rows must be an array, got an object'],
  ['dual', 'supports.rows[1]', 3, TypeError, 'model JSON: supports.rows[1] must be an array, got 3'],
  ['dual', 'supports.rows[1][0]', 'x', TypeError, 'model JSON: supports.rows[1][0] must be a finite number, got "x"'],
  [
    'dual',
    'supports.rows[1][0]',
    1e200,
    RangeError,
    'model JSON: supports.rows[1] has values too large for the rbf kernel',
  ],
  ['dual', 'supports.signs[0]', 0, RangeError, 'model JSON: supports.signs[0] must be -1 or 1, got 0'],
  ['dual', 'supports.alphas[0]', -1, RangeError, 'model JSON: supports.alphas[0] must be a number ≥ 0, got -1'],
  ['dual', 'supports.alphas', [1], RangeError, /^model JSON: supports.alphas must have \d+ values, got 1$/],
  [
    'averaged dual',
    'supports.rows[0].columns[0]',
    9,
    RangeError,
    /^model JSON: supports.rows\[0\].columns\[0\] must be an integer above -1 and below 3/,
  ],
  [
    'averaged dual',
    'supports.rows[0].values',
    [1],
    RangeError,
    'model JSON: supports.rows[0].values must have 3 values, got 1',
  ],
  ['averaged dual', 'supports.sums', undefined, TypeError, 'model JSON: supports.sums must be an array, got undefined'],
  ['averaged dual', 'training', undefined, TypeError, 'model JSON: training must be an object, got undefined'],
  ['averaged dual', 'training.seen', -1, RangeError, 'model JSON: training.seen must be an integer ≥ 0, got -1'],
  [
    'averaged dual',
    'training.biasSum',
    null,
    TypeError,
    'model JSON: training.biasSum must be a finite number, got null',
  ],
  [
    'dual pocket',
    'supports.pocket[0]',
    null,
    TypeError,
    'model JSON: supports.pocket[0] must be a number ≥ 0, got null',
  ],
  [
    'dual pocket',
    'training.pocketBias',
    undefined,
    TypeError,
    'model JSON: training.pocketBias must be a finite number, got undefined',
  ],
  [
    'planes',
    'options.strategy',
    'one-vs-one',
    RangeError,
    'model JSON: options.strategy must be "one-vs-rest" or "multinomial", got "one-vs-one"',
  ],
  ['planes', 'planes[1].weights', [1], RangeError, 'model JSON: planes[1].weights must have 3 values, got 1'],
  ['planes', 'planes[1].bias', '0', TypeError, 'model JSON: planes[1].bias must be a finite number, got "0"'],
  ['planes', 'planes', [], RangeError, 'model JSON: planes must have 3 values, got 0'],
  ['planes', 'planes', undefined, TypeError, 'model JSON: planes must be an array, got undefined'],
  ['multinomial planes', 'planes[0]', 7, TypeError, 'model JSON: planes[0] must be an object, got 7'],
  [
    'supports',
    'supports.codes[0]',
    3,
    RangeError,
    'model JSON: supports.codes[0] must be an integer from 0 to 2, got 3',
  ],
  [
    'supports',
    'coefficients[1].places[0]',
    999,
    RangeError,
    /^model JSON: coefficients\[1\].places\[0\] must be an integer above -1 and below \d+, got 999$/,
  ],
  [
    'supports',
    'coefficients[1].alphas[0]',
    null,
    TypeError,
    'model JSON: coefficients[1].alphas[0] must be a number ≥ 0, got null',
  ],
  [
    'supports',
    'coefficients[1].bias',
    null,
    TypeError,
    'model JSON: coefficients[1].bias must be a finite number, got null',
  ],
  ['supports', 'coefficients', [], RangeError, 'model JSON: coefficients must have 3 values, got 0'],
  ['supports', 'training', [], RangeError, 'model JSON: training must have 3 values, got 0'],
  ['supports', 'training[2].seen', 0.5, RangeError, 'model JSON: training[2].seen must be an integer ≥ 0, got 0.5'],
  [
    'multinomial supports',
    'coefficients[0].betas',
    undefined,
    TypeError,
    'model JSON: coefficients[0].betas must be an array, got undefined',
  ],
  [
    'multinomial supports',
    'coefficients[0].sums',
    [],
    RangeError,
    /^model JSON: coefficients\[0\].sums must have \d+ values, got 0$/,
  ],
  ['pipeline', 'scaler', 7, TypeError, 'model JSON: scaler must be an object, got 7'],
  ['pipeline', 'scaler.type', 'perceptron', RangeError, 'model JSON: scaler.type must be "scaler", got "perceptron"'],
  [
    'pipeline',
    'scaler.kind',
    'whiten',
    RangeError,
    'model JSON: scaler.kind must be "standardize" or "centre" or "unit-ball", got "whiten"',
  ],
  ['pipeline', 'scaler.scales[1]', 0, RangeError, 'model JSON: scaler.scales[1] must be a number > 0, got 0'],
  ['pipeline', 'scaler.means', [1], RangeError, 'model JSON: scaler.means must have 3 values, got 1'],
  ['pipeline', 'model', undefined, TypeError, 'model JSON: model must be an object, got undefined'],
  [
    'pipeline',
    'model.type',
    'pipeline',
    RangeError,
    /^model JSON: model.type must be "perceptron" or .*, got "pipeline"$/,
  ],
  ['pipeline', 'model.weights', [1, 2], RangeError, 'model JSON: scaler makes 3 columns, but the model takes 2'],
  ['pipeline', 'model.classes', ['a'], RangeError, 'model JSON: model.classes must be two labels, got an array of 1'],
];

test.each(spoiled)(
  'a %s file with a bad %s (%j) is refused with the name of the field',
  (file, path, value, type, message) => {
    loadPredictor(files[file]);
    refuses(spoil(files[file], path, value), type, message);
  },
);

test.each([undefined, null, 7, [], 'text'])('%j is not a model', (json) => {
  refuses(json, TypeError, /^model JSON/);
});

test('fields that predictions do not need may be missing: a file for serving can be smaller', () => {
  for (const [name, file] of Object.entries(files)) {
    if (/averaged|pocket|supports|pipeline/.test(name)) continue;
    const { training: _, stopReason: __, advice: ___, ...smaller } = file;
    expect(loadPredictor(smaller).decisionFunction(X)).toEqual(loadPredictor(file).decisionFunction(X));
  }
});

test('fields that an object inherits do not count', () => {
  const { weights, ...rest } = files.perceptron;
  refuses(
    Object.assign(Object.create({ weights }), rest),
    TypeError,
    'model JSON: weights must be an array, got undefined',
  );
});

/** The paths of all values in a file, but of long lists only the first few. */
function pathsOf(value: Any, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Object.keys(value).slice(0, Array.isArray(value) ? 3 : undefined);
  return [path, ...keys.flatMap((key) => pathsOf(value[key], [...path, key]))].filter(({ length }) => length > 0);
}

test('whatever is put in any place of a file, only a TypeError or a RangeError comes out', () => {
  const places = Object.entries(files).flatMap(([file, json]) => pathsOf(json).map((path) => ({ file, path })));
  const anything = fc.oneof(
    fc.constantFrom<unknown[]>(
      undefined,
      null,
      '-0',
      -0,
      NaN,
      Infinity,
      1e308,
      -1,
      0.5,
      2 ** 32,
      [],
      {},
      [[]],
      [{}],
      true,
    ),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown[]>('linear', 'rbf', 'multinomial', { type: 'polynomial', degree: 4294967295 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...places), anything, ({ file, path }, value) => {
      const json = structuredClone(files[file]);
      const owner = path.slice(0, -1).reduce((at: Any, key) => at[key], json);
      owner[path.at(-1) as string] = value;
      try {
        const predictor = loadPredictor(json);
        try {
          const scores = predictor.decisionFunction(X);
          expect(('data' in scores ? scores.data : scores).every(Number.isFinite)).toBe(true);
          expect(predictor.classes).toContain(predictor.predictOne(X[1] as number[]));
          predictor.predict(sparse);
        } catch (error) {
          // Weights may be too large for these rows, and columns may be others.
          expect((error as Error).constructor).toBe(RangeError);
        }
      } catch (error) {
        expect([TypeError, RangeError]).toContain((error as Error).constructor);
        expect((error as Error).message).toMatch(/^model JSON/);
      }
    }),
    { numRuns: 1000 },
  );
});
