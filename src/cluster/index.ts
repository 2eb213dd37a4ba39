// perceptron-wasm/cluster: folds, searches and shards on several machines, through Redis. Node only. Named re-exports, no logic.

export { type Cluster, type ClusterOptions, connectCluster } from './cluster.js';
export type { ReadHere } from './datasets.js';
export { type LocalMixOptions, type Shard, trainMixed } from './local.js';
export type { ClusterMixOptions } from './mixed.js';
export type { MixEpoch, Mixed, MixOptions, MixReport } from './mixing.js';
export type { Progress } from './tasks.js';
export type { ClusterCrossValidateOptions, ClusterSearchOptions, OnCluster } from './validate.js';
export { type ClusterWorker, startWorker, type WorkerOptions } from './worker.js';
