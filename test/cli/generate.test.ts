// Generated data is what it says: margins hold after rounding, and the same seed gives the same rows everywhere.

import { describe, expect, test } from 'vitest';
import { generate, generateAll, problemWith, type Recipe, type Shape } from '../../src/cli/generate.js';
import { Perceptron } from '../../src/index.js';

const recipe = (shape: Shape, more: Partial<Recipe> = {}): Recipe => ({
  shape,
  rows: 400,
  cols: 2,
  margin: 0.1,
  seed: 0,
  ...more,
});

describe('separable', () => {
  test.each([
    { cols: 1, margin: 0.1 },
    { cols: 2, margin: 0 },
    { cols: 2, margin: 0.5 },
    { cols: 50, margin: 3 },
  ])('$cols columns have a margin of $margin at least, in augmented space', (shape) => {
    const { X, y } = generateAll(recipe('separable', shape));
    const model = new Perceptron<number>({ maxEpochs: 100_000 }).fit(X, y);
    expect(model.report.converged).toBe(true);
    const { margin, radius, mistakes } = model.diagnose(X, y);
    // The upper side of the bracket is above the best margin, which is above what was asked for; and so Novikoff's bound holds.
    expect(margin.upper).toBeGreaterThanOrEqual(shape.margin);
    if (shape.margin > 0) expect(mistakes).toBeLessThanOrEqual(radius ** 2 / shape.margin ** 2);
  });

  test('rows come nearly as near as the margin allows, on both sides', () => {
    const { X, y } = generateAll(recipe('separable', { rows: 5000, cols: 1, margin: 0.25 }));
    const rows = Array.from(X.data, (x, i) => ({ x, y: y[i]! }));
    const [low, high] = [-1, 1].map((side) => rows.filter((row) => row.y === side).map(({ x }) => x)) as [
      number[],
      number[],
    ];
    // One column: the plane is a point, w = 1/√1.25 or its opposite, and each side keeps 0.25 / |w| away from it.
    const gap = Math.max(Math.min(...high) - Math.max(...low), Math.min(...low) - Math.max(...high));
    expect(gap).toBeGreaterThanOrEqual(2 * 0.25 * Math.sqrt(1.25));
    expect(gap).toBeLessThan(2 * 0.25 * Math.sqrt(1.25) + 0.01);
  });
});

test('xor keeps away from both axes, and labels opposite quadrants alike', () => {
  const { X, y } = generateAll(recipe('xor', { cols: 3, margin: 0.3 }));
  for (const [i, side] of y.entries()) {
    const [a, b] = X.data.subarray(3 * i, 3 * i + 2) as unknown as [number, number];
    expect(Math.min(Math.abs(a), Math.abs(b))).toBeGreaterThanOrEqual(0.3);
    expect(Math.max(Math.abs(a), Math.abs(b))).toBeLessThanOrEqual(1);
    expect(Math.sign(a * b)).toBe(-side);
  }
});

test.each([0, 0.2, 0.49])('moons are at least %s apart, and no plane separates them', (margin) => {
  const { X, y } = generateAll(recipe('moons', { margin, rows: 1000 }));
  let nearest = Infinity;
  for (const [i, one] of y.entries()) {
    for (const [j, other] of y.entries()) {
      if (one === other) continue;
      const [a, b] = [X.data[2 * i]! - X.data[2 * j]!, X.data[2 * i + 1]! - X.data[2 * j + 1]!];
      nearest = Math.min(nearest, Math.sqrt(a * a + b * b));
    }
  }
  expect(nearest).toBeGreaterThanOrEqual(margin);
  expect(nearest).toBeLessThan(margin + 0.1);
  expect(new Perceptron<number>({ maxEpochs: 200 }).fit(X, y).report.converged).toBe(false);
});

describe.each(['separable', 'xor', 'moons'] as const)('%s', (shape) => {
  test('has both classes, however few rows there are', () => {
    for (let seed = 0; seed < 20; seed++) expect(generateAll(recipe(shape, { rows: 2, seed })).y).toEqual([1, -1]);
  });

  test('is balanced, finite and of six decimals', () => {
    const { X, y } = generateAll(recipe(shape, { rows: 2000, cols: 5 }));
    expect(Math.abs(y.reduce((sum, side) => sum + side, 0))).toBeLessThan(200);
    expect(X.data.every((x) => Math.abs(x) < 100 && Math.round(x * 1e6) / 1e6 === x && !Object.is(x, -0))).toBe(true);
  });

  test('is another for another seed', () => {
    const [a, b] = [0, 1].map((seed) => generateAll(recipe(shape, { seed })).X.data);
    expect(a).not.toEqual(b);
  });

  test('comes in blocks that make the whole', () => {
    const large = recipe(shape, { rows: 1000, cols: 300 });
    const blocks = [...generate(large)];
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.flatMap(({ y }) => y)).toEqual(generateAll(large).y);
  });
});

test('the same seed gives these rows, on every machine', () => {
  const first = (shape: Shape) => [...generateAll(recipe(shape, { rows: 2, cols: 3, seed: 7 })).X.data];
  expect(first('separable')).toMatchInlineSnapshot(`
    [
      -1.180756,
      -1.432465,
      -0.31006,
      1.482852,
      -0.685689,
      0.494353,
    ]
  `);
  expect(first('xor')).toMatchInlineSnapshot(`
    [
      -0.249007,
      0.936868,
      0.904261,
      -0.675423,
      -0.375932,
      -0.786264,
    ]
  `);
  expect(first('moons')).toMatchInlineSnapshot(`
    [
      -0.670856,
      0.647587,
      0.314385,
      0.208733,
      -0.299038,
      -0.036163,
    ]
  `);
});

test('what cannot be made is said', () => {
  expect(problemWith(recipe('moons', { margin: 0.6 }))).toMatch(/at most 0.49/);
  expect(problemWith(recipe('xor', { margin: 1 }))).toMatch(/below 1/);
  expect(problemWith(recipe('xor', { cols: 1 }))).toMatch(/at least 2/);
  expect(problemWith(recipe('separable', { cols: 1, margin: 10 }))).toBeUndefined();
});
