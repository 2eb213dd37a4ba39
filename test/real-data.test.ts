// The real sets beside the project, where they are (they are never part of it).

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DualPerceptron, Perceptron } from '../src/index.js';
import { engines } from './engines.js';

const folder = new URL('../../shared/data/', import.meta.url);
const here = existsSync(folder);
const cases = (names: readonly string[]) => names.flatMap((name) => engines.map((engine) => ({ name, engine })));

function dense(name: string) {
  const bytes = readFileSync(new URL(`${name}.X.f64`, folder));
  const data = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const y = new Int8Array(readFileSync(new URL(`${name}.y.i8`, folder)));
  return { X: { data, rows: y.length, cols: data.length / y.length }, y };
}

/** LIBSVM text, 1-based indices, as dense rows. */
function libsvm(file: string, cols: number) {
  const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
  const data = new Float64Array(lines.length * cols);
  const y = lines.map((line, i) => {
    const [label, ...pairs] = line.trim().split(/\s+/);
    for (const pair of pairs) {
      const [index, value] = pair.split(':').map(Number) as [number, number];
      data[i * cols + index - 1] = value;
    }
    return Number(label);
  });
  return { X: { data, rows: lines.length, cols }, y };
}

const known = {
  golub_train: { epochs: 38, mistakes: 73 },
  alon: { epochs: 35, mistakes: 254 },
  agaricus: { epochs: 15, mistakes: 139 },
};

test.skipIf(!here).each(cases(Object.keys(known)))(
  '$name takes its known epochs and mistakes on $engine',
  ({ name, engine }) => {
    const { X, y } = name === 'agaricus' ? libsvm('agaricus.txt.train', 126) : dense(name);
    const model = new Perceptron<number>({ engine }).fit(X, y);
    expect(model.report).toMatchObject({ converged: true, ...known[name as keyof typeof known] });
    expect(model.score(X, y)).toBe(1);
    const { margin, mistakeBound, mistakes } = model.diagnose(X, y);
    expect(margin.lower).toBeGreaterThan(0);
    expect(margin.lower).toBeLessThanOrEqual(margin.upper);
    expect(mistakes).toBeLessThanOrEqual(mistakeBound as number);
  },
);

test.skipIf(!here).each(cases(Object.keys(known)))(
  '$name takes the same epochs and mistakes in dual form on $engine',
  ({ name, engine }) => {
    const { X, y } = name === 'agaricus' ? libsvm('agaricus.txt.train', 126) : dense(name);
    // A whole Gram matrix of agaricus takes plain JavaScript seconds; its supports are few.
    const gram = name === 'agaricus' ? 'rows' : 'full';
    const model = new DualPerceptron<number>({ engine, gram }).fit(X, y);
    expect(model.report).toMatchObject({ converged: true, ...known[name as keyof typeof known] });
    expect(model.score(X, y)).toBe(1);
    const primal = new Perceptron<number>({ engine }).fit(X, y);
    expect(model.report.mistakesByEpoch).toEqual(primal.report.mistakesByEpoch);
    // Integer data: the same plane, to the bit (SPEC §7); alon has fractions.
    if (name !== 'alon') expect([...model.weights, model.bias]).toEqual([...primal.weights, primal.bias]);
    const { margin, mistakeBound, mistakes } = model.diagnose(X, y);
    expect(margin.lower).toBeGreaterThan(0);
    expect(margin.lower).toBeLessThanOrEqual(margin.upper);
    expect(mistakes).toBeLessThanOrEqual(mistakeBound as number);
  },
);

test.skipIf(!here)('sonar is separated in dual form after 275,227 epochs, certified on recomputed scores', () => {
  const { X, y } = dense('sonar');
  const model = new DualPerceptron<number>({ maxEpochs: 1_000_000 }).fit(X, y);
  expect(model.report).toMatchObject({ converged: true, epochs: 275_227, mistakes: 2_729_231 });
  expect(model.score(X, y)).toBe(1);
  expect(model.diagnose(X, y).margin.lower).toBeGreaterThan(0);
});

test.skipIf(!here).each(engines)('spambase in file order is told to shuffle and to scale, on %s', (engine) => {
  const { X, y } = dense('spambase');
  const { report } = new Perceptron<number>({ engine, maxEpochs: 20 }).fit(X, y);
  expect(report.converged).toBe(false);
  expect(report.advice.map((a) => a.code)).toEqual(['sorted-labels', 'unscaled', 'not-separated']);
});
