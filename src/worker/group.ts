// Some of the classes that are trained in step: a row is fetched once, and its scores for all of them come from one call of a
// kernel. A mistake is left to `run`, which looks at the row once more for that class alone, and corrects it.

import * as at from '../../assembly/layout.js';
import type { Group } from './protocol.js';
import type { View, WorkerKernels } from './view.js';

type Kernel = WorkerKernels[string];

/** Looks at the next rows; a record that stands before the others in the end is at a score that is not finite. */
export function advanceGroup(kernels: WorkerKernels, view: View, job: Group): void {
  const { group: records, planes, weights, rows, scratch } = job;
  const { u32, f64 } = view;
  const [scores, planeDots, run] = [kernels.scores, kernels.planeDots, kernels.run] as [Kernel, Kernel, Kernel];
  const count = records.length;
  const first = records[0] as number;
  const [x, n, d] = [view.uint(first, at.X), view.uint(first, at.N), view.uint(first, at.D)];
  const order = view.uint(first, at.ORDER) >>> 2;
  const element = view.uint(first, at.ELEMENT);
  const stride = element === at.SPARSE ? at.ROW_BYTES : element * d;
  const mu = f64[(first + at.MU) / 8] as number;
  const { buffer } = u32;
  const labels = records.map((record) => {
    const y = view.uint(record, at.Y);
    return new Int8Array(buffer, y, Math.min(buffer.byteLength - y, 2 ** 31 - 1));
  });
  const [out, list] = [scratch + at.GROUP_BYTES, scratch + at.GROUP_BYTES + 8 * count];
  const wide = Math.ceil((list + 4 * count) / 8) * 8;
  planes.forEach((plane, k) => {
    u32[list / 4 + k] = plane;
  });
  const biasOf = (record: number) => f64[(record + at.BIAS) / 8] as number;
  const biases = records.map(biasOf);
  const from = view.uint(first, at.CURSOR);
  const to = from + rows;
  for (let place = from; place < to; place++) {
    const sample = order ? (u32[order + place] as number) : place;
    let row = x + sample * stride;
    if (element === at.SPARSE) {
      planeDots(row, weights, count, d, list, out);
    } else {
      if (element === 4) {
        f64.set(view.f32.subarray(row / 4, row / 4 + d), wide / 8);
        row = wide;
      }
      scores(8, weights, count, d, list, row, 0, out, scratch);
    }
    for (let k = 0; k < count; k++) {
      const s = (f64[out / 8 + k] as number) + (biases[k] as number);
      const m = ((labels[k] as Int8Array)[sample] as number) < 0 ? -s : s;
      if (m > mu && m < Infinity) continue;
      const record = records[k] as number;
      view.setUint(record, at.CURSOR, place);
      if (run(record, 1, 1, 1) === at.NON_FINITE) {
        for (const other of records) if (other !== record) view.setUint(other, at.CURSOR, to); // it is not their row
        return;
      }
      biases[k] = biasOf(record);
    }
  }
  for (const record of records) {
    view.setUint(record, at.CURSOR, to);
    if (to === n) run(record, 0, 1, 1); // closes the pass
  }
}
