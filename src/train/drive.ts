// Running a training loop: in one go, or in slices between which everything else gets its turn.

import { show } from '../errors.js';
import type { StopReason } from '../model/report.js';
import { type Slice, wholeFit } from './loop.js';

/** A page should answer within 50 ms; a slice leaves room for what else is waiting. */
const SLICE_MS = 12;

/** Values scored in one call of a kernel: a few milliseconds on the slowest engine. */
const SLICE_VALUES = 2 ** 21;

export const noSlices = (): Slice => wholeFit;

/** Slices by the clock. `begin` starts a new one. */
export class TimeSlices {
  #end = 0;
  begin(): void {
    this.#end = performance.now() + SLICE_MS;
  }
  /** The slice for rows that may cost this many values each. */
  readonly sliceFor = (values: number): Slice => ({
    rows: Math.max(1, Math.floor(SLICE_VALUES / values)),
    due: () => performance.now() >= this.#end,
  });
}

/** Lets timers, input and painting have their turn. A timer would be clamped to 4 ms in browsers. */
export function nextTurn(): Promise<void> {
  const scope = globalThis as { setImmediate?: (callback: () => void) => unknown };
  return new Promise((resolve) => {
    if (typeof scope.setImmediate === 'function') {
      scope.setImmediate(resolve);
    } else if (typeof MessageChannel === 'function') {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    } else {
      setTimeout(resolve);
    }
  });
}

/** Runs slice by slice. @returns why it stopped; 'aborted' once `signal` says so */
export async function runInSlices(
  steps: Generator<void, StopReason>,
  slices: TimeSlices,
  signal: AbortSignal | undefined,
  afterSlice: () => void,
): Promise<StopReason> {
  for (;;) {
    slices.begin();
    const { done, value } = steps.next();
    if (done) return value;
    afterSlice();
    await nextTurn();
    if (signal?.aborted) return 'aborted';
  }
}

export function expectSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw new TypeError(`"signal" must be an AbortSignal, got ${show(signal)}`);
  }
}
