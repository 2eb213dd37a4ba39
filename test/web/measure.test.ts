// Measure without a page: its statistics and its words.

import { describe, expect, test, vi } from 'vitest';
import { gramMatrix as plainGram } from '../../bench/baseline/gram.js';
import { fit as plainFit } from '../../bench/baseline/perceptron.js';
import { clockStep, contest, sampleFor, spread } from '../../web/src/measure/contest.js';
import { generate } from '../../web/src/measure/data.js';
import { browserName } from '../../web/src/measure/machine.js';
import { type Finding, FORMAT, type Measurement } from '../../web/src/measure/results.js';
import { sizeNamed } from '../../web/src/measure/sizes.js';
import { losses, markdown, remarks, speed, story, time, times } from '../../web/src/measure/words.js';

const { signal } = new AbortController();

const finding = (topic: Finding['topic'], names: readonly [string, string], ratio: number): Finding => ({
  topic,
  what: topic,
  size: '8 × 4',
  checked: 'equal',
  timings: [
    { name: names[0], ms: 10, ratio: { median: 1, low: 1, high: 1 } },
    { name: names[1], ms: 10 / ratio, ratio: { median: ratio, low: 0.9 * ratio, high: 1.1 * ratio } },
  ],
});

const measurement: Measurement = {
  format: FORMAT,
  library: '1.2.3',
  date: '2026-01-02T03:04:05.000Z',
  size: 'quick',
  rounds: 5,
  machine: { browser: 'Firefox 140', processors: 4, isIsolated: true },
  engines: ['wasm-simd', 'wasm-scalar', 'js'],
  absent: [],
  wasHidden: false,
  findings: [
    finding('train', ['plain JavaScript', 'WebAssembly with SIMD'], 3.42),
    finding('gram', ['plain JavaScript', 'WebAssembly with SIMD'], 6),
    finding('small', ['plain JavaScript', 'WebAssembly with SIMD'], 0.05),
    { ...finding('shape', ['primal', 'dual'], 5), size: '20 × 2,000, 200 epochs' },
    { ...finding('shape', ['primal', 'dual'], 1.5), size: '320 × 125, 200 epochs' },
    { ...finding('shape', ['primal', 'dual'], 0.1), size: '640 × 62, 200 epochs' },
    finding('threads-gram', ['1 thread', '4 threads'], 1),
  ],
};

describe('the words of a measurement', () => {
  test('tell the answer first, and the losses plainly', () => {
    expect(story(measurement)).toEqual([
      'In this browser WebAssembly trains 3.4 times as fast as plain JavaScript.',
      'It makes a Gram matrix 6 times as fast.',
      'The dual form is 5 times as fast as the primal one on 20 × 2,000 values, pays up to 320 × 125, and no longer at 640 × 62.',
      'With 4 threads a large Gram matrix is made as fast as with one.',
    ]);
    const lost = losses(measurement);
    expect(lost).toHaveLength(2);
    expect(lost[0]).toContain('WebAssembly with SIMD is 20 times slower than plain JavaScript (0.045× to 0.055×). ');
    expect(remarks(measurement)).toEqual([]);
  });

  test('where the dual form never pays, or always does, say so', () => {
    const shapes = (...ratios: number[]) =>
      story({ ...measurement, findings: ratios.map((ratio) => finding('shape', ['primal', 'dual'], ratio)) });
    expect(shapes(0.5, 0.2)).toEqual(['The dual form is slower than the primal one in all shapes of the data.']);
    expect(shapes(3, 2)).toEqual([
      'The dual form is 3 times as fast as the primal one on 8 × 4 values, and pays in all shapes.',
    ]);
  });

  test('without WebAssembly are about this library', () => {
    expect(story({ ...measurement, engines: ['js'] })[0]).toMatch(/^Without WebAssembly this library trains/);
  });

  test('say what spoilt it', () => {
    const unsteady = measurement.findings.map((one) => ({
      ...one,
      timings: one.timings.map((timing) => ({ ...timing, ratio: { ...timing.ratio, high: 3 * timing.ratio.low } })),
    }));
    expect(remarks({ ...measurement, wasHidden: true, findings: unsteady }).join(' ')).toMatch(
      /background.*differ a lot/,
    );
  });

  test('as Markdown are a table with as many rows as were timed', () => {
    const rows = markdown(measurement)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows).toHaveLength(2 + 14);
    expect(rows[3]).toBe('| train: WebAssembly with SIMD | 3.4× | 3.1× to 3.8× | 2.92 ms | 8 × 4 |');
  });

  test('claim nothing that the rounds do not agree on', () => {
    const wild = { median: 3.8, low: 0.35, high: 24 };
    expect(speed(wild, 'X')).toBe('perhaps 3.8 times as fast as X (rounds from 0.35× to 24×)');
    expect(speed({ median: 3.8, low: 1.5, high: 6 }, 'X')).toBe('roughly 3.8 times as fast as X');
    const [first] = measurement.findings as [Finding];
    const lost = {
      ...first,
      timings: first.timings.map((one) => ({ ...one, ratio: { median: 0.8, low: 0.6, high: 1.2 } })),
    };
    expect(losses({ ...measurement, findings: [lost] })).toEqual([]);
  });

  test('write ratios and times as people do', () => {
    const steady = (median: number) => ({ median, low: 0.98 * median, high: 1.02 * median });
    expect([speed(steady(2), 'X'), speed(steady(1.01), 'X'), speed(steady(0.5), 'X'), speed(steady(1))]).toEqual([
      '2 times as fast as X',
      'as fast as X',
      '2 times slower than X',
      'just as fast',
    ]);
    expect([times(0.0123), times(3.456), times(123.4)]).toEqual(['0.012×', '3.5×', '123×']);
    expect([time(0.0123), time(12.34), time(1234)]).toEqual(['12.3 µs', '12.3 ms', '1.23 s']);
  });
});

