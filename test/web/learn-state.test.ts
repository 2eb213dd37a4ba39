// Learn in the address: short, exact, and not to be fooled.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { presetNamed, presets, setupOf } from '../../web/src/learn/presets.js';
import { MOST_POINTS, panelNames, pointAt, readState, type State, writeState } from '../../web/src/learn/state.js';
import { traceOf } from '../../web/src/learn/trace.js';
import type { Point, Setup } from '../../web/src/learn/types.js';
import { sentenceAt } from '../../web/src/learn/words.js';

const read = (query: string) => readState(new URLSearchParams(query));
const first: State = { setup: setupOf(presetNamed('example')), preset: 'example', step: 0, panels: [] };

const coordinate = fc.double({ min: -1000, max: 1000, noNaN: true });
const anyPoint = fc
  .tuple(coordinate, coordinate, fc.constantFrom(1 as const, -1 as const))
  .map(([x, y, label]) => pointAt(x, y, label));
const points: fc.Arbitrary<readonly Point[]> = fc.oneof(
  fc.array(anyPoint, { maxLength: MOST_POINTS }),
  fc.constantFrom(...presets.map((preset) => preset.points)),
);
const setups: fc.Arbitrary<Setup> = fc.record({
  points,
  trainer: fc.constantFrom('perceptron' as const, 'pocket' as const),
  kernel: fc.constantFrom('linear' as const, 'rbf' as const, 'polynomial' as const),
  gamma: fc.double({ min: 0.01, max: 100, noNaN: true }),
  degree: fc.integer({ min: 1, max: 6 }),
  learningRate: fc.double({ min: 0.01, max: 100, noNaN: true }),
  margin: fc.constantFrom(0, 0.5, 10),
  order: fc.constantFrom('cyclic' as const, 'shuffle' as const, 'random' as const),
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  maxEpochs: fc.integer({ min: 1, max: 1000 }),
});

describe('the address', () => {
  test('is empty for what is shown first', () => {
    expect(writeState(first).toString()).toBe('');
    expect(read('')).toEqual(first);
  });

  test('is short, and reads well', () => {
    const xor = { ...first, setup: { ...setupOf(presetNamed('xor')), kernel: 'rbf' as const }, step: 12 };
    expect(writeState(xor).toString()).toBe('preset=xor&kernel=rbf&step=12');
    expect(read('preset=xor&kernel=rbf&step=12')).toEqual({ ...xor, preset: 'xor' });
    const own = { ...first, setup: { ...first.setup, points: [pointAt(3, 3, 1), pointAt(-0.12345, 1, -1)] } };
    expect(decodeURIComponent(writeState(own).toString())).toBe('points=3,3,1;-0.123,1,-1');
    expect(read('open=dual,seeds').panels).toEqual(['dual', 'seeds']);
  });

  test('points of a preset are that preset, however they are written', () => {
    expect(read('points=3,3,1;4,3,1;1,1,-1')).toEqual(first);
    expect(read('points=3,3,1;4,3,1;1,1,1').preset).toBeUndefined();
  });

  test('gives back whatever was written', () => {
    fc.assert(
      fc.property(setups, fc.nat(100_000), fc.subarray([...panelNames]), (setup, step, panels) => {
        const query = writeState({ setup, step, panels }).toString();
        const back = read(query);
        expect(back).toMatchObject({ setup, step, panels });
        expect(writeState(back).toString()).toBe(query);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    'preset=nothing',
    'preset=__proto__&kernel=constructor&trainer=toString',
    'kernel=RBF&order=batch&trainer=dual',
    'gamma=-1&degree=2.5&learningRate=0&margin=-3&seed=-1&maxEpochs=0',
    'gamma=NaN&degree=Infinity&learningRate=1e3&margin=0x10&seed=1e2&maxEpochs=',
    'maxEpochs=1001&seed=4294967296&learningRate=101&degree=7&gamma=1000',
    'step=-1&open=everything',
    'step=1.5',
    'step=99999999999',
    '%%%&=&&&step=%zz',
  ])('what makes no sense is passed over: %s', (query) => {
    expect(read(query)).toEqual(first);
  });

  test('of points that make no sense the others are kept, 200 at most', () => {
    expect(read('points=1,2,1;1,2,3;x,y,1;1,2;1,2,1,1;NaN,0,1;1e3,0,1;2000,0,1;-4,5,-1;;').setup.points).toEqual([
      { x: 1, y: 2, label: 1 },
      { x: -4, y: 5, label: -1 },
    ]);
    expect(read(`points=${'1,2,1;'.repeat(500)}`).setup.points).toHaveLength(MOST_POINTS);
    expect(read(`points=${'9'.repeat(1e6)}`).setup.points).toEqual([]);
    expect(read('points=').setup.points).toEqual([]);
  });

  test('nothing in it can break the page', () => {
    const names = [
      'preset',
      'points',
      'step',
      'open',
      'kernel',
      'gamma',
      'degree',
      'order',
      'seed',
      'maxEpochs',
      'margin',
    ];
    const text = fc.oneof(fc.string(), fc.constantFrom('1', '-1', '0.5', '1,1,1;0,0,-1', 'rbf', 'xor', '1e308'));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 12 }), (entries) => {
        const state = readState(new URLSearchParams(entries));
        expect(read(writeState(state).toString())).toEqual(state);
      }),
      { numRuns: 300 },
    );
    for (const kernel of ['linear', 'rbf', 'polynomial']) {
      const { setup } = read(
        `points=1000,1000,1;-1000,999.999,-1;1000,1000,-1&kernel=${kernel}&gamma=100&degree=6&learningRate=100`,
      );
      const trace = traceOf(setup);
      expect(sentenceAt(trace, trace.steps.length)).not.toBe('');
    }
  });
});
