// Several threads look at the samples of one record together (SPEC §3), with the results of one after another, to the bit.
//
// The leader owns the record. While the weights stay the same, all look at samples ahead, a chunk each in the order of
// places; whoever finds a sample that is not right says where. When all places before the first of these are known to be
// right, the leader closes the gate, goes on to that place, lets `run` look at it once more and correct it, and opens the
// gate again: what others have seen behind it is forgotten. Where mistakes are many the leader gives up: one goes alone then.
//
//   GATE    how many followers are inside; TEAM_CLOSED is taken off while none may enter
//   NEXT    the next place that nobody looks at yet
//   HIT     the first place known not to be right, or END
//   END     where looking ends
//   OVER    not 0 once there is no more to do, or somebody is gone

import * as at from '../../assembly/layout.js';
import { Course } from './course.js';
import { type Follow, type Sweep, type Swept, TEAM_CLOSED, TEAM_OVER, TEAM_WORDS, type Team } from './protocol.js';
import type { View, WorkerKernels } from './view.js';

const [GATE, NEXT, HIT, END] = [0, 1, 2, 3];

/** Milliseconds to look again and again before going to sleep: waking up takes nearly as long. */
const AWAKE_MS = 0.1;
/** Milliseconds of sleep, at most, in case nobody wakes us. */
const ASLEEP_MS = 2;

/** Calls of a kernel, each of `rows` samples, after which all come together even if nothing was found. */
const AHEAD = 8;

/** Waits until `isSo`, which follows from word 0 of the control block; asleep after a while. */
function until(control: Int32Array, isSo: (gate: number) => boolean): void {
  for (let end = 0, looks = 0; ; looks++) {
    const gate = Atomics.load(control, GATE);
    if (isSo(gate)) return;
    if ((looks & 63) !== 63) continue;
    const now = performance.now();
    if (end === 0) end = now + AWAKE_MS;
    else if (now > end) Atomics.wait(control, GATE, gate, ASLEEP_MS);
  }
}

/** Looks at chunk after chunk with the weights as they are, until there is none before the first hit. Answers how many. */
function look(kernels: WorkerKernels, view: View, control: Int32Array, record: number, job: Team): number {
  const { chunk } = job;
  const own = job.copies + job.stride * job.slot;
  const order = view.uint(record, at.ORDER) >>> 2;
  view.f64[(own + at.BIAS) / 8] = view.f64[(record + at.BIAS) / 8] as number;
  const end = Atomics.load(control, END);
  for (let chunks = 0; ; chunks++) {
    const from = Atomics.add(control, NEXT, chunk);
    if (from >= Atomics.load(control, HIT)) return chunks;
    const to = Math.min(from + chunk, end);
    view.setUint(own, at.CURSOR, from);
    view.setUint(own, at.COUNT, 0);
    const status = (kernels.scan as WorkerKernels[string])(own, to - from);
    let hit = -1;
    if (status === at.NON_FINITE) {
      hit = from; // there may be a mistake before it: the leader will see
    } else if (view.uint(own, at.COUNT) > 0) {
      const sample = view.u32[view.uint(own, at.LIST) >>> 2] as number;
      hit = order ? from : sample;
      if (order) while (view.u32[order + hit] !== sample) hit++;
    }
    if (hit < 0) continue;
    for (let first = Atomics.load(control, HIT); hit < first; ) {
      const now = Atomics.compareExchange(control, HIT, first, hit);
      if (now === first) break;
      first = now;
    }
  }
}

/** Looks ahead with others until the leader has no more to do; answers how many chunks it looked at. */
export function follow(kernels: WorkerKernels, view: View, { follow: record, team }: Follow): number {
  const control = view.i32.subarray(team.control / 4, team.control / 4 + TEAM_WORDS);
  let chunks = 0;
  for (;;) {
    let isInside = false;
    until(control, (gate) => {
      if (Atomics.load(control, TEAM_OVER) !== 0) return true;
      if (gate < 0 || Atomics.load(control, NEXT) >= Atomics.load(control, HIT)) return false;
      isInside = Atomics.compareExchange(control, GATE, gate, gate + 1) === gate;
      return isInside;
    });
    if (!isInside) return chunks;
    chunks += look(kernels, view, control, record, team);
    if (Atomics.sub(control, GATE, 1) <= 1 - TEAM_CLOSED) Atomics.notify(control, GATE); // the leader waits for us
  }
}

/** Sweeps with a team, for as long as mistakes are far apart; this thread leads. */
export function lead(kernels: WorkerKernels, view: View, job: Sweep, team: Team): Swept {
  const { record, rows } = job;
  const run = kernels.run as WorkerKernels[string];
  const control = view.i32.subarray(team.control / 4, team.control / 4 + TEAM_WORDS);
  const course = new Course(view, job);
  const n = view.uint(record, at.N);
  const isOver = () => Atomics.load(control, TEAM_OVER) !== 0;
  /** Samples to a mistake, of late: over more than a few, since they come as chance has it. */
  let { calm } = team;

  /** The first place from `from` on that is not right, or `end`. */
  const lookTogether = (from: number, end: number): number => {
    Atomics.store(control, NEXT, from);
    Atomics.store(control, END, end);
    Atomics.store(control, HIT, end);
    Atomics.add(control, GATE, TEAM_CLOSED);
    Atomics.notify(control, GATE);
    look(kernels, view, control, record, team);
    Atomics.sub(control, GATE, TEAM_CLOSED);
    until(control, (gate) => gate === -TEAM_CLOSED || isOver());
    return Atomics.load(control, HIT);
  };

  try {
    do {
      const from = view.uint(record, at.CURSOR);
      const end = Math.min(n, from + AHEAD * rows);
      const place = lookTogether(from, end);
      if (isOver()) break;
      view.setUint(record, at.CURSOR, place);
      view.setUint(record, at.CALM, view.uint(record, at.CALM) + place - from);
      if (place < end) calm += (view.uint(record, at.CALM) - calm) / 16;
      // Corrects the sample there, or closes the pass.
      const status = run(record, place < end ? 1 : 0, 1, 1);
      course.note(status === at.MISTAKE ? at.PAUSED : status);
    } while (calm >= team.apart && !isOver() && course.goesOn());
  } finally {
    Atomics.store(control, TEAM_OVER, 1);
    Atomics.notify(control, GATE);
  }
  return course.swept;
}
