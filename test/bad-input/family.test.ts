// What the rest of the family refuses: pockets, several classes, streams, { last }, hardest, and their files.

import { expect, test } from 'vitest';
import {
  DenseMatrix,
  DualPerceptron,
  loadModel,
  MulticlassPerceptron,
  NotFittedError,
  Perceptron,
  PocketPerceptron,
} from '../../src/index.js';
import { someEngines as engines } from '../engines.js';
import { refusesWith, saved, spoil } from '../model/spoiled.js';
import {
  type Any,
  bad,
  CUBIC,
  checkError,
  curved,
  type ErrorClass,
  orders,
  RBF,
  refuses,
  rejection,
} from './refusals.js';

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
  [0, -4],
  [1, -5],
];
const two = [1, 1, -1, -1, 1];
const three = ['b', 'b', 'a', 'c', 'c'];

/** Every trainer of the family: how it is made, and labels for it. */
const trainers: [string, (options?: Any) => Any, Any[]][] = [
  ['PocketPerceptron', (o) => new PocketPerceptron<Any>(o), two],
  ['MulticlassPerceptron', (o) => new MulticlassPerceptron<Any>(o), three],
];
/** … and every way they learn. */
const ways: [string, (options?: Any) => Any, Any[]][] = [
  ['a pocket', (o) => new PocketPerceptron<Any>({ maxEpochs: 20, ...o }), two],
  ['a ratchet', (o) => new PocketPerceptron<Any>({ maxEpochs: 20, ratchet: true, ...o }), two],
  ['a dual pocket', (o) => new DualPerceptron<Any>({ maxEpochs: 20, pocket: true, kernel: RBF, ...o }), two],
  ['one against the rest', (o) => new MulticlassPerceptron<Any>({ maxEpochs: 20, ...o }), three],
  ['one against the rest, rbf', (o) => new MulticlassPerceptron<Any>({ maxEpochs: 20, kernel: RBF, ...o }), three],
  ['multinomial', (o) => new MulticlassPerceptron<Any>({ maxEpochs: 20, strategy: 'multinomial', ...o }), three],
  [
    'multinomial, rbf',
    (o) => new MulticlassPerceptron<Any>({ maxEpochs: 20, strategy: 'multinomial', kernel: RBF, ...o }),
    three,
  ],
];
const multiclass = ways.filter(([, , labels]) => labels === three);

/** An act on a fitted model, which must be refused and leave the model as it was. */
function refusesOf(model: Any, act: (model: Any) => unknown, type: ErrorClass, message: string | RegExp): void {
  const before = JSON.stringify(model);
  const { report } = model;
  const predicted = model.predict(X);
  refuses(() => act(model), type, message);
  expect(JSON.stringify(model)).toBe(before);
  expect(model.report).toBe(report);
  expect(model.predict(X)).toEqual(predicted);
}

/** The same for an act that answers with a promise, or throws before it does. */
async function rejectsOf(model: Any, act: (model: Any) => unknown, type: ErrorClass, message: string | RegExp) {
  const before = JSON.stringify(model);
  checkError(await rejection((async () => act(model))()), type, message);
  expect(JSON.stringify(model)).toBe(before);
}

// ---- options ----------------------------------------------------------------------------------------

