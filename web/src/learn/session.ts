// What is shown and how it goes on, without a picture: the setup, its trace, how many steps of it are done, and whether it
// plays. All parts of the screen listen to one session.

import { presetNamed, presetOf, setupOf } from './presets.js';
import { type SeedLine, seedLines } from './seeds.js';
import type { PanelName, State } from './state.js';
import { nextMistake, nextSample, traceOf } from './trace.js';
import type { PresetName, Setup, Trace, Window } from './types.js';
import { type Offer, offerAt, statusAt } from './words.js';

/**
 * Why listeners are called: 'step' by hand, 'play' while playing, 'end' when playing has come to its end, 'seeds' when more
 * lines of other seeds are known.
 */
export type Cause = 'setup' | 'step' | 'play' | 'end' | 'reset' | 'mode' | 'seeds';
export type StepBy = 'mistake' | 'sample';

/** Steps a second. */
export const SPEEDS = [1, 2, 5, 20, 100] as const;

const LONGEST_FRAME_MS = 250;

/** Of the opening: time to read a sentence, and a first step soon after the page is there. */
const OPENING_MS = 1600;
const OPENING_FIRST_MS = 500;

/** What takes more work (looks at samples) is learned when a slider, or a key, has come to rest for so long. */
const QUICK_WORK = 30_000;
const REST_MS = 120;

/** Of the seeds' work, before the page gets its turn. */
const SLICE_MS = 8;

