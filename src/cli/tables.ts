// Formats tables, paragraphs, and the comparison that `npm start` and `perceptron-wasm compare` show.

import type { Comparison, ComparisonRow, FormChoice } from '../index.js';
import { count, duration, percent, short } from './output.js';

const WIDTH = 110;

/** Rows under headings; the first column is aligned left, the others right unless listed in `left`. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  left: readonly number[] = [0],
) {
  const cells = [headings, ...rows];
  const widths = headings.map((_, k) => Math.max(...cells.map((line) => (line[k] ?? '').length)));
  const set = (line: readonly string[]) =>
    widths
      .map((width, k) => (left.includes(k) ? (line[k] ?? '').padEnd(width) : (line[k] ?? '').padStart(width)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [set(headings), rule, ...rows.map(set)].map((line) => `  ${line}`).join('\n');
}

/** Breaks text at spaces, with `indent` spaces before each line. */
export function wrap(text: string, indent = 2, width = WIDTH): string {
  return text.replace(new RegExp(`(.{1,${width - indent}})(?: +|$|\\n)`, 'gm'), `${' '.repeat(indent)}$1\n`).trimEnd();
}

/** Lines of `key  text` with wrapped text; an entry without a key continues the one before. */
export function sheet(entries: readonly (readonly [key: string, text: string])[]): string {
  const indent = Math.max(...entries.map(([key]) => key.length)) + 2;
  return entries.map(([key, text]) => key.padEnd(indent) + wrap(text, indent).trimStart()).join('\n');
}

// ---- the comparison -------------------------------------------------------------------------------

const ENGINES = { 'wasm-simd': 'wasm-simd', 'wasm-scalar': 'wasm-scalar', js: 'js (pure JS)' };

const COLUMNS: readonly [heading: string, cell: (row: ComparisonRow) => string][] = [
  ['form, engine', ({ form, engine }) => `${form.padEnd(6)}  ${ENGINES[engine]}`],
  ['time', ({ fitMs }) => duration(fitMs)],
  ['of it Gram', ({ form, gramMs }) => (form === 'dual' ? duration(gramMs) : '')],
  ['speed-up', ({ speedup }) => (speedup === null ? '–' : `${speedup.toFixed(2)}x`)],
  ['epochs', ({ epochs }) => count(epochs)],
  ['mistakes', ({ mistakes }) => count(mistakes)],
  ['best margin', ({ margin }) => `${margin.lower > 0 ? short(margin.lower) : '?'} to ${short(margin.upper)}`],
  ['mistake bound', ({ mistakeBound }) => (mistakeBound === null ? '–' : count(Math.floor(mistakeBound)))],
  ['accuracy', ({ accuracy }) => percent(accuracy, 1)],
];

export const comparisonTable = ({ results }: Comparison): string =>
  table(
    COLUMNS.map(([heading]) => heading),
    results.map((row) => COLUMNS.map(([, cell]) => cell(row))),
  );

/** Remarks below the table: which results agree, which form to choose, which engines are missing. */
export function comparisonRemarks({ results, formsAgree, absent }: Comparison, choice: FormChoice): string[] {
  const engines = [...new Set(results.map(({ engine }) => engine))];
  return [
    // compare throws if they are not.
    ...(engines.length > 1
      ? [`Results are bit-identical: in each form, ${engines.join(', ')} ended with the same model.`]
      : []),
    ...(formsAgree === null
      ? []
      : [
          `Primal and dual made ${formsAgree ? 'the same mistakes in every epoch' : 'different mistakes, because of rounding'}.`,
        ]),
    `chooseForm says ${choice.form}: ${choice.reason}.`,
    ...absent.map(
      ({ form, engine, reason }) => `Not available: ${[form, engine].filter(Boolean).join(' ')} (${reason})`,
    ),
  ];
}

export const COMPARISON_LEGEND =
  'time: the fastest of several fits, rows already in memory; speed-up: over the pure-JS engine in the same form. The mistake bound holds for every run, however unlucky, and is far above the usual one.';
