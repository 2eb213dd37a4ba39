// A consumer's code of `perceptron-wasm/cluster`: every public export once, with no library but es2022's. Compiled by
// test/package.long.test.ts against the packed package, and by `npm run typecheck`; never run.

import { MulticlassPerceptron, Perceptron } from 'perceptron-wasm';
import {
  type Cluster,
  type ClusterCrossValidateOptions,
  type ClusterMixOptions,
  type ClusterOptions,
  type ClusterSearchOptions,
  type ClusterWorker,
  connectCluster,
  type LocalMixOptions,
  type MixEpoch,
  type Mixed,
  type MixOptions,
  type MixReport,
  type OnCluster,
  type Progress,
  type ReadHere,
  type Shard,
  startWorker,
  trainMixed,
  type WorkerOptions,
} from 'perceptron-wasm/cluster';
import type { CrossValidation, Search } from 'perceptron-wasm/select';

const url = 'redis://127.0.0.1:6379';
const options: ClusterOptions = { url, onProgress: ({ done, total }: Progress) => void [done, total] };
const read: ReadHere = { label: 'kind', ignore: ['id'] };
const data: OnCluster = { data: 'rows.csv', read };
const validating: ClusterCrossValidateOptions = { ...data, onFold: ({ fold }) => void fold };
const searching: ClusterSearchOptions = { ...data, metric: 'balancedAccuracy' };
const mixing: MixOptions = {
  classes: ['no', 'yes'],
  cols: 2,
  onEpoch: ({ epoch, mistakes }: MixEpoch) => void [epoch, mistakes],
};
const remote: ClusterMixOptions = { ...mixing, shards: ['part-1.svm', 'part-2.svm'], runId: 'monday', resume: true };
const shards: Shard[] = ['part-1.svm', { X: [[1, 2]], y: ['no'] }];
const local: LocalMixOptions = { ...mixing, shards };

export async function coordinate(): Promise<(CrossValidation | Search<Perceptron> | MixReport)[]> {
  const cluster: Cluster = await connectCluster(options);
  const validated: CrossValidation = await cluster.crossValidate(new MulticlassPerceptron(), validating);
  const searched: Search<Perceptron> = await cluster.search(new Perceptron(), { average: [true, false] }, searching);
  const mixed: Mixed<Perceptron> = await cluster.trainMixed(new Perceptron(), remote);
  await cluster.close();
  // @ts-expect-error: rows do not travel
  await cluster.crossValidate(new Perceptron(), { X: [[1]], y: [1] });
  return [validated, searched, mixed.report];
}

export async function work(): Promise<string> {
  const own: WorkerOptions = { url, dataRoot: 'data', threads: 'auto' };
  const worker: ClusterWorker = await startWorker(own);
  await worker.close(1000);
  return worker.name;
}

export const here: Promise<Mixed<Perceptron<string>>> = trainMixed(new Perceptron<string>(), local);
