// Training over a record (assembly/layout.ts), one sample after another: no look-ahead, no fusion, no queue.
// The primal and the dual form differ in their scores and updates (`Form`); they share the rest.

import * as at from '../../../assembly/layout.js';
import { at4, at8, type MemoryViews } from '../../memory/views.js';
import type { Steps } from '../contract.js';
import { isRight } from './mistake.js';

/** A form of the perceptron over one record. Its closures hold the fields of the record as plain numbers and arrays, for speed. */
export interface Form {
  /** y·s of a sample (SPEC §2), given b. */
  marginOf(sample: number, bias: number): number;
  /** Whether the update of a sample can be made now; false: it needs a row of the Gram matrix. */
  isReady(sample: number): boolean;
  /** Makes the update of a mistake that was counted; `before` samples came before it. */
  update(sample: number, step: number, before: number): void;
  /** The step of a sample; undefined: that of the record. */
  readonly stepOf: ((sample: number) => number) | undefined;
}

/** The counters of mistakes and epochs in a record. */
export interface RecordCounters {
  /** Counts a mistake (SPEC §2, §12) and makes its update. */
  correct(form: Form, record: number, sample: number, m: number, before: number): void;
  /** Closes an epoch: lists its mistakes and loss and resets the counters. Returns whether it had no mistake. */
  closeEpoch(record: number): boolean;
  /** Whether no passive-aggressive step can change the score of a sample, since ‖x̃‖² is 0: it counts as right (SPEC §15). */
  isIdle(record: number, sample: number): boolean;
}

export function recordCounters(memory: MemoryViews): RecordCounters {
  const correct = (form: Form, record: number, sample: number, m: number, before: number): void => {
    const isPositive = (memory.i8[memory.uint(record, at.Y) + sample] as number) > 0;
    const steps = at8(memory.uint(record, at.STEPS));
    let step = form.stepOf
      ? form.stepOf(sample)
      : steps
        ? (memory.f64[steps + sample] as number)
        : memory.float(record, isPositive ? at.STEP_POSITIVE : at.STEP_NEGATIVE);
    let loss = -m;
    const norms = at8(memory.uint(record, at.NORMS));
    if (norms) {
      loss = 1 - m;
      const q = (memory.f64[norms + sample] as number) + memory.float(record, at.SOFTNESS);
      step *= Math.min(memory.float(record, at.CEILING), loss / q);
    }
    const scale = memory.float(record, at.BIAS_SCALE);
    if (memory.uint(record, at.SUMS)) memory.add(record, at.BIAS_SUM, before * step * scale);
    memory.add(record, at.BIAS, step * scale);
    memory.add(record, at.SIGMA, Math.abs(step));
    memory.add(record, at.LOSS, loss);
    memory.setFloat(record, at.STEP, step);
    memory.setUint(record, at.MISTAKES, memory.uint(record, at.MISTAKES) + 1);
    memory.setUint(record, at.INDEX, sample);
    const count = at4(memory.uint(record, at.COUNTS)) + sample;
    memory.u32[count] = (memory.u32[count] as number) + 1;
    form.update(sample, step, before);
  };

  const closeEpoch = (record: number): boolean => {
    const mistakes = memory.uint(record, at.MISTAKES);
    const k = memory.uint(record, at.PASSES);
    memory.u32[at4(record + at.PASS_MISTAKES) + k] = mistakes;
    memory.f64[at8(record + at.PASS_LOSS) + k] = memory.float(record, at.LOSS);
    memory.setUint(record, at.PASSES, k + 1);
    memory.add(record, at.SEEN, memory.uint(record, at.N));
    memory.setFloat(record, at.LOSS, 0);
    memory.setUint(record, at.MISTAKES, 0);
    memory.setUint(record, at.CURSOR, 0);
    return mistakes === 0;
  };
  const isIdle = (record: number, sample: number): boolean => {
    const norms = at8(memory.uint(record, at.NORMS));
    return norms !== 0 && memory.f64[norms + sample] === 0;
  };
  return { correct, closeEpoch, isIdle };
}

export function stepsOf(memory: MemoryViews, open: (record: number) => Form): Steps {
  const { correct, closeEpoch, isIdle } = recordCounters(memory);

  /** The row at a place of the epoch. */
  const sampleAt = (order: number, place: number): number =>
    order ? (memory.u32[at4(order) + place] as number) : place;

  /** Stores the row at which a call stopped; returns why. */
  const stoppedAt = (record: number, sample: number, why: number): number => {
    memory.setUint(record, at.INDEX, sample);
    return why;
  };

  return {
    run(record, rows, mistakes, epochs) {
      memory.refresh();
      const form = open(record);
      const n = memory.uint(record, at.N);
      const mu = memory.float(record, at.MU);
      const order = memory.uint(record, at.ORDER);
      let cursor = memory.uint(record, at.CURSOR);
      let bias = memory.float(record, at.BIAS);
      memory.setUint(record, at.PASSES, 0);
      const stop = (status: number): number => {
        memory.setUint(record, at.CURSOR, cursor);
        return status;
      };
      for (;;) {
        if (cursor === n) {
          cursor = 0;
          if (closeEpoch(record)) return at.CLEAN;
          if (memory.uint(record, at.PASSES) === epochs) return at.CLOSED;
        }
        if (rows-- === 0) return stop(at.PAUSED);
        const sample = sampleAt(order, cursor);
        const m = form.marginOf(sample, bias);
        if (isRight(m, mu) || isIdle(record, sample)) {
          cursor++;
          continue;
        }
        if (!Number.isFinite(m)) return stop(stoppedAt(record, sample, at.NON_FINITE));
        if (!form.isReady(sample)) return stop(stoppedAt(record, sample, at.WANTS_ROW));
        correct(form, record, sample, m, memory.float(record, at.SEEN) + cursor);
        bias = memory.float(record, at.BIAS);
        cursor++;
        if (--mistakes === 0) return stop(at.MISTAKE);
      }
    },

    scan(record, rows) {
      memory.refresh();
      const n = memory.uint(record, at.N);
      const mu = memory.float(record, at.MU);
      const list = at4(memory.uint(record, at.LIST));
      const margins = at8(memory.uint(record, at.MARGINS));
      const form = open(record);
      const order = memory.uint(record, at.ORDER);
      const bias = memory.float(record, at.BIAS);
      let cursor = memory.uint(record, at.CURSOR);
      let found = memory.uint(record, at.COUNT);
      for (; rows > 0 && cursor < n; rows--, cursor++) {
        const sample = sampleAt(order, cursor);
        const m = form.marginOf(sample, bias);
        if (isRight(m, mu) || isIdle(record, sample)) continue;
        if (!Number.isFinite(m)) return stoppedAt(record, sample, at.NON_FINITE);
        memory.u32[list + found] = sample;
        memory.f64[margins + found] = m;
        found++;
      }
      memory.setUint(record, at.CURSOR, cursor);
      memory.setUint(record, at.COUNT, found);
      return cursor === n ? at.CLOSED : at.PAUSED;
    },

    apply(record, from, count) {
      memory.refresh();
      const list = at4(memory.uint(record, at.LIST));
      const margins = at8(memory.uint(record, at.MARGINS));
      const seen = memory.float(record, at.SEEN);
      const form = open(record);
      for (let k = 0; k < count; k++) {
        const sample = memory.u32[list + from + k] as number;
        if (!form.isReady(sample)) {
          stoppedAt(record, sample, at.WANTS_ROW);
          return k;
        }
        correct(form, record, sample, memory.f64[margins + from + k] as number, seen);
      }
      return count;
    },
  };
}
