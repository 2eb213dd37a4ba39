// Several primal records trained in step: assembly/many.ts in plain JavaScript.

import * as at from '../../../assembly/layout.js';
import { at4, type MemoryViews } from '../../memory/views.js';
import type { Kernels } from '../contract.js';
import { isRight } from './mistake.js';
import { type Form, recordCounters } from './train.js';

export function manyKernel(memory: MemoryViews, open: (record: number) => Form): Kernels['runMany'] {
  const { correct, closeEpoch, isIdle } = recordCounters(memory);
  return (header, rows, mistakes) => {
    memory.refresh();
    const count = memory.uint(header, at.MANY_COUNT);
    const list = at4(memory.uint(header, at.MANY_RECORDS));
    const records = Array.from(memory.u32.subarray(list, list + count));
    const forms = records.map(open);
    const first = records[0] as number;
    const n = memory.uint(first, at.N);
    const order = memory.uint(first, at.ORDER);
    const mu = memory.float(first, at.MU);
    let cursor = memory.uint(records[count - 1] as number, at.CURSOR);
    let k = records.findIndex((record) => memory.uint(record, at.CURSOR) === cursor);
    for (const record of records) memory.setUint(record, at.PASSES, 0);
    const stop = (status: number, looked: number): number => {
      records.forEach((record, i) => {
        memory.setUint(record, at.CURSOR, i < looked ? cursor + 1 : cursor);
      });
      return status;
    };
    for (; cursor < n; cursor++) {
      if (rows-- === 0) return stop(at.PAUSED, k);
      const sample = order ? (memory.u32[at4(order) + cursor] as number) : cursor;
      for (; k < count; k++) {
        const record = records[k] as number;
        const form = forms[k] as Form;
        const m = form.marginOf(sample, memory.float(record, at.BIAS));
        if (isRight(m, mu) || isIdle(record, sample)) continue;
        memory.setUint(header, at.MANY_LATEST, k);
        if (!Number.isFinite(m)) {
          memory.setUint(record, at.INDEX, sample);
          return stop(at.NON_FINITE, k);
        }
        correct(form, record, sample, m, memory.float(record, at.SEEN) + cursor);
        if (--mistakes === 0) return stop(at.MISTAKE, k + 1);
      }
      k = 0;
    }
    for (const record of records) closeEpoch(record);
    return at.CLOSED;
  };
}
