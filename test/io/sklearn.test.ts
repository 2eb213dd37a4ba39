// scikit-learn's linear models: to the bit by themselves, and with the Python of docs/models.md where that runs.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AnyModel,
  DualPerceptron,
  loadModel,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
  type ScalerKind,
} from '../../src/index.js';
import { fromSklearn, toSklearn } from '../../src/io/sklearn.js';
import { runs } from '../effort.js';
import { type Any, bits, type ErrorClass, refusesWith, saved, spoil } from '../model/spoiled.js';
import { python } from '../python.js';
import { integers } from '../samples.js';
import { exactMany, exactPairs, exactTwins, many, pairs, scoresOf } from './linear-models.js';

test('the worked example (SPEC §10) is what scikit-learn would have', () => {
  const X = [
    [3, 3],
    [4, 3],
    [1, 1],
  ];
  const model = new Perceptron<string>().fit(X, ['yes', 'yes', 'no']);
  expect(toSklearn(model)).toEqual({ coef_: [[1, 1]], intercept_: [-3], classes_: ['no', 'yes'] });
  expect(fromSklearn<string>(toSklearn(model)).predict(X)).toEqual(['yes', 'yes', 'no']);
});

test('models of two classes and of many come back to the bit', () => {
  fc.assert(
    fc.property(fc.oneof(exactPairs, pairs, exactMany, many), ({ X, model }) => {
      const json = toSklearn(model);
      expect(json.coef_.length).toBe(model.classes.length === 2 ? 1 : model.classes.length);
      const read = fromSklearn<number>(json);
      expect(read.classes).toEqual(model.classes);
      expect(toSklearn(read)).toEqual(json);
      // As text, too: there −0 is 0, which no score notices.
      for (const found of [read, fromSklearn<number>(JSON.parse(JSON.stringify(json)))]) {
        expect(bits(scoresOf(found, X))).toEqual(bits(scoresOf(model, X)));
        expect(found.predict(X)).toEqual(model.predict(X));
      }
    }),
    { numRuns: runs(150) },
  );
});

test('two planes of two classes become one: their difference', () => {
  fc.assert(
    fc.property(exactTwins, ({ X, model }) => {
      const scores = scoresOf(model, X);
      const read = fromSklearn<number>(toSklearn(model));
      expect([...scoresOf(read, X)]).toEqual(X.map((_, i) => Number(scores[2 * i + 1]) - Number(scores[2 * i])));
    }),
  );
});

test.each<[string, Any[], Any[]]>([
  ['numbers', [-1.5, 2], [2, -1.5]],
  ['strings', ['ham', 'spam'], ['spam', 'ham']],
  ['booleans', [false, true], [true, false]],
  ['strings that Python orders by code point', ['\u{1f600}', '\uff5e'], ['\uff5e', '\u{1f600}']],
])('classes that are %s mean the same in any order', (_what, ordered, other) => {
  const rows = [[1], [-1]];
  const one = fromSklearn({ coef_: [[2]], intercept_: [0.5], classes_: ordered });
  const opposite = fromSklearn({ coef_: [[-2]], intercept_: [-0.5], classes_: other });
  expect(one.predict(rows)).toEqual([ordered[1], ordered[0]]);
  expect(JSON.stringify(opposite)).toBe(JSON.stringify(one));
  expect(toSklearn(opposite)).toEqual({ coef_: [[2]], intercept_: [0.5], classes_: ordered });
});

test('rows of many classes are put in class order', () => {
  const read = fromSklearn({ coef_: [[1], [2], [3]], intercept_: [0, 0.5, 1], classes_: ['c', 'a', 'b'] });
  expect(toSklearn(read)).toEqual({ coef_: [[2], [3], [1]], intercept_: [0.5, 1, 0], classes_: ['a', 'b', 'c'] });
});

test('one number is the intercept of all classes: what some have without one', () => {
  const read = fromSklearn({ coef_: [[1], [2], [3]], intercept_: 0, classes_: [1, 2, 3] });
  expect(toSklearn(read).intercept_).toEqual([0, 0, 0]);
});

