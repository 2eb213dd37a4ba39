// What the numbers were measured on.

import { cpus, totalmem } from 'node:os';
import { setTimeout } from 'node:timers/promises';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGB: number;
  node: string;
  platform: string;
  /** Processors that were busy just before we began, on average. */
  load: number;
}

/** More than this, of a processor, is somebody else's work. */
export const BUSY = 0.3;
const LOOK_MS = 300;

export function machine(): Omit<Machine, 'load'> {
  const cores = cpus();
  return {
    cpu: (cores[0]?.model ?? 'unknown CPU').replace(/\s+/g, ' ').trim(),
    cores: cores.length,
    memoryGB: Math.round(totalmem() / 1e9),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

/** While we do nothing for a moment. The system's own load is of the last minute: our own work, too. */
export async function busyProcessors(): Promise<number> {
  const before = cpus();
  await setTimeout(LOOK_MS);
  const busy = cpus().reduce((sum, { times }, i) => {
    const then = before[i]?.times ?? times;
    const idle = times.idle - then.idle;
    const all = Object.values(times).reduce((total, ms) => total + ms, 0);
    const earlier = Object.values(then).reduce((total, ms) => total + ms, 0);
    return all > earlier ? sum + 1 - idle / (all - earlier) : sum;
  }, 0);
  return Math.round(busy * 100) / 100;
}

export const machineLine = (m: Omit<Machine, 'load'>): string =>
  `${m.cpu}, ${m.cores} cores, ${m.memoryGB} GB, ${m.platform}, Node ${m.node.replace(/^v/, '')}`;
