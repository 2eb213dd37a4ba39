// Probabilities for the reliability curve of a report.

import { describe, expect, test } from 'vitest';
import { probabilitiesFor } from '../../src/cli/probabilities.js';
import { evaluate } from '../../src/select/index.js';

/** Rows whose score is above 0 in `right` of 10 cases. */
function judged(rows: number, right: number) {
  const labels = Array.from({ length: rows }, (_, i) => (i % 2 ? 'b' : 'a'));
  const ranking = Float64Array.from(labels, (label, i) =>
    (label === 'b') === Math.floor(i / 2) % 10 < right ? 1 : -1,
  );
  const answers = Array.from(ranking, (score) => (score > 0 ? 'b' : 'a'));
  return { kind: 'held-out' as const, labels, ranking, evaluation: evaluate(labels, answers) };
}

describe('probabilities of judged rows', () => {
  test('are the share that is right: of two classes the probability of the second', () => {
    const { ranking, ...rest } = judged(400, 8);
    const found = probabilitiesFor({ ranking, ...rest }) as Float64Array;
    found.forEach((p, i) => void expect(p).toBeCloseTo((ranking[i] as number) > 0 ? 0.8 : 0.2, 1));
  });

  test('of more classes add up to 1', () => {
    const labels = Array.from({ length: 30 }, (_, i) => 'abc'[i % 3] as string);
    const data = Float64Array.from(
      { length: 90 },
      (_, at) => (Math.floor(at / 3) % 3 === at % 3 ? 1 : -1) + Math.sin(at),
    );
    const ranking = { data, rows: 30, cols: 3 };
    const found = probabilitiesFor({ kind: 'test', labels, ranking, evaluation: evaluate(labels, labels) });
    expect(found).toMatchObject({ rows: 30, cols: 3 });
    const { data: shares } = found as { data: Float64Array };
    for (let i = 0; i < 30; i++) {
      expect([0, 1, 2].reduce((sum, k) => sum + (shares[3 * i + k] as number), 0)).toBeCloseTo(1, 12);
    }
  });

  test('there are none without scores, or with a single row of a class', () => {
    const { ranking, ...rest } = judged(40, 9);
    expect(probabilitiesFor(rest)).toBeUndefined();
    const labels = ['a', 'a', 'a', 'b'];
    const evaluation = evaluate(labels, labels);
    expect(probabilitiesFor({ kind: 'held-out', labels, ranking: ranking.slice(0, 4), evaluation })).toBeUndefined();
  });
});
