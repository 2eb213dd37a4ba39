// perceptron-wasm train: reads data, trains and saves a model, and reports.

import { visible } from '../escape.js';
import type { Fold } from '../select/index.js';
import type { Context, Run } from './context.js';
import { expectFolds, holdOut, judgeByFolds } from './crossvalidation.js';
import {
  type Data,
  expectClasses,
  expectColumns,
  expectHeader,
  expectLabels,
  ignoredIn,
  loadData,
  warnOfManyClasses,
  warnOfUnknown,
} from './data.js';
import { dataOf, forTables } from './encoding.js';
import { CommandError, EXIT, UsageError } from './errors.js';
import { expectNotRead, expectWritable, writeOutput } from './files.js';
import { type Fitted, fitModel } from './fitting.js';
import { answersOf, heldOutOf, type Judgement, judge, majorityOf } from './judging.js';
import { loadEither } from './loading.js';
import { type ModelMemory, modelChunks, optionsOf } from './models.js';
import { largeModel } from './modelsize.js';
import type { TRAIN } from './options.js';
import { counted, note, peakMemory, print, printError, printJSON, warn } from './output.js';
import { progress } from './progress.js';
import { expectLabelled, fillsGaps, labelledOnly, loadTable, type RawTable } from './rawtable.js';
import { holdsOut, settle } from './recommending.js';
import { type ClassCount, classCounts } from './rows.js';
import { openInput } from './source.js';
import { judgedLines, type Outcome, story } from './story.js';
import { loadTableFor, warnOfCategories } from './tablefor.js';
import { checkOptions, chooseTrainer, type TrainerName, type TrainValues } from './trainers.js';

export const train: Run<typeof TRAIN.options> = async ({ values, operands }, context) => {
  const { voice, interrupt } = context;
  if (values.shards) return (await import('./shards.js')).trainShards(values, operands, context);
  const [path] = operands;
  if (path === undefined)
    throw new UsageError('DATA is missing; usage: perceptron-wasm train DATA [-o MODEL.json] [options]');
  for (const option of ['classes', 'cluster', 'run', 'resume'] as const) {
    if (values[option] !== undefined) throw new UsageError(`--${option} needs --shards: rows in many files`);
  }
  checkOptions(values);
  checkStreams(path, values, voice.json);
  for (const written of [values.output, values.report]) {
    await expectNotRead(written, [path, values.test, values.labels, values['test-labels']]);
    await expectWritable(written);
  }
  const loaded = await loadEither(path, values, context, (input) => loadTable(input, values, context));
  const data = 'table' in loaded ? await dataOf(loaded, context) : loaded;
  expectLabels(data);
  const other = values.test === undefined ? undefined : await loadTest(values.test, data, values, context);
  const classes = classCounts(data.y);
  expectClasses(data, classes);
  warnOfManyClasses(data, classes);
  if (other)
    warnOfUnknown(
      other,
      classes.map(({ label }) => label),
    );
  const trainer = decide(values, classes, context);
  checkFormat(values, data);
  const { values: settled, said } = settle(values, trainer, data);
  const settings = data.raw ? forTables(settled, context) : settled;
  if (said !== undefined) note(voice, `recommended settings: ${said} (--plain: the textbook perceptron)`);
  const large = largeModel(data, trainer, settings);
  if (large !== undefined) warn(large);
  const heldOut = holdOutRows(data, settings, context);
  const { folds } = values;
  if (folds !== undefined) expectFolds(folds, classes);
  const fitted = await fitModel(
    {
      ...data,
      name: trainer,
      values: settings,
      bar: progress(voice, 'training', { isUpTo: true }),
      proves: true,
      keepsPartial: true,
    },
    context,
  );
  noteThreads(values, fitted, context);
  // A model without any update must not overwrite an older file.
  if (interrupt.happened && fitted.report.mistakes === 0) interrupt.signal.throwIfAborted();
  // Saved first, so that a later error does not lose the model.
  if (values.output !== undefined) await saveModel(values.output, fitted, data, values, interrupt.signal);
  let outcome: Outcome = { data, classes, trainer, values: settings, fitted };
  if (fitted.report.stopReason === 'aborted') return interrupted(outcome, context);
  try {
    interrupt.signal.throwIfAborted();
    const trial = { data, name: trainer, values: settings };
    const judged = other
      ? await testOn(other, data, fitted, context)
      : folds !== undefined
        ? await judgeByFolds(trial, folds, context)
        : heldOut && (await holdOut(trial, heldOut, context));
    outcome = { ...outcome, judged };
  } catch (error) {
    if (interrupt.happened) return interruptedLater(outcome, context);
    throw error;
  }
  if (values.report !== undefined) {
    const { pageOf } = await import('./reporting.js');
    await writeOutput(values.report, [pageOf(outcome)], interrupt.signal);
  }
  await tell(outcome, context);
  return EXIT.done;
};

