// The line that tells how far we are and how long it will take: on a terminal a bar that goes away, elsewhere a line
// for each question. By the seconds each question took in the latest run of the same mode, or else is known to take.

import { SingleBar } from 'cli-progress';
import type { Question } from './questions.js';
import type { Mode, Results } from './results.js';

const TICK_MS = 250;

/** The bar counts in these. */
const PARTS = 1000;

export class Progress {
  /** Seconds of the questions that are not answered yet. */
  readonly #estimates: Map<string, number>;
  readonly #whole: number;
  readonly #bar: SingleBar | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #current = { name: '', began: performance.now(), text: '' };

  constructor(questions: readonly Question[], mode: Mode, latest: Results | undefined) {
    this.#estimates = estimatesOf(questions, mode, latest);
    this.#whole = this.#left();
    if (process.stderr.isTTY !== true || process.env.TERM === 'dumb') return;
    this.#bar = new SingleBar({
      stream: process.stderr,
      format: '[{bar}] {left} left | {text}',
      barsize: 20,
      barCompleteChar: '=',
      barIncompleteChar: ' ',
      hideCursor: true,
      clearOnComplete: true,
      linewrap: false,
    });
    this.#bar.start(PARTS, 0, { left: duration(this.#whole), text: '' });
    this.#timer = setInterval(() => this.#draw(), TICK_MS);
    this.#timer.unref();
  }

  begin(name: string): void {
    this.#current = { name, began: performance.now(), text: name };
    this.#draw();
  }

  /** Of the current question: what it asks now. */
  asked(text: string): void {
    this.#current.text = text;
    this.#draw();
  }

  /** The current question has been answered. */
  done(): void {
    const { name, began } = this.#current;
    this.#estimates.delete(name);
    if (this.#bar) return;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const left = this.#estimates.size === 0 ? '' : `, ${duration(this.#left())} left`;
    process.stderr.write(`${name}: ${seconds} s${left}\n`);
  }

  /** Prints above the bar. */
  print(text: string, say: (text: string) => void): void {
    if (this.#bar) process.stderr.write('\r\x1b[K');
    say(text);
    this.#draw();
  }

  /** Takes the bar away. */
  end(): void {
    clearInterval(this.#timer);
    this.#bar?.stop();
  }

  /** Seconds; a question that is over its time takes a little longer still. */
  #left(): number {
    const { name, began } = this.#current;
    const spent = (performance.now() - began) / 1000;
    let sum = 0;
    for (const [question, seconds] of this.#estimates) {
      sum += question === name ? Math.max(seconds - spent, seconds / 10) : seconds;
    }
    return sum;
  }

  #draw(): void {
    const left = this.#left();
    const text = this.#current.text.slice(0, Math.max(0, (process.stderr.columns || 80) - 42));
    this.#bar?.update(Math.max(0, Math.round(PARTS * (1 - left / this.#whole))), { left: duration(left), text });
  }
}

function estimatesOf(questions: readonly Question[], mode: Mode, latest: Results | undefined): Map<string, number> {
  const known = new Map<string, number>();
  for (const { name, seconds } of latest?.mode === mode ? latest.questions : []) {
    known.set(name, (known.get(name) ?? 0) + seconds);
  }
  return new Map(
    questions.map(({ name, seconds }) => [name, known.get(name) ?? seconds[mode] ?? seconds.full ?? 1] as const),
  );
}

/** 47 → '47 s', 83 → '1 min 25 s': by fives once it is minutes. */
function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const rounded = Math.round(seconds / 5) * 5;
  return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}
