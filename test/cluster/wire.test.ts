import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelFrom, specOf } from '../../src/cluster/spec.js';
import { pack, unpack } from '../../src/cluster/wire.js';
import {
  DualPerceptron,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
} from '../../src/index.js';
import { TableEncoder, TextVectorizer } from '../../src/prepare/index.js';

test('values arrive as they were sent, to the bit: odd numbers, arrays of numbers, nothing, keys of any name', () => {
  const value = {
    numbers: [0, -0, Number.NaN, Infinity, -Infinity, 5e-324, 2 ** 53, 0.1],
    arrays: [Float64Array.of(-0, Number.NaN), Uint32Array.of(2 ** 32 - 1), Uint8Array.of(), Float32Array.of(0.1)],
    nothing: [undefined, null, ''],
    $: { $: ['number', 'NaN'] },
    nested: { a: [{ b: [true, 'x'] }] },
  };
  expect(unpack(pack(value))).toStrictEqual(value);
  fc.assert(
    fc.property(fc.object({ withTypedArray: false, maxDepth: 3 }), (any) => {
      expect(unpack(pack(any))).toStrictEqual(any);
    }),
  );
});

test('what is no data is refused before it is sent', () => {
  expect(() => pack({ tokens: /a/ })).toThrow('a RegExp cannot go to a worker: options must be plain data');
  expect(() => pack({ tokens: () => [] })).toThrow(/must be plain data/);
});

test('bytes that are something else are an error, whatever they are', () => {
  const good = pack({ a: Float64Array.of(1, 2, 3), b: [Number.NaN] });
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(good.length), fc.nat(255), (junk, at, byte) => {
      const spoilt = Buffer.from(good);
      spoilt[at % spoilt.length] = byte;
      for (const bytes of [junk, good.subarray(0, at), spoilt]) {
        try {
          unpack(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }
    }),
  );
  expect(() => unpack(Buffer.from('hello world'))).toThrow(/this is not what a worker of this version sends/);
});

test('a model that is not fitted travels as its options: the one that arrives has the same', () => {
  const models = [
    new Perceptron({ order: 'shuffle', average: true, seed: 7, classWeight: { a: 2, b: 3 } }),
    new Perceptron({ update: 'pa1', aggressiveness: Infinity, initialWeights: [0.1, -0] }),
    new PocketPerceptron({ ratchet: true }),
    new DualPerceptron({ kernel: { type: 'rbf', gamma: 0.3 }, gram: 'rows', pocket: true }),
    new MulticlassPerceptron({ kernel: 'polynomial', gram: 'blocks', maxGramBytes: 1000 }),
    new MulticlassPerceptron({ strategy: 'multinomial', tol: 0.1, patience: 3 }),
  ];
  for (const model of models) {
    const arrived = modelFrom(unpack(pack(specOf(model)))) as typeof model;
    expect(Object.getPrototypeOf(arrived)).toBe(Object.getPrototypeOf(model));
    expect((arrived as unknown as { settings: object }).settings).toStrictEqual(
      (model as unknown as { settings: object }).settings,
    );
  }
  const pipeline = new Pipeline(
    new TableEncoder({ missing: 'median' }),
    new Scaler({ kind: 'unit-ball' }),
    new Perceptron(),
  );
  const arrived = modelFrom(unpack(pack(specOf(pipeline)))) as typeof pipeline;
  expect(specOf(arrived)).toStrictEqual(specOf(pipeline));
  const texts = specOf(new Pipeline(new TextVectorizer({ ngrams: [1, 2] }), new Perceptron()));
  expect(specOf(modelFrom(texts))).toStrictEqual(texts);
});

test('classes of the caller, and options that are code, do not travel', () => {
  class Mine extends Perceptron {}
  expect(() => specOf(new Mine())).toThrow(/^the model must be a Perceptron, a PocketPerceptron/);
  expect(() => specOf({})).toThrow(TypeError);
  const own = { fit() {}, transform: () => [], toJSON: () => ({}) };
  expect(() => specOf(new Pipeline(own as never, new Perceptron()))).toThrow(
    /^steps\[0\] must be a Scaler, a TableEncoder or a TextVectorizer/,
  );
  expect(() => pack(specOf(new Pipeline(new TextVectorizer({ tokens: /\w+/g }), new Perceptron())))).toThrow(
    /RegExp cannot go/,
  );
});

test('a model from a queue is checked as everybody’s options are', () => {
  expect(() => modelFrom({ type: 'perceptron', options: { learningRate: -1 } })).toThrow('"learningRate" must be');
  expect(() => modelFrom({ type: 'perceptron', options: { rm: '-rf' } })).toThrow('Perceptron has no option "rm"');
  expect(() => modelFrom({ type: '__proto__' })).toThrow(/the type of a model must be one of perceptron/);
  expect(() =>
    modelFrom({ type: 'pipeline', steps: [{ type: 'constructor' }], model: { type: 'perceptron' } }),
  ).toThrow(RangeError);
  for (const junk of [undefined, null, 3, 'perceptron', [], { type: {} }])
    expect(() => modelFrom(junk)).toThrow(/must be one of/);
});
