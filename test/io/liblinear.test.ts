// LIBLINEAR's model files, against LIBLINEAR itself where it is installed (Debian: liblinear-tools).

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AnyModel,
  DualPerceptron,
  loadModel,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  Scaler,
  type ScalerKind,
  describe as tell,
} from '../../src/index.js';
import { fromLiblinear, toLiblinear } from '../../src/io/liblinear.js';
import { fromSklearn } from '../../src/io/sklearn.js';
import { type Any, bits, saved } from '../model/spoiled.js';
import { integers } from '../samples.js';
import { exactMany, exactPairs, exactTwins, many, pairs, scoresOf } from './linear-models.js';

const GOOD = `solver_type L2R_L1LOSS_SVC_DUAL
nr_class 2
label -1 1
nr_feature 2
bias 1
w
-1
-1
3
`;

test('the worked example (SPEC §10) is written as LIBLINEAR would write it', () => {
  const model = new Perceptron<number>().fit(
    [
      [3, 3],
      [4, 3],
      [1, 1],
    ],
    [1, 1, -1],
  );
  expect(toLiblinear(model)).toBe(GOOD);
  const read = fromLiblinear(GOOD);
  expect(read).toBeInstanceOf(Perceptron);
  expect(read.weights).toEqual(Float64Array.of(1, 1));
  expect(read.classes).toEqual([-1, 1]);
  expect((read as Perceptron<number>).bias).toBe(-3);
});

test('models of two classes and of many come back from text to the bit', () => {
  fc.assert(
    fc.property(fc.oneof(exactPairs, pairs, exactMany, many), ({ X, model }) => {
      const text = toLiblinear(model);
      const read = fromLiblinear(text);
      expect(read.classes).toEqual(model.classes);
      expect(bits(scoresOf(read, X))).toEqual(bits(scoresOf(model, X)));
      expect(read.predict(X)).toEqual(model.predict(X));
      expect(toLiblinear(read)).toBe(text);
      expect(toLiblinear(fromLiblinear(text.replaceAll('\n', ' \r\n')))).toBe(text);
    }),
    { numRuns: 150 },
  );
});

test('every finite number comes back to the bit: the smallest, the largest, and −0', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(finite, { minLength: 3, maxLength: 3 }), finite, (weights, bias) => {
      const model = fromSklearn<number>({
        coef_: [weights],
        intercept_: [bias],
        classes_: [0, 1],
      }) as Perceptron<number>;
      const read = fromLiblinear(toLiblinear(model)) as Perceptron<number>;
      expect(bits(Float64Array.of(...read.weights, read.bias))).toEqual(bits(Float64Array.of(...weights, bias)));
    }),
  );
});

test('the way many classes are learned is kept: all at once is LIBLINEAR’s MCSVM_CS', () => {
  const X = [
    [0, 0],
    [5, 0],
    [0, 5],
  ];
  for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
    const text = toLiblinear(new MulticlassPerceptron<number>({ strategy }).fit(X, [1, 2, 3]));
    expect(text.includes('MCSVM_CS')).toBe(strategy === 'multinomial');
    expect(fromLiblinear(text).toJSON().options.strategy).toBe(strategy);
  }
});

test('two planes of two classes become one: their difference', () => {
  fc.assert(
    fc.property(exactTwins, ({ X, model }) => {
      const read = fromLiblinear(toLiblinear(model));
      expect(read).toBeInstanceOf(Perceptron);
      const scores = scoresOf(model, X);
      const differences = X.map((_, i) => (scores[2 * i + 1] as number) - (scores[2 * i] as number));
      expect([...scoresOf(read, X)]).toEqual(differences);
    }),
  );
});

test.each<ScalerKind>(['standardize', 'centre', 'unit-ball'])('a pipeline with %s is written as one plane', (kind) => {
  const { X, y } = integers(60, 5, 3, 10);
  const far = X.map((x) => x.map((v, k) => v * (k + 1) + 40));
  for (const model of [new Perceptron<number>({ average: true }), new DualPerceptron<number>()]) {
    const pipeline = new Pipeline<number>(new Scaler({ kind }), model).fit(far, y);
    const read = fromLiblinear(toLiblinear(pipeline));
    expect(scoresOf(read, far).every((s, i) => Math.abs(s - (scoresOf(pipeline, far)[i] as number)) < 1e-8)).toBe(true);
    expect(read.predict(far)).toEqual(pipeline.predict(far));
  }
  const labels = y.map((label, i) => (i % 5 === 0 ? 7 : label));
  const pipeline = new Pipeline(new Scaler({ kind }), new MulticlassPerceptron<number>({ maxEpochs: 9 })).fit(
    far,
    labels,
  );
  expect(fromLiblinear(toLiblinear(pipeline)).predict(far)).toEqual(pipeline.predict(far));
});