const shared: [Any, ErrorClass, RegExp][] = [
  [{ learningRate: 0 }, RangeError, /^"learningRate" must be a number > 0, got 0$/],
  [{ learningRate: '1' }, TypeError, /^"learningRate" must be a number > 0, got "1"$/],
  [{ maxEpochs: 1.5 }, RangeError, /^"maxEpochs" must be an integer of at least 1, got 1\.5$/],
  [{ seed: -1 }, RangeError, /^"seed" must be an integer from 0 to 4294967295, got -1$/],
  [{ margin: NaN }, RangeError, /^"margin" must be a number ≥ 0, got NaN$/],
  [{ interceptScaling: 0 }, RangeError, /^"interceptScaling" must be a number > 0, got 0$/],
  [{ order: 'up' }, RangeError, /^"order" must be .*, got "up"$/],
  [{ fitIntercept: 1 }, TypeError, /^"fitIntercept" must be true or false, got 1$/],
  [{ average: 'no' }, TypeError, /^"average" must be true or false, got "no"$/],
  [{ warmStart: null }, TypeError, /^"warmStart" must be true or false, got null$/],
  [{ onUpdate: 3 }, TypeError, /^"onUpdate" must be a function, got 3$/],
  [{ onEpoch: {} }, TypeError, /^"onEpoch" must be a function, got an object$/],
  [{ classes: 'ab' }, TypeError, /^"classes" must be an array of .*labels, got "ab"$/],
  [{ classes: [1] }, RangeError, /^"classes" must be .*different labels, got 1$/],
  [{ classes: [1, 1] }, RangeError, /^"classes" must be .*different labels, got 1, 1$/],
  [{ classes: [1, '1'] }, TypeError, /^classes\[1\] is "1", a string; the other labels are of type number$/],
  [{ classes: [1, NaN] }, RangeError, /^classes\[1\] is NaN$/],
  [
    { classWeight: 'even' },
    TypeError,
    /^"classWeight" must be 'balanced' or an object of weights by class, got "even"$/,
  ],
  [{ classWeight: { a: 0 } }, RangeError, /classWeight\["a"\]"? must be a number > 0, got 0$/],
  [{ patience: 3 }, RangeError, /^"patience" needs a "validationFraction"/],
  [{ featureNames: ['a', 1] }, TypeError, /^featureNames\[1\] must be a string, got 1$/],
  [{ engine: 'gpu' }, RangeError, /^"engine" must be .*, got "gpu"$/],
];

for (const [name, make] of trainers) {
  test.each(shared)(`new ${name}(%o) is refused`, (options, type, message) => {
    refuses(() => make(options), type, message);
  });

  test.each(['eta', 'colour', 'precomputed', 'fit', '__proto__x'])(
    `new ${name} has no option %s, and says so`,
    (key) => {
      refuses(
        () => make({ [key]: 1 }),
        RangeError,
        new RegExp(`^${name} has no option "${key}"(: do you mean "\\w+"\\?)?; it has learningRate, `),
      );
    },
  );

  test(`new ${name} wants an object`, () => {
    for (const [options, shown] of [
      [null, 'null'],
      [3, '3'],
      [['cyclic'], 'an array of 1'],
    ]) {
      refuses(() => make(options), TypeError, `the options of ${name} must be an object, got ${shown}`);
    }
  });
}

test('a pocket has no mean', () => {
  refuses(() => new PocketPerceptron({ average: true }), RangeError, /average/);
  refuses(() => new DualPerceptron({ pocket: true, average: true }), RangeError, /average.*pocket|pocket.*average/);
  expect(() => new PocketPerceptron({ average: false })).not.toThrow();
  expect(() => new DualPerceptron({ pocket: true, average: false })).not.toThrow();
  expect(() => new DualPerceptron({ pocket: false, average: true })).not.toThrow();
});

test('a ratchet draws at random, and nothing else', () => {
  for (const order of orders) {
    const make = () => new PocketPerceptron({ ratchet: true, order });
    if (order === 'random') expect(make).not.toThrow();
    else refuses(make, RangeError, /ratchet.*random/);
    expect(() => new PocketPerceptron({ ratchet: false, order })).not.toThrow();
  }
  expect(() => new PocketPerceptron({ ratchet: true })).not.toThrow();
});

test.each([1, 'yes', null, {}])('ratchet and pocket are true or false, not %o', (value) => {
  refuses(() => new PocketPerceptron({ ratchet: value as Any }), TypeError, /^"ratchet" must be true or false, got /);
  refuses(() => new DualPerceptron({ pocket: value as Any }), TypeError, /^"pocket" must be true or false, got /);
});

test('options of one trainer are not those of another', () => {
  refuses(() => new Perceptron({ ratchet: true } as Any), RangeError, /^Perceptron has no option "ratchet"/);
  refuses(() => new Perceptron({ pocket: true } as Any), RangeError, /^Perceptron has no option "pocket"/);
  refuses(() => new DualPerceptron({ ratchet: true } as Any), RangeError, /^DualPerceptron has no option "ratchet"/);
  refuses(() => new PocketPerceptron({ pocket: true } as Any), RangeError, /^PocketPerceptron has no option "pocket"/);
  refuses(() => new PocketPerceptron({ kernel: RBF } as Any), RangeError, /^PocketPerceptron has no option "kernel"/);
  for (const key of ['initialWeights', 'initialBias', 'ratchet', 'pocket']) {
    refuses(
      () => new MulticlassPerceptron({ [key]: key === 'initialWeights' ? [1, 2] : true } as Any),
      RangeError,
      new RegExp(`^MulticlassPerceptron has no option "${key}"`),
    );
  }
});

test.each([
  [{ initialWeights: 3 }, TypeError, /^"initialWeights" must be an array of numbers, got 3$/],
  [{ initialWeights: [NaN, 1] }, RangeError, /^initialWeights\[0\] is NaN$/],
  [{ initialBias: Infinity }, RangeError, /^"initialBias" must be a finite number, got Infinity$/],
  [{ initialBias: 1, fitIntercept: false }, RangeError, /^"initialBias" must be 0 without an intercept/],
] as [Any, ErrorClass, RegExp][])('new PocketPerceptron(%o) is refused, as by Perceptron', (options, type, message) => {
  refuses(() => new PocketPerceptron(options), type, message);
});

test.each([
  [{ strategy: 'one-vs-one' }, RangeError, /^"strategy" must be 'one-vs-rest' or 'multinomial', got "one-vs-one"$/],
  [{ strategy: null }, RangeError, /^"strategy" must be 'one-vs-rest' or 'multinomial', got null$/],
  [{ kernel: 'RBF' }, RangeError, /^"kernel" must be .*, got "RBF"$/],
  [{ kernel: 3 }, TypeError, /^"kernel" must be .*, got 3$/],
  [{ kernel: { type: 'rbf', gamma: 0 } }, RangeError, /^"kernel\.gamma" must be a number > 0, got 0$/],
  [{ kernel: RBF, gram: 'half' }, RangeError, /^"gram" must be 'full', 'rows', 'blocks' or 'auto', got "half"$/],
  [
    { kernel: RBF, maxGramBytes: 0 },
    RangeError,
    /^"maxGramBytes" must be an integer of at least 1, or Infinity, got 0$/,
  ],
  [{ kernel: RBF, maxGramBytes: '1' }, TypeError, /^"maxGramBytes" must be .*, got "1"$/],
  [{ gram: 'full' }, RangeError, /gram.*kernel/],
  [{ gram: 'rows', strategy: 'multinomial' }, RangeError, /gram.*kernel/],
  [{ maxGramBytes: 1000 }, RangeError, /maxGramBytes.*kernel/],
  [{ classes: [2, 2, 3] }, RangeError, /^"classes" must be .*different labels, got 2, 2, 3$/],
  [{ classes: [1, 2, true] }, TypeError, /^classes\[2\] is true, a boolean; the other labels are of type number$/],
] as [Any, ErrorClass, RegExp][])('new MulticlassPerceptron(%o) is refused', (options, type, message) => {
  refuses(() => new MulticlassPerceptron(options), type, message);
});

// ---- rows and labels --------------------------------------------------------------------------------

const FORMS = /^X must be an array of rows, \{ data, rows, cols \}, a DenseMatrix or a SparseMatrix, got /;
const labelled: Record<string, (m: Any, rows: Any, labels: Any) => unknown> = {
  fit: (m, rows, labels) => m.fit(rows, labels),
  score: (m, rows, labels) => m.score(rows, labels),
  diagnose: (m, rows, labels) => m.diagnose(rows, labels),
};
const takesRows: Record<string, (m: Any, rows: Any, labels: Any) => unknown> = {
  ...labelled,
  predict: (m, rows) => m.predict(rows),
  decisionFunction: (m, rows) => m.decisionFunction(rows),
};

for (const [name, make, y] of ways) {
  test(`${name}: X that is no rows, ragged, or not finite is refused by every method`, () => {
    for (const engine of engines) {
      const model = make({ engine }).fit(X, y);
      for (const act of Object.values(takesRows)) {
        for (const rows of [undefined, null, 3, 'x', {}]) refusesOf(model, (m) => act(m, rows, y), TypeError, FORMS);
        refusesOf(model, (m) => act(m, [...X.slice(1), [1]], y), RangeError, 'X row 4 has 1 values, expected 2');
        refusesOf(model, (m) => act(m, [...X.slice(1), [1, '2']], y), TypeError, 'X[4][1] must be a number, got "2"');
        for (const value of bad) {
          const rows = X.map((x, i) => (i === 3 ? [1, value] : x));
          refusesOf(model, (m) => act(m, rows, y), RangeError, `X[3][1] is ${value}`);
          const flat = { data: Float64Array.from(rows.flat()), rows: 5, cols: 2 };
          refusesOf(model, (m) => act(m, flat, y), RangeError, `X[3][1] is ${value}`);
        }
      }
      const gone = DenseMatrix.from(X);
      gone.dispose();
      for (const act of Object.values(takesRows)) {
        refusesOf(model, (m) => act(m, gone, y), Error, 'this DenseMatrix was disposed');
      }
    }
  });

  test(`${name}: rows and columns of another number are refused`, () => {
    const model = make({ warmStart: true }).fit(X, y);
    const wide = X.map((x) => [...x, 1]);
    for (const act of Object.values(takesRows)) {
      refusesOf(model, (m) => act(m, wide, y), RangeError, 'X has 3 columns, the model was fitted on 2');
    }
    for (const method of ['predictOne', 'explain']) {
      refusesOf(model, (m) => m[method]([1]), RangeError, 'x has 1 values, the model was fitted on 2 columns');
      refusesOf(model, (m) => m[method]([1, NaN]), RangeError, 'x[1] is NaN');
      refusesOf(model, (m) => m[method]([1, '2']), TypeError, 'x[1] must be a number, got "2"');
      refusesOf(
        model,
        (m) => m[method](null),
        TypeError,
        'x must be an array of numbers or { indices, values }, got null',
      );
    }
  });

  test(`${name}: y that is not a label for each row is refused`, () => {
    const model = make().fit(X, y);
    const changed = (value: Any) => y.map((label, i) => (i === 2 ? value : label));
    for (const act of Object.values(labelled)) {
      refusesOf(model, (m) => act(m, X, undefined), TypeError, 'y must be an array of labels, got undefined');
      refusesOf(model, (m) => act(m, X, y.slice(1)), RangeError, 'y has 4 labels, X has 5 rows');
      refusesOf(model, (m) => act(m, X, changed(null)), TypeError, /^y\[2\] must be a number, a string or a boolean/);
      const other = typeof y[0] === 'string' ? 1 : 'x';
      refusesOf(model, (m) => act(m, X, changed(other)), TypeError, /^y\[2\] is .*; the other labels are of type /);
    }
    const one = X.map(() => y[0]);
    refusesOf(model, (m) => m.fit(X, one), RangeError, /^y has one class only \(("b"|1)\); a classifier needs two$/);
    const unknown = typeof y[0] === 'string' ? 'z' : 9;
    refusesOf(model, (m) => m.diagnose(X, changed(unknown)), RangeError, /^y\[2\] is ("z"|9), which is not one of /);
    const warm = make({ warmStart: true }).fit(X, y);
    refusesOf(warm, (m) => m.fit(X, changed(unknown)), RangeError, /^y\[2\] is ("z"|9), which is not one of /);
  });

  test(`${name}: options that do not suit the data are refused`, () => {
    for (const order of name === 'a ratchet' ? ['random'] : orders) {
      const unknown = { classWeight: { nobody: 2 } };
      refuses(() => make({ order, ...unknown }).fit(X, y), RangeError, /^classWeight has the class "nobody", but /);
      refuses(
        () => make({ order, featureNames: ['a'] }).fit(X, y),
        RangeError,
        '"featureNames" has 1 names, X has 2 columns',
      );
    }
  });

  test(`${name}: training that overflows says so and publishes nothing`, () => {
    const huge = X.map((x) => x.map((v) => (v + 0.5) * 2e307));
    for (const engine of engines) {
      const model = make({ engine }).fit(X, y);
      refusesOf(model, (m) => m.fit(huge, y), RangeError, /overflow/);
    }
  });

  test(`${name}: before fit there is nothing to ask`, () => {
    const acts: Record<string, (m: Any) => unknown> = {
      predict: (m) => m.predict(X),
      predictOne: (m) => m.predictOne([1, 2]),
      decisionFunction: (m) => m.decisionFunction(X),
      score: (m) => m.score(X, y),
      diagnose: (m) => m.diagnose(X, y),
      explain: (m) => m.explain([1, 2]),
      weights: (m) => m.weights,
      classes: (m) => m.classes,
      report: (m) => m.report,
      hardest: (m) => m.hardest(),
      toJSON: (m) => m.toJSON(),
      ...(y === three && { biases: (m) => m.biases }),
    };
    for (const act of Object.values(acts)) {
      const model = make();
      const message = new RegExp(`^this ${model.constructor.name} is not fitted yet: call fit before `);
      refuses(() => act(model), NotFittedError, message);
      expect(() => model.fit([[NaN]], [1])).toThrow(RangeError);
      refuses(() => act(model), NotFittedError, message);
    }
  });

  test(`${name}: a callback that throws ends the fit with its error and changes nothing`, async () => {
    const boom = new Error('boom');
    for (const callback of ['onUpdate', 'onEpoch']) {
      let isArmed = false;
      const thrower = () => {
        if (isArmed) throw boom;
      };
      const model = make({ [callback]: thrower, margin: 1 }).fit(X, y);
      const before = JSON.stringify(model);
      isArmed = true;
      for (const fit of [() => model.fit(X, y), () => model.fitAsync(X, y)]) {
        expect(await rejection((async () => fit())())).toBe(boom);
        expect(JSON.stringify(model)).toBe(before);
      }
    }
  });

  test(`${name}: fitAsync rejects with the errors that fit throws, and an abort changes nothing`, async () => {
    const model = make().fit(X, y);
    await rejectsOf(model, (m) => m.fitAsync(X, y.slice(1)), RangeError, 'y has 4 labels, X has 5 rows');
    await rejectsOf(model, (m) => m.fitAsync(X, y, { colour: 1 }), RangeError, /^fitAsync has no option "colour"/);
    await rejectsOf(model, (m) => m.fitAsync(X, y, { threads: 0 }), RangeError, /^"threads" must be /);
    await rejectsOf(model, (m) => m.fitAsync(X, y, { signal: {} }), TypeError, /^"signal" must be an AbortSignal/);
    const before = JSON.stringify(model);
    expect(await rejection(model.fitAsync(X, y, { signal: AbortSignal.abort() }))).toMatchObject({
      name: 'AbortError',
    });
    expect(JSON.stringify(model)).toBe(before);
  });
}

test('two classes are what a pocket has, three or more are told of', () => {
  for (const make of [() => new PocketPerceptron<Any>(), () => new DualPerceptron<Any>({ pocket: true })]) {
    refusesOf(make().fit(X, two), (m) => m.fit(X, three), RangeError, /^y has 3 classes \("a", "b", "c"\)/);
  }
  refuses(() => new PocketPerceptron({ classes: [1, 2, 3] }), RangeError, /^"classes" has 3 classes \(1, 2, 3\)/);
});

// ---- { last } and hardest ---------------------------------------------------------------------------

const everyTrainer: [string, () => Any, Any[]][] = [
  ['Perceptron', () => new Perceptron<Any>({ maxEpochs: 20 }), two],
  ['DualPerceptron', () => new DualPerceptron<Any>({ maxEpochs: 20 }), two],
  ...ways,
];

test.each(everyTrainer)(
  '%s: { last } is the only thing to ask beside the rows, and is true or false',
  (_n, make, y) => {
    const acts: Record<string, (m: Any, options: Any) => unknown> = {
      predict: (m, options) => m.predict(X, options),
      decisionFunction: (m, options) => m.decisionFunction(X, options),
      score: (m, options) => m.score(X, y, options),
    };
    const model = make().fit(X, y);
    for (const act of Object.values(acts)) {
      refusesOf(model, (m) => act(m, { colour: 1 }), RangeError, /has no option "colour"; it has last$/);
      refusesOf(model, (m) => act(m, { last: 1 }), TypeError, /^"last" must be true or false, got 1$/);
      refusesOf(model, (m) => act(m, null), TypeError, /^the options of .* must be an object, got null$/);
      refusesOf(model, (m) => act(m, true), TypeError, /^the options of .* must be an object, got true$/);
    }
  },
);

test.each(everyTrainer)('%s: hardest wants a number of rows', (_name, make, y) => {
  const model = make().fit(X, y);
  for (const count of [-1, 1.5, NaN]) refusesOf(model, (m) => m.hardest(count), RangeError, /count.*, got /);
  for (const count of ['3', null, {}]) refusesOf(model, (m) => m.hardest(count), TypeError, /count.*, got /);
  refuses(() => make().hardest(), NotFittedError, / is not fitted yet: call fit before hardest$/);
});

// ---- several classes --------------------------------------------------------------------------------

for (const [name, make, y] of multiclass) {
  test(`${name}: partialFit wants "classes" the first time, and the same ones ever after`, () => {
    refuses(() => make().partialFit(X, y), RangeError, 'partialFit needs "classes" the first time');
    const model = make().fit(X, y);
    const stay = /^"classes" must stay .*, got /;
    refusesOf(model, (m) => m.partialFit(X, y, { classes: ['a', 'b'] }), RangeError, stay);
    refusesOf(model, (m) => m.partialFit(X, y, { classes: ['a', 'b', 'd'] }), RangeError, stay);
    refusesOf(model, (m) => m.partialFit(X, y, { classes: ['a', 'b', 'c', 'd'] }), RangeError, stay);
    expect(() =>
      make()
        .fit(X, y)
        .partialFit(X, y, { classes: ['c', 'a', 'b'] }),
    ).not.toThrow();
    refusesOf(
      model,
      (m) => m.partialFit(X, ['a', 'b', 'z', 'a', 'a']),
      RangeError,
      /^y\[2\] is "z", which is not one of /,
    );
    refusesOf(model, (m) => m.partialFit(X, y, { colour: 1 }), RangeError, /^partialFit has no option "colour"/);
    refusesOf(model, (m) => m.partialFit(X, y, null), TypeError, /^the options of partialFit must be an object/);
  });

  test(`${name}: 'balanced' needs all rows`, async () => {
    const options = { classWeight: 'balanced', classes: ['a', 'b', 'c'] };
    const message = 'partialFit cannot balance classes it has not seen; give classWeight as numbers';
    refuses(() => make(options).partialFit(X, y), RangeError, message);
    refusesOf(make(options).fit(X, y), (m) => m.partialFit(X, y), RangeError, message);
    await rejectsOf(make(options).fit(X, y), (m) => m.fitStream([{ X, y }]), RangeError, /balance/);
  });

  test(`${name}: "classes" that y does not keep to are refused`, () => {
    const model = () => make({ classes: ['a', 'b'] });
    refuses(() => model().fit(X, y), RangeError, /^y\[3\] is "c", which is not one of the classes "a"(,| and) "b"$/);
    refuses(() => model().fit(X, two), TypeError, 'y[0] is 1, a number; the other labels are of type string');
  });

  test(`${name}: explain knows the classes, and no other option`, () => {
    const model = make().fit(X, y);
    refusesOf(model, (m) => m.explain([1, 2], { label: 'z' }), RangeError, /label.*"z".*classes|"z".*not one of/);
    refusesOf(
      model,
      (m) => m.explain([1, 2], { colour: 1 }),
      RangeError,
      /^explain has no option "colour"; it has top, label$/,
    );
    refusesOf(model, (m) => m.explain([1, 2], null), TypeError, 'the options of explain must be an object, got null');
  });

  test(`${name}: diagnose has no option it does not know`, () => {
    const model = make().fit(X, y);
    refusesOf(model, (m) => m.diagnose(X, y, { colour: 1 }), RangeError, /^diagnose has no option "colour"/);
    refusesOf(model, (m) => m.diagnose(X, y, null), TypeError, 'the options of diagnose must be an object, got null');
  });
}

test.each(curved)('weights of several classes with the %s kernel are refused', (type, kernel) => {
  for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
    const model = new MulticlassPerceptron<Any>({ strategy, kernel, maxEpochs: 5 }).fit(X, three);
    refusesOf(model, (m) => m.weights, RangeError, new RegExp(`'${type}' kernel has no weights`));
  }
});

