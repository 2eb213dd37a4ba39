// What is shown and how it goes on, without a picture: the setup, its trace, how many steps of it are done, and whether it
// plays. All parts of the screen listen to one session.

import { presetNamed, presetOf, setupOf, windowOf } from './presets.js';
import { nextMistake, nextSample, traceOf } from './trace.js';
import type { PresetName, Setup, Trace, Window } from './types.js';
import { statusAt } from './words.js';

/** Why listeners are called: 'step' by hand, 'play' while playing, 'end' when playing has come to its end. */
export type Cause = 'setup' | 'step' | 'play' | 'end' | 'reset' | 'mode';
export type StepBy = 'mistake' | 'sample';

/** Steps a second. */
export const SPEEDS = [1, 2, 5, 20, 100] as const;

export interface SessionStart {
  readonly setup: Setup;
  readonly steps: number;
  readonly stepBy: StepBy;
  readonly hasSeeds: boolean;
}

export class Session {
  trace: Trace;
  steps: number;
  stepBy: StepBy;
  /** Whether the lines of other seeds are drawn. */
  hasSeeds: boolean;
  /** An index of SPEEDS. */
  speed = 1;
  isPlaying = false;
  window: Window;
  readonly #listeners: ((cause: Cause) => void)[] = [];
  #frame = 0;

  constructor(start: SessionStart) {
    this.trace = traceOf(start.setup);
    this.steps = Math.min(start.steps, this.trace.steps.length);
    this.stepBy = start.stepBy;
    this.hasSeeds = start.hasSeeds;
    this.window = presetOf(start.setup.points)?.window ?? windowOf(start.setup.points);
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
      due += ((now - last) / 1000) * (SPEEDS[this.speed] ?? 1);
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
    this.#tell('setup');
  }

  choose(name: PresetName): void {
    const preset = presetNamed(name);
    this.window = preset.window;
    this.change(setupOf(preset));
  }

  /** How steps are counted, how fast they come, what is drawn beside them. */
  mode(part: Partial<Pick<Session, 'stepBy' | 'speed' | 'hasSeeds'>>): void {
    Object.assign(this, part);
    this.#tell('mode');
  }

  /** Another picture altogether, as an address tells it. */
  load(start: SessionStart): void {
    this.pause();
    this.trace = traceOf(start.setup);
    this.steps = Math.min(start.steps, this.trace.steps.length);
    this.stepBy = start.stepBy;
    this.hasSeeds = start.hasSeeds;
    this.window = presetOf(start.setup.points)?.window ?? windowOf(start.setup.points);
    this.#tell('setup');
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.isPlaying = false;
  }

  #tell(cause: Cause): void {
    for (const listener of this.#listeners) listener(cause);
  }
}
