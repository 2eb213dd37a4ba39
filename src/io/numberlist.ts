// Lists of numbers whose lengths are not known in advance, in few large buffers: short lists share one, a long one gets its own.

/** Numbers of the first buffer, and of the largest one that lists share. */
const FIRST = 2 ** 10;
const LARGEST = 2 ** 19;

export class NumberLists {
  #buffer = new Float64Array(FIRST);
  /** Where the current list begins and ends. */
  #from = 0;
  #end = 0;
  /** Numbers of all finished lists. */
  #finished = 0;

  /** The length of the current list. */
  get length(): number {
    return this.#end - this.#from;
  }

  /** All numbers so far. */
  get total(): number {
    return this.#finished + this.length;
  }

  /** The current list; adding to it may move it. */
  get current(): Float64Array {
    return this.#buffer.subarray(this.#from, this.#end);
  }

  add(value: number): void {
    if (this.#end === this.#buffer.length) this.#grow();
    this.#buffer[this.#end++] = value;
  }

  /** Moves the current list to a new buffer. */
  #grow(): void {
    const list = this.current;
    const shared = Math.min(2 * this.#buffer.length, LARGEST);
    this.#buffer = new Float64Array(Math.max(shared, 2 * list.length));
    this.#buffer.set(list);
    this.#from = 0;
    this.#end = list.length;
  }

  /** Ends the current list and begins another one. */
  finish(): Float64Array {
    const list = this.current;
    this.#finished += list.length;
    this.#from = this.#end;
    return list;
  }

  /** Forgets the current list. */
  drop(): void {
    this.#end = this.#from;
  }
}
