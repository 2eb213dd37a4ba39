// Learn in the address: short, exact, and not to be fooled.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { presetNamed, presets, setupOf, windowFor } from '../../web/src/learn/presets.js';
import { MOST_POINTS, panelNames, pointAt, readState, type State, writeState } from '../../web/src/learn/state.js';
import { setupOfStop, stops } from '../../web/src/learn/tour.js';
import { traceOf } from '../../web/src/learn/trace.js';
import type { Point, Setup } from '../../web/src/learn/types.js';
import { sentenceAt } from '../../web/src/learn/words.js';

const read = (query: string) => readState(new URLSearchParams(query));
const example = presetNamed('example');
const first: State = { setup: setupOf(example), window: example.window, step: 0, panels: [], tour: undefined };

const coordinate = fc.double({ min: -1000, max: 1000, noNaN: true });
const anyPoint = fc
  .tuple(coordinate, coordinate, fc.constantFrom(1 as const, -1 as const))
  .map(([x, y, label]) => pointAt(x, y, label));
const points: fc.Arbitrary<readonly Point[]> = fc.oneof(
  fc.array(anyPoint, { maxLength: MOST_POINTS }),
  fc.constantFrom(...presets.map((preset) => preset.points)),
);
const setups: fc.Arbitrary<Setup> = fc
  .record({
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
  })
  .map((setup) => (setup.kernel === 'linear' ? setup : { ...setup, trainer: 'perceptron' }));

const stop = fc.option(fc.integer({ min: 1, max: stops.length }), { nil: undefined });

describe('the address', () => {
  test('is empty for what is shown first', () => {
    expect(writeState(first).toString()).toBe('');
    expect(read('')).toEqual(first);
  });

  test('is short, and reads well', () => {
    const { window } = presetNamed('xor');
    const xor = { ...first, window, setup: { ...setupOf(presetNamed('xor')), kernel: 'rbf' as const }, step: 12 };
    expect(writeState(xor).toString()).toBe('preset=xor&kernel=rbf&step=12');
    expect(read('preset=xor&kernel=rbf&step=12')).toEqual(xor);
    const own = [pointAt(3, 3, 1), pointAt(-0.12345, 1, -1)];
    const asOpened = { ...first, setup: { ...first.setup, points: own }, window: windowFor(own) };
    expect(decodeURIComponent(writeState(asOpened).toString())).toBe('points=3,3,1;-0.123,1,-1');
    const moved = { ...asOpened, window: first.window };
    expect(decodeURIComponent(writeState(moved).toString())).toBe('points=3,3,1;-0.123,1,-1&window=-1,6,-1,6');
    expect(read('open=seeds,more,everything').panels).toEqual(['more', 'seeds']);
  });

  test('points of a preset are that preset, however they are written', () => {
    expect(read('points=3,3,1;4,3,1;1,1,-1')).toEqual(first);
    expect(read('points=3,3,1;4,3,1;1,1,1').window).not.toEqual(first.window);
  });

  test('what the guide names is what it reads', () => {
    const guide = readFileSync(new URL('../../docs/playground.md', import.meta.url), 'utf8');
    const table = guide.slice(guide.indexOf('parameter of `#/learn?…`')).split('\n\n', 1)[0]!;
    const names = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    );
    /** A value that differs from what is there at first. */
    const others: Readonly<Record<string, string>> = {
      preset: 'xor',
      points: '1,2,1;3,4,-1',
      trainer: 'pocket',
      kernel: 'rbf',
      gamma: '0.5',
      degree: '3',
      eta: '0.25',
      margin: '2',
      order: 'random',
      seed: '7',
      epochs: '50',
      step: '5',
      window: '-9,9,-9,9',
      open: 'more,seeds',
      tour: '3',
    };
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const state = read(`${name}=${others[name]}`);
      expect(state, name).not.toEqual(first);
      expect(writeState(state).get(name), name).toBe(others[name]);
    }
    expect(read('eta=0.25').setup.learningRate).toBe(0.25);
    expect(read('epochs=50').setup.maxEpochs).toBe(50);
  });

  test('a stop of the tour is all of its settings; what differs from them is added', () => {
    for (const [k, { panels }] of stops.entries()) {
      const state = read(`tour=${k + 1}`);
      expect(state).toMatchObject({ tour: k + 1, step: 0, panels, setup: setupOfStop(stops[k]!) });
      expect(state.window).toEqual(windowFor(state.setup.points));
      expect(writeState(state).toString()).toBe(`tour=${k + 1}`);
      const own = { ...state, setup: { ...state.setup, points: [pointAt(1, 2, 1)], margin: 7 }, panels: [] };
      expect(read(writeState(own).toString())).toEqual({ ...own, window: state.window });
    }
    expect(read('tour=3&open=').panels).toEqual([]);
    expect(read('tour=6&kernel=rbf&preset=moons').setup).toMatchObject({
      kernel: 'rbf',
      points: presetNamed('moons').points,
    });
  });

  test('a pocket with a kernel that bends is no pocket, as it is learned', () => {
    expect(read('trainer=pocket&kernel=rbf').setup).toMatchObject({ trainer: 'perceptron', kernel: 'rbf' });
    expect(read('trainer=pocket').setup).toMatchObject({ trainer: 'pocket', kernel: 'linear' });
  });

  test('gives back whatever was written', () => {
    fc.assert(
      fc.property(
        setups,
        points,
        fc.nat(100_000),
        fc.subarray([...panelNames]),
        stop,
        (setup, others, step, panels, tour) => {
          const state: State = { setup, window: windowFor(others), step, panels, tour };
          const query = writeState(state).toString();
          const back = read(query);
          expect(back).toEqual(state);
          expect(writeState(back).toString()).toBe(query);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each([
    'preset=nothing',
    'preset=__proto__&kernel=constructor&trainer=toString',
    'kernel=RBF&order=batch&trainer=dual',
    'gamma=-1&degree=2.5&eta=0&margin=-3&seed=-1&epochs=0',
    'gamma=NaN&degree=Infinity&eta=1e3&margin=0x10&seed=1e2&epochs=',
    'epochs=1001&seed=4294967296&eta=101&degree=7&gamma=1000',
    'step=-1&open=everything',
    'step=1.5',
    'tour=0',
    'tour=7&play=1',
    'tour=1.5',
    'window=1,2,3&window=0,0,0,0',
    'window=-1e9,1,1,2',
    'window=3,2,1,0',
    'window=-99999,99999,-1,1',
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
      'epochs',
      'eta',
      'window',
      'margin',
    ];
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('1', '-1', '0.5', '1,1,1;0,0,-1', 'rbf', 'xor', '0,1,0,1', '1e308'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 12 }), (entries) => {
        const state = readState(new URLSearchParams(entries));
        expect(read(writeState(state).toString())).toEqual(state);
      }),
      { numRuns: 300 },
    );
    for (const kernel of ['linear', 'rbf', 'polynomial']) {
      const { setup } = read(
        `points=1000,1000,1;-1000,999.999,-1;1000,1000,-1&kernel=${kernel}&gamma=100&degree=6&eta=100`,
      );
      const trace = traceOf(setup);
      expect(sentenceAt(trace, trace.steps.length)).not.toBe('');
    }
  });
});
