// Whether to go alone or together: by what it came to, of late. How far mistakes are apart says whether it can pay; but what a
// mistake costs a team depends on the machine, and on who else is at work on it.

/** Together must be faster by this much. */
const GAIN = 1.05;
/** Orders after which going alone is timed again: mistakes become fewer, and old times are no measure. */
const RENEWED = 64;
/** Orders that one goes alone, at most, before another try. */
const MOST_ALONE = 64;

export class Tempo {
  /** Samples a millisecond; 0: not known. */
  #alone = 0;
  #together = 0;
  /** Orders to go alone before the next try, and how many that will be if it fails. */
  #rest = 0;
  #nextRest = 2;
  #sinceAlone = 0;

  /** Whether the next order should be for all, where that can pay. */
  get isTogether(): boolean {
    if (this.#alone === 0 || this.#rest > 0 || this.#sinceAlone >= RENEWED) return false;
    return this.#together === 0 || this.#together > GAIN * this.#alone;
  }

  /** Whether nothing is known yet, or nothing of going together: then an order need not be long. */
  get isNew(): boolean {
    return this.#alone === 0;
  }
  get isTrial(): boolean {
    return this.#together === 0;
  }

  note(isTogether: boolean, samples: number, ms: number): void {
    const speed = samples / Math.max(ms, 1e-3);
    if (isTogether) {
      this.#sinceAlone++;
      this.#together = this.#together === 0 ? speed : (this.#together + speed) / 2;
      if (this.#together > GAIN * this.#alone) {
        this.#nextRest = 2;
      } else {
        this.#together = 0; // to be tried again, later
        this.#rest = this.#nextRest;
        this.#nextRest = Math.min(MOST_ALONE, 2 * this.#nextRest);
      }
    } else {
      this.#sinceAlone = 0;
      this.#alone = speed;
      if (this.#rest > 0) this.#rest--;
    }
  }
}
