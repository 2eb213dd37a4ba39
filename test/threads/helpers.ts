// What the suites of threads share: data, one fit on every number of threads, and counts of what is alive.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { type FitReport, type FlatRows, type Label, type Labels, Perceptron, type Rows } from '../../src/index.js';
import { Random } from '../../src/random.js';
import { poolsNow } from '../../src/worker/pool.js';
import { someOf } from '../effort.js';

export const counts = someOf([1, 2, 3, 4] as const, [2, 3]);

/** How long a test waits for something to happen, in ms: nothing may hang, but a machine may be busy. */
export const DEADLINE = 60_000;

export interface FlatData {
  X: FlatRows & { data: Float64Array };
  y: number[];
}

export interface Shape {
  rows: number;
  cols: number;
  seed?: number;
  /** The share of labels that are drawn anew: no plane separates them. */
  noise?: number;
  /** How far rows are moved away from the plane that labels them: mistakes become rare. */
  gap?: number;
  /** Whether the last row is the first with the other label: mistakes never end. */
  contradicts?: boolean;
}

/** Real rows in [−1, 1) and labels −1 and 1 by a plane: any other order of addition shows. */
export function flatRows({ rows, cols, seed = 1, noise = 0, gap = 0, contradicts = false }: Shape): FlatData {
  const random = Random.seeded(seed);
  const plane = Float64Array.from({ length: cols }, () => (random.below(2) ? 1 : -1));
  const data = new Float64Array(rows * cols);
  const y: number[] = [];
  for (let i = 0; i < rows; i++) {
    let side = 0;
    for (let k = i * cols; k < (i + 1) * cols; k++) {
      data[k] = random.next() / 2 ** 31 - 1;
      side += data[k]! * plane[k - i * cols]!;
    }
    const label = side > 0 ? 1 : -1;
    if (gap > 0) for (let k = 0; k < cols; k++) data[i * cols + k]! += label * gap * plane[k]!;
    y.push(random.below(1000) < 1000 * noise ? 2 * random.below(2) - 1 : label);
  }
  y[0] = 1;
  y[1] = -1;
  if (contradicts) {
    data.copyWithin((rows - 1) * cols, 0, cols);
    y[rows - 1] = -1;
  }
  return { X: { data, rows, cols }, y };
}

/** Four rows that no plane separates: training on them ends when it is told to. */
export const xor = [
  [0, 0],
  [1, 1],
  [0, 1],
  [1, 0],
];
export const xorLabels = [-1, -1, 1, 1];

// ---- the same on every number of threads ----------------------------------------------------------------

/** What every trainer has, and pipelines. */
export interface AnyTrainer {
  fit(X: Rows, y: Labels<Label>, ...rest: never[]): unknown;
  fitAsync(X: Rows, y: Labels<Label>, options?: object): Promise<unknown>;
  toJSON(): unknown;
  readonly report: FitReport;
  hardest?(count?: number): unknown;
}

/** All that must not differ: the model's file, its history, its hard rows. */
export function outcomeOf(model: AnyTrainer): string {
  const { timings: _, threads: __, threadsReason: ___, ...history } = model.report;
  return `${JSON.stringify(history)}\n${JSON.stringify(model.hardest?.(50))}\n${JSON.stringify(model)}`;
}

/** What comes of it, an error's class and message included. */
async function outcomeOrError(act: () => unknown, outcome: () => string): Promise<string> {
  try {
    await act();
  } catch (error) {
    return `${(error as Error).constructor.name}: ${(error as Error).message}`;
  }
  return outcome();
}

/** Expects equal texts; shows where they part, not all of them. */
export function expectEqual(text: string, expected: string, what: string): void {
  if (text === expected) return;
  let at = 0;
  while (text[at] === expected[at]) at++;
  const near = (s: string) => s.slice(Math.max(0, at - 60), at + 60);
  expect(`${what}, at ${at}: …${near(text)}…`).toBe(`${what}, at ${at}: …${near(expected)}…`);
}

export interface Same {
  /** Options of fit and fitAsync. */
  options?: object;
  threads?: readonly (number | 'auto')[];
  /** Whether the engine has threads at all. Default true. */
  hasThreads?: boolean;
  /** How many must have worked at the same time, where several were asked for. Default 1. */
  least?: number;
}

