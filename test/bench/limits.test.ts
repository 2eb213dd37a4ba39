import { describe, expect, it } from 'vitest';
import { signed, unsigned } from '../../bench/limits/assemble.js';
import {
  bytesOf,
  flopsOf,
  instantiate,
  peakKernel,
  peakTwin,
  type Run,
  readingOf,
  readKernel,
  readTwin,
} from '../../bench/limits/kernels.js';

const PAGE = 65_536;

function block(pages: number): { memory: WebAssembly.Memory; halves: Uint32Array } {
  const memory = new WebAssembly.Memory({ initial: pages });
  const halves = new Uint32Array(memory.buffer);
  for (let i = 0; i < halves.length; i += 2) halves[i] = (i * 7) % 1009;
  return { memory, halves };
}

describe('numbers of a WebAssembly module', () => {
  it('are written as LEB128', () => {
    expect(unsigned(0)).toEqual([0]);
    expect(unsigned(127)).toEqual([0x7f]);
    expect(unsigned(624_485)).toEqual([0xe5, 0x8e, 0x26]);
    expect(unsigned(2 ** 32 - 1)).toEqual([0xff, 0xff, 0xff, 0xff, 0x0f]);
    expect(signed(63)).toEqual([0x3f]);
    expect(signed(64)).toEqual([0xc0, 0]);
    expect(signed(-1)).toEqual([0x7f]);
    expect(signed(-123_456)).toEqual([0xc0, 0xbb, 0x78]);
    expect(signed(2 ** 31 - 1)).toEqual([0xff, 0xff, 0xff, 0xff, 0x07]);
  });
});

describe('the kernel that reads', () => {
  it.each([
    [1, 8, 16_384],
    [4, 2, 16_384],
    [8, 1, 2 * PAGE],
    [8, 4, 4 * PAGE],
    [12, 4, 4 * PAGE],
  ])('adds up all it reads: %i streams, %i loads at a time, %i bytes', (streams, loads, bytes) => {
    const { memory, halves } = block(4);
    const reading = readingOf(bytes, streams, loads);
    const run = instantiate(readKernel(reading), memory) as Run;
    const sum = readTwin(halves, reading);
    expect(sum).toBeGreaterThan(0);
    expect(run(1)).toBe(sum);
    expect(run(3)).toBe(3 * sum);
  });

  it('reads nearly all of the block, in streams that do not begin at the same place of a page', () => {
    for (const streams of [1, 4, 8, 12]) {
      for (const bytes of [16_384, 262_144, 2 ** 24, 2 ** 30]) {
        const reading = readingOf(bytes, streams, 4);
        expect(bytesOf(reading)).toBeLessThanOrEqual(bytes);
        expect(bytesOf(reading)).toBeGreaterThan(0.95 * bytes);
        expect(reading.part % 64).toBe(0);
        if (streams > 1 && reading.part > 4096) expect(reading.part % 4096).not.toBe(0);
      }
    }
  });
});

describe('the kernel that multiplies and adds', () => {
  it.each([1, 6, 8, 12, 13])('has the bits of its twin in JS: %i accumulators', (accumulators) => {
    const run = instantiate(peakKernel(accumulators), new WebAssembly.Memory({ initial: 1 })) as Run;
    for (const times of [1, 2, 777]) expect(run(times)).toBe(peakTwin(accumulators, times));
  });

  it('counts its operations', () => {
    // Two lanes, a multiplication and an addition, four times a go of the loop.
    expect(flopsOf(10)).toBe(160);
  });
});

it('is refused where the module is none', () => {
  const broken = peakKernel(2).slice(0, -1);
  expect(instantiate(broken, new WebAssembly.Memory({ initial: 1 }))).toBeUndefined();
});
