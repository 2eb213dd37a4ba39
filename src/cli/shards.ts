// train --shards: rows in many files, mixed (perceptron-wasm/cluster), here or on the workers of a cluster.

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Mixed, trainMixed } from '../cluster/index.js';
import { visible } from '../escape.js';
import type { Label } from '../index.js';
import { RECOMMENDED_EPOCHS } from '../select/index.js';
import type { Context } from './context.js';
import { CommandError, EXIT, type ExitStatus, UsageError } from './errors.js';
import { expectNotRead, expectWritable, writeOutput } from './files.js';
import { modelChunks, type Trained } from './models.js';
import { onCluster, readFor } from './oncluster.js';
import { counted, note, print, printError, printJSON } from './output.js';
import { progress } from './progress.js';
import { checkOptions, chooseTrainer, makeTrainer, type TrainValues } from './trainers.js';

/** Options of train that say nothing about shards. */
const NOT_FOR_SHARDS = ['test', 'test-labels', 'folds', 'holdout', 'report', 'scale', 'text', 'category', 'missing', 'labels', 'validation', 'patience', 'tol', 'kernel', 'ratchet', 'threads'] as const; // biome-ignore format: a list

export async function trainShards(
  values: TrainValues,
  operands: readonly string[],
  context: Context,
): Promise<ExitStatus> {
  const { shards: patterns = [], classes, cols, cluster, run, resume = false, output } = values;
  if (operands.length > 0) throw new UsageError(`DATA and --shards cannot be combined: choose one`);
  const odd = NOT_FOR_SHARDS.find((name) => values[name] !== undefined);
  if (odd !== undefined) throw new UsageError(`--${odd} does not go with --shards`);
  if (classes === undefined) throw new UsageError('--shards needs --classes: a shard may lack one');
  if (cols === undefined) throw new UsageError('--shards needs --cols: a LIBSVM file may end before the last column');
  if (cluster === undefined && (run !== undefined || resume))
    throw new UsageError('--run and --resume need --cluster: runs are kept there');
  if (resume && run === undefined) throw new UsageError('--resume needs the --run that is to go on');
  if (values.order !== undefined && values.order !== 'cyclic') {
    throw new UsageError(`--order ${values.order} does not go with --shards: shuffle the rows before you split them`);
  }
  const { name } = chooseTrainer(values, classes.length);
  if (name !== 'primal' && name !== 'multiclass')
    throw new UsageError(`--trainer ${name} does not go with --shards: weights are mixed`);
  const settled = settledFor(values, name);
  checkOptions(settled);
  const paths = await pathsOf(patterns);
  for (const path of paths) await expectNotRead(output, [path]);
  await expectWritable(output);
  const mixed = await (cluster === undefined
    ? mixHere(settled, name, paths, context)
    : mixThere(settled, name, paths, cluster, context));
  if (output !== undefined) {
    await writeOutput(
      output,
      modelChunks(mixed.model, values.as ?? 'json', { rows: mixed.report.rows }),
      context.interrupt.signal,
    );
  }
  await tell(mixed, output, context);
  return EXIT.done;
}

/** What is recommended, as far as shards allow it. */
function settledFor(values: TrainValues, name: string): TrainValues {
  const { 'no-average': noAverage, ...asked } = values;
  const base = { ...asked, order: 'cyclic' as const };
  if (values.plain) return base;
  return {
    ...base,
    epochs: values.epochs ?? RECOMMENDED_EPOCHS,
    ...(!noAverage && { average: true }),
    ...(name === 'multiclass' &&
      values.strategy === undefined &&
      (values.update ?? 'perceptron') === 'perceptron' && { strategy: 'multinomial' as const }),
  };
}

/** The files of the patterns; * and ? stand for parts of file names. One without them need not exist here: workers have it. */
async function pathsOf(patterns: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    patterns.map(async (pattern) => {
      if (!/[*?]/.test(basename(pattern))) return [pattern];
      const text = basename(pattern)
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.');
      const names = (await readdir(dirname(pattern)).catch(() => []))
        .filter((name) => new RegExp(`^${text}$`).test(name))
        .sort();
      if (names.length === 0) {
        throw new CommandError(
          `no file here matches ${pattern}: name shards that only the workers have one by one (--shards may be repeated)`,
        );
      }
      return names.map((name) => join(dirname(pattern), name));
    }),
  );
  const paths = lists.flat();
  const twice = paths.find((path, k) => paths.indexOf(path) !== k);
  if (twice !== undefined) throw new UsageError(`${twice} is given twice in --shards`);
  return paths;
}

type Trainers = 'primal' | 'multiclass';

const settings = (values: TrainValues) => ({
  classes: values.classes as readonly Label[],
  cols: values.cols as number,
  read: readFor(values),
});

async function mixHere(
  values: TrainValues,
  name: Trainers,
  shards: readonly string[],
  { voice, interrupt }: Context,
): Promise<Mixed<Trained>> {
  const bar = progress(voice, 'mixing', { isUpTo: true });
  const total = values.epochs ?? 1000;
  try {
    return await trainMixed(makeTrainer(name, values), {
      ...settings(values),
      shards,
      signal: interrupt.signal,
      onEpoch: ({ epoch, mistakes }) =>
        bar.update(epoch, total, () => `epoch ${epoch} | ${counted(mistakes, 'mistake')}`),
    });
  } finally {
    bar.end();
  }
}

function mixThere(
  values: TrainValues,
  name: Trainers,
  shards: readonly string[],
  url: string,
  context: Context,
): Promise<Mixed<Trained>> {
  const { run = `run-${Date.now().toString(36)}`, resume = false } = values;
  note(
    context.voice,
    `run ${run}: if this command ends, the same one with --run ${run} --resume goes on after the last epoch`,
  );
  return onCluster(url, context, (cluster) =>
    cluster.trainMixed(makeTrainer(name, values), { ...settings(values), shards, runId: run, resume }),
  );
}

async function tell(
  { report }: Mixed<Trained>,
  output: string | undefined,
  { voice, version }: Context,
): Promise<void> {
  if (voice.json) return printJSON({ command: 'train', version, report, model: output ?? null });
  const { shards, rows, epochs, mistakes, converged } = report;
  const saved = output === undefined ? 'not saved; add -o model.json to keep it' : `saved as ${visible(output)}`;
  const outcome = converged ? 'separated' : 'not separated';
  const text = `mixed ${counted(shards, 'shard')} of ${counted(rows, 'row')}: ${outcome} after ${counted(epochs, 'epoch')} and ${counted(mistakes, 'mistake')}; ${saved}`;
  if (output === '-') printError(text);
  else await print(`${text}\n`);
}
