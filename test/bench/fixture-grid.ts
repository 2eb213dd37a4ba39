// The parts of the imagined run (fixture.ts) that take some arithmetic: its luck, its times, and primal against dual.

import { timingOf } from '../../bench/harness/measure.js';
import type { Cell, Timing, Work } from '../../bench/harness/results.js';

/** Numbers from 0 to 1, the same each time for a name: what one test asks for does not change what another one gets. */
export function luck(name: string): () => number {
  let x = [...name].reduce((hash, letter) => Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0), 7);
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) | 0;
    return (x >>> 0) / 2 ** 32;
  };
}

const ROUNDS = 5;

/** A timing around `ms`: rounds up to 8 % off, their median exactly `ms`. */
export function timing(name: string, ms: number, work?: Work): Timing {
  const next = luck(`${name} ${ms}`);
  const rounds = [1 - 0.06 * next(), 1 - 0.03 * next(), 1, 1 + 0.04 * next(), 1 + 0.08 * next()].map((f) => f * ms);
  const turn = Math.floor(next() * ROUNDS);
  const mixed = [...rounds.slice(turn), ...rounds.slice(0, turn)];
  return timingOf(
    work ? { name, work } : { name },
    mixed.map((ms) => [ms]),
  );
}

export const dense = (rows: number, cols: number, passes = 1): Work => ({
  flops: 2 * rows * cols * passes,
  bytes: 8 * rows * cols * passes,
  resident: 8 * rows * cols,
});

/** Where both forms take the same time, in passes a row, from few columns to many: what a report must find again. */
const CROSSINGS = [
  { share: 0.5, crossing: 0.18 },
  { share: 2, crossing: 0.27 },
  { share: 8, crossing: 0.33 },
  { share: 32, crossing: 0.45 },
];
/** One of the twelve shapes never crosses, so the median of the others is the third of these. */
export const CROSSING = 0.33;
/** How far chooseForm's crossing is above the true one. */
export const CHOSEN_FACTOR = 1.25;
const ROWS = [50, 200, 1000];
const PASSES = [0.02, 0.06, 0.2, 0.6, 2, 6];

interface Place {
  rows: number;
  cols: number;
  /** In passes; undefined: the dual never pays. */
  crossing?: number;
}

const PLACES = ROWS.flatMap((rows) =>
  CROSSINGS.map(({ share, crossing }): Place => {
    const place = { rows, cols: rows * share };
    return rows === 1000 && share === 0.5 ? place : { ...place, crossing: crossing * rows };
  }),
);

/** Milliseconds that a primal pass takes for a number: 16 GB/s, within what the imagined machine can read. */
export const PASS = 5e-7;

/** Milliseconds of both forms: straight lines that meet at the crossing, or never. */
function costs({ rows, cols, crossing }: Place, epochs: number): { primal: number; dual: number } {
  const pass = PASS * rows * cols;
  const [once, dualPass] = crossing === undefined ? [pass * rows, pass * 1.1] : [pass * 0.9 * crossing, pass * 0.1];
  return { primal: pass * epochs, dual: once + dualPass * epochs };
}

function cell(place: Place, epochs: number): Omit<Cell, 'data'> {
  const { rows, cols, crossing } = place;
  const { primal, dual } = costs(place, epochs);
  return {
    rows,
    cols,
    epochs,
    mistakes: Math.round(0.1 * rows * epochs),
    primal: timing('primal', primal, dense(rows, cols, epochs)),
    dual: timing('dual', dual),
    chosen: crossing === undefined ? null : crossing * CHOSEN_FACTOR,
  };
}

export function cellsOf(): Cell[] {
  const next = luck('separable');
  const endless = PLACES.flatMap((place) =>
    PASSES.map((share): Cell => ({ ...cell(place, Math.round(share * place.rows)), data: 'endless' })),
  );
  const separable = PLACES.filter(({ cols, rows }) => cols === 2 * rows || cols === 8 * rows).flatMap((place) =>
    [0.3, 0.05].map((margin): Cell => {
      const epochs = Math.round((0.1 + 0.4 * next()) * place.rows * (margin === 0.05 ? 4 : 0.4));
      return { ...cell(place, epochs), data: 'separable', margin };
    }),
  );
  return [...endless, ...separable];
}