test('a Gram matrix beyond maxGramBytes is told of, for several classes too', () => {
  for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
    const make = (gram: 'full' | 'rows', maxGramBytes: number) =>
      new MulticlassPerceptron<Any>({ strategy, kernel: CUBIC, gram, maxGramBytes });
    refuses(
      () => make('full', 199).fit(X, three),
      RangeError,
      /^gram: 'full' needs 200 bytes for the 5 × 5 Gram matrix/,
    );
    refuses(() => make('rows', 39).fit(X, three), RangeError, /^gram: 'rows' needs 40 bytes for a single row/);
  }
});

test('a dual pocket counts over all rows: it has no partialFit', () => {
  const model = new DualPerceptron<Any>({ pocket: true, classes: [-1, 1] });
  refuses(() => model.partialFit(X, two), RangeError, /pocket/);
  refusesOf(model.fit(X, two), (m) => m.partialFit(X, two), RangeError, /pocket/);
});

// ---- streams ----------------------------------------------------------------------------------------

const streaming: [string, (options?: Any) => Any, Any[]][] = [
  ['Perceptron', (o) => new Perceptron<Any>({ maxEpochs: 20, ...o }), two],
  ['DualPerceptron', (o) => new DualPerceptron<Any>({ maxEpochs: 20, ...o }), two],
  ...multiclass,
];