/** Trains with fit, then with fitAsync on each number of threads, and expects one outcome. Returns it. */
export async function expectSameOnThreads<T extends AnyTrainer>(
  make: () => T,
  X: Rows,
  y: Labels<Label>,
  { options = {}, threads = counts, hasThreads = true, least = 1 }: Same = {},
): Promise<string> {
  const whole = make() as AnyTrainer & { fit(X: Rows, y: Labels<Label>, options?: object): unknown };
  const given = Object.keys(options).length > 0 ? [options] : [];
  const expected = await outcomeOrError(
    () => whole.fit(X, y, ...given),
    () => outcomeOf(whole),
  );
  for (const count of threads) {
    const model = make();
    const outcome = await outcomeOrError(
      () => model.fitAsync(X, y, { ...options, threads: count }),
      () => {
        expectThreads(model.report, count, hasThreads);
        if (count !== 1) expect(model.report.threads).toBeGreaterThanOrEqual(least);
        return outcomeOf(model);
      },
    );
    expectEqual(outcome, expected, `threads: ${count}`);
  }
  return expected;
}

/** Expects a report to say what became of the threads asked for. */
export function expectThreads(report: FitReport, asked: number | 'auto', hasThreads = true): void {
  const { threads, threadsReason } = report;
  const most = asked === 'auto' ? 16 : hasThreads ? asked : 1;
  expect(Number.isInteger(threads) && threads >= 1 && threads <= most, `report.threads is ${threads}`).toBe(true);
  if (asked === 'auto') return;
  if (asked > 1 && !hasThreads) expect(threadsReason).toMatch(/\w+ \w+/);
  else if (asked > 1 && threadsReason !== undefined) expect([threads, typeof threadsReason]).toEqual([1, 'string']);
  else expect(threadsReason).toBe(undefined);
}

// ---- waiting and watching -------------------------------------------------------------------------------

/** Waits until something is so, which it must be within the deadline. */
export async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + DEADLINE; !isSo(); ) {
    if (Date.now() > end) throw new Error(`not within ${DEADLINE / 1000} s: ${isSo}`);
    await sleep(1);
  }
}

/** Has two workers started. */
export const warmUp = () => new Perceptron<number>().fitAsync(xor, xorLabels, { threads: 2 });

/** Waits until a worker is at work; or until `ended` settles, if that comes first. */
export async function busy(ended?: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  ended?.then(over, over);
  await until(() => isOver || poolsNow().busy > 0);
}

const controls = new Set<AbortController>();

/** A controller for a fit that does not end by itself. */
export function stopper(): AbortController {
  const control = new AbortController();
  controls.add(control);
  return control;
}

/** Aborts what a test that failed may have left behind. */
function stopAll(): void {
  for (const control of controls) control.abort();
  controls.clear();
}

/** What a promise is rejected with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => new Error('it was not rejected'),
    (error) => error,
  );

/** A fit, or another call, that was started and that ends when it is told to. */
export interface Started {
  /** Undefined while it is under way; then its value, or what it was rejected with. */
  readonly end: { value: unknown } | { error: unknown } | undefined;
  /** How many epochs it has told of. */
  readonly epochs: number;
  /** Settles when it has ended, and never rejects. */
  readonly ended: Promise<unknown>;
  abort(reason?: unknown): void;
  readonly signal: AbortSignal;
}

/** Starts a call with a signal and an onEpoch of its own, and watches it. */
export function start(call: (options: { signal: AbortSignal; onEpoch: () => void }) => Promise<unknown>): Started {
  const control = stopper();
  let end: Started['end'];
  let epochs = 0;
  const ended = call({ signal: control.signal, onEpoch: () => void epochs++ }).then(
    (value) => {
      end = { value };
    },
    (error) => {
      end = { error };
    },
  );
  return {
    get end() {
      return end;
    },
    get epochs() {
      return epochs;
    },
    ended,
    abort: (reason) => control.abort(reason),
    signal: control.signal,
  };
}

/** Waits until a fit is in the middle of its work: a worker is at it, or it has told of an epoch; or it has ended. */
export const underWay = (started: Started) =>
  until(() => started.end !== undefined || poolsNow().busy > 0 || started.epochs > 0);

/** Waits until it has ended, or is seen to go on: it tells of two more epochs. */
export async function endedOrGoesOn(started: Started): Promise<void> {
  const told = started.epochs;
  await until(() => started.end !== undefined || started.epochs >= told + 2);
}

/** After each test of a file: what it started is over, and memory and threads are as before. Answers the memory as it was before the test. */
export function leavesNothing(): () => typeof defaultArena.usage {
  let before = defaultArena.usage;
  beforeEach(() => {
    before = defaultArena.usage;
  });
  afterEach(async () => {
    stopAll();
    await until(() => poolsNow().busy === 0 && defaultArena.usage.blocks <= before.blocks);
    const { blocks, liveBytes } = before;
    expect(defaultArena.usage).toMatchObject({ blocks, liveBytes });
  });
  return () => before;
}
