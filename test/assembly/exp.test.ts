// exp and integer powers (docs/adr/0006): the same bits from both wasm builds and plain JavaScript, and the bounds
// held against exact arithmetic in BigInt, which shares nothing with the method under test.

import { expect, test } from 'vitest';
import * as plain from '../../src/engine/js/exp.js';
import { compile } from '../../src/engine/wasm/load.js';
import { Random } from '../../src/random.js';
import '../../src/scalar.js';
import { Arena } from '../../src/memory/arena.js';

interface Hot {
  exp(x: number): number;
  exps(values: number, count: number): void;
  power(x: number, p: number): number;
}

const arena = new Arena();
const CAPACITY = 1 << 16;
const VALUES = arena.allocate(8 * CAPACITY, 'test data').offset;

function hotLoops(target: 'simd' | 'scalar'): Hot {
  const { memory, shared } = arena.backing;
  if (!memory) throw new Error('no wasm memory');
  return new WebAssembly.Instance(compile(target, shared), { env: { memory } }).exports as unknown as Hot;
}
const builds = (['simd', 'scalar'] as const).map((target) => ({ target, hot: hotLoops(target) }));
const engines = [...builds.map(({ target, hot }) => ({ engine: target, ...hot })), { engine: 'js', ...plain }];

/** eˣ of many at once, by the loop of a build. */
function expsOf(hot: Hot, xs: readonly number[]): Float64Array {
  expect(xs.length).toBeLessThanOrEqual(CAPACITY);
  arena.f64(VALUES, xs.length).set(xs);
  hot.exps(VALUES, xs.length);
  return arena.f64(VALUES, xs.length).slice();
}

const random = Random.seeded(12);
const unit = () => random.next() / 2 ** 32;
const view = new DataView(new ArrayBuffer(8));
function fromBits(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}
function bitsOf(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}
/** The doubles around x ≠ 0, `reach` to either side, ascending. */
function around(x: number, reach: number): number[] {
  const middle = bitsOf(x);
  const near = Array.from({ length: 2 * reach + 1 }, (_, i) => fromBits(middle + BigInt(i - reach)));
  return x < 0 ? near.reverse() : near;
}

const LARGEST = 709.782712893384; //    the last x whose exp is finite
const SMALLEST = -745.1332191019411; // the last whose exp is not 0
const ks = Array.from({ length: 1075 + 1024 }, (_, i) => i - 1075);
/** Where k changes: the polynomial's two ends meet, at its worst error. */
const seams = ks.map((k) => (k + 0.5) * Math.LN2);
const edges = [LARGEST, SMALLEST, 1023.5 * Math.LN2, -1021.5 * Math.LN2, -1022 * Math.LN2, 750, -750];
const specials = [0, -0, Number.NaN, Infinity, -Infinity, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -5e-324];
const tiny = [-1074, -1023, -1022, -200, -60, -54, -53, -52, -27, -26, -2].flatMap((e) => [2 ** e, -(2 ** e)]);
const points = [
  ...specials,
  ...tiny,
  ...edges.flatMap((x) => around(x, 20)),
  ...seams.flatMap((x) => around(x, 2)),
  ...Array.from({ length: 20_000 }, () => fromBits((BigInt(random.next()) << 32n) | BigInt(random.next()))),
  ...Array.from({ length: 20_000 }, () => -750 + 1500 * unit()),
  ...Array.from({ length: 10_000 }, () => unit() * 2 ** -Math.floor(40 * unit())),
];

// ---- exact arithmetic ---------------------------------------------------------------------------

/** x = m·2^e. */
function split(x: number): { m: bigint; e: number } {
  const bits = bitsOf(Math.abs(x));
  const biased = Number(bits >> 52n);
  const fraction = bits & ((1n << 52n) - 1n);
  const m = biased === 0 ? fraction : fraction | (1n << 52n);
  return { m: x < 0 ? -m : m, e: Math.max(biased, 1) - 1075 };
}
/** v·2^s, rounded down. */
const shift = (v: bigint, s: number) => (s >= 0 ? v << BigInt(s) : v >> BigInt(-s));

