// What is lost on small problems, where copying in and setting up are most of the work? Fits of rows that are lists of numbers, against
// a plain loop over the same lists; and predictOne of one wide row, which must check what a plain loop believes.

import { Perceptron } from 'perceptron-wasm';
import { fitLists, sideOf } from '../baseline/lists.js';
import { type Generated, generate } from '../data/generate.js';
import { consume } from '../harness/measure.js';
import { answersOf, BASELINE, byMode, expectSame, type Findings, type Target, tell } from '../harness/question.js';
import { contestOfTurns } from '../harness/turns.js';
import { shapeText } from '../harness/words.js';

const ROUNDS = byMode({ smoke: 2, quick: 5, full: 15 });
/** Milliseconds of a turn. */
const TURN = byMode({ smoke: 0.3, quick: 8, full: 30 });

interface Shape {
  rows: number;
  cols: number;
  epochs: number;
  target?: Target;
}

const FITS: readonly Shape[] = byMode({
  smoke: [{ rows: 30, cols: 4, epochs: 10 }],
  quick: [
    { rows: 150, cols: 4, epochs: 10 },
    { rows: 1000, cols: 50, epochs: 10 },
  ],
  full: [
    { rows: 150, cols: 4, epochs: 10, target: { atLeast: 0.7 } },
    { rows: 240, cols: 100, epochs: 10 },
    { rows: 1000, cols: 50, epochs: 10, target: { atLeast: 2 } },
    { rows: 2000, cols: 200, epochs: 10 },
    { rows: 1000, cols: 1000, epochs: 3, target: { atLeast: 2.5 } },
  ],
});

/** The rows as lists of numbers. */
const listsOf = ({ data, rows, cols }: Generated): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));

function fit({ rows, cols, epochs, target }: Shape): Findings {
  const set = generate({ rows, cols, seed: 5, flips: 0.1 });
  const [X, y] = [listsOf(set), Array.from(set.y)];
  const model = new Perceptron({ maxEpochs: epochs });
  const expected = fitLists(X, y, epochs);
  const { report, weights, bias } = model.fit(X, y);
  if (report.epochs !== epochs) throw new Error(`these rows were to take ${epochs} epochs, not ${report.epochs}`);
  expectSame(weights, expected.weights, 'weights');
  expectSame([bias, report.mistakes], [expected.bias, expected.mistakes], 'bias and mistakes');
  const timings = contestOfTurns(
    [
      { name: BASELINE, run: () => fitLists(X, y, epochs).bias },
      { name: 'auto', run: () => new Perceptron({ maxEpochs: epochs }).fit(X, y).bias },
    ],
    ROUNDS,
    TURN,
  );
  const what = `fit of lists, ${shapeText(rows, cols)}, ${epochs} epochs`;
  return { answers: answersOf({ what, timings, ...(target && { target }) }), timings };
}

/** Calls before any is timed: on Node 24 the plain loop is six times slower until V8's last compiler has got to it. */
const WARM_UP = byMode({ smoke: 1, quick: 200, full: 1000 });
const WIDE = byMode({ smoke: 100, quick: 10_000, full: 10_000 });

/** Many rows in turn: a processor would learn the only row by heart. */
function predictOne(kind: 'lists' | 'Float64Array'): Findings {
  const set = generate({ rows: 40, cols: WIDE, seed: 6 });
  const X = kind === 'lists' ? listsOf(set) : listsOf(set).map((row) => Float64Array.from(row));
  const model = new Perceptron({ maxEpochs: 3 }).fit(X, Array.from(set.y));
  const plane = { weights: model.weights, bias: model.bias };
  expectSame(
    X.map((x) => model.predictOne(x)),
    X.map((x) => sideOf(x, plane)),
    'predictions',
  );
  const each = (predict: (x: ArrayLike<number>) => number) => () => {
    let sum = 0;
    for (const x of X) sum += predict(x);
    return sum;
  };
  const contestants = [
    { name: BASELINE, run: each((x) => sideOf(x, plane)) },
    { name: 'auto', run: each((x) => model.predictOne(x)) },
  ];
  for (let call = 0; call < WARM_UP; call++) for (const { run } of contestants) consume(run());
  const timings = contestOfTurns(contestants, ROUNDS, TURN);
  const what = `predictOne of ${kind === 'lists' ? 'a list' : 'a Float64Array'}, ${WIDE.toLocaleString('en')} columns`;
  return { answers: answersOf({ what, timings, target: { atLeast: 0.8 } }), timings };
}

for (const shape of FITS) {
  tell(`How fast is a fit of lists of numbers? (${shapeText(shape.rows, shape.cols)}, ${shape.epochs} epochs)`, () =>
    fit(shape),
  );
}
for (const kind of ['lists', 'Float64Array'] as const) {
  tell(`How fast is one wide row predicted? (${kind}, ${WIDE.toLocaleString('en')} columns)`, () => predictOne(kind));
}
