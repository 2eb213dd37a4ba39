// Random numbers, bit-identical everywhere (SPEC §12): xoshiro128** (Blackman & Vigna 2018). splitmix32 fills its state from an
// unsigned 32-bit seed. All arithmetic is 32-bit integer.

const rotateLeft = (x: number, k: number) => (x << k) | (x >>> (32 - k));

export class Random {
  /** The four words of the state. A copy of them continues the sequence. */
  readonly state: Uint32Array;

  constructor(state: ArrayLike<number>) {
    this.state = Uint32Array.from(state);
  }

  /** The generator of a seed: four splitmix32 steps fill its state. */
  static seeded(seed: number): Random {
    const state = new Uint32Array(4);
    for (let i = 0, at = seed | 0; i < 4; i++) {
      at = (at + 0x9e3779b9) | 0;
      let z = at ^ (at >>> 16);
      z = Math.imul(z, 0x21f0aaad);
      z ^= z >>> 15;
      z = Math.imul(z, 0x735a2d97);
      state[i] = z ^ (z >>> 15);
    }
    return new Random(state);
  }

  /** The next 32 bits, as a number from 0 to 2³² − 1. */
  next(): number {
    const s = this.state;
    const a = s[0] as number;
    const b = s[1] as number;
    const c = s[2] as number;
    const d = s[3] as number;
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const third = c ^ a;
    const fourth = d ^ b;
    s[0] = a ^ fourth;
    s[1] = b ^ third;
    s[2] = third ^ (b << 9);
    s[3] = rotateLeft(fourth, 11);
    return result;
  }

  /** Uniform in 0 … bound − 1, by rejection of draws above the last whole multiple of `bound`. */
  below(bound: number): number {
    const end = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const draw = this.next();
      if (draw < end) return draw % bound;
    }
  }

  /** Fisher–Yates, from the last place down to the first. */
  shuffle(values: Uint32Array | number[]): void {
    this.shufflePart(values, values.length - 1, 0);
  }

  /** One piece of a shuffle, for long lists: fills places `from` down to `to` + 1. */
  shufflePart(values: Uint32Array | number[], from: number, to: number): void {
    for (let i = from; i > to; i--) {
      const j = this.below(i + 1);
      const value = values[i] as number;
      values[i] = values[j] as number;
      values[j] = value;
    }
  }
}