test('a model that was read is like any other, and trains on from its weights', () => {
  const { X, y } = integers(50, 2, 1, 5);
  const two = () => fromSklearn<number>({ coef_: [[1, -2]], intercept_: [3], classes_: [-1, 1] });
  const start = new Perceptron<number>({ initialWeights: [1, -2], initialBias: 3 }).fit(X, y);
  expect(two().fit(X, y).weights).toEqual(start.weights);
  const three = fromSklearn<number>({
    coef_: [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    intercept_: [1, 2, 3],
    classes_: [-1, 0, 1],
  });
  for (const model of [two(), three, three.partialFit(X, y)]) {
    expect(JSON.stringify(loadModel(saved(model)))).toBe(JSON.stringify(model));
  }
  expect(two().report).toMatchObject({ converged: false, epochs: 0, mistakes: 0 });
});

test('what has no planes is refused', () => {
  const rbf = new DualPerceptron<number>({ kernel: { type: 'rbf' } }).fit([[0], [1]], [0, 1]);
  expect(() => toSklearn(rbf)).toThrow(/^a model with the 'rbf' kernel has no weights/);
  expect(() => toSklearn({} as Any)).toThrow(TypeError);
});

const good = {
  coef_: [
    [1, 2],
    [3, 4],
    [5, 6],
  ],
  intercept_: [1, 2, 3],
  classes_: ['a', 'b', 'c'],
};
const TAKES = 'fromSklearn takes an object with coef_, intercept_ and classes_, got';

test.each<[string, unknown, ErrorClass, string]>([
  ['coef_', undefined, TypeError, 'coef_ must be an array, got undefined'],
  ['coef_', {}, TypeError, 'coef_ must be an array, got an object'],
  ['coef_', [[1, 2]], RangeError, 'coef_ must have 3 values for these classes_, got 1'],
  ['coef_[1]', 5, TypeError, 'coef_[1] must be an array, got 5'],
  ['coef_[1]', [], RangeError, 'coef_[1] must have a number for each column, got none'],
  ['coef_[2]', [1, 2, 3], RangeError, 'coef_[2] must have 2 values, as coef_[0] has, got 3'],
  ['coef_[1][0]', '3', TypeError, 'coef_[1][0] must be a finite number, got "3"'],
  ['coef_[1][0]', null, TypeError, 'coef_[1][0] must be a finite number, got null'],
  ['coef_[1][0]', Number.NaN, RangeError, 'coef_[1][0] must be a finite number, got NaN'],
  ['intercept_', undefined, TypeError, 'intercept_ must be an array, got undefined'],
  ['intercept_', Number.POSITIVE_INFINITY, RangeError, 'intercept_ must be a finite number, got Infinity'],
  ['intercept_', [1, 2], RangeError, 'intercept_ must have 3 values for these classes_, got 2'],
  ['intercept_[2]', [3], TypeError, 'intercept_[2] must be a finite number, got an array of 1'],
  ['classes_', 'abc', TypeError, 'classes_ must be an array, got "abc"'],
  ['classes_', ['a'], RangeError, 'classes_ must have two labels or more, got 1'],
  ['classes_', ['a', 'b'], RangeError, 'coef_ must have 1 value for these classes_, got 3'],
  ['classes_', ['a', 'b', 'a'], RangeError, 'classes_ must be different labels'],
  ['classes_[1]', 2, TypeError, 'classes_[1] is 2; the other labels are of type string'],
  ['classes_[1]', null, TypeError, 'classes_[1] must be a finite number, a string or a boolean, got null'],
  ['classes_', [0, 1, Number.NaN], TypeError, 'classes_[2] must be a finite number, a string or a boolean, got NaN'],
])('an object whose %s is %j is refused', (path, value, type, message) => {
  refusesWith(fromSklearn)(spoil(good, path, value), type, message);
});

test('what is no object is refused, and so are fields that are not its own', () => {
  const refuses = refusesWith(fromSklearn);
  refuses(undefined, TypeError, `${TAKES} undefined`);
  refuses([good], TypeError, `${TAKES} an array of 1`);
  refuses('{}', TypeError, `${TAKES} "{}": use JSON.parse first`);
  refuses(Object.create(good), TypeError, 'classes_ must be an array, got undefined');
  refuses(JSON.parse(`{"__proto__":${JSON.stringify(good)}}`), TypeError, 'classes_ must be an array, got undefined');
  const holed = structuredClone(good);
  delete holed.coef_[1]?.[0];
  refuses(holed, TypeError, 'coef_[1][0] must be a finite number, got undefined');
});

// ---- the real thing -------------------------------------------------------------------------------

const page = readFileSync(resolve(import.meta.dirname, '../../docs/models.md'), 'utf8');
const snippets = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code]) => code as string);

test('docs/models.md has Python for each direction, of some ten lines', () => {
  expect(snippets.length).toBe(2);
  for (const code of snippets) expect(code.trim().split('\n').length).toBeLessThanOrEqual(12);
});