const POINT = 256; // fixed point: v stands for v·2^-256
const ONE = 1n << 256n;
/** ln 2 = Σ 1/(n·2ⁿ) */
const LN2 = Array.from({ length: 270 }, (_, n) => (ONE >> BigInt(n + 1)) / BigInt(n + 1)).reduce((a, b) => a + b);

/** eˣ = value·2^(k − 256), by Taylor's series. */
function reference(x: number): { value: bigint; k: number } {
  const { m, e } = split(x);
  const fixed = shift(m, e + POINT);
  const k = fixed / LN2;
  const r = fixed - k * LN2;
  let value = 0n;
  for (let n = 1n, term = ONE; term !== 0n; n++) {
    value += term;
    term = ((term * r) >> 256n) / n;
  }
  return { value, k: Number(k) };
}

/** How far `got` is from eˣ, in units of eˣ's last place (2^-1074 below the normal numbers). */
function ulps(got: number, x: number): number {
  const { value, k } = reference(x);
  const { m, e } = split(got);
  const scale = k - POINT;
  const difference = shift(m, e - scale) - value;
  const last = Math.max(value.toString(2).length - 1 + scale - 52, -1074);
  return Math.abs(Number(shift(difference, scale - last + 40))) / 2 ** 40;
}

// ---- exp ----------------------------------------------------------------------------------------

test.each(builds)('$target exp gives the bits of the plain one, alone and in a loop', ({ hot }) => {
  const together = expsOf(hot, points);
  const wrong = points.filter((x, i) => {
    const expected = plain.exp(x);
    return !Object.is(hot.exp(x), expected) || !Object.is(together[i], expected);
  });
  expect(wrong).toEqual([]);
});

test.each(builds)('$target exps takes any count at any offset of 8 and touches nothing beyond', ({ hot }) => {
  for (let count = 0; count <= 9; count++) {
    for (const offset of [0, 8]) {
      const all = arena.f64(VALUES, 16);
      all.forEach((_, i) => {
        all[i] = 3 * unit() - 2;
      });
      const from = 2 + offset / 8;
      const expected = all.map((x, i) => (i >= from && i < from + count ? plain.exp(x) : x));
      hot.exps(VALUES + 8 * from, count);
      expect(arena.f64(VALUES, 16)).toEqual(expected);
    }
  }
});

test.each(engines)('$engine exp is exact at 0, and goes to Infinity and to 0 where it must', ({ exp }) => {
  for (const x of [0, -0, 5e-324, -5e-324, 2 ** -54, -(2 ** -55)]) expect(exp(x)).toBe(1);
  expect(exp(Infinity)).toBe(Infinity);
  expect(exp(-Infinity)).toBe(0);
  expect(exp(Number.NaN)).toBeNaN();
  const [, last, tooLarge] = around(LARGEST, 1) as [number, number, number];
  expect(exp(last)).toBe(1.7976931348622732e308);
  expect(exp(tooLarge)).toBe(Infinity);
  const [tooSmall, first] = around(SMALLEST, 1) as [number, number, number];
  expect(exp(tooSmall)).toBe(0);
  expect(exp(first)).toBe(5e-324);
});

test('exp is within 0.6 ulp, below the normal numbers within 0.8', () => {
  let normal = 0;
  let subnormal = 0;
  const check = (x: number) => {
    const y = plain.exp(x);
    if (y < 2 ** -1022) subnormal = Math.max(subnormal, ulps(y, x));
    else normal = Math.max(normal, ulps(y, x));
  };
  for (const x of seams.filter((_, i) => i % 3 === 0)) for (const near of around(x, 1)) check(near);
  for (const x of tiny) check(x);
  for (const x of edges.slice(0, 5)) for (const near of around(x, 20)) if (plain.exp(near) < Infinity) check(near);
  for (let i = 0; i < 1500; i++) {
    check(-740 + 1449 * unit());
    check(-0.35 + 0.1 * unit()); // the largest errors
    check(2 * unit() - 1);
    check(SMALLEST + (-1022 * Math.LN2 - SMALLEST) * unit());
  }
  expect(normal).toBeLessThan(0.6);
  expect(subnormal).toBeLessThan(0.8);
  expect(normal).toBeGreaterThan(0.5); // or nothing was measured
});