for (const [name, make, y] of streaming) {
  const block = { X, y };

  test.each<[Any, ErrorClass, RegExp]>([
    [{ colour: 1 }, RangeError, /^fitStream has no option "colour"; it has classes, epochs, signal, onBlock$/],
    [null, TypeError, /^the options of fitStream must be an object, got null$/],
    [3, TypeError, /^the options of fitStream must be an object, got 3$/],
    [{ epochs: 0 }, RangeError, /^"epochs" must be an integer of at least 1, got 0$/],
    [{ epochs: 1.5 }, RangeError, /^"epochs" must be an integer of at least 1, got 1\.5$/],
    [{ epochs: '2' }, TypeError, /^"epochs" must be an integer of at least 1, got "2"$/],
    [{ signal: {} }, TypeError, /^"signal" must be an AbortSignal/],
    [{ onBlock: 3 }, TypeError, /^"onBlock" must be a function, got 3$/],
    [{ classes: 'ab' }, TypeError, /^"classes" must be an array of .*labels, got "ab"$/],
    [{ classes: [1, 1] }, RangeError, /^"classes" must be .*different labels, got 1, 1$/],
  ])(`fitStream of ${name} refuses the options %o`, async (options, type, message) => {
    await rejectsOf(make().fit(X, y), (m) => m.fitStream([block], options), type, message);
  });

  test(`fitStream of ${name} wants something to go through`, async () => {
    for (const blocks of [undefined, null, 3, {}, block]) {
      await rejectsOf(make({ warmStart: true }).fit(X, y), (m) => m.fitStream(blocks), TypeError, /blocks/);
    }
    // A function may answer with nothing that can be gone through, too.
    await rejectsOf(make({ warmStart: true }).fit(X, y), (m) => m.fitStream(() => 3), TypeError, /blocks/);
  });

  test(`fitStream of ${name} over several epochs wants a function`, async () => {
    const model = make().fit(X, y);
    const before = JSON.stringify(model);
    const once = [block].values(); // it cannot start again
    const error = await rejection((async () => model.fitStream(once, { epochs: 2, classes: model.classes }))());
    expect([TypeError, RangeError]).toContain(error?.constructor);
    expect(error.message).toMatch(/epochs.*function|function.*epochs/);
    expect(JSON.stringify(model)).toBe(before);
  });
}

