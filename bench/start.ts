// npm start: trains on a real set and on a generated one, in both forms and on every engine, and shows what came out.

import {
  type Comparison,
  type ComparisonRow,
  chooseForm,
  compare,
  DualPerceptron,
  describe,
  type FlatRows,
  Perceptron,
} from 'perceptron-wasm';
import { generate } from './data/generate.js';
import { iris } from './data/iris.js';
import { machine, machineLine } from './machine.js';

const WIDTH = 110;
const NAMES = { 'wasm-simd': 'wasm-simd', 'wasm-scalar': 'wasm-scalar', js: 'js (pure JS)' };

const colourful = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text: string) => (colourful ? `\x1b[1m${text}\x1b[22m` : text);

const short = (x: number) => (Number.isFinite(x) ? String(Number(x.toPrecision(3))) : '∞');
const time = (ms: number) => (ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : `${ms.toPrecision(3)} ms`);

/** Columns: heading and cell. The first is set to the left, all others to the right. */
const COLUMNS: [string, (row: ComparisonRow) => string][] = [
  ['form, engine', ({ form, engine }) => `${form.padEnd(6)}  ${NAMES[engine]}`],
  ['time', ({ fitMs }) => time(fitMs)],
  ['of it Gram', ({ form, gramMs }) => (form === 'dual' ? time(gramMs) : '')],
  ['speed-up', ({ speedup }) => (speedup === null ? '–' : `${speedup.toFixed(2)}x`)],
  ['epochs', ({ epochs }) => epochs.toLocaleString('en')],
  ['mistakes', ({ mistakes }) => mistakes.toLocaleString('en')],
  ['best margin', ({ margin }) => `${margin.lower > 0 ? short(margin.lower) : '?'} to ${short(margin.upper)}`],
  [
    'mistake bound',
    ({ mistakeBound }) => (mistakeBound === null ? '–' : Math.floor(mistakeBound).toLocaleString('en')),
  ],
  ['accuracy', ({ accuracy }) => `${(accuracy * 100).toFixed(1)} %`],
];

function table({ results }: Comparison): string {
  const cells = [COLUMNS.map(([heading]) => heading), ...results.map((row) => COLUMNS.map(([, cell]) => cell(row)))];
  const widths = COLUMNS.map((_, k) => Math.max(...cells.map((line) => (line[k] as string).length)));
  const lines = cells.map((line) =>
    line.map((cell, k) => (k === 0 ? cell.padEnd(widths[k] as number) : cell.padStart(widths[k] as number))).join('  '),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.map((line) => `  ${line}`).join('\n');
}

/** Breaks at spaces, with two spaces before each line. */
function wrap(text: string): string {
  return text.replace(new RegExp(`(.{1,${WIDTH - 2}})(?: +|$|\\n)`, 'gm'), '  $1\n').trimEnd();
}

function show<L extends number | string>(
  title: string,
  story: string,
  X: number[][] | FlatRows,
  y: ArrayLike<L>,
): void {
  const comparison = compare(X, y);
  const model = new Perceptron<L>().fit(X, y);
  const engines = [...new Set(comparison.results.map(({ engine }) => engine))].join(', ');
  console.log(`\n${bold(title)}\n${wrap(story)}\n`);
  console.log(`${table(comparison)}\n`);
  console.log(wrap(`In words: ${describe(model.report, model.diagnose(X, y))}`));
  // compare throws if they do not.
  console.log(wrap(`All engines agreed to the bit: in each form, ${engines} ended with the same model.`));
  const agree = comparison.formsAgree
    ? 'the same mistakes in every epoch'
    : 'not the same mistakes: rounding parted them';
  console.log(wrap(`Primal and dual made ${agree}.`));
  const { form, reason } = chooseForm(X, { epochs: model.report.epochs });
  console.log(wrap(`chooseForm says ${form}: ${reason}.`));
  for (const { form, engine, reason } of comparison.absent) {
    console.log(wrap(`Not here: ${[form, engine].filter(Boolean).join(' ')} (${reason})`));
  }
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
${wrap('time: the fastest of several fits, rows already in memory; speed-up: over the pure-JS engine in the same form. The mistake bound holds for every run, however unlucky, and is far above the usual one.')}

Next: npm run bench   how fast, against JavaScript as one would write it, with targets
      README.md       what to type to train on your own rows`);
