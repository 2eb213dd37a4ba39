// What is said between the caller's thread and its workers: which kernels to call with which numbers. A worker has the
// kernels over the same memory, and nothing else of this library.

/** The kernels that a list of calls may name. */
export const KERNELS = ['pairPanel', 'transform', 'mirror', 'pairRow', 'pairSparse'] as const;

export type Kernel = (typeof KERNELS)[number];

/** The first message: what to work with. */
export interface Open {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
}

/** Calls of kernels, one after the other: the number of a kernel, its arguments, the number of the next, and so on. */
interface Calls {
  readonly calls: readonly number[];
}

/** Which passes a sweep goes through before the caller's thread must see to them. */
export interface Passes {
  /** So many, at most. */
  readonly passes: number;
  /** After so many milliseconds it comes back at the end of a pass: somebody wants to hear of it. */
  readonly tellIn?: number;
  /** The state of random numbers (SPEC §12) that shuffle all rows for each pass but the first. */
  readonly random?: readonly number[];
}

/** Training over a record (assembly/layout.ts), until something happens that only the caller's thread can see to. */
export interface Sweep extends Passes {
  readonly form: 'run' | 'runDual';
  readonly record: number;
  /** Samples in one call of a kernel. */
  readonly rows: number;
  /** Comes back after so long, whatever it has got to. */
  readonly ms: number;
  /** Those that look ahead together, where there are several. */
  readonly team?: Team;
}

/** Classes trained in step, from one look at each row (group.ts). All offsets are in bytes. */
export interface Group {
  /** The records of some classes, all at the same place of the same pass … */
  readonly group: readonly number[];
  /** … and which of the planes f64[cols] at `weights` are theirs. */
  readonly planes: readonly number[];
  readonly weights: number;
  /** How many samples to look at. */
  readonly rows: number;
  /** Scratch: GROUP_BYTES, f64[planes], u32[planes], f64[cols]. */
  readonly scratch: number;
}

/** Listing the mistakes of the scores at hand (`scan`). */
export interface Scan {
  readonly scan: 'scan' | 'scanDual';
  readonly record: number;
  readonly rows: number;
  readonly ms: number;
}

/** Threads that look at the samples of one record together (team.ts). All offsets are in bytes. */
export interface Team {
  /** Where they meet: i32[TEAM_WORDS]. */
  readonly control: number;
  /** Where each has a record of its own, f64[chunk] and u32[chunk]: copies + stride · slot. */
  readonly copies: number;
  readonly stride: number;
  readonly slot: number;
  /** Samples that one of them looks at before it asks for more. */
  readonly chunk: number;
  /** Samples to a mistake, of late; and how many they must be at least, or looking ahead cannot pay. */
  readonly calm: number;
  readonly apart: number;
}

/** Words of a team's control block (team.ts). */
export const TEAM_WORDS = 5;
/** The one that ends the work of all, once it is not 0. */
export const TEAM_OVER = 4;
/** What is taken off the first one while nobody may begin to look; so it is at the start. */
export const TEAM_CLOSED = 2 ** 20;

/** Looking ahead for somebody else's sweep. */
export interface Follow {
  readonly follow: number;
  readonly team: Team;
}

export type Order = Calls | Sweep | Scan | Follow | Group;

/** What a sweep came to: why it came back, and the passes it closed, the oldest first. */
export interface Swept {
  readonly status: number;
  readonly mistakes: number[];
  readonly losses: number[];
  /** The random numbers' state now, if any were drawn. */
  readonly random?: readonly number[];
}

/** What a worker answers: to `Open` of which version it is, once it is ready, to an order what came of it, or what went wrong. */
export type Answer = { readonly value: unknown } | { readonly error: string };
