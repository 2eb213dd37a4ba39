// Points to begin with: the same for everybody, whatever the browser.

import { randomFrom } from '../ui/random.js';
import type { Class, Point, PresetName, Setup, Window } from './types.js';

export interface Preset {
  readonly name: PresetName;
  /** On its button. */
  readonly title: string;
  readonly points: readonly Point[];
  readonly window: Window;
  /** Where it differs from `defaults`. */
  readonly setup?: Partial<Omit<Setup, 'points'>>;
  /** What to ask oneself before the first step. */
  readonly invitation: string;
}

/** All of a setup but its points. */
export const defaults: Omit<Setup, 'points'> = {
  trainer: 'perceptron',
  kernel: 'linear',
  gamma: 1,
  degree: 2,
  learningRate: 1,
  margin: 0,
  order: 'cyclic',
  seed: 0,
  maxEpochs: 100,
};

/** To quarters and the like: numbers that are read easily, and added exactly. */
const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts;

const alternating = (index: number): Class => (index % 2 === 0 ? 1 : -1);

/** `count` points, drawn again where they lie on each other. */
function scatter(count: number, draw: (label: Class) => { x: number; y: number } | undefined): Point[] {
  const points: Point[] = [];
  while (points.length < count) {
    const label = alternating(points.length);
    const drawn = draw(label);
    if (!drawn || points.some((point) => Math.hypot(point.x - drawn.x, point.y - drawn.y) < 0.3)) continue;
    points.push({ ...drawn, label });
  }
  return points;
}

/** Two clouds on the sides of x₁ + 2x₂ = 3; how far from it, on the right side, they are at least. */
function clouds(count: number, seed: number, gap: number): Point[] {
  const random = randomFrom(seed);
  return scatter(count, (label) => {
    const x = rounded(-4 + 10 * random(), 2);
    const y = rounded(-4 + 10 * random(), 2);
    const height = label * (x + 2 * y - 3);
    return height >= gap && height <= 11 ? { x, y } : undefined;
  });
}

/** At an angle and a distance. Browsers differ in the last bits of sin and cos: sixteenths are the same in all. */
function around(angle: number, radius: number): { x: number; y: number } {
  return { x: rounded(radius * Math.cos(angle), 16), y: rounded(radius * Math.sin(angle), 16) };
}

function moons(): Point[] {
  const random = randomFrom(5);
  return scatter(36, (label) => {
    const { x, y } = around(Math.PI * random(), 1.7 + 0.6 * random());
    return label === 1 ? { x: x - 1, y: y - 0.5 } : { x: x * -1 + 1, y: y * -1 + 0.5 };
  });
}

function circles(): Point[] {
  const random = randomFrom(3);
  return scatter(36, (label) =>
    around(2 * Math.PI * random(), label === 1 ? 1.1 * Math.sqrt(random()) : 2 + 0.6 * random()),
  );
}

const square = (half: number): Window => ({ left: -half, right: half, bottom: -half, top: half });

export const presets: readonly Preset[] = [
  {
    name: 'example',
    title: 'Three points',
    points: [
      { x: 3, y: 3, label: 1 },
      { x: 4, y: 3, label: 1 },
      { x: 1, y: 1, label: -1 },
    ],
    window: { left: -1, right: 6, bottom: -1, top: 6 },
    invitation: 'Can one line split these?',
  },
  {
    name: 'separable',
    title: 'Two clouds',
    points: clouds(24, 38, 1),
    window: { left: -5, right: 7, bottom: -5, top: 7 },
    invitation: 'More points, the same question: can one line split these?',
  },
  {
    name: 'noisy',
    title: 'Noisy',
    points: clouds(28, 12, -1.5),
    window: { left: -5, right: 7, bottom: -5, top: 7 },
    invitation: 'A few points are on the wrong side. What will the line do?',
  },
  {
    name: 'xor',
    title: 'XOR',
    points: [
      { x: 1, y: 1, label: -1 },
      { x: 1, y: -1, label: 1 },
      { x: -1, y: -1, label: -1 },
      { x: -1, y: 1, label: 1 },
    ],
    window: square(2),
    invitation: 'Four corners, and opposite ones belong together. Can one line split these?',
  },
  {
    name: 'moons',
    title: 'Moons',
    points: moons(),
    window: square(4),
    invitation: 'Two moons that reach into each other. Is there a line between them?',
  },
  {
    name: 'circles',
    title: 'Circles',
    points: circles(),
    window: square(3),
    invitation: 'One class inside the other. Where would a line go?',
  },
];

export const presetNamed = (name: PresetName): Preset =>
  presets.find((preset) => preset.name === name) ?? (presets[0] as Preset);

/** What a preset starts with. */
export const setupOf = (preset: Preset): Setup => ({ ...defaults, ...preset.setup, points: preset.points });

/** The preset that has just these points. */
export const presetOf = (points: readonly Point[]): Preset | undefined =>
  presets.find(
    (preset) =>
      preset.points.length === points.length &&
      preset.points.every((a, i) => a.x === points[i]?.x && a.y === points[i]?.y && a.label === points[i]?.label),
  );

/** A square with all points in it, some room around them, and borders that are round numbers. */
export function windowOf(points: readonly Point[]): Window {
  if (points.length === 0) return square(5);
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const size = Math.max(right - left, top - bottom, 1e-3);
  // A unit such that the points are five to fifty of them wide.
  const unit = 10 ** Math.floor(Math.log10(size / 5)) * (points.length > 1 ? 1 : 1000);
  const units = Math.ceil((size * 1.4) / unit) + 1;
  const from = (low: number, high: number) => Math.round((low + high) / 2 / unit - units / 2) * unit;
  const [x, y] = [from(left, right), from(bottom, top)];
  // Without the dust of 3 · 0.1: an address holds them as they are.
  const clean = (value: number) => Number(value.toFixed(6));
  return { left: clean(x), right: clean(x + units * unit), bottom: clean(y), top: clean(y + units * unit) };
}

/** The window that points open with. */
export const windowFor = (points: readonly Point[]): Window => presetOf(points)?.window ?? windowOf(points);
