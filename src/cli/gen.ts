// perceptron-wasm gen: writes example data.

import { csvLines, libsvmLines } from '../io/index.js';
import type { Run } from './context.js';
import { EXIT, UsageError } from './errors.js';
import { expectWritable, writeOutput } from './files.js';
import { generate, problemWith, type Recipe, SHAPES } from './generate.js';
import type { GENERATE } from './options.js';
import { count, counted, note, printJSON } from './output.js';
import { type Progress, progress } from './progress.js';

export const gen: Run<typeof GENERATE.options> = async ({ values, operands }, context) => {
  const recipe = recipeFor(operands[0] as string, values);
  const { output = '-' } = values;
  const { voice, interrupt } = context;
  if (voice.json && output === '-') throw new UsageError('--json needs -o FILE: the rows take standard output');
  if (/\.npy(\.gz)?$/i.test(output)) throw new UsageError(`gen writes LIBSVM or CSV, not .npy: -o ${output}`);
  await expectWritable(output);
  const format = values.format ?? (/\.(csv|tsv)(\.gz)?$/i.test(output) ? 'csv' : 'libsvm');
  const bar = progress(voice, 'generating');
  try {
    interrupt.signal.throwIfAborted();
    await writeOutput(output, lines(recipe, format, interrupt.signal, bar), interrupt.signal);
  } finally {
    bar.end();
  }
  if (voice.json) await printJSON({ command: 'gen', ...recipe, format, output });
  const what = `${recipe.shape}, ${counted(recipe.rows, 'row')} × ${counted(recipe.cols, 'column')}, seed ${recipe.seed}`;
  if (!voice.json)
    note(voice, `${what}: ${MEANING[recipe.shape](recipe.margin)}${output === '-' ? '' : `; ${output}`}`);
  return EXIT.done;
};

const MEANING: Record<Recipe['shape'], (margin: number) => string> = {
  separable: (margin) => `a plane separates them with a margin of at least ${margin}, the bias counted as a weight`,
  xor: (margin) => `no plane separates them; the first two columns are at least ${margin} away from 0`,
  moons: (margin) => `no plane separates them; the moons are at least ${margin} apart`,
};

function recipeFor(shape: string, values: Partial<Omit<Recipe, 'shape'>>): Recipe {
  const known = SHAPES.find((name) => name === shape);
  if (!known) throw new UsageError(`gen makes ${SHAPES.join(', ')}, got ${JSON.stringify(shape)}`);
  const { rows = 1000, cols = 2, margin = 0.1, seed = 0 } = values;
  const recipe = { shape: known, rows, cols, margin, seed };
  const problem = problemWith(recipe);
  if (problem) throw new UsageError(problem);
  return recipe;
}

async function* lines(
  recipe: Recipe,
  format: 'csv' | 'libsvm',
  signal: AbortSignal,
  bar: Progress,
): AsyncGenerator<string> {
  let done = 0;
  for (const { X, y } of generate(recipe)) {
    if (format === 'libsvm') yield* libsvmLines(X, y);
    else yield* withoutHeader(csvLines(X, y, { label: 'label' }), done > 0);
    done += y.length;
    bar.update(done, recipe.rows, () => `${count(done)} of ${counted(recipe.rows, 'row')}`);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
}

/** Drops the header of blocks after the first. */
function* withoutHeader(chunks: Iterable<string>, isLater: boolean): Generator<string> {
  let header = isLater;
  for (const chunk of chunks) {
    yield header ? chunk.slice(chunk.indexOf('\n') + 1) : chunk;
    header = false;
  }
}
