// npm start: trains on a real set and on a generated one, in both forms and on every engine, and shows what came out.

import { chooseForm, compare, DualPerceptron, describe, type FlatRows, Perceptron } from 'perceptron-wasm';
import 'perceptron-wasm/scalar'; // engine 'wasm-scalar'
import { COMPARISON_LEGEND, comparisonRemarks, comparisonTable, wrap } from '../src/cli/tables.js';
import { generate } from './data/generate.js';
import { iris } from './data/iris.js';
import { machine, machineLine } from './harness/machine.js';

const colourful = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text: string) => (colourful ? `\x1b[1m${text}\x1b[22m` : text);

function show<L extends number | string>(
  title: string,
  story: string,
  X: number[][] | FlatRows,
  y: ArrayLike<L>,
): void {
  const comparison = compare(X, y);
  const model = new Perceptron<L>().fit(X, y);
  console.log(`\n${bold(title)}\n${wrap(story)}\n`);
  console.log(`${comparisonTable(comparison)}\n`);
  console.log(wrap(`In words: ${describe(model.report, model.diagnose(X, y))}`));
  const choice = chooseForm(X, { epochs: model.report.epochs });
  for (const remark of comparisonRemarks(comparison, choice)) console.log(wrap(remark));
}

console.log(wrap(`perceptron-wasm on ${machineLine(machine())}`).trimStart());

const flowers = iris();
show(
  'Iris, setosa against the rest: 150 × 4, REAL data (Fisher 1936)',
  'A set this small takes microseconds, mostly for the call itself, whatever the engine.',
  flowers.X,
  flowers.y.map((kind) => (kind === 'setosa' ? 'setosa' : 'other')),
);

const rows = generate({ rows: 200, cols: 20_000, seed: 1, margin: 3 });
show(
  'A hidden plane with a margin: 200 × 20,000, GENERATED data (seed 1)',
  'Gaussian rows, 32 MB in all, moved away from a hidden plane that gave them their labels.',
  rows,
  rows.y,
);

const far = generate({ rows: 100, cols: 10_000, seed: 1, margin: 3, offset: 10 });
show(
  'The same far from the origin: 100 × 10,000, GENERATED data (seed 1)',
  'Such as measurements are before anybody has centred them: now it takes many passes, and the Gram matrix pays.',
  far,
  far.y,
);

const corners = { X: [[0, 0], [1, 1], [0, 1], [1, 0]], y: ['same', 'same', 'differ', 'differ'] }; // biome-ignore format: four points
const line = new DualPerceptron<string>({ maxEpochs: 100 }).fit(corners.X, corners.y);
const bent = new DualPerceptron<string>({ kernel: { type: 'rbf', gamma: 1 } }).fit(corners.X, corners.y);
console.log(`\n${bold('XOR: four points that no line separates')}`);
console.log(wrap(`A line: ${line.report.mistakes} mistakes in ${line.report.epochs} passes, and no end.`));
console.log(wrap(`An RBF kernel: ${describe(bent.report, bent.diagnose(corners.X, corners.y))}`));

console.log(`
${wrap(COMPARISON_LEGEND)}

Next: npm run bench   how fast, against JavaScript as one would write it, with targets
      README.md       what to type to train on your own rows`);
