// The whole memory as typed arrays, for JavaScript that reads and writes at byte offsets: the plain kernels, and the code
// around a training record.

/**
 * Byte offsets as indices of 8- and 4-byte values. A shift keeps them integers; V8 treats a quotient as a double and converts
 * it at every access (measured: twice the time).
 */
export const at8 = (byteOffset: number): number => byteOffset >>> 3;
export const at4 = (byteOffset: number): number => byteOffset >>> 2;

export class MemoryViews {
  readonly #bytes: { readonly buffer: ArrayBufferLike };
  #buffer: ArrayBufferLike | undefined;
  f64: Float64Array = new Float64Array();
  f32: Float32Array = new Float32Array();
  u32: Uint32Array = new Uint32Array();
  i8: Int8Array = new Int8Array();
  u8: Uint8Array = new Uint8Array();
  i16: Int16Array = new Int16Array();

  constructor(bytes: { readonly buffer: ArrayBufferLike }) {
    this.#bytes = bytes;
  }

  /** Makes the arrays again if the memory has grown or been replaced. Call it before you use them. */
  refresh(): void {
    const { buffer } = this.#bytes;
    if (buffer === this.#buffer && this.i8.length === buffer.byteLength) return;
    this.#buffer = buffer;
    this.f64 = new Float64Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i8 = new Int8Array(buffer);
    this.u8 = new Uint8Array(buffer);
    this.i16 = new Int16Array(buffer);
  }

  uint(record: number, field: number): number {
    return this.u32[at4(record + field)] as number;
  }

  setUint(record: number, field: number, value: number): void {
    this.u32[at4(record + field)] = value;
  }

  float(record: number, field: number): number {
    return this.f64[at8(record + field)] as number;
  }

  setFloat(record: number, field: number, value: number): void {
    this.f64[at8(record + field)] = value;
  }

  /** Adds to a field. */
  add(record: number, field: number, by: number): void {
    const k = at8(record + field);
    this.f64[k] = (this.f64[k] as number) + by;
  }
}