describe.skipIf(!python)('scikit-learn itself', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sklearn-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const put = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  const take = (name: string): Any => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  /** Runs Python among these files. */
  const run = (code: string) => execFileSync(python as string, ['-c', code], { cwd: folder, stdio: 'pipe' });
  const indented = (code: string) => code.replaceAll(/^(?=.)/gm, '    ');
  const [load, dump] = snippets as [string, string];

  const { X, y } = integers(60, 5, 2, 10);
  const three = y.map((label, i) => (i % 3 === 0 ? 'none' : label > 0 ? 'high' : 'low'));
  const scaled = (kind: ScalerKind) => new Pipeline<Any>(new Scaler({ kind }), new Perceptron<Any>({ average: true }));
  const models: [string, AnyModel<Any>][] = [
    ['Perceptron', new Perceptron<Any>({ maxEpochs: 5 }).fit(X, y)],
    ['PocketPerceptron of strings', new PocketPerceptron<Any>({ maxEpochs: 2 }).fit(X, y.map(String))],
    [
      'DualPerceptron of booleans',
      new DualPerceptron<Any>({ maxEpochs: 5 }).fit(
        X,
        y.map((label) => label > 0),
      ),
    ],
    ['MulticlassPerceptron', new MulticlassPerceptron<Any>({ maxEpochs: 5 }).fit(X, three)],
    ['multinomial', new MulticlassPerceptron<Any>({ maxEpochs: 5, strategy: 'multinomial' }).fit(X, three)],
    ['Pipeline, standardize', scaled('standardize').fit(X, y)],
    ['Pipeline, unit-ball', scaled('unit-ball').fit(X, y)],
  ];

  test('predicts what we do, by the snippet, with every kind of model', () => {
    put(
      'models.json',
      models.map(([, model]) => JSON.stringify(toSklearn(model))),
    );
    put('rows.json', X);
    // In one process for all: to start scikit-learn takes a second.
    run(
      `import json
out = []
for text in json.load(open("models.json")):
    open("model.json", "w").write(text)
${indented(load)}
    rows = np.array(json.load(open("rows.json")))
    other = SGDClassifier()
    other.__dict__.update({name: getattr(model, name) for name in ("coef_", "intercept_", "classes_")})
    assert (other.predict(rows) == model.predict(rows)).all()
    out.append([model.predict(rows).tolist(), model.decision_function(rows).ravel().tolist()])
json.dump(out, open("out.json", "w"))`.replace('import Perceptron', 'import Perceptron, SGDClassifier'),
    );
    const answers: [Any[], number[]][] = take('out.json');
    models.forEach(([name, model], m) => {
      const [predicted, decided] = answers[m] as [Any[], number[]];
      const scores = scoresOf(model, X);
      expect(largestGap(scores, decided), name).toBeLessThan(1e-9);
      // At a score of 0 scikit-learn says the first of two classes, we the second.
      const isBorder = (i: number) => model.classes.length === 2 && Math.abs(scores[i] as number) < 1e-9;
      const expected = model.predict(X).map((label, i) => (isBorder(i) ? model.classes[0] : label));
      expect(predicted, name).toEqual(expected);
    });
  });

  test('has models that predict here what they do there, by the other snippet', () => {
    run(`${dump}
json.dump([X.tolist(), model.predict(X).tolist(), model.decision_function(X).ravel().tolist()], open("out.json", "w"))`);
    const [rows, predicted, decided]: [number[][], number[], number[]] = take('out.json');
    const read = fromSklearn<number>(take('model.json'));
    expect(read).toBeInstanceOf(MulticlassPerceptron);
    expect(read.predict(rows)).toEqual(predicted);
    expect(largestGap(scoresOf(read, rows), decided)).toBeLessThan(1e-9);
  });

  test('has linear classifiers of many kinds, labels of many kinds, with and without intercept', () => {
    put('rows.json', [X, three]);
    run(`import json, warnings
import numpy as np
from sklearn.linear_model import LogisticRegression, PassiveAggressiveClassifier, RidgeClassifier, SGDClassifier
from sklearn.svm import LinearSVC
warnings.simplefilter("ignore")
X, y = map(np.array, json.load(open("rows.json")))
out = []
for model in (LogisticRegression(), PassiveAggressiveClassifier(random_state=0), RidgeClassifier(), SGDClassifier(random_state=0), LinearSVC(fit_intercept=False)):
    for labels in (y, y == "none", np.where(y == "low", 7, -2)):
        model.fit(X, labels)
        saved = {name: np.asarray(getattr(model, name)).tolist() for name in ("coef_", "intercept_", "classes_")}
        out.append([saved, model.predict(X).tolist()])
json.dump(out, open("out.json", "w"))`);
    const answers: [unknown, Any[]][] = take('out.json');
    expect(answers.length).toBe(15);
    for (const [json, predicted] of answers) expect(fromSklearn(json).predict(X)).toEqual(predicted);
  });
});

const largestGap = (a: Float64Array, b: readonly number[]) =>
  a.reduce(
    (most, value, i) => Math.max(most, Math.abs(value - (b[i] as number))),
    a.length === b.length ? 0 : Infinity,
  );