describe('a contest', () => {
  test('gives each its turns, and ratios against the first', async () => {
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 0.001));
    const wait = (ms: number) => () => (clock += ms);
    const shares: number[] = [];
    const contestants = [
      { name: 'slow', run: wait(4) },
      { name: 'fast', run: wait(1) },
    ];
    const [slow, fast] = await contest(contestants, { rounds: 3, sampleMs: 4 }, signal, (share) => shares.push(share));
    now.mockRestore();
    expect(slow?.ratio).toEqual({ median: 1, low: 1, high: 1 });
    expect(fast?.ratio.median).toBeCloseTo(4, 2);
    expect(fast?.ms).toBeCloseTo(1, 2);
    expect(shares).toHaveLength(8);
    expect(shares.at(-1)).toBe(1);
  });

  test('ends when it is called off', async () => {
    const controller = new AbortController();
    const run = () => {
      controller.abort();
      return 0;
    };
    await expect(
      contest([{ name: 'one', run }], { rounds: 3, sampleMs: 1 }, controller.signal, () => {}),
    ).rejects.toThrow('aborted');
  });

  test('tells median and range', () => {
    expect(spread([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 });
    expect(spread([4, 1, 2, 3])).toEqual({ median: 2.5, low: 1, high: 4 });
  });
});

describe('the plain loops', () => {
  test('train the worked example of the textbook: w = (1, 1), b = −3 after seven mistakes', () => {
    const { weights, bias, mistakes } = plainFit(Float64Array.of(3, 3, 4, 3, 1, 1), Int8Array.of(1, 1, -1), 2, 100);
    expect([...weights, bias, mistakes]).toEqual([1, 1, -3, 7]);
    expect([...plainGram(Float64Array.of(3, 3, 4, 3, 1, 1), 3, 2)]).toEqual([18, 21, 6, 21, 25, 7, 6, 7, 2]);
  });

  test('train on rows that are the same everywhere', async () => {
    const [one, two] = [await generate({ rows: 20, cols: 3, flips: 0.5 }, signal), await generate({ rows: 20, cols: 3, flips: 0.5 }, signal)]; // biome-ignore format: twice
    expect(one).toEqual(two);
    expect(one.data.every((value) => Number.isInteger(16 * value))).toBe(true);
    expect(new Set(one.y)).toEqual(new Set([-1, 1]));
  });
});

test.each([
  [{ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }, 'Firefox 140'],
  [{ userAgent: 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15' }, 'Safari 18'],
  [{ userAgent: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0' }, 'Edge 140'],
  [{ userAgent: '', userAgentData: { brands: [{ brand: 'Not/A)Brand', version: '8' }, { brand: 'Chromium', version: '140' }, { brand: 'Google Chrome', version: '140' }] } }, 'Google Chrome 140'],
  [{ userAgent: '?' }, 'a browser that does not say its name'],
])('a browser’s name: %j', (told, name) => expect(browserName(told)).toBe(name)); // biome-ignore format: a table

test('a size that nobody knows is the quick one', () => {
  expect([sizeNamed(null), sizeNamed('toString'), sizeNamed('thorough')]).toEqual(['quick', 'quick', 'thorough']);
});

describe('a coarse clock', () => {
  test('its step is found, and samples are long enough for it', () => {
    let calls = 0;
    expect(clockStep(() => Math.floor(calls++ / 7) * 16)).toBe(16);
    expect(sampleFor(0.005, 20)).toBe(20);
    expect(sampleFor(16, 20)).toBe(320);
  });

  test('a processor that other programs take for a while is not a coarse clock', () => {
    let [calls, time] = [0, 0];
    const busy = () => {
      if (++calls % 6 === 0) time += calls % 18 === 0 ? 35 : 1;
      return time;
    };
    expect(clockStep(busy)).toBe(1);
  });

  test('where it is too coarse, that is said', () => {
    expect(() => sampleFor(100, 20)).toThrow('steps of 100 ms');
  });
});
