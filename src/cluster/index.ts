// perceptron-wasm/cluster: folds, searches and shards on several machines, through Redis. Node only. Named re-exports, no logic.

export { type Cluster, type ClusterOptions, connectCluster } from './cluster.js';