// ---- files ------------------------------------------------------------------------------------------

const rows = Array.from({ length: 12 }, (_, i) => [Math.sin(i), Math.cos(3 * i)]);
const files: [string, Any, (json: unknown) => Any][] = [
  [
    'a pocket',
    new PocketPerceptron<Any>({ maxEpochs: 3, initialWeights: [1, 2] }).fit(
      rows,
      rows.map((_, i) => i % 2),
    ),
    PocketPerceptron.fromJSON,
  ],
  [
    'a ratchet',
    new PocketPerceptron<Any>({ maxEpochs: 3, ratchet: true }).fit(
      rows,
      rows.map((_, i) => i % 2),
    ),
    PocketPerceptron.fromJSON,
  ],
  [
    'a dual pocket',
    new DualPerceptron<Any>({ maxEpochs: 3, pocket: true, kernel: RBF }).fit(
      rows,
      rows.map((_, i) => i % 2),
    ),
    DualPerceptron.fromJSON,
  ],
  ...(['one-vs-rest', 'multinomial'] as const).flatMap((strategy) =>
    [{}, { kernel: RBF }, { average: true }, { average: true, kernel: RBF }].map(
      (o): [string, Any, (json: unknown) => Any] => [
        `${strategy} ${JSON.stringify(o)}`,
        new MulticlassPerceptron<Any>({ maxEpochs: 3, strategy, ...o }).fit(
          rows,
          rows.map((_, i) => 'abc'[i % 3] as string),
        ),
        MulticlassPerceptron.fromJSON,
      ],
    ),
  ),
].map(([name, model, load]) => [name, saved(model), load] as [string, Any, (json: unknown) => Any]);