/** Standard input and output can be used once each. @throws UsageError */
function checkStreams(path: string, { test, labels, output }: TrainValues, json: boolean): void {
  if ([path, test, labels].filter((source) => source === '-').length > 1) {
    throw new UsageError('standard input (-) can be read only once');
  }
  if (labels === '-') throw new UsageError('--labels takes a file, not standard input');
  if (json && output === '-') throw new UsageError('--json and -o - both write to standard output');
}

/** Reads the test rows with the layout of the training rows. */
async function loadTest(path: string, data: Data, values: TrainValues, context: Context): Promise<Data | RawTable> {
  const { X, label, name, featureNames, encoder, raw } = data;
  const column = label?.name ?? label?.index;
  const input = await openInput(path, context);
  if (encoder) {
    const model = { encoder, name, label: label?.name, ignored: values.ignore, isNameless: raw?.isNameless };
    const { header, missing, 'max-cols': maxCols } = values;
    const read = await loadTableFor(input, model, { header, missing, 'max-cols': maxCols }, context);
    const table = fillsGaps(values) ? labelledOnly(read) : expectLabelled(read);
    expectLabels(table);
    warnOfCategories(table, encoder);
    return table;
  }
  const layout = { header: values.header, ignore: ignoredIn(input, { ignored: values.ignore, label }, X.cols) };
  if (label?.name !== undefined) expectHeader(input, { name, cols: X.cols, names: featureNames }, label.name, layout);
  const other = await loadData(
    path,
    { ...values, ...layout, labels: values['test-labels'], cols: X.cols, label: column, because: 'as in training' },
    context,
    input,
  );
  expectColumns(other, X.cols, featureNames, name);
  expectLabels(other);
  return other;
}

function decide(values: TrainValues, classes: readonly ClassCount[], { voice }: Context): TrainerName {
  const { name, reason } = chooseTrainer(values, classes.length);
  if (reason) note(voice, `--trainer ${name}: ${reason}`);
  return name;
}

/** Notes why --threads N was not possible. */
function noteThreads({ threads }: TrainValues, { report }: Fitted, { voice }: Context): void {
  const { threadsReason } = report;
  if (typeof threads === 'number' && threadsReason !== undefined) note(voice, `--threads ${threads}: ${threadsReason}`);
}

/** Checks before training that the format can hold the labels. @throws CommandError */
function checkFormat({ as }: TrainValues, { y, name }: Data): void {
  if (as === 'liblinear' && typeof y[0] !== 'number') {
    throw new CommandError(`--as liblinear needs labels that are numbers; ${name} has ${JSON.stringify(y[0])}`);
  }
}

/** Saves a model with what is known of its data. */
export async function saveModel(
  path: string,
  { model, diagnosis }: Fitted,
  data: Data,
  { as = 'json', ignore }: TrainValues,
  signal: AbortSignal,
): Promise<void> {
  const { format, delimiter, label, X, raw } = data;
  const memory: ModelMemory = {
    format,
    ...(delimiter !== undefined && { delimiter }),
    ...(raw?.isNameless && { header: false }),
    ...(label && { label: { index: label.index, ...(label.name !== undefined && { name: label.name }) } }),
    ...(ignore && { ignored: ignore }),
    rows: X.rows,
    ...(diagnosis && {
      margin: {
        lower: diagnosis.margin.lower,
        upper: Number.isFinite(diagnosis.margin.upper) ? diagnosis.margin.upper : null,
      },
      mistakeBound: diagnosis.mistakeBound,
      accuracy: diagnosis.accuracy,
    }),
  };
  await writeOutput(path, modelChunks(model, as, memory), signal);
}

async function testOn(other: Data | RawTable, { y }: Data, { model }: Fitted, context: Context): Promise<Judgement> {
  const rows = 'table' in other ? other.table : other.X;
  const bar = progress(context.voice, 'testing');
  const answers = await answersOf(model, rows, other.y, majorityOf(y), bar, context);
  const { scores, ranking } = answers;
  return { kind: 'test', evaluation: judge(answers), labels: other.y, scores, ranking, file: other.name };
}

