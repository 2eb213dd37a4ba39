// The memory and the kernels, as a worker has them.

/** The kernels of a worker. */
export type WorkerKernels = Record<string, (...numbers: number[]) => number>;

/** The memory as a worker sees it. */
export class View {
  readonly u32: Uint32Array;
  readonly f64: Float64Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  constructor({ buffer }: WebAssembly.Memory) {
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer, 0, Math.floor(buffer.byteLength / 8));
    this.i32 = new Int32Array(buffer);
    this.f32 = new Float32Array(buffer);
  }
  uint(record: number, field: number): number {
    return this.u32[(record + field) >>> 2] as number;
  }
  setUint(record: number, field: number, value: number): void {
    this.u32[(record + field) >>> 2] = value;
  }
}
