// What the numbers were measured on.

import { cpus, loadavg, totalmem } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGB: number;
  node: string;
  platform: string;
  /** Processes that were running or waiting in the last minute, before we began: above 0.5, others disturb. */
  load: number;
}

export function machine(): Machine {
  const cores = cpus();
  return {
    cpu: (cores[0]?.model ?? 'unknown CPU').replace(/\s+/g, ' ').trim(),
    cores: cores.length,
    memoryGB: Math.round(totalmem() / 1e9),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

export const machineLine = (m: Machine): string =>
  `${m.cpu}, ${m.cores} cores, ${m.memoryGB} GB, ${m.platform}, Node ${m.node.replace(/^v/, '')}`;