test('labels in another order mean the same, also on the border', () => {
  const file = (label: string, w: string) => GOOD.replace('-1 1', label).replace('-1\n-1\n3', w);
  const rows = [
    [2, 2],
    [1, 1],
    [1, 2],
  ]; // above, below, and on the border
  // LIBLINEAR: > 0 is the first label, ≤ 0 the second.
  expect(fromLiblinear(file('-1 1', '-1\n-1\n3')).predict(rows)).toEqual([1, -1, 1]);
  // Here the larger label has the border: 1, where LIBLINEAR says −1.
  expect(fromLiblinear(file('1 -1', '1\n1\n-3')).predict(rows)).toEqual([1, -1, 1]);
});

const LABELS: [string, unknown[]][] = [
  ['strings', ['ham', 'spam']],
  ['booleans', [false, true]],
  ['numbers that are not whole', [0.5, 1]],
  ['numbers beyond C’s int', [0, 2 ** 31]],
];
test.each(LABELS)('labels that are %s are refused: LIBLINEAR has none', (_what, labels) => {
  const model = new Perceptron<Any>().fit([[1], [2]], labels as Any);
  const bad = labels.find((label) => label !== 0 && label !== 1);
  expect(() => toLiblinear(model)).toThrow(
    new RangeError(
      `LIBLINEAR has integers for labels, such as 0 and 1; this model has the class ${JSON.stringify(bad)}`,
    ),
  );
});

test('what has no planes is refused', () => {
  const rbf = new DualPerceptron<number>({ kernel: { type: 'rbf' } });
  expect(() => toLiblinear(rbf)).toThrow('this DualPerceptron is not fitted yet');
  expect(() => toLiblinear(rbf.fit([[0], [1]], [0, 1]))).toThrow(/^a model with the 'rbf' kernel has no weights/);
  const many = new MulticlassPerceptron<number>({ kernel: { type: 'rbf' } }).fit([[0], [1], [2]], [0, 1, 2]);
  expect(() => toLiblinear(many)).toThrow(/^a model with the 'rbf' kernel has no weights/);
  for (const nothing of [undefined, null, {}, 'model', saved(new Perceptron().fit([[0], [1]], [0, 1]))] as Any[]) {
    expect(() => toLiblinear(nothing)).toThrow(/^"model" must be a fitted model, got /);
  }
  const model = fromSklearn<number>({ coef_: [[1e300, 1]], intercept_: [0], classes_: [0, 1] });
  const tiny = Scaler.fromJSON({
    type: 'scaler',
    version: 1,
    kind: 'centre',
    cols: 2,
    means: [0, 0],
    scales: [1e-300, 1],
  });
  expect(() => toLiblinear(new Pipeline(tiny, model))).toThrow(
    new RangeError('the weight of column 0 is too large for one plane: it is Infinity'),
  );
  const narrow = new Scaler({ kind: 'centre' }).fit([[1]]);
  expect(() => toLiblinear(new Pipeline(narrow, model))).toThrow(
    new RangeError('the scaler was fitted on 1 columns, the model on 2'),
  );
});

