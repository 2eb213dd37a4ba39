/**
 * Several machines: folds, searches and shards through Redis. Node only; needs the packages `bullmq` and `ioredis`.
 *
 * @module perceptron-wasm/cluster
 */

export { type Cluster, type ClusterOptions, connectCluster } from './cluster.js';
