// What is shown, in the address: #/learn?preset=xor&kernel=rbf&step=12. What is as it was at first is left out, so that
// addresses are short. An address may come from anybody: what makes no sense in it is passed over.

import { defaults, presetNamed, presetOf, presets, setupOf, windowFor } from './presets.js';
import { setupOfStop, stops } from './tour.js';
import type { Point, Setup, Window } from './types.js';

/** What may be open: the drawer, and the lines of many seeds. */
export const panelNames = ['more', 'seeds'] as const;
export type PanelName = (typeof panelNames)[number];

export interface State {
  readonly setup: Setup;
  /** The part of the plane that is shown: it stays while points are moved, so they alone do not tell it. */
  readonly window: Window;
  /** How many steps of the trace are done; may be more than there are. */
  readonly step: number;
  readonly panels: readonly PanelName[];
  /** The stop of the guided tour, from 1. */
  readonly tour: number | undefined;
}

/** More are refused: each is a row of the Gram matrix, and a thing to draw. */
export const MOST_POINTS = 200;

/** Farther away nothing is shown. */
const FARTHEST = 1000;

/** Numbers that may be asked for, and what the library makes sense of. */
const limits = {
  gamma: { least: 0.01, most: 100 },
  degree: { least: 1, most: 6, isWhole: true },
  learningRate: { least: 0.01, most: 100 },
  margin: { least: 0, most: 1000 },
  seed: { least: 0, most: 2 ** 32 - 1, isWhole: true },
  maxEpochs: { least: 1, most: 1000, isWhole: true },
} as const satisfies Partial<Record<keyof Setup, { least: number; most: number; isWhole?: boolean }>>;

type Limited = keyof typeof limits;

const choices = {
  trainer: ['perceptron', 'pocket'],
  kernel: ['linear', 'rbf', 'polynomial'],
  order: ['cyclic', 'shuffle', 'random'],
} as const satisfies Partial<{ [K in keyof Setup]: readonly Setup[K][] }>;

type Chosen = keyof typeof choices;

/** Where an address has another name for it: the one of the formulas. */
const shortNames: Partial<Record<Chosen | Limited, string>> = { learningRate: 'eta', maxEpochs: 'epochs' };
const nameOf = (name: Chosen | Limited): string => shortNames[name] ?? name;

/** A number as people write it; NaN for anything else ("", "0x10", "1e9999"). */
const numberIn = (text: string): number => (/^-?\d{1,12}(\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN);

/** A thousandth is less than a pixel. −0 is 0. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000 + 0;

/** A point as the address will have it: the same when it comes back. */
export const pointAt = (x: number, y: number, label: Point['label']): Point => {
  const within = (value: number) => rounded(Math.max(-FARTHEST, Math.min(FARTHEST, value)));
  return { x: within(x), y: within(y), label };
};

function pointIn(text: string): Point | undefined {
  const [x = '', y = '', label = '', ...rest] = text.split(',');
  const [left, up] = [numberIn(x), numberIn(y)];
  if (rest.length > 0 || !(Math.abs(left) <= FARTHEST && Math.abs(up) <= FARTHEST)) return undefined;
  if (label !== '1' && label !== '-1') return undefined;
  return pointAt(left, up, label === '1' ? 1 : -1);
}

/** 3,3,1;4,3,1;1,1,-1 */
const pointsIn = (text: string): Point[] =>
  text
    .slice(0, 32 * MOST_POINTS)
    .split(';')
    .map(pointIn)
    .filter((point) => point !== undefined)
    .slice(0, MOST_POINTS);

const pointsText = (points: readonly Point[]): string =>
  points.map(({ x, y, label }) => `${x},${y},${label}`).join(';');

const windowText = ({ left, right, bottom, top }: Window): string => [left, right, bottom, top].join();

/** Left, right, bottom, top: -1,6,-1,6. Undefined if there is nothing to see in it. */
function windowIn(text: string): Window | undefined {
  const sides = text.split(',').map(numberIn);
  const [left = 0, right = 0, bottom = 0, top = 0] = sides;
  const isFair = (size: number) => size >= 1e-3 && size <= 10 * FARTHEST;
  if (sides.length !== 4 || !sides.every((side) => Math.abs(side) <= 10 * FARTHEST)) return undefined;
  return isFair(right - left) && isFair(top - bottom) ? { left, right, bottom, top } : undefined;
}

function isWithin(name: Limited, value: number): boolean {
  const { least, most, ...more } = limits[name];
  return value >= least && value <= most && (!('isWhole' in more) || Number.isInteger(value));
}

/** What an address says. Never throws. */
export function readState(params: URLSearchParams): State {
  const points = params.get('points');
  const tour = numberIn(params.get('tour') ?? '');
  const stop = stops[tour - 1];
  const named = presets.find(({ name }) => name === params.get('preset'));
  const usual = stop ? setupOfStop(stop) : setupOf(named ?? presetNamed('example'));
  const given = points !== null ? pointsIn(points) : named?.points;
  const setup: Setup = { ...usual, ...(points !== null && !stop && defaults), ...(given && { points: given }) };
  const changes: Record<string, string | number> = {};
  for (const name of Object.keys(limits) as Limited[]) {
    const value = numberIn(params.get(nameOf(name)) ?? '');
    if (isWithin(name, value)) changes[name] = value;
  }
  for (const name of Object.keys(choices) as Chosen[]) {
    const value = choices[name].find((choice) => choice === params.get(name));
    if (value !== undefined) changes[name] = value;
  }
  const step = numberIn(params.get('step') ?? '');
  const open = params.get('open')?.split(',') ?? stop?.panels ?? [];
  const asked = { ...setup, ...changes };
  return {
    // The pocket keeps straight lines.
    setup: asked.kernel === 'linear' ? asked : { ...asked, trainer: 'perceptron' },
    window: windowIn(params.get('window') ?? '') ?? windowFor(setup.points),
    step: Number.isInteger(step) && step >= 0 ? step : 0,
    panels: panelNames.filter((name) => open.includes(name)),
    tour: stop && tour,
  };
}

/** The address of what is shown; `readState` gives the same back, with points to a thousandth. */
export function writeState({ setup, window, step, panels, tour }: State): URLSearchParams {
  const params = new URLSearchParams();
  const stop = stops[(tour ?? 0) - 1];
  if (stop) params.set('tour', String(tour));
  const preset = presetOf(setup.points);
  if (!preset) params.set('points', pointsText(setup.points));
  else if (preset.name !== (stop?.preset ?? 'example')) params.set('preset', preset.name);
  const usual = stop ? setupOfStop(stop) : preset ? setupOf(preset) : defaults;
  for (const name of [...Object.keys(choices), ...Object.keys(limits)] as (Chosen | Limited)[]) {
    if (setup[name] !== usual[name]) params.set(nameOf(name), String(setup[name]));
  }
  const text = windowText(window);
  if (text !== windowText(windowFor(setup.points))) params.set('window', text);
  if (step > 0) params.set('step', String(step));
  if (panels.join() !== (stop?.panels ?? []).join()) params.set('open', panels.join(','));
  return params;
}