/** Every place in a file, of the form 'training.random[0]'. */
function places(value: Any, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.keys(value).flatMap((key) =>
    places(value[key], Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key),
  );
  return path ? [path, ...inner] : inner;
}
const at = (file: Any, path: string): Any =>
  path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce((value, key) => value[key], file);
/** The last name in a path: what an error must speak of. */
const nameIn = (path: string): string => (path.match(/[a-zA-Z]+/g) as string[]).at(-1) as string;
/** Not all numbers of a long list: the first two of each. */
const isEarly = (path: string): boolean => !/\[(?:[2-9]|\d\d+)\]/.test(path);

for (const [name, good, fromJSON] of files) {
  const reload = (json: unknown) => fromJSON(json);
  const refusesFile = refusesWith(loadModel, reload);
  const all = places(good).filter(isEarly);
  const fields = all.filter((path) => !path.includes('options'));

  test(`the file of ${name} that these tests spoil is a good one`, () => {
    expect(loadModel(good).toJSON()).toEqual(good);
    expect(reload(good).toJSON()).toEqual(good);
    expect(fields.length).toBeGreaterThan(15);
  });

  test(`${name}: a file that is no object, or of another type, is refused`, () => {
    for (const json of [undefined, null, 3, [], 'x']) refusesFile(json, TypeError, /^model JSON/);
    refusesFile(spoil(good, 'type', 'svm'), RangeError, /^model JSON: type must be .*, got "svm"$/);
    refusesFile(spoil(good, 'type', undefined), TypeError, /^model JSON: type must be .*, got undefined$/);
    refusesFile(spoil(good, 'type', '__proto__'), RangeError, /^model JSON: type must be /);
    for (const version of [2, '1', undefined]) {
      refusesFile(spoil(good, 'version', version), RangeError, /^model JSON: version .* is not known here/);
    }
    expect(() => Perceptron.fromJSON(good)).toThrow(/^model JSON: type must be "perceptron", got /);
  });

  test(`${name}: a field of the wrong kind is named`, () => {
    for (const path of fields) {
      const value = at(good, path);
      if (value === '-0') continue; // as good as a number
      // Every kind of thing that is none of what is there.
      const wrong = [null, 'x', {}, [], 1, true, () => 1].filter(
        (v) => v === null || typeof v !== typeof value || Array.isArray(v) !== Array.isArray(value),
      );
      for (const v of wrong) {
        if (/classes\[/.test(path) && typeof v !== 'object' && typeof v !== 'function') continue; // a label of another type
        let error: Any;
        try {
          fromJSON(spoil(good, path, v));
        } catch (thrown) {
          error = thrown;
        }
        const where = `${path} = ${String(v)}`;
        expect(error, where).toBeDefined();
        expect([TypeError, RangeError], where).toContain(error.constructor);
        expect(error.message, where).toContain(nameIn(path));
      }
    }
  });

  test(`${name}: a number that is not finite, a word nobody knows and a missing field are named`, () => {
    for (const path of fields) {
      const value = at(good, path);
      const spoiled = [undefined];
      if (typeof value === 'number') spoiled.push(NaN as Any, Infinity as Any);
      if (typeof value === 'string' && !/classes|message$/.test(path)) spoiled.push('nobody knows' as Any);
      for (const v of spoiled) {
        let error: Any;
        let model: Any;
        try {
          model = fromJSON(spoil(good, path, v));
        } catch (thrown) {
          error = thrown;
        }
        const where = `${path} = ${String(v)}`;
        if (model) {
          // Only what need not be there may be missing.
          expect(v, where).toBeUndefined();
          expect(fromJSON(model.toJSON()).toJSON(), where).toEqual(model.toJSON());
          continue;
        }
        expect([TypeError, RangeError], where).toContain(error.constructor);
        expect(error.message, where).toMatch(/^model JSON: |^"?[a-zA-Z[\]0-9.]+"? (must|is|has|needs)/);
      }
    }
    for (const path of Object.keys(good)) {
      const type = path === 'version' ? RangeError : TypeError;
      refusesFile(spoil(good, path, undefined), type, new RegExp(`^model JSON: ${path} `));
    }
  });

  test(`${name}: options that a file may not decide, or that nobody has, are refused`, () => {
    for (const key of ['engine', 'onUpdate', 'onEpoch']) {
      refusesFile(
        spoil(good, `options.${key}`, 'js'),
        RangeError,
        `model JSON: options.${key} cannot come from a file`,
      );
    }
    refusesFile(spoil(good, 'options.colour', 1), RangeError, /has no option "colour"/);
    refusesFile(spoil(good, 'options.learningRate', -1), RangeError, /"learningRate" must be a number > 0, got -1$/);
    refusesFile(spoil(good, 'options.order', 'up'), RangeError, /"order" must be .*, got "up"$/);
    refusesFile(spoil(good, 'options.featureNames', ['a']), RangeError, /featureNames/);
    refusesFile(spoil(good, 'options.classWeight', { nobody: 2 }), RangeError, /classWeight/);
    refusesFile(spoil(good, 'options.classes', ['x', 'y', 'z']), RangeError, /classes/);
  });

  test(`${name}: random damage is an error of ours or a model that works, never another error`, () => {
    for (const path of all) {
      for (const value of [undefined, null, true, 0, -1, 1e308, Infinity, '', '-0', 'x', [], [1], {}, { a: 1 }]) {
        let model: Any;
        try {
          model = loadModel(spoil(good, path, value));
        } catch (error) {
          const kind = (error as Error).constructor;
          if (kind !== TypeError && kind !== RangeError) expect.fail(`${path} = ${value}: ${error}`);
          continue;
        }
        expect(fromJSON(model.toJSON()).toJSON()).toEqual(model.toJSON());
      }
    }
  });

  test(`${name}: fields that come by way of "__proto__" are as good as absent`, () => {
    refusesFile(JSON.parse(`{"__proto__":${JSON.stringify(good)}}`), TypeError, /^model JSON: type must be /);
    // What is an object in it, taken out and handed in by the back door.
    const inner = Object.keys(good).filter((key) => typeof good[key] === 'object' && !Array.isArray(good[key]));
    for (const key of inner) {
      const { [key]: value, ...rest } = good;
      const text = `{"__proto__":${JSON.stringify({ [key]: value, polluted: 1 })},${JSON.stringify(rest).slice(1)}`;
      refusesFile(JSON.parse(text), TypeError, `model JSON: ${key} must be an object, got undefined`);
    }
    expect(({} as Any).polluted).toBeUndefined();
  });
}

test('a file says what is in it: a strategy, a pocket and a ratchet that do not suit are refused', () => {
  const [pocketFile, , dualFile] = files.map(([, json]) => json);
  refuses(() => loadModel(spoil(pocketFile, 'options.average', true)), RangeError, /average/);
  refuses(
    () => loadModel(spoil(pocketFile, 'options.ratchet', 1)),
    TypeError,
    /"ratchet" must be true or false, got 1$/,
  );
  refuses(
    () => loadModel(spoil(dualFile, 'options.pocket', 'x')),
    TypeError,
    /"pocket" must be true or false, got "x"$/,
  );
  const manyFile = files.at(-1)?.[1];
  refuses(() => loadModel(spoil(manyFile, 'options.strategy', 'x')), RangeError, /"strategy" must be .*, got "x"$/);
  refuses(() => loadModel(spoil(manyFile, 'classes', ['c', 'b', 'a'])), RangeError, /classes must be in order/);
  refuses(() => loadModel(spoil(manyFile, 'classes', ['a', 'b'])), RangeError, /^model JSON: /);
});