/** The rows to hold out and to train on, if any; notes why not if nobody asked. @throws CommandError if somebody did */
function holdOutRows(data: Data, values: TrainValues, { voice }: Context): Fold | undefined {
  if (!holdsOut(values)) return undefined;
  const { holdout, seed = 0 } = values;
  const found = heldOutOf(data, holdout, seed);
  if (typeof found !== 'string') return found;
  if (holdout !== undefined) throw new CommandError(`--holdout ${holdout} is not possible: ${found}`);
  note(voice, `nothing is held out: ${found}`);
  return undefined;
}

const savedWhere = (output: string | undefined): string =>
  output === undefined
    ? 'not saved; add -o model.json to keep it'
    : output === '-'
      ? 'on standard output'
      : `saved as ${visible(output)}`;

async function tell(outcome: Outcome, context: Context): Promise<void> {
  const { voice } = context;
  if (voice.json) return printJSON(asJSON(outcome, context));
  const { output } = outcome.values;
  const text = voice.quiet ? judgedLines(outcome).join('\n') : story(outcome, savedWhere(output));
  if (text === '') return;
  // Standard output contains the model only.
  if (output === '-') printError(text.trimEnd());
  else await print(`${text.trimEnd()}\n`);
}

/** Reports Ctrl-C during training; the model so far is saved already. */
async function interrupted(outcome: Outcome, context: Context): Promise<typeof EXIT.interrupted> {
  const { epochs, mistakes } = outcome.fitted.report;
  const { output } = outcome.values;
  if (context.voice.json) await printJSON(asJSON(outcome, context));
  const when = `interrupted after ${counted(epochs, 'epoch')} and ${counted(mistakes, 'mistake')}`;
  const kept = output === undefined ? 'without -o nothing was saved' : `the model so far is ${savedWhere(output)}`;
  printError(`${when}; ${kept}`);
  return EXIT.interrupted;
}

/** Reports Ctrl-C after training, with all results so far. */
async function interruptedLater(outcome: Outcome, context: Context): Promise<typeof EXIT.interrupted> {
  const { output, folds } = outcome.values;
  await tell(outcome, context);
  const when = `interrupted during ${folds === undefined ? 'the test' : 'cross-validation'}`;
  const kept =
    output === undefined ? 'without -o nothing was saved' : `the model is complete and ${savedWhere(output)}`;
  printError(`${when}; ${kept}`);
  return EXIT.interrupted;
}

/** The accuracy on rows that the model has not seen, by how it was found. */
const ACCURACY: Record<Judgement['kind'], (judged: Judgement) => object> = {
  'held-out': ({ evaluation }) => ({ heldOut: evaluation.accuracy }),
  test: ({ evaluation }) => ({ test: evaluation.accuracy }),
  folds: ({ spread }) => ({ folds: spread }),
};

const testJSON = ({ file, evaluation: { rows, accuracy } }: Judgement) => ({
  file,
  rows,
  right: Math.round(accuracy * rows),
});

function asJSON({ data, classes, trainer, values, fitted, judged }: Outcome, { version, interrupt }: Context) {
  const { X, name, format, delimiter, label, readMs, raw, encodeMs } = data;
  const { report, diagnosis, trained, fitMs } = fitted;
  return {
    command: 'train',
    version,
    data: {
      file: name,
      format,
      rows: X.rows,
      cols: X.cols,
      ...('nonZeros' in X && { nonZeros: X.nonZeros }),
      classes,
      delimiter,
      label,
      ...(raw && { columns: raw.columns, missing: raw.missing }),
    },
    trainer,
    scale: values.scale ?? null,
    options: optionsOf(trained),
    report,
    diagnosis: diagnosis ?? null,
    accuracy: {
      training: diagnosis?.accuracy ?? null,
      ...(judged && ACCURACY[judged.kind](judged)),
    },
    ...(judged?.kind === 'test' && { test: testJSON(judged) }),
    ...(judged && { evaluation: judged.evaluation }),
    model: values.output ?? null,
    interrupted: interrupt.happened,
    timings: { readMs, ...(encodeMs !== undefined && { encodeMs }), fitMs },
    peakMemoryBytes: peakMemory(),
  };
}
