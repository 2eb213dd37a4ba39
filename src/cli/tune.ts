// perceptron-wasm tune: tries options by cross-validation on the same folds, and says which are best.

import type { Cluster } from '../cluster/index.js';
import { compareModels, type Selectable } from '../select/index.js';
import type { Option, OptionTable } from './arguments.js';
import type { Context, Run } from './context.js';
import { expectFolds, foldBar } from './crossvalidation.js';
import { type Data, expectClasses, expectLabels } from './data.js';
import { dataOf, forTables } from './encoding.js';
import { EXIT, UsageError } from './errors.js';
import { expectNotRead, expectWritable } from './files.js';
import { fitModel } from './fitting.js';
import { nearest } from './header.js';
import type { Spread } from './judging.js';
import { loadEither } from './loading.js';
import { TRAIN, type TUNE } from './options.js';
import { counted, percent, print, printJSON } from './output.js';
import { progress } from './progress.js';
import { inputOf, prototypeOf } from './prototype.js';
import { loadTable } from './rawtable.js';
import { settle } from './recommending.js';
import { classCounts } from './rows.js';
import { table } from './tables.js';
import { saveModel } from './train.js';
import { checkOptions, chooseTrainer, type TrainerName, type TrainValues } from './trainers.js';

/** A choice of options, as typed and as read. */
interface Point {
  readonly options: Readonly<Record<string, string>>;
  readonly values: TrainValues;
}

interface Tried extends Point {
  readonly name: TrainerName;
  readonly settled: TrainValues;
  readonly score: Spread;
}

/** The metrics by the names of the library. */
const METRICS = {
  accuracy: 'accuracy',
  'balanced-accuracy': 'balancedAccuracy',
  'macro-f1': 'macro.f1',
  matthews: 'matthews',
} as const;

type Metric = keyof typeof METRICS;

export const tune: Run<typeof TUNE.options> = async ({ values: given, operands }, context) => {
  const { voice, interrupt } = context;
  const path = operands[0] as string;
  const { grid = [], metric = 'accuracy', folds: count = 5, cluster, ...values } = given;
  const points = pointsOf(grid, values as TrainValues);
  for (const point of points) checkOptions(point.values);
  await expectNotRead(values.output, [path, values.labels]);
  await expectWritable(values.output);
  const loaded = await loadEither(path, values, context, (input) => loadTable(input, values as TrainValues, context));
  const data = 'table' in loaded ? await dataOf(loaded, context) : loaded;
  expectLabels(data);
  const classes = classCounts(data.y);
  expectClasses(data, classes);
  expectFolds(count, classes);
  const trials = points.map((point) => {
    const { name } = chooseTrainer(point.values, classes.length);
    return { ...point, name, settled: settledFor(point.values, name, data, context) };
  });
  // On a cluster there is another bar, which also counts workers.
  const bar = cluster === undefined ? foldBar(points.length * count, context) : { fold() {}, end() {} };
  const models = trials.map(({ name, settled }) => prototypeOf({ data, name, values: settled }));
  const options = { folds: count, seed: values.seed ?? 0, metric: METRICS[metric], onFold: bar.fold };
  const scored = await (cluster === undefined
    ? compareModels(models as [Selectable], inputOf(data), data.y, {
        ...options,
        threads: values.threads,
        signal: interrupt.signal,
      })
    : compareThere(cluster, models as [Selectable], path, values as TrainValues, data, options, context)
  ).finally(bar.end);
  const tried = trials.map((trial, k): Tried => {
    const { mean, deviation, scores } = scored[k] as (typeof scored)[0];
    return { ...trial, score: { mean, sd: deviation, each: scores } };
  });
  // The first of equal ones.
  const best = tried.reduce((top, one) => (one.score.mean > top.score.mean ? one : top));
  if (values.output !== undefined) {
    const bar = progress(voice, 'training', { isUpTo: true });
    const { name, settled } = best;
    const request = { ...data, name, values: settled, bar, proves: true, keepsPartial: false };
    await saveModel(values.output, await fitModel(request, context), data, settled, interrupt.signal);
  }
  await tell(tried, best, metric, data, values.output, context);
  return EXIT.done;
};

async function compareThere(
  url: string,
  models: [Selectable],
  path: string,
  values: TrainValues,
  data: Data,
  options: Omit<Parameters<Cluster['compareModels']>[1], 'data'>,
  context: Context,
): Promise<Awaited<ReturnType<Cluster['compareModels']>>> {
  const { onCluster, sourceFor } = await import('./oncluster.js');
  const source = sourceFor(path, values, data);
  return onCluster(url, context, (cluster) => cluster.compareModels(models, { ...source, ...options }));
}