export class Session {
  trace: Trace;
  steps: number;
  stepBy: StepBy = 'mistake';
  /** Whether the lines of other seeds are drawn. */
  hasSeeds = false;
  isDrawerOpen = false;
  /** An index of SPEEDS. */
  speed = 1;
  isPlaying = false;
  /** The page plays by itself when it is opened ('playing') until its end ('over'), or until somebody does something. */
  opening: 'playing' | 'over' | undefined;
  /** The stop of the guided tour, from 1. */
  tour: number | undefined;
  window: Window;
  readonly #listeners: ((cause: Cause) => void)[] = [];
  #frame = 0;
  #seeds: { readonly setup: Setup; readonly lines: SeedLine[]; readonly rest: Iterator<SeedLine> } | undefined;
  #seedTimer: ReturnType<typeof setTimeout> | undefined;
  /** What is asked for and not learned yet. */
  #wanted: Setup | undefined;
  #restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(state: State) {
    this.trace = this.#train(state.setup);
    this.steps = 0;
    this.window = state.window;
    this.#take(state);
  }

  listen(listener: (cause: Cause) => void): void {
    this.#listeners.push(listener);
  }

  get setup(): Setup {
    return this.trace.setup;
  }

  /** The setup, with what is about to be learned. */
  get wanted(): Setup {
    return this.#wanted ?? this.setup;
  }

  get preset(): PresetName | undefined {
    return presetOf(this.setup.points)?.name;
  }

  /** How many steps will be done after the next one; the same number at the end. */
  get #next(): number {
    const { trace, steps } = this;
    // With nothing left but samples that are right it is the end, which has been told with the last mistake.
    const next = this.stepBy === 'sample' ? nextSample(trace, steps) : nextMistake(trace, steps);
    return next ?? steps;
  }

  get #isStuck(): boolean {
    return statusAt(this.trace, this.steps) === 'stuck';
  }

  get isAtEnd(): boolean {
    return this.#next === this.steps;
  }

  /** Nothing more is to be learned by watching: it is over, or it is plain that there is no end to it. */
  get hasSaidAll(): boolean {
    return !this.isPlaying && (this.isAtEnd || this.#isStuck);
  }

  /** The next thing to try, when there is time to think about it; on the tour that is its next stop. */
  get offer(): Offer | undefined {
    return this.isPlaying || this.tour !== undefined ? undefined : offerAt(this.trace, this.steps);
  }

  step(): void {
    this.pause();
    this.#settle();
    if (this.isAtEnd) return;
    this.steps = this.#next;
    this.#tell('step');
  }

  play(): void {
    if (this.isPlaying) return;
    this.opening = undefined;
    this.#settle();
    if (this.isAtEnd) this.steps = 0;
    if (this.isAtEnd) return;
    this.#run(1, () => SPEEDS[this.speed] ?? 1); // the first step at once
  }

  /** Plays slowly, by itself: what a page does that was just opened. */
  open(): void {
    if (this.isPlaying || this.isAtEnd) return;
    this.opening = 'playing';
    this.#run(1 - OPENING_FIRST_MS / OPENING_MS, () => 1000 / OPENING_MS);
  }

  /** `due`: the share of a step that is made already; `rate`: steps a second. */
  #run(due: number, rate: () => number): void {
    this.isPlaying = true;
    let last = performance.now();
    const go = (now: number) => {
      // After a pause of the page itself (another tab in front) it goes on where it was.
      due += (Math.min(LONGEST_FRAME_MS, Math.max(0, now - last)) / 1000) * rate();
      last = now;
      const count = Math.floor(due);
      due -= count;
      // Where it has become plain that there is no end to it, there is something to read; who plays on sees more of it.
      let isStuck = false;
      for (let i = 0; i < count && !this.isAtEnd && !isStuck; i++) {
        const wasStuck = this.#isStuck;
        this.steps = this.#next;
        isStuck = this.#isStuck && !wasStuck;
      }
      if (this.isAtEnd || isStuck) {
        this.isPlaying = false;
        if (this.opening) this.opening = 'over';
        this.#tell('end');
        return;
      }
      if (count > 0) this.#tell('play');
      if (this.isPlaying) this.#frame = requestAnimationFrame(go);
    };
    this.#tell('mode');
    this.#frame = requestAnimationFrame(go);
  }

  pause(): void {
    this.opening = undefined;
    if (!this.isPlaying) return;
    cancelAnimationFrame(this.#frame);
    this.isPlaying = false;
    this.#tell('mode');
  }

  reset(): void {
    this.pause();
    this.#settle();
    this.steps = 0;
    this.#tell('reset');
  }

  /** Learns anew, from the beginning. */
  change(part: Partial<Setup>): void {
    this.pause();
    this.trace = this.#train({ ...this.wanted, ...part });
    this.steps = 0;
    if (!this.trace.hasSamples) this.stepBy = 'mistake';
    this.#tell('setup');
  }

  /** The same for what changes many times a second: at once if that is quick, else when it has come to rest. */
  changeSoon(part: Partial<Setup>): void {
    const { report, setup } = this.trace;
    // Each mistake is a look at all points where there is a kernel or a pocket.
    if (setup.points.length * (report.epochs + report.mistakes) <= QUICK_WORK) {
      this.change(part);
      return;
    }
    this.pause();
    this.#wanted = { ...this.wanted, ...part };
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#settle(), REST_MS);
  }

  #settle(): void {
    if (this.#wanted) this.change({});
  }

  #train(setup: Setup): Trace {
    this.#wanted = undefined;
    clearTimeout(this.#restTimer);
    return traceOf(setup);
  }

  choose(name: PresetName): void {
    const preset = presetNamed(name);
    this.window = preset.window;
    if (this.tour !== undefined) this.hasSeeds = false; // they were the stop's
    this.tour = undefined;
    this.change(setupOf(preset));
  }

  /** How steps are counted, how fast they come, what is drawn beside them. */
  mode(part: Partial<Pick<Session, 'stepBy' | 'speed' | 'hasSeeds' | 'isDrawerOpen'>>): void {
    Object.assign(this, part);
    this.#tell('mode');
  }

  /** Another picture altogether, as an address tells it. */
  load(state: State): void {
    this.pause();
    this.trace = this.#train(state.setup);
    this.window = state.window;
    this.#take(state);
    this.#tell('setup');
  }

  #take({ step, panels, tour }: State): void {
    this.tour = tour;
    this.steps = Math.min(step, this.trace.steps.length);
    if (!this.trace.hasSamples) this.stepBy = 'mistake';
    this.hasSeeds = panels.includes('seeds');
    this.isDrawerOpen = panels.includes('more');
  }

  get state(): State {
    const panels: PanelName[] = [];
    if (this.isDrawerOpen) panels.push('more');
    if (this.hasSeeds) panels.push('seeds');
    return { setup: this.setup, window: this.window, step: this.steps, panels, tour: this.tour };
  }

  /** The lines of other seeds that are known so far, if they are wanted. */
  get seedLines(): readonly SeedLine[] {
    if (!this.hasSeeds) return [];
    if (this.#seeds?.setup !== this.setup) {
      this.#seeds = { setup: this.setup, lines: [], rest: seedLines(this.setup) };
      clearTimeout(this.#seedTimer);
      this.#seedTimer = setTimeout(() => this.#moreSeeds());
    }
    return this.#seeds.lines;
  }

  #moreSeeds(): void {
    if (!this.hasSeeds || !this.#seeds) return;
    const { lines, rest } = this.#seeds;
    const end = performance.now() + SLICE_MS;
    let next = rest.next();
    for (; !next.done; next = rest.next()) {
      lines.push(next.value);
      if (performance.now() > end) break;
    }
    if (!next.done) this.#seedTimer = setTimeout(() => this.#moreSeeds());
    this.#tell('seeds');
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#restTimer);
    clearTimeout(this.#seedTimer);
    this.isPlaying = false;
  }

  #tell(cause: Cause): void {
    for (const listener of this.#listeners) listener(cause);
  }
}
