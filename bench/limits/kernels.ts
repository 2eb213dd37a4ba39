// The two kernels of questions/limits.ts, in several variants, and what each must answer, computed in JS.

import {
  ADD_F64,
  ADD_F64X2,
  ADD_I32,
  ADD_I64,
  ADD_I64X2,
  assemble,
  f64x2,
  get,
  I32,
  i32,
  LESS_U32,
  laneF64,
  laneI64,
  load,
  loop,
  MULTIPLY_F64X2,
  set,
  TO_F64,
  tee,
  V128,
} from './assemble.js';

/** While reading. Additions of whole numbers take one cycle each: four sums keep them out of the way of the loads, where
 *  those of float64 numbers would be what is timed (69 GB/s instead of 104 from a cache of an Ice Lake). */
const SUMS = 4;
const WIDTH = 16;

/** What is in all accumulators, both lanes, `add`ed up one after the other; the first of them is spent. */
function total(accumulators: readonly number[], add: number[], lane: (index: number) => number[], addLanes: number[]) {
  const [first, ...others] = accumulators as [number, ...number[]];
  const sum = [...get(first), ...others.flatMap((other) => [...get(other), ...add]), ...tee(first)];
  return [sum, lane(0), get(first), lane(1), addLanes];
}

/** Counts a local down; leaves what is left. */
const less = (local: number): number[] => [...get(local), ...i32(-1), ...ADD_I32, ...tee(local)];

// ---- reading ----

interface Reading {
  /** Places that are read side by side: memory answers several streams faster than one. */
  streams: number;
  /** 16-byte loads of each at a time. */
  loads: number;
  /** Bytes of each, a multiple of what is loaded at a time. */
  part: number;
}

/** A block of `bytes` in so many streams; where they would begin a multiple of a page apart, they begin a bit nearer:
 *  they would all compete for the same lines of a cache. */
export function readingOf(bytes: number, streams: number, loads: number): Reading {
  const step = loads * WIDTH;
  const part = Math.floor(bytes / streams / step) * step;
  return { streams, loads, part: streams > 1 && part > 4096 && part % 4096 === 0 ? part - 5 * step : part };
}

export const bytesOf = ({ streams, part }: Reading): number => streams * part;

/** run(passes): the sum of the block's 64-bit whole numbers, `passes` times over. */
export function readKernel({ streams, loads, part }: Reading): Uint8Array<ArrayBuffer> {
  const [passes, at] = [0, 1];
  const sums = Array.from({ length: SUMS }, (_, i) => 2 + i);
  const body: number[][] = [];
  for (let l = 0; l < loads; l++) {
    for (let s = 0; s < streams; s++) {
      const sum = sums[body.length % SUMS] as number;
      body.push([...get(sum), ...get(at), ...load(s * part + l * WIDTH), ...ADD_I64X2, ...set(sum)]);
    }
  }
  const next = [...get(at), ...i32(loads * WIDTH), ...ADD_I32, ...tee(at), ...i32(part), ...LESS_U32];
  const pass = [...i32(0), ...set(at), ...loop(...body, next)];
  return assemble({
    parameters: 1,
    locals: [I32, ...sums.map(() => V128)],
    body: [loop(pass, less(passes)), ...total(sums, ADD_I64X2, laneI64, ADD_I64), TO_F64],
  });
}

/** What one pass of `readKernel` adds up to; `halves` has each number as two, low and high, and the high ones are 0. */
export function readTwin(halves: Uint32Array, reading: Reading): number {
  let sum = 0;
  for (let i = 0; i < bytesOf(reading) / 4; i += 2) sum += halves[i] as number;
  return sum;
}

// ---- multiplying and adding ----

const FACTOR = 1 - 2 ** -10;
const TERM = 2 ** -10;
/** Steps of each accumulator in one go of the loop, so that counting is nothing beside them. */
const UNROLLED = 4;

export const flopsOf = (accumulators: number): number => UNROLLED * accumulators * 4;

/** run(times): a ← a · factor + term in so many accumulators of two lanes; their sum. */
export function peakKernel(accumulators: number): Uint8Array<ArrayBuffer> {
  const [times, factor, term] = [0, 1, 2];
  const all = Array.from({ length: accumulators }, (_, i) => 3 + i);
  const step = all.map((a) => [...get(a), ...get(factor), ...MULTIPLY_F64X2, ...get(term), ...ADD_F64X2, ...set(a)]);
  const constants = [
    [...f64x2(FACTOR), ...set(factor)],
    [...f64x2(TERM), ...set(term)],
    ...all.map((a, i) => [...f64x2(i + 2), ...set(a)]),
  ];
  return assemble({
    parameters: 1,
    locals: [V128, V128, ...all.map(() => V128)],
    body: [
      ...constants,
      loop(...Array.from({ length: UNROLLED }, () => step.flat()), less(times)),
      ...total(all, ADD_F64X2, laneF64, ADD_F64),
    ],
  });
}

/** To the bit: the same operations in the same order. */
export function peakTwin(accumulators: number, times: number): number {
  let sum = 0;
  for (let i = 0; i < accumulators; i++) {
    let a = i + 2;
    for (let step = 0; step < times * UNROLLED; step++) a = a * FACTOR + TERM;
    sum = i === 0 ? a : sum + a;
  }
  return sum + sum;
}

export type Run = (count: number) => number;

/** Undefined where there is no SIMD. */
export function instantiate(wasm: Uint8Array<ArrayBuffer>, memory: WebAssembly.Memory): Run | undefined {
  if (!WebAssembly.validate(wasm)) return undefined;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory } });
  return exports.run as Run;
}
