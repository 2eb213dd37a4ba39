/**
 * Several machines: folds, searches and shards through Redis. Node only; needs the packages `bullmq` and `ioredis`.
 *
 * @module perceptron-wasm/cluster
 */

export { type Cluster, type ClusterOptions, connectCluster } from './cluster.js';
export type { ReadHere } from './datasets.js';
export { type LocalMixOptions, type Shard, trainMixed } from './local.js';
export type { ClusterMixOptions } from './mixed.js';
export type { MixEpoch, Mixed, MixOptions, MixReport } from './mixing.js';
export type { Progress } from './tasks.js';
export type { ClusterCrossValidateOptions, ClusterSearchOptions, OnCluster } from './validate.js';
export { type ClusterWorker, startWorker, type WorkerOptions } from './worker.js';