describe('a model that was read', () => {
  const many = GOOD.replace('nr_class 2', 'nr_class 3')
    .replace('-1 1', '5 -2 0')
    .replace('-1\n-1\n3', '1 2 3\n4 5 6\n7 8 9');

  test('is like any other: it predicts, is saved and loaded, and says that nothing is known of its training', () => {
    for (const text of [GOOD, many]) {
      const read = fromLiblinear(text);
      expect(JSON.stringify(loadModel(saved(read)))).toBe(JSON.stringify(read));
      expect(read.report).toMatchObject({ converged: false, epochs: 0, mistakes: 0, mistakesByEpoch: [], advice: [] });
      expect(tell(read.report)).toContain('0 epochs and 0 mistakes');
    }
    expect(fromLiblinear(many).classes).toEqual([-2, 0, 5]);
    expect(scoresOf(fromLiblinear(many), [[1, 0]])).toEqual(Float64Array.of(2 + 8, 3 + 9, 1 + 7));
  });

  test('trains on as from a start at its weights, and what it proves is proven from there', () => {
    const { X, y } = integers(50, 2, 1, 5);
    const start = { initialWeights: [1, 1], initialBias: -3 };
    const read = () => fromLiblinear(GOOD) as Perceptron<number>;
    const other = new Perceptron<number>({ ...start, classes: [-1, 1] });
    expect(read().partialFit(X, y).weights).toEqual(other.partialFit(X, y).weights);
    const fitted = new Perceptron<number>(start).fit(X, y);
    expect(read().fit(X, y).weights).toEqual(fitted.weights);
    expect(read().fit(X, y).diagnose(X, y)).toEqual(fitted.diagnose(X, y));
    const three = fromLiblinear(many);
    const before = [...(three.weights[0] as Float64Array)];
    three.partialFit([[9, -9]], [-2]);
    expect(three.report.mistakes).toBeGreaterThan(0);
    expect([...(three.weights[0] as Float64Array)]).toEqual([(before[0] as number) + 9, (before[1] as number) - 9]);
  });

  test('has the constant feature that LIBLINEAR trained it with, or no bias where there was none', () => {
    const scaled = fromLiblinear(GOOD.replace('bias 1', 'bias 2.5')) as Perceptron<number>;
    expect(scaled.bias).toBe(-7.5);
    expect(scaled.toJSON().options).toMatchObject({ interceptScaling: 2.5, fitIntercept: true });
    const without = fromLiblinear(GOOD.replace('bias 1', 'bias -1').replace('3\n', '')) as Perceptron<number>;
    expect(without.bias).toBe(0);
    expect(without.toJSON().options).toMatchObject({ fitIntercept: false });
    const zero = fromLiblinear(GOOD.replace('bias 1', 'bias 0')) as Perceptron<number>;
    expect(zero.decisionFunction([[2, 2]])).toEqual(Float64Array.of(4));
  });
});

// ---- bad text -------------------------------------------------------------------------------------

const swap = (from: string | RegExp, to: string) => GOOD.replace(from, to);
const NAMES = 'expected solver_type, nr_class, label, nr_feature, bias or w, got';

