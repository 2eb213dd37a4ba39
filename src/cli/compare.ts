// perceptron-wasm compare: trains both forms on every engine with the same rows.

import { visible } from '../escape.js';
import { chooseForm, compare, describe, type Label, Perceptron, type Rows, Scaler } from '../index.js';
import type { ValuesOf } from './arguments.js';
import type { Context, Run } from './context.js';
import { expectClasses, expectLabels } from './data.js';
import { dataOf } from './encoding.js';
import { EXIT } from './errors.js';
import { generateAll } from './generate.js';
import { loadEither } from './loading.js';
import type { COMPARE } from './options.js';
import { count, print, printError, printJSON } from './output.js';
import { loadTable } from './rawtable.js';
import { classCounts } from './rows.js';
import { COMPARISON_LEGEND, comparisonRemarks, comparisonTable, wrap } from './tables.js';
import { sharedOptions } from './trainers.js';

type CompareValues = ValuesOf<typeof COMPARE.options>;

export const compareCommand: Run<typeof COMPARE.options> = async ({ values, operands }, context) => {
  const { title, X, y, featureNames } = await rowsFor(operands[0], values, context);
  const { voice, interrupt, version } = context;
  // The rest is one long synchronous call with nothing to save.
  interrupt.release();
  const isWatched = process.stderr.isTTY && !voice.quiet && !voice.json;
  if (isWatched) printError('training in both forms on every engine …');
  const scaler = values.scale && new Scaler({ kind: values.scale }).fit(X);
  const Z = scaler ? scaler.transform(X) : X;
  const options = sharedOptions(values, { featureNames, ...(scaler && { interceptScaling: scaler.interceptScaling }) });
  const comparison = compare(Z, y, { ...options, ...(values.budget !== undefined && { budgetMs: values.budget }) });
  const model = new Perceptron<Label>(options).fit(Z, y);
  const choice = chooseForm(Z, { epochs: model.report.epochs });
  if (voice.json) {
    await printJSON({ command: 'compare', version, data: title, ...comparison, chooseForm: choice });
    return EXIT.done;
  }
  const words = `In words: ${describe({ ...model.report, advice: [] }, model.diagnose(Z, y))}`;
  const remarks = [words, ...comparisonRemarks(comparison, choice), '', COMPARISON_LEGEND];
  await print(
    `${visible(title)}\n\n${comparisonTable(comparison)}\n\n${remarks.map((text) => wrap(text)).join('\n')}\n`,
  );
  return EXIT.done;
};

interface Contested {
  title: string;
  X: Rows;
  y: Label[];
  featureNames?: readonly string[] | undefined;
}

const GENERATED = { shape: 'separable', rows: 200, cols: 2000, margin: 0.5, seed: 0 } as const;

async function rowsFor(path: string | undefined, values: CompareValues, context: Context): Promise<Contested> {
  if (path === undefined) {
    const { rows, cols, margin, seed } = GENERATED;
    const title = `A hidden plane with a margin of ${margin}: ${rows} × ${count(cols)}, generated (seed ${seed})`;
    return { title, ...generateAll(GENERATED) };
  }
  const loaded = await loadEither(path, values, context, (input) => loadTable(input, values, context));
  const data = 'table' in loaded ? await dataOf(loaded, context) : loaded;
  expectLabels(data);
  expectClasses(data, classCounts(data.y));
  const { X, y, featureNames } = data;
  return { title: `${data.name}: ${count(X.rows)} × ${count(X.cols)}`, X, y, featureNames };
}
