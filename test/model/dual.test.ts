// Sums of kernels with supports: the bits of the sum as it is written, whatever is computed together.

import { expect, test } from 'vitest';
import { NO_ROWS } from '../../src/data/kept.js';
import { copyIn } from '../../src/data/rows.js';
import { resolveEngine } from '../../src/engine/engine.js';
import { kernelFor } from '../../src/gram/kernel.js';
import { gram, type Kernel } from '../../src/index.js';
import { expand } from '../../src/model/dual.js';
import { Random } from '../../src/random.js';
import { engines } from '../engines.js';

const random = Random.seeded(5);
const draw = (length: number) => Float64Array.from({ length }, () => random.next() / 2 ** 31 - 1);

test.each(engines)('%s: several lists of coefficients, each summed in ascending order of supports', (kind) => {
  const engine = resolveEngine(kind);
  const cols = 5;
  for (const [rows, supports] of [
    [1, 1],
    [3, 100],
    [400, 97],
    [800, 200],
  ] as const) {
    const [data, own] = [draw(rows * cols), draw(supports * cols)];
    const lists = [draw(supports), draw(supports), new Float64Array(supports).fill(-0)];
    for (const type of ['polynomial', 'rbf'] as const) {
      // All of them in one Gram matrix, rows first.
      const both = { data: Float64Array.from([...data, ...own]), rows: rows + supports, cols };
      const G = gram(both, { engine: kind, kernel: type as Kernel });
      const kernels = Array.from({ length: rows }, (_, i) => [...G.row(i).slice(rows)]);
      const expected = lists.map((list) =>
        kernels.map((row) => row.reduce((s, k, j) => s + (list[j] as number) * k, 0)),
      );
      G.dispose();
      const X = copyIn({ data, rows, cols }, engine.arena, 'X');
      const sums = expand(lists, { data: own, rows: supports, cols }, kernelFor({ type }, cols), X, engine);
      X.release();
      expect(sums.map((s) => [...s])).toEqual(expected);
    }
    const X = copyIn({ data, rows, cols }, engine.arena, 'X');
    expect(expand([new Float64Array()], NO_ROWS, kernelFor({ type: 'rbf' }, cols), X, engine)).toEqual([
      new Float64Array(rows),
    ]);
    X.release();
  }
});
