// WebAssembly by hand: a module with one function, just what the kernels of kernels.ts need. A compiler would take
// seconds to load, and might rearrange what is to be timed; here every instruction of a loop is the one we wrote.

export const I32 = 0x7f;
const F64 = 0x7c;
export const V128 = 0x7b;
const FUNCTION = 0x60;
const EMPTY = 0x40;

/** Unsigned LEB128. */
export function unsigned(n: number): number[] {
  const bytes: number[] = [];
  let rest = n;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}

/** Signed LEB128, of what an i32 holds. */
export function signed(n: number): number[] {
  const bytes: number[] = [];
  let rest = n | 0;
  for (; rest < -0x40 || rest >= 0x40; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest & 0x7f];
}

const counted = (items: readonly number[][]): number[] => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const named = (name: string): number[] => sized([...new TextEncoder().encode(name)]);
const section = (id: number, items: readonly number[][]): number[] => [id, ...sized(counted(items))];
const simd = (code: number): number[] => [0xfd, ...unsigned(code)];

// ---- instructions: each is its bytes ----

export const get = (local: number): number[] => [0x20, ...unsigned(local)];
export const set = (local: number): number[] => [0x21, ...unsigned(local)];
export const tee = (local: number): number[] => [0x22, ...unsigned(local)];
export const i32 = (value: number): number[] => [0x41, ...signed(value)];
export const ADD_I32 = [0x6a];
export const LESS_U32 = [0x49];
export const ADD_F64 = [0xa0];
export const ADD_I64 = [0x7c];
export const ADD_I64X2 = simd(0xce);
/** Of an i64. */
export const TO_F64 = [0xb9];
export const ADD_F64X2 = simd(0xf0);
export const MULTIPLY_F64X2 = simd(0xf2);
/** Both lanes the same. */
export const f64x2 = (value: number): number[] => {
  const lane = [...new Uint8Array(Float64Array.of(value).buffer)];
  return [...simd(0x0c), ...lane, ...lane];
};
export const laneF64 = (index: number): number[] => [...simd(0x21), index];
export const laneI64 = (index: number): number[] => [...simd(0x1d), index];
/** 16 bytes, at a multiple of 8 or more. */
export const load = (offset: number): number[] => [...simd(0x00), 3, ...unsigned(offset)];
/** Again for as long as the body leaves something other than 0. */
export const loop = (...body: readonly number[][]): number[] => [0x03, EMPTY, ...body.flat(), 0x0d, 0, 0x0b];

interface Kernel {
  /** How many i32 it takes: the first locals. */
  parameters: number;
  /** The types of its other locals. */
  locals: readonly number[];
  /** Leaves one f64. */
  body: readonly number[][];
}

/** A module that imports env.memory and exports `run`. */
export function assemble({ parameters, locals, body }: Kernel): Uint8Array<ArrayBuffer> {
  const type = [FUNCTION, ...unsigned(parameters), ...Array<number>(parameters).fill(I32), 1, F64];
  const code = [...counted(locals.map((local) => [1, local])), ...body.flat(), 0x0b];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [type]),
    ...section(2, [[...named('env'), ...named('memory'), 2, 0, 1]]), // a memory, of one page at least
    ...section(3, [[0]]),
    ...section(7, [[...named('run'), 0, 0]]),
    ...section(10, [sized(code)]),
  ]);
}
