// A curved border: the kernel perceptron with (1 + x·z)² + 1, for bench/questions/peers.ts. The last 1 is the intercept.

import { DenseMatrix, DualPerceptron } from 'perceptron-wasm';
import { fitDual } from '../baseline/dual.js';
import { gramMatrix } from '../baseline/gram.js';
import { type Generated, generate } from '../data/generate.js';
import { expectSame } from '../harness/question.js';
import { shapeText } from '../harness/words.js';
import { sorted } from './guests.js';
import { aiOnBrowser } from './javascript.js';
import { BASELINE, OURS, type Prepared, type Size } from './tasks.js';
import { calling } from './turns.js';

/** (1 + x·z)² of all pairs of rows, as one writes it. */
function kernelMatrix({ data, rows, cols }: Generated): Float64Array {
  return gramMatrix(data, rows, cols).map((product) => (1 + product) ** 2);
}

export async function kernelTask({ rows, cols, passes }: Size): Promise<Prepared> {
  const set = generate({ rows, cols, seed: 2, contradictions: Math.ceil(rows / 20) });
  const X = DenseMatrix.from(set);
  const kernel = { type: 'polynomial', degree: 2, gamma: 1, coef0: 1 } as const;
  const model = new DualPerceptron<number>({ kernel, maxEpochs: passes }).fit(X, set.y);
  const obvious = () => fitDual(kernelMatrix(set), set.y, passes);
  const { counts } = obvious();
  expectSame(model.updateCounts, counts, `updates of ours and ${BASELINE}`);
  const { players, skipped } = sorted([
    { name: OURS, kind: 'ours', measure: calling(() => model.fit(X, set.y).bias), note: 'kernel values included' },
    {
      name: BASELINE,
      kind: 'javascript',
      measure: calling(() => obvious().bias),
      against: BASELINE,
      note: 'all kernel values first, scores kept; the same mistakes',
    },
    await aiOnBrowser(set, { passes, counts }),
  ]);
  return {
    what: `kernel fit ${shapeText(rows, cols)}, degree 2`,
    rule: `${passes} passes`,
    players,
    skipped,
    dispose: () => X.dispose(),
  };
}