function settledFor(values: TrainValues, name: TrainerName, data: Data, context: Context): TrainValues {
  const { values: settled } = settle(values, name, data);
  return data.raw ? forTables(settled, { ...context, voice: { ...context.voice, quiet: true } }) : settled;
}

/** All choices, the last option changing fastest. @throws UsageError naming the option that is wrong */
function pointsOf(grid: readonly string[], values: TrainValues): Point[] {
  if (grid.length === 0)
    throw new UsageError("--grid is missing: say what to try, such as --grid 'average=true,false'");
  let points: Point[] = [{ options: {}, values }];
  const seen = new Set<string>();
  for (const entry of grid) {
    const [, name, list] = /^([a-z0-9-]+)=(.*)$/.exec(entry) ?? [];
    if (name === undefined || list === undefined || list === '') {
      throw new UsageError(`--grid takes NAME=VALUE,VALUE, got ${JSON.stringify(entry)}`);
    }
    const option = (TRAIN.options as OptionTable)[name];
    if (!option || NOT_TUNED.includes(name)) throw unknown(name);
    if (seen.has(name)) throw new UsageError(`--grid ${name} is given twice: put all values in one`);
    seen.add(name);
    const choices = list.split(',').map((text) => ({ text, value: readValue(option, name, text) }));
    points = points.flatMap(({ options, values: before }) =>
      choices.map(({ text, value }) => ({
        options: { ...options, [name]: text },
        values: withValue(before, name, value),
      })),
    );
  }
  return points;
}

/** Options that are about files, judging and saying. */
const NOT_TUNED = ['output', 'as', 'holdout', 'test', 'test-labels', 'folds', 'report', 'json', 'quiet', 'help', 'label', 'labels', 'format', 'header', 'threads', 'no-average', 'cols', 'max-cols', 'ignore', 'text', 'category', 'missing']; // biome-ignore format: a list

function unknown(name: string): UsageError {
  const names = Object.keys(TRAIN.options).filter((other) => !NOT_TUNED.includes(other));
  const near = nearest(name, names);
  const hint = near === undefined ? `there are ${names.join(', ')}` : `do you mean ${near}?`;
  return new UsageError(`--grid ${name}: there is no such option to tune; ${hint}`);
}

/** Flags take true and false, all others what the option takes. */
function readValue(option: Option<unknown>, name: string, text: string): unknown {
  if (option.placeholder !== undefined) return option.read(text, `--grid ${name}`);
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(`--grid ${name} takes true or false, got ${JSON.stringify(text)}`);
}

function withValue(values: TrainValues, name: string, value: unknown): TrainValues {
  if (name === 'average') return { ...values, average: value === true, 'no-average': value !== true };
  return { ...values, [name]: value };
}

async function tell(
  tried: readonly Tried[],
  best: Tried,
  metric: Metric,
  { name: file }: Pick<Data, 'name'>,
  output: string | undefined,
  { voice, version }: Context,
): Promise<void> {
  const results = tried.map(({ options, score }) => ({ options, ...score }));
  if (voice.json) {
    return printJSON({
      command: 'tune',
      version,
      data: { file },
      metric,
      best: { options: best.options, score: best.score.mean },
      results,
      model: output ?? null,
    });
  }
  const names = Object.keys(best.options);
  const rows = [...tried]
    .sort((a, b) => b.score.mean - a.score.mean)
    .map(({ options, score }) => [
      ...names.map((key) => options[key] as string),
      percent(score.mean),
      score.each.length > 1 ? `± ${(score.sd * 100).toFixed(2)}` : '',
    ]);
  const words = names
    .map((key) => flagWord(key, best.options[key] as string))
    .filter(Boolean)
    .join(' ');
  const saved = output === undefined ? 'add -o model.json to keep the model' : `saved as ${output}`;
  await print(
    `${table(
      [...names, metric, ''],
      rows,
      names.map((_, k) => k),
    )}\n\nbest of ${counted(tried.length, 'choice')}: ${words}; ${saved}\n`,
  );
}

/** An option as one types it. */
function flagWord(name: string, text: string): string {
  if (text === 'true') return `--${name}`;
  if (text === 'false') return name === 'average' ? '--no-average' : '';
  return `--${name} ${text}`;
}
