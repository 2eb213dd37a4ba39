// trainMixed on workers: the coordinator keeps the common weights, and a checkpoint of them in Redis after every epoch.

import { createHash, randomUUID } from 'node:crypto';
import { expectOptions, mustBe } from '../errors.js';
import { own } from '../own.js';
import { type DataSource, expectReadHere, type ReadHere } from './datasets.js';
import type { Looked, PassJob } from './jobs.js';
import { KEEP_SECONDS, MOST_VALUE_BYTES, QUEUE, runKey, weightsKey } from './keys.js';
import {
  MIX_KEYS,
  type Mixed,
  type MixOptions,
  type MixPlan,
  type MixState,
  mixedOf,
  mixing,
  mixPlan,
  mixStart,
} from './mixing.js';
import { type Pass, shapeOf } from './pass.js';
import { expectRelative } from './root.js';
import { anyOf, type Caller } from './validate.js';
import { pack, unpack } from './wire.js';

/** Options of `cluster.trainMixed`. */
export interface ClusterMixOptions extends MixOptions {
  /** Files below the data root of the workers, in the order in which they are mixed. */
  shards: readonly string[];
  /** How they are read: options of readData. */
  read?: ReadHere | undefined;
  /** The name of the run, by which it can be resumed. Default: a new one. */
  runId?: string | undefined;
  /** Goes on after the last epoch of this run that was completed. Default false. */
  resume?: boolean | undefined;
}

/** The state of a run in Redis. */
interface Checkpoint {
  /** What was asked for: it must be the same when the run is resumed. */
  readonly asked: string;
  readonly state: MixState;
}

export async function trainMixedOn<M>(caller: Caller, model: M, options: ClusterMixOptions): Promise<Mixed<M>> {
  const {
    runId = randomUUID(),
    resume = false,
    shards,
    read,
  } = expectOptions(options, [...MIX_KEYS, 'runId', 'resume'], 'trainMixed');
  if (typeof runId !== 'string' || !/^[\w.-]{1,100}$/.test(runId)) {
    throw mustBe('"runId"', 'a name of letters, digits, points and dashes, 100 at most', runId, 'string');
  }
  if (typeof resume !== 'boolean') throw mustBe('"resume"', 'true or false', resume);
  if (resume && options.runId === undefined) throw new TypeError('"resume" needs the "runId" of the run');
  const plan = mixPlan(model, own(options), ['runId', 'resume']);
  if (read !== undefined) expectReadHere(read);
  shards.forEach((path, k) => {
    expectRelative(path, `shards[${k}]`);
  });
  expectSendable(plan);
  const { tasks } = caller;
  const signal = anyOf(caller.signal, plan.signal);
  const checked = { ...plan, signal };
  const sources = shards.map((data): DataSource => ({ data, as: 'blocks', read: { ...read, cols: plan.cols } }));
  // Where all shards are what they are now, for the whole run.
  const looks = sources.map((source) => ({
    name: `looking at ${source.data}`,
    job: { kind: 'look' as const, source, model: plan.model },
  }));
  const looked = (await tasks.run(looks, { signal })) as Looked[];
  const asked = askedFor(plan, sources, looked);
  const from = resume ? await stateOf(caller, runId, asked, signal) : mixStart(plan);
  const began = performance.now();
  const passes = async (state: MixState): Promise<readonly Pass[]> => {
    const bytes = Buffer.from(state.common.buffer, state.common.byteOffset, state.common.byteLength);
    const weights = createHash('sha256').update(bytes).digest('hex');
    const put = () => tasks.command((redis) => redis.set(weightsKey(weights), bytes, 'EX', KEEP_SECONDS), signal);
    const tell = () =>
      caller.onProgress?.({
        what: 'epochs',
        done: state.runs[0]?.mistakesByEpoch.length ?? 0,
        total: plan.maxEpochs,
        workers: tasks.workers,
        elapsedMs: performance.now() - began,
      });
    await put();
    tell();
    const jobs = sources.map((source, k) => {
      const { model, classes, cols } = plan;
      const job: PassJob = { kind: 'pass', source, hash: looked[k]?.hash as string, model, classes, cols, weights };
      return { job, name: `the pass over ${source.data}` };
    });
    try {
      const onCheck = () => {
        tell();
        keepOn(caller, [weightsKey(weights), runKey(runId)]);
      };
      return (await tasks.run(jobs, { signal, onCheck, onLost: put })) as Pass[];
    } finally {
      await tasks.forget(weightsKey(weights));
    }
  };
  const keep = async (state: MixState) => {
    const checkpoint: Checkpoint = { asked, state };
    await tasks.command((redis) => redis.set(runKey(runId), pack(checkpoint), 'EX', KEEP_SECONDS), signal);
  };
  const end = await mixing(checked, from, passes, keep);
  await tasks.forget(runKey(runId));
  return mixedOf(plan, end, shards.length);
}

/** A pass may answer with four numbers a weight: where it is and its value, and both again for its sum. */
const BYTES_A_WEIGHT = 24;

/** @throws RangeError if an answer would not go into one value of Redis */
function expectSendable(plan: MixPlan): void {
  const most = Math.floor((MOST_VALUE_BYTES - 2 ** 20) / BYTES_A_WEIGHT);
  const { planes } = shapeOf(plan);
  const weights = planes * (plan.cols + 1);
  if (weights <= most) return;
  throw new RangeError(
    `"cols" is ${plan.cols}, which makes ${weights} weights${planes > 1 ? ` for ${planes} classes` : ''}; on a cluster they must be at most ${most}`,
  );
}

/** An epoch may take longer than keys are kept. */
function keepOn({ tasks }: Caller, keys: readonly string[]): void {
  const kept = tasks.command((redis) => Promise.all(keys.map((key) => redis.expire(key, KEEP_SECONDS))));
  kept.catch(() => {}); // what is lost meanwhile is sent again, or is an error of the run itself
}

/** What decides the result of a run, but for the number of epochs. */
const askedFor = ({ model, classes, cols }: MixPlan, sources: readonly DataSource[], looked: readonly Looked[]) =>
  createHash('sha256')
    .update(pack([QUEUE, model, classes, cols, sources, looked.map(({ hash }) => hash)]))
    .digest('hex');

/** @throws Error if Redis does not know the run, or it is another one */
async function stateOf(
  { tasks }: Caller,
  runId: string,
  asked: string,
  signal: AbortSignal | undefined,
): Promise<MixState> {
  const bytes = await tasks.command((redis) => redis.getBuffer(runKey(runId)), signal);
  if (!bytes) {
    throw new Error(
      `Redis does not know the run ${runId}: it has ended, no epoch of it was completed, or the server lost its memory; start it anew, without resume`,
    );
  }
  const { asked: before, state } = unpack(bytes) as Checkpoint;
  if (before !== asked) {
    throw new Error(
      `the run ${runId} was started with another model, other shards, classes, columns or reader options, by another version, or a shard has changed since`,
    );
  }
  return state;
}
