// Whether to go alone or together: by what it came to, of late. How far mistakes are apart says whether it can pay; but what a
// mistake costs a team depends on the machine, and on who else is at work on it.

/** Together must be faster by this much. */
const GAIN = 1.05;
/** Orders that going together may fail in before one goes alone for longer: the machine may have been held up. */
const TRIES = 2;
/** Orders after which going alone is timed again: mistakes become fewer, and old times are no measure. */
const RENEWED = 64;
/** Orders that one goes alone, at most, before another try. */
const MOST_ALONE = 64;

/** Samples a millisecond: the better of the last two times. Whoever holds us up makes a time longer, never shorter. */
class Speed {
  #last = 0;
  #before = 0;

  get isKnown(): boolean {
    return this.#last > 0;
  }

  get best(): number {
    return Math.max(this.#last, this.#before);
  }

  note(speed: number): void {
    this.#before = this.#last;
    this.#last = speed;
  }

  forget(): void {
    this.#before = 0;
    this.#last = 0;
  }
}

export class Tempo {
  readonly #alone = new Speed();
  readonly #together = new Speed();
  /** Orders to go alone before the next try, and how many that will be if it fails. */
  #rest = 0;
  #nextRest = 2;
  /** Tries that failed, since one went alone for longer. */
  #failed = 0;
  #sinceAlone = 0;

  /** Whether the next order should be for all, where that can pay. */
  get isTogether(): boolean {
    return this.#alone.isKnown && this.#rest === 0 && this.#sinceAlone < RENEWED;
  }

  /** Whether an order of this kind would be to find out which is faster: then it need not be long. */
  isTrial(isTogether: boolean): boolean {
    return this.#failed > 0 || !(isTogether ? this.#together : this.#alone).isKnown;
  }

  /** What an order came to. */
  note(isTogether: boolean, samples: number, ms: number): void {
    const speed = samples / Math.max(ms, 1e-3);
    if (!isTogether) {
      this.#sinceAlone = 0;
      this.#alone.note(speed);
      if (this.#rest > 0) this.#rest--;
      return;
    }
    this.#sinceAlone++;
    this.#together.note(speed);
    if (this.#together.best > GAIN * this.#alone.best) {
      this.#nextRest = 2;
      this.#failed = 0;
    } else if (++this.#failed < TRIES) {
      this.#rest = 1;
    } else {
      this.#together.forget(); // to be tried again, later
      this.#failed = 0;
      this.#rest = this.#nextRest;
      this.#nextRest = Math.min(MOST_ALONE, 2 * this.#nextRest);
    }
  }
}