test('exp never falls as x grows, and is at most 1 up to 0', () => {
  const starts = [...seams.filter((_, i) => i % 5 === 0), ...tiny.filter((x) => Math.abs(x) > 1e-300), ...edges];
  for (const { hot } of builds) {
    for (const start of starts) {
      const xs = around(start, 40);
      const ys = expsOf(hot, xs);
      for (let i = 0; i < ys.length; i++) {
        const [x, y] = [xs[i]!, ys[i]!];
        if (i > 0 && y < ys[i - 1]!) throw new Error(`exp falls at ${x}`);
        if (x < 0 ? y > 1 : y < 1) throw new Error(`exp(${x}) = ${y}`);
      }
    }
  }
  const [below, above] = [points.filter((x) => x <= 0), points.filter((x) => x >= 0)];
  expect(below.every((x) => plain.exp(x) <= 1)).toBe(true);
  expect(above.every((x) => plain.exp(x) >= 1)).toBe(true);
});

// ---- power --------------------------------------------------------------------------------------

test.each(builds)('$target power gives the bits of the plain one', ({ hot }) => {
  const exponents = [...Array(68).keys()].slice(1).concat(100, 1023, 65_537, 2 ** 31, 2 ** 32 - 1);
  for (const p of exponents) {
    for (let i = 0; i < 100; i++) {
      const x = (2 * unit() - 1) * 2 ** ((2000 * (unit() - 0.5)) / p);
      expect(hot.power(x, p)).toBe(plain.power(x, p));
    }
    for (const x of [...specials, 1 + 2 ** -40]) expect(hot.power(x, p)).toBe(plain.power(x, p));
  }
});

test('power multiplies from the lowest bit up', () => {
  for (let i = 0; i < 100; i++) {
    const x = 1 + unit();
    const x2 = x * x;
    const x4 = x2 * x2;
    const x8 = x4 * x4;
    expect(plain.power(x, 13)).toBe(x * x4 * x8);
    expect(plain.power(x, 14)).toBe(x2 * x4 * x8);
  }
});

test('power errs by at most p − 1 roundings', () => {
  for (const p of [...Array(40).keys()].slice(1).concat(64, 127, 255, 1000)) {
    for (let i = 0; i < 25; i++) {
      const x = (unit() < 0.5 ? -1 : 1) * (1 + unit()) * 2 ** Math.round((1500 * (unit() - 0.5)) / p - 0.5);
      const got = split(plain.power(x, p));
      const { m, e } = split(x);
      // got.m·2^got.e against m^p·2^(e·p), over the lesser power of two
      const low = Math.min(got.e, e * p);
      const exact = shift(m ** BigInt(p), e * p - low);
      const difference = shift(got.m, got.e - low) - exact;
      const [error, size] = [difference, exact].map((v) => (v < 0n ? -v : v)) as [bigint, bigint];
      // (1 + u)^(p−1) − 1 ≤ (p−1)u / (1 − (p−1)u), u = 2^-53
      const q = BigInt(p - 1);
      expect(error * ((1n << 53n) - q) <= q * size, `${x} ** ${p}`).toBe(true);
    }
  }
});

test.each(engines)('$engine power of 1, of zeros, of negative bases, and beyond the range', ({ power }) => {
  for (const x of [...specials, -1.1, 1e308]) expect(power(x, 1)).toBe(x);
  expect([power(0, 2), power(-0, 2), power(-0, 3), power(0, 2 ** 32 - 1)]).toEqual([0, 0, -0, 0]);
  expect([power(-3, 2), power(-3, 3), power(-2, 1023), power(-1, 2 ** 32 - 1)]).toEqual([9, -27, -(2 ** 1023), -1]);
  expect([power(2, 1024), power(-2, 1025), power(1e200, 2)]).toEqual([Infinity, -Infinity, Infinity]);
  expect([power(2, 1023), power(0.5, 1074), power(0.5, 1075)]).toEqual([2 ** 1023, 5e-324, 0]); // no square too many
  expect(power(Number.NaN, 2)).toBeNaN();
});
