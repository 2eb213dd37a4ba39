// How near a measurement is to what this machine can do.

import { BASELINE, type Limits, type Results, type Timing, type Work } from '../../harness/results.js';
import { limitsOf, tasksOf, timingsOf } from './collect.js';

export interface RooflinePoint {
  /** E.g. 'gram 480 × 10,000: auto'. */
  label: string;
  /** Whose code it was, and if ours, whether it is the engine that a user gets. */
  who: 'ours' | 'other engine' | 'baseline' | 'peer';
  timing: Timing;
  gigaflops: number;
  /** Floating-point operations a byte. */
  intensity: number;
  gigabytesPerSecond: number;
  /** GFLOP/s that the limits allow here, and which of them it is. */
  limit: number;
  bound: 'memory' | 'cache' | 'peak';
  /** gigaflops / limit. */
  share: number;
}

/**
 * How fast so many bytes are read again and again. Between two blocks that were measured, where a cache may end anywhere, it
 * is between their speeds, on logarithms; beyond the largest it is memory's.
 */
function reading({ read }: Limits, resident: number): { gigabytesPerSecond: number; isMemory: boolean } | undefined {
  const blocks = [...read].sort((a, b) => a.bytes - b.bytes);
  const above = blocks.findIndex(({ bytes }) => bytes >= resident);
  const [small, large] = [blocks[above - 1], blocks.at(above)];
  if (!large) return undefined;
  if (above < 0 || !small) return { gigabytesPerSecond: large.gigabytesPerSecond, isMemory: above < 0 };
  const part = Math.log(resident / small.bytes) / Math.log(large.bytes / small.bytes);
  const gigabytesPerSecond = small.gigabytesPerSecond ** (1 - part) * large.gigabytesPerSecond ** part;
  return { gigabytesPerSecond, isMemory: large === blocks.at(-1) && part > 0.5 };
}

type Place = Omit<RooflinePoint, 'label' | 'who' | 'timing'>;

/** Undefined where nothing was told of the work, or of the limits. */
export function placeOf({ ms, work }: { ms: number; work?: Work }, limits: Limits | undefined): Place | undefined {
  if (!work || !limits || !(ms > 0 && work.flops > 0 && work.bytes > 0)) return undefined;
  const read = reading(limits, work.resident);
  if (!read) return undefined;
  const intensity = work.flops / work.bytes;
  const gigaflops = work.flops / ms / 1e6;
  const byReading = read.gigabytesPerSecond * intensity;
  const limit = Math.min(limits.peak.gigaflops, byReading);
  const bound = limits.peak.gigaflops <= byReading ? 'peak' : read.isMemory ? 'memory' : 'cache';
  return { gigaflops, intensity, gigabytesPerSecond: work.bytes / ms / 1e6, limit, bound, share: gigaflops / limit };
}

export function rooflineOf(results: Results): RooflinePoint[] {
  const limits = limitsOf(results);
  const own = timingsOf(results).map(({ name, question, timing }) => ({
    label: `${name}${sizeIn(question, timing.name)}: ${timing.name}`,
    who: whoseIs(timing.name),
    timing,
  }));
  const others = tasksOf(results).flatMap(({ what, contenders }) =>
    contenders.map(({ name, kind, timing }) => ({
      label: `${what}: ${name}`,
      who: kind === 'ours' ? ('ours' as const) : ('peer' as const),
      timing,
    })),
  );
  return [...own, ...others].flatMap((point) => {
    const place = placeOf(point.timing, limits);
    return place ? [{ ...point, ...place }] : [];
  });
}

/** Of all times, how many have a share. */
export function sharesTold(results: Results): { told: number; all: number } {
  const all = timingsOf(results).length + tasksOf(results).reduce((sum, { contenders }) => sum + contenders.length, 0);
  return { told: rooflineOf(results).length, all };
}

const whoseIs = (timing: string): RooflinePoint['who'] =>
  timing.startsWith(BASELINE) ? 'baseline' : /\b(wasm-scalar|js)$/.test(timing) ? 'other engine' : 'ours';

/** The size that a question names, e.g. ' 480 × 10,000', unless its timings do. */
function sizeIn(question: string, timing: string): string {
  const size = /[\d,]+ × [\d,]*\d/;
  const [found] = size.exec(question) ?? [];
  return found && !size.test(timing) ? ` ${found}` : '';
}
