// What is shown and how it goes on, without a picture: the setup, its trace, how many steps of it are done, and whether it
// plays. All parts of the screen listen to one session.

import { presetNamed, presetOf, setupOf } from './presets.js';
import { type SeedLine, seedLines } from './seeds.js';
import type { PanelName, State } from './state.js';
import { nextMistake, nextSample, traceOf } from './trace.js';
import type { PresetName, Setup, Trace, Window } from './types.js';
import { type Offer, offerAt, statusAt } from './words.js';

/** Why listeners are called: 'step' by hand, 'play' while playing, 'end' when playing has come to its end. */
export type Cause = 'setup' | 'step' | 'play' | 'end' | 'reset' | 'mode';
export type StepBy = 'mistake' | 'sample';

/** Steps a second. */
export const SPEEDS = [1, 2, 5, 20, 100] as const;

const LONGEST_FRAME_MS = 250;

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
  window: Window;
  readonly #listeners: ((cause: Cause) => void)[] = [];
  #frame = 0;
  #seedLines: { readonly setup: Setup; readonly lines: readonly SeedLine[] } | undefined;

  constructor(state: State) {
    this.trace = traceOf(state.setup);
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

  /** The next thing to try, when there is time to think about it. */
  get offer(): Offer | undefined {
    return this.isPlaying ? undefined : offerAt(this.trace, this.steps);
  }

  step(): void {
    this.pause();
    if (this.isAtEnd) return;
    this.steps = this.#next;
    this.#tell('step');
  }

  play(): void {
    if (this.isPlaying) return;
    if (this.isAtEnd) this.steps = 0;
    if (this.isAtEnd) return;
    this.isPlaying = true;
    let due = 1; // the first step at once
    let last = performance.now();
    const go = (now: number) => {
      // After a pause of the page itself (another tab in front) it goes on where it was.
      due += (Math.min(LONGEST_FRAME_MS, now - last) / 1000) * (SPEEDS[this.speed] ?? 1);
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
    if (!this.isPlaying) return;
    cancelAnimationFrame(this.#frame);
    this.isPlaying = false;
    this.#tell('mode');
  }

  reset(): void {
    this.pause();
    this.steps = 0;
    this.#tell('reset');
  }

  /** Learns anew, from the beginning. */
  change(part: Partial<Setup>): void {
    this.pause();
    this.trace = traceOf({ ...this.setup, ...part });
    this.steps = 0;
    if (!this.trace.hasSamples) this.stepBy = 'mistake';
    this.#tell('setup');
  }

  choose(name: PresetName): void {
    const preset = presetNamed(name);
    this.window = preset.window;
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
    this.trace = traceOf(state.setup);
    this.window = state.window;
    this.#take(state);
    this.#tell('setup');
  }

  #take({ step, panels }: State): void {
    this.steps = Math.min(step, this.trace.steps.length);
    this.hasSeeds = panels.includes('seeds');
    this.isDrawerOpen = panels.includes('more');
  }

  get state(): State {
    const panels: PanelName[] = [];
    if (this.isDrawerOpen) panels.push('more');
    if (this.hasSeeds) panels.push('seeds');
    return { setup: this.setup, window: this.window, step: this.steps, panels };
  }

  /** The lines of other seeds, if they are wanted. */
  get seedLines(): readonly SeedLine[] {
    if (!this.hasSeeds) return [];
    if (this.#seedLines?.setup !== this.setup) this.#seedLines = { setup: this.setup, lines: seedLines(this.setup) };
    return this.#seedLines.lines;
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.isPlaying = false;
  }

  #tell(cause: Cause): void {
    for (const listener of this.#listeners) listener(cause);
  }
}