test.each<[string, string, string | RegExp]>([
  ['nothing', '', `line 1: ${NAMES} nothing`],
  ['LIBSVM rows', '+1 1:0.5 3:1\n', `line 1: ${NAMES} "+1"`],
  ['JSON', '{"type":"perceptron"}', /^line 1: expected .* got "\{/],
  ['a LIBSVM model', 'svm_type c_svc\nkernel_type linear\n', `line 1: ${NAMES} "svm_type"`],
  ['an empty line', swap('nr_class', '\nnr_class'), `line 2: ${NAMES} nothing`],
  ['no weights', GOOD.slice(0, GOOD.indexOf('w\n')), `line 6: ${NAMES} nothing`],
  ['a field missing', swap('bias 1\n', ''), 'line 5: expected bias before w'],
  ['a field twice', swap('bias 1', 'bias 1\nbias 1'), 'line 6: bias appears twice'],
  ['a field without a value', swap('bias 1', 'bias'), 'line 5: bias must have 1 value, got 0'],
  ['a solver nobody knows', swap('L2R_L1LOSS_SVC_DUAL', 'PERCEPTRON'), /^line 1: solver_type must be one of L2R_LR, /],
  [
    'regression',
    swap('L2R_L1LOSS_SVC_DUAL', 'L2R_L2LOSS_SVR'),
    'line 1: solver_type L2R_L2LOSS_SVR does not tell classes apart: only classifiers can be read',
  ],
  [
    'outliers',
    'solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 2\nbias -1\nrho 0.5\nw\n1\n1\n',
    'line 1: solver_type ONECLASS_SVM does not tell classes apart: only classifiers can be read',
  ],
  ['one class', swap('nr_class 2', 'nr_class 1'), 'line 2: nr_class must be an integer from 2 to 2147483647, got "1"'],
  ['half a class', swap('nr_class 2', 'nr_class 2.5'), /^line 2: nr_class must be an integer .*, got "2\.5"$/],
  ['too few labels', swap('-1 1', '1'), 'line 3: label must have 2 values, got 1'],
  ['too many labels', swap('-1 1', '-1 1 2'), 'line 3: label must have 2 values, got 3'],
  ['a label that is no integer', swap('-1 1', '-1 spam'), /^line 3: label 2 must be an integer .*, got "spam"$/],
  ['a label beyond int', swap('-1 1', '-1 2147483648'), /^line 3: label 2 must be an integer from -2147483648 to/],
  ['the same label twice', swap('-1 1', '1 1'), 'line 3: labels must be different'],
  ['no columns', swap('nr_feature 2', 'nr_feature 0'), /^line 4: nr_feature must be an integer from 1 to/],
  ['NaN for a bias', swap('bias 1', 'bias nan'), 'line 5: bias must be a finite number, got "nan"'],
  [
    'a bias beyond all measure',
    swap('bias 1', 'bias 1e200'),
    'line 5: bias and its square must be finite numbers > 0, got "1e200"',
  ],
  [
    'a weight that the bias makes infinite',
    swap('bias 1', 'bias 100').replace('\n3\n', '\n1e308\n'),
    'line 9: the weight of the bias is too large: times 100 it is no longer finite',
  ],
  ['NaN for a weight', swap('\n3', '\nnan'), 'line 9: weight 1 must be a finite number, got "nan"'],
  ['infinity', swap('\n3', '\n-inf'), 'line 9: weight 1 must be a finite number, got "-inf"'],
  ['a weight too large', swap('\n3', '\n1e309'), 'line 9: weight 1 must be a finite number, got "1e309"'],
  ['hexadecimal', swap('\n3', '\n0x3'), 'line 9: weight 1 must be a finite number, got "0x3"'],
  ['a line of weights missing', swap('\n3', ''), 'line 9: expected 3 lines of weights, the text ends after 2'],
  ['one line more', `${GOOD}4\n`, 'line 10: expected the end after 3 lines of weights, got "4"'],
  ['two weights for one', swap('\n3', '\n3 4'), 'line 9: expected 1 weight, got 2'],
  ['an empty line of weights', swap('w\n-1\n', 'w\n\n'), 'line 7: weight 1 must be a finite number, got ""'],
  [
    'columns that would fill the memory',
    swap('nr_feature 2', 'nr_feature 2147483647'),
    'line 10: expected 2147483648 lines of weights, the text ends after 3',
  ],
  ['classes that would', swap('nr_class 2', 'nr_class 2147483647'), 'line 3: label must have 2147483647 values, got 2'],
])('%s: refused by the line', (_what, text, message) => {
  let error: unknown;
  try {
    fromLiblinear(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(RangeError);
  const said = (error as Error).message;
  expect(said).toMatch(/^LIBLINEAR model line /);
  const rest = said.replace('LIBLINEAR model ', '');
  if (typeof message === 'string') expect(rest).toBe(message);
  else expect(rest).toMatch(message);
});

test('what is not text is refused', () => {
  for (const value of [undefined, null, 5, {}, Buffer.from(GOOD)] as Any[]) {
    expect(() => fromLiblinear(value)).toThrow(TypeError);
  }
});

test('damage anywhere is an error that names a line, or a model that works', () => {
  const tries = (text: string) => {
    let read: AnyModel<number>;
    try {
      read = fromLiblinear(text);
    } catch (error) {
      expect((error as Error).message).toMatch(/^LIBLINEAR model line \d+: \S/);
      expect((error as Error).constructor).toBe(RangeError);
      return;
    }
    expect(toLiblinear(fromLiblinear(toLiblinear(read)))).toBe(toLiblinear(read));
  };
  for (let end = 0; end < GOOD.length; end++) tries(GOOD.slice(0, end));
  const signs = [...'0129.-+eE xw\n\t\r:\u0000é𝟙'];
  fc.assert(
    fc.property(
      fc.nat(GOOD.length - 1),
      fc.nat(3),
      fc.array(fc.constantFrom(...signs), { maxLength: 3 }),
      (at, cut, put) => tries(GOOD.slice(0, at) + put.join('') + GOOD.slice(at + cut)),
    ),
    { numRuns: 500 },
  );
});

test('a line of a million digits is refused by its number', () => {
  expect(() => fromLiblinear(swap('\n3', `\n${'1'.repeat(1_000_000)}x`))).toThrow(/line 9/);
});

// ---- the real program -----------------------------------------------------------------------------

const [train, predict] = ['liblinear-train', 'liblinear-predict'] as const;
const isThere = [train, predict].every((name) => !spawnSync(name).error);

describe.skipIf(!isThere)('LIBLINEAR itself', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'liblinear-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const at = (name: string) => join(folder, name);
  const rowsText = (X: readonly (readonly number[])[], y: readonly number[]) =>
    X.map((x, i) => `${y[i]} ${x.map((v, k) => (v === 0 ? '' : `${k + 1}:${v}`)).join(' ')}\n`).join('');
  /** What `liblinear-predict` says to rows in a file. */
  const predicted = (rows: string, model: string): number[] => {
    execFileSync(predict, [rows, model, at('out')], { stdio: 'pipe' });
    return readFileSync(at('out'), 'utf8').trim().split('\n').map(Number);
  };

  test('predicts what we do from the files we write, border and ties included', () => {
    let borders = 0;
    fc.assert(
      fc.property(fc.oneof(exactPairs, exactMany), ({ X, model }) => {
        writeFileSync(at('model'), toLiblinear(model));
        const rows = [...X, X[0]?.map(() => 0) as number[]];
        writeFileSync(
          at('rows'),
          rowsText(
            rows,
            rows.map(() => 0),
          ),
        );
        borders += scoresOf(model, rows).filter((s) => s === 0).length;
        expect(predicted(at('rows'), at('model'))).toEqual(model.predict(rows));
      }),
      { numRuns: 60 },
    );
    expect(borders).toBeGreaterThan(50);
  });

  test.each<ScalerKind>(['standardize', 'centre', 'unit-ball'])('predicts what a pipeline with %s does', (kind) => {
    const { X, y } = integers(80, 6, 8, 5);
    const far = X.map((x) => x.map((v) => v / 7 + 3));
    writeFileSync(at('rows'), rowsText(far, y));
    const labels = y.map((label, i) => (i % 4 === 0 ? 12 : label));
    for (const pipeline of [
      new Pipeline<number>(new Scaler({ kind }), new Perceptron<number>({ average: true })).fit(far, y),
      new Pipeline<number>(new Scaler({ kind }), new MulticlassPerceptron<number>({ average: true })).fit(far, labels),
    ]) {
      writeFileSync(at('model'), toLiblinear(pipeline));
      expect(predicted(at('rows'), at('model'))).toEqual(pipeline.predict(far));
    }
  });

  const solvers = [0, 1, 2, 3, 4, 5, 6, 7];
  const biases = [-1, 1, 0.3];

  test.each(solvers)('has trained models, with solver %i, that predict here what they do there', (solver) => {
    const { X, y } = integers(60, 5, solver, 10);
    const rows = X.map((x) => x.map((v) => v / 8 + 0.1));
    const three = y.map((label, i) => (i % 3 === 0 ? 5 : label));
    // Labels are listed as they are first met: both ways round, and three of them.
    for (const labels of [y, y.map((label) => -label), three]) {
      writeFileSync(at('rows'), rowsText(rows, labels));
      for (const bias of biases) {
        const args = ['-q', '-s', String(solver), '-B', String(bias), at('rows'), at('model')];
        execFileSync(train, args, { stdio: 'pipe' });
        const read = fromLiblinear(readFileSync(at('model'), 'utf8'));
        expect(read.predict(rows)).toEqual(predicted(at('rows'), at('model')));
        writeFileSync(at('model'), toLiblinear(read));
        expect(read.predict(rows)).toEqual(predicted(at('rows'), at('model')));
      }
    }
  });

  test.each([11, 12, 13])('has models of solver %i, which are refused', (solver) => {
    const { X, y } = integers(20, 3, 1);
    writeFileSync(at('rows'), rowsText(X, y));
    execFileSync(train, ['-q', '-s', String(solver), at('rows'), at('model')], { stdio: 'pipe' });
    expect(() => fromLiblinear(readFileSync(at('model'), 'utf8'))).toThrow(
      /^LIBLINEAR model line 1: solver_type \S+ does not tell classes apart/,
    );
  });

  const heart = join(import.meta.dirname, '../../../shared/data/heart_scale');
  test.skipIf(!existsSync(heart))('has a model of heart_scale that predicts here what it does there', () => {
    const rows = readFileSync(heart, 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const x = new Array<number>(13).fill(0);
        for (const pair of line.trim().split(/\s+/).slice(1)) {
          const [column, value] = pair.split(':').map(Number) as [number, number];
          x[column - 1] = value;
        }
        return x;
      });
    execFileSync(train, ['-q', '-B', '1', heart, at('model')], { stdio: 'pipe' });
    const there = predicted(heart, at('model'));
    expect(fromLiblinear(readFileSync(at('model'), 'utf8')).predict(rows)).toEqual(there);
    const own = new Perceptron<number>({ average: true, maxEpochs: 50 }).fit(rows, there);
    writeFileSync(at('model'), toLiblinear(own));
    expect(predicted(heart, at('model'))).toEqual(own.predict(rows));
  });
});
