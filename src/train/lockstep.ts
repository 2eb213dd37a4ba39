// Several records trained in step: whoever asks first moves all of them, and the others find their answers waiting. So a
// row is fetched once and looked at for all classes, and each class is trained as if it were alone.

import * as at from '../../assembly/layout.js';
import { done, type Pace, type Pause, type Sliced } from '../async/sliced.js';
import { type ArenaRows, wideRowAt } from '../data/arenarows.js';
import type { Random } from '../data/random.js';
import type { BoundEngine, Kernels, Steps } from '../engine/contract.js';
import { at4, at8, Memory } from '../engine/js/memory.js';
import { type Books, booksOf, type Form } from '../engine/js/train.js';
import type { Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { Swept } from '../worker/protocol.js';
import { type Part, startsOf, type Threads } from '../worker/threads.js';
import type { Elsewhere } from './loop.js';

/** What a thread does before it is asked for more, in values gone through: some 10 ms. */
const STRETCH_VALUES = 2 ** 24;
/** What looking at a row takes besides, and for each class: it is steered from JavaScript (measured: 130 and 40 ns). */
const ROW_COST = 256;
const CLASS_COST = 64;

/** One of those in step: its record, and the class that is +1 to it. */
export interface InStep {
  readonly record: number;
  readonly positive: number;
  /** After each of its updates, if anybody wants to know. */
  onUpdate: ((sample: number) => void) | undefined;
}

/** The steps of one of those in step. */
export interface Joined extends Steps {
  watch(onUpdate: (sample: number) => void): void;
  retire(): void;
  readonly elsewhere?: Elsewhere | undefined;
}

/** The order of a pass, shared by all. */
export interface SharedOrder {
  /** Shuffles the samples before each pass; none: as they come. */
  readonly random: Random | undefined;
  /** The class number of each row. */
  readonly codes: Uint32Array;
  readonly pace: Pace;
}

export abstract class Lockstep {
  protected readonly memory: Memory;
  protected readonly books: Books;
  protected readonly codes: Uint32Array;
  protected readonly pace: Pace;
  protected active: InStep[] = [];
  /** The samples of this pass, in order. */
  protected order: Uint32Array = new Uint32Array();
  readonly #random: Random | undefined;
  readonly #answers = new Map<number, number>();
  #samples: Uint32Array | undefined;
  #isBetweenPasses = true;
  /** What the stretch under way waits for, if anything. */
  #pause: PromiseLike<unknown> | undefined;
  /** A stretch of samples that is not done, and where it ends. */
  #work: Sliced<number | undefined> | undefined;
  #to = 0;

  constructor(engine: BoundEngine, { random, codes, pace }: SharedOrder) {
    this.memory = new Memory(engine.arena);
    this.books = booksOf(this.memory);
    this.codes = codes;
    // Steps must not wait for threads: those who can say so (elsewhereFor).
    this.pace = pace.threads ? { ...(pace.rows && { rows: pace.rows }), due: () => pace.due() } : pace;
    this.#random = random;
  }

  /** Takes in a record, and answers its steps. */
  join(record: number, positive: number): Joined {
    const own: InStep = { record, positive, onUpdate: undefined };
    this.active.push(own);
    const refused = () => {
      throw new Error('orders that look at all samples do not go in step');
    };
    return {
      run: (_, rows) => this.#run(own, rows),
      scan: refused,
      apply: refused,
      watch: (onUpdate) => {
        own.onUpdate = onUpdate;
      },
      retire: () => {
        this.active = this.active.filter((member) => member !== own);
      },
      elsewhere: this.elsewhereFor(own),
    };
  }

  /** How to train in worker threads, where that is possible. */
  protected elsewhereFor(_own: InStep): Elsewhere | undefined {
    return undefined;
  }

  /** Whether each pass has an order of its own. */
  protected get isShuffled(): boolean {
    return this.#random !== undefined;
  }

  /**
   * As `run`, with `advance` moving the cursors of all active records to place `to` by `run` of the kernels, which closes the
   * pass at its end. A cursor that stands before that is at a score that is not finite. Where it answers false, nothing was
   * moved for want of room: then it is done here.
   */
  protected *runElsewhere(own: InStep, stretch: number, advance: (rows: number) => Sliced<boolean>): Sliced<Swept> {
    const { memory, active } = this;
    const found = this.#answers.get(own.record);
    this.#answers.delete(own.record);
    if (found !== undefined) return this.#sweptTo(own, found);
    if (this.#work) return this.#sweptTo(own, this.#run(own, stretch)); // begun here
    memory.look();
    if (this.#isBetweenPasses) yield* this.#listSamples(own.record);
    const from = memory.uint(own.record, at.CURSOR);
    const rows = Math.min(this.order.length - from, stretch);
    const isEnd = from + rows === this.order.length;
    if (!(yield* advance(rows))) return this.#sweptTo(own, this.#run(own, stretch));
    memory.look();
    const stuck = active.filter(
      ({ record }) => memory.uint(record, isEnd ? at.PASSES : at.CURSOR) !== (isEnd ? 1 : from + rows),
    );
    if (stuck.length > 0) {
      const place = Math.min(...stuck.map(({ record }) => memory.uint(record, at.CURSOR)));
      for (const { record } of active) memory.setUint(record, at.INDEX, this.order[place] as number);
      return this.#sweptTo(own, at.NON_FINITE);
    }
    if (!isEnd) return this.#sweptTo(own, at.PAUSED);
    this.#isBetweenPasses = true;
    for (const { record } of active) {
      this.#answers.set(record, memory.uint(record, at.PASS_MISTAKES) === 0 ? at.CLEAN : at.CLOSED);
    }
    return yield* this.runElsewhere(own, stretch, advance);
  }

  /** As `run`, waiting for threads where `advance` does. */
  protected *runWaiting(own: InStep, rows: number): Sliced<Swept> {
    this.#pause = undefined;
    const status = this.#run(own, rows);
    if (this.#pause) yield this.#pause;
    return this.#sweptTo(own, status);
  }

  #sweptTo({ record }: InStep, status: number): Swept {
    if (status === at.PAUSED || status === at.NON_FINITE) return { status, mistakes: [], losses: [] };
    const { memory } = this;
    return { status, mistakes: [memory.uint(record, at.PASS_MISTAKES)], losses: [memory.float(record, at.PASS_LOSS)] };
  }

  /** Looks at the samples from place `from` to `to` − 1 for all that are active. Answers the first score that is not finite: its row. */
  protected abstract advance(from: number, to: number): Sliced<number | undefined>;

  /** How many samples at a call, given how many there may be. */
  protected stretch(rows: number): number {
    return rows;
  }

  /** Before the first sample of a pass. */
  protected *beginPass(): Sliced<void> {}

  /** The samples from the cursor on, as many as may be looked at together. */
  *#stretch(record: number, rows: number): Sliced<number | undefined> {
    if (this.#isBetweenPasses) yield* this.#listSamples(record);
    const from = this.memory.uint(record, at.CURSOR);
    this.#to = Math.min(this.order.length, from + this.stretch(rows));
    return yield* this.advance(from, this.#to);
  }

  /** Ends what is not done. */
  release(): void {
    this.#work?.return(undefined);
  }

  #run(own: InStep, rows: number): number {
    const { record } = own;
    const answer = this.#answers.get(record);
    this.#answers.delete(record);
    if (answer !== undefined) return answer;
    this.memory.look();
    this.#work ??= this.#stretch(record, rows);
    const { done, value } = this.#work.next();
    const { memory } = this;
    memory.look();
    if (!done) {
      this.#pause = value as Pause as PromiseLike<unknown> | undefined;
      for (const member of this.active) memory.setUint(member.record, at.PASSES, 0);
      return at.PAUSED; // it is asked again
    }
    this.#work = undefined;
    const to = this.#to;
    if (value !== undefined) {
      for (const member of this.active) memory.setUint(member.record, at.INDEX, value);
      return at.NON_FINITE;
    }
    for (const member of this.active) {
      memory.setUint(member.record, at.PASSES, 0);
      memory.setUint(member.record, at.CURSOR, to);
    }
    if (to < this.order.length) return at.PAUSED;
    this.#isBetweenPasses = true;
    for (const member of this.active) {
      this.#answers.set(member.record, this.books.closePass(member.record) ? at.CLEAN : at.CLOSED);
    }
    return this.#run(own, rows);
  }

  *#listSamples(record: number): Sliced<void> {
    this.#isBetweenPasses = false;
    if (!this.#samples) {
      const n = this.memory.uint(record, at.N);
      const list = this.memory.uint(record, at.ORDER);
      const samples = list ? this.memory.u32.slice(at4(list), at4(list) + n) : new Uint32Array(n);
      if (!list) for (let k = 0; k < n; k++) samples[k] = k;
      this.#samples = samples;
    }
    this.order = this.#samples.slice();
    if (this.#random) yield* this.#random.shuffling(() => this.order, this.pace);
    yield* this.beginPass();
  }
}

/** Primal training in step: the dot products of a row with the weights of all classes, in one call of a kernel. */
export class RowLockstep extends Lockstep {
  /** Where the weights of class k are to be: weights + k · stride. */
  readonly weights: number;
  readonly stride: number;
  readonly #kernels: Kernels;
  readonly #X: ArenaRows;
  readonly #arena: BoundEngine['arena'];
  readonly #block: Block;
  readonly #list: number;
  readonly #out: number;
  readonly #group: number;
  readonly #row: number;
  /** The order of a pass for worker threads, u32[samples], and whether it is that of this pass. */
  #listed: Block | undefined;
  #isListed = false;

  constructor(engine: BoundEngine, X: ArenaRows, classes: number, shared: SharedOrder) {
    super(engine, shared);
    const { arena } = engine;
    this.#arena = arena;
    this.#X = X;
    this.stride = 8 * X.cols;
    const list = aligned(4 * classes);
    const out = aligned(8 * classes);
    const row = X.element === 4 ? aligned(8 * X.cols) : 0;
    const bytes = aligned(this.stride * classes) + list + out + at.GROUP_BYTES + row;
    this.#block = arena.allocate(bytes, `weights of ${classes} classes`);
    this.weights = this.#block.offset;
    this.#list = this.weights + aligned(this.stride * classes);
    this.#out = this.#list + list;
    this.#group = this.#out + out;
    this.#row = this.#group + at.GROUP_BYTES;
    this.#kernels = engine.kernels();
  }

  protected override advance(from: number, to: number): Sliced<number | undefined> {
    return done(this.#advance(from, to));
  }

  #advance(from: number, to: number): number | undefined {
    const { active, memory, order, codes } = this;
    const X = this.#X;
    const { cols } = X;
    const kernels = this.#kernels;
    const count = active.length;
    const forms = active.map((member) => this.#formOf(member));
    const biases = Float64Array.from(active, ({ record }) => memory.float(record, at.BIAS));
    const mu = memory.float(active[0]?.record as number, at.MU);
    const out = at8(this.#out);
    active.forEach(({ positive }, k) => {
      memory.u32[at4(this.#list) + k] = positive;
    });
    for (let place = from; place < to; place++) {
      const sample = order[place] as number;
      if (X.store) {
        kernels.planeDots(X.rowAt(sample), this.weights, count, cols, this.#list, this.#out);
      } else {
        const x = wideRowAt(X, sample, this.#arena, this.#row);
        kernels.scores(8, this.weights, count, cols, this.#list, x, 0, this.#out, this.#group);
      }
      const code = codes[sample];
      for (let k = 0; k < count; k++) {
        const s = (memory.f64[out + k] as number) + (biases[k] as number);
        const { record, positive, onUpdate } = active[k] as InStep;
        const m = positive === code ? s : -s;
        if (m > mu && m < Infinity) continue;
        if (!Number.isFinite(m)) return sample;
        this.books.correct(forms[k] as Form, record, sample, m, memory.float(record, at.SEEN) + place);
        biases[k] = memory.float(record, at.BIAS);
        if (onUpdate) {
          onUpdate(sample);
          memory.look(); // it may have made the memory grow
        }
      }
    }
    return undefined;
  }

  #formOf({ record }: InStep): Form {
    const X = this.#X;
    const { cols, element } = X;
    const w = this.memory.uint(record, at.W);
    const sums = this.memory.uint(record, at.SUMS);
    const kernels = this.#kernels;
    return {
      marginOf: () => NaN, // the scores of all classes are computed at once
      isReady: () => true,
      update(sample, step, before) {
        const x = X.rowAt(sample);
        if (sums) kernels.axpy(element, sums, x, before * step, cols);
        kernels.axpy(element, w, x, step, cols);
      },
    };
  }

  // biome-ignore lint/correctness/useYield: there is little to do
  protected override *beginPass(): Sliced<void> {
    this.#isListed = false;
  }

  protected override elsewhereFor(own: InStep): Elsewhere | undefined {
    const X = this.#X;
    if (X.window) return undefined; // rows come and go
    const classes = () => this.active.length;
    return {
      get values() {
        return X.rows * Math.max(1, X.valuesPerRow) * classes();
      },
      run: (threads) => {
        const each = Math.ceil(classes() / threads.limit);
        const stretch = Math.ceil(STRETCH_VALUES / (ROW_COST + each * (CLASS_COST + X.valuesPerRow)));
        return this.runElsewhere(own, stretch, (rows) => this.#advanceElsewhere(threads, rows, each));
      },
    };
  }

  /** Puts the order of this pass where the kernels read it; answers whether there is room for it. */
  #listOrder(): boolean {
    const { order, active } = this;
    try {
      this.#listed ??= this.#arena.allocate(4 * order.length, `the order of ${order.length} rows`, false);
    } catch {
      return false;
    }
    this.#arena.u32(this.#listed.offset, order.length).set(order);
    this.memory.look();
    for (const { record } of active) this.memory.setUint(record, at.ORDER, this.#listed.offset);
    this.#isListed = true;
    return true;
  }

  /** Each thread has `each` classes, and looks at all rows. */
  *#advanceElsewhere(threads: Threads, rows: number, each: number): Sliced<boolean> {
    if (this.isShuffled && !this.#isListed && !this.#listOrder()) return false;
    const { active, weights } = this;
    const bytes = aligned(at.GROUP_BYTES + 12 * each + 8 + 8 * this.#X.cols);
    const partFrom = (from: number): Part => {
      const own = active.slice(from, from + each);
      const group = own.map(({ record }) => record);
      const planes = own.map(({ positive }) => positive);
      return (scratch) => ({ group, planes, weights, rows, scratch });
    };
    return yield* threads.each(
      startsOf(active.length, each).map((from) => [partFrom(from)]),
      bytes,
    );
  }

  override release(): void {
    super.release();
    if (this.#listed) this.#arena.release(this.#listed);
    this.#arena.release(this.#block);
  }
}
