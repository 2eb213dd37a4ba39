import { expect, test } from 'vitest';
import { Random } from '../src/random.js';

test('the first numbers of a seed are fixed for good', () => {
  const random = Random.seeded(0);
  expect([...random.state]).toMatchInlineSnapshot(`
    [
      1684164658,
      3653269916,
      2939563536,
      2141751570,
    ]
  `);
  expect(Array.from({ length: 5 }, () => random.next())).toMatchInlineSnapshot(`
    [
      1789933344,
      44971166,
      2521387044,
      3848737593,
      1138324114,
    ]
  `);
});

test('xoshiro128** follows its published recurrence', () => {
  // Blackman & Vigna's algorithm in arbitrary-precision arithmetic, as its authors state it.
  const mask = (1n << 32n) - 1n;
  const rotl = (x: bigint, k: bigint) => ((x << k) | (x >> (32n - k))) & mask;
  const s = [1n, 2n, 3n, 4n] as [bigint, bigint, bigint, bigint];
  const random = new Random([1, 2, 3, 4]);
  for (let i = 0; i < 1000; i++) {
    const expected = (rotl((s[1] * 5n) & mask, 7n) * 9n) & mask;
    const t = (s[1] << 9n) & mask;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 11n);
    expect(BigInt(random.next())).toBe(expected);
  }
});

test('a saved state goes on where it was', () => {
  const one = Random.seeded(123);
  for (let i = 0; i < 10; i++) one.next();
  const two = new Random(one.state);
  expect(Array.from({ length: 10 }, () => two.next())).toEqual(Array.from({ length: 10 }, () => one.next()));
});

test('bounded draws are uniform and a shuffle is a permutation', () => {
  const random = Random.seeded(1);
  const counts = new Array<number>(7).fill(0);
  for (let i = 0; i < 70_000; i++) counts[random.below(7)]!++;
  // 10,000 each, standard deviation 93: five of them either way.
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(465);
  const places = Uint32Array.from({ length: 100 }, (_, i) => i);
  random.shuffle(places);
  expect([...places].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect([...places]).not.toEqual(Array.from({ length: 100 }, (_, i) => i));
});
