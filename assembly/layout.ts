// The layout of the training record as byte offsets, and the return values of `run` and `scan`.
// Primal and dual training share the record and the training loop; a field that means something else in
// the dual form has a second name below.
//
// Only plain numbers: AssemblyScript compiles this file into the kernels and TypeScript imports the same
// file, so the two sides cannot disagree. docs/memory.md draws the record.

// ---- what the record points to; set once per fit ----------------------------------------------
export const X = 0; //             u32  byte offset of X (rows, d) row-major
export const N = 4; //             u32  samples in an epoch: the length of ORDER, or the rows of X
export const D = 8; //             u32  features
export const ORDER = 12; //        u32  byte offset of u32[n], the row at each place of the epoch; 0: rows 0 … n−1
export const Y = 16; //            u32  byte offset of i8[rows], −1 or +1
export const W = 20; //            u32  byte offset of f64[d], the weights
export const SUMS = 24; //         u32  byte offset of f64[d], Σ (samples seen before)·step·x (SPEC §9); 0: not averaging
export const LIST = 28; //         u32  byte offset of u32[n], the rows that `scan` found to be mistakes
export const MARGINS = 32; //      u32  byte offset of f64[n], y·s of each of them
export const ELEMENT = 36; //      u32  bytes of one value of X: 8 (float64) or 4 (float32); SPARSE: X is a table of sparse rows
export const COUNTS = 140; //      u32  byte offset of u32[rows], n: how often each row was a mistake

// ---- constants of the update (SPEC §2, §12) ---------------------------------------------------
export const STEP_POSITIVE = 40; // f64 (η·c₊)·(+1)
export const STEP_NEGATIVE = 48; // f64 (η·c₋)·(−1)
export const BIAS_SCALE = 56; //    f64 B·B, or 0 without an intercept
export const MU = 64; //            f64 μ, the "margin" option: a mistake is not (y·s > μ)

// ---- the state of training --------------------------------------------------------------------
export const BIAS = 72; //         f64  b
export const BIAS_SUM = 80; //     f64  SUMS for the bias
export const SEEN = 88; //         f64  samples seen in the epochs before this one
export const SIGMA = 96; //        f64  Σ |step| over all updates: σ of SPEC §4
export const LOSS = 104; //        f64  −Σ y·s over the mistakes of this epoch (SPEC §11); with NORMS Σ (1 − y·s)
export const CURSOR = 112; //      u32  place of the next sample in the epoch
export const MISTAKES = 116; //    u32  mistakes in this epoch
export const INDEX = 120; //       u32  row of the latest mistake, or of the non-finite score
export const COUNT = 124; //       u32  entries of LIST
export const CALM = 128; //        u32  samples right since the latest mistake    (changes the speed, not the result)
export const LAST_CALM = 132; //   u32  CALM at the latest mistake

// ---- results of a call ------------------------------------------------------------------------
export const PASSES = 136; //      u32  epochs that this call of `run` has closed; oldest first in:
export const PASS_MISTAKES = 144; // u32[PASS_CAPACITY]
export const PASS_LOSS = 400; //   f64[PASS_CAPACITY]
export const PASS_CAPACITY = 64;

// ---- scratch for one group of rows ------------------------------------------------------------
export const GROUP = 912; //       scratch of GROUP_BYTES; `scores` gets its own
export const GROUP_SCORES = 64; // f64[12], after u32[12] row offsets (padded to 64)
export const GROUP_BYTES = 160;

// ---- the dual form: fields under another name ---------------------------------------------------
export const ROWS = 0; // X        u32  byte offset of u32[length], the byte offset of row i of the Gram matrix; 0: not in memory
export const LENGTH = 8; // D      u32  rows of X, and so of a Gram row
export const SCORES = 20; // W     u32  byte offset of f64[length], s_i − b
export const ALPHA_SUMS = 24; // SUMS u32  byte offset of f64[length], Σ (samples seen before)·|step|; 0: not averaging

// ---- the dual form: fields of its own -----------------------------------------------------------
export const ALPHAS = 1072; //     u32  byte offset of f64[length], α
export const SIGNS = 1080; //      u32  byte offset of f64[length], +0 where y is +1, −0 where it is −1
export const STAMPS = 1084; //     u32  byte offset of f64[length], TICK at the latest use of each row; 0: not recorded
export const TICK = 1088; //       f64  updates so far
export const APPLIED = 1096; //    u32  byte offset of u32[⌈length / BLOCK⌉], how many queued updates each block of scores has
export const QUEUE = 1100; //      u32  byte offset of f64[capacity] steps, then u32[capacity] Gram rows
export const QUEUE_CAPACITY = 1104; // u32

// ---- updates of other sizes (SPEC §14, §15) ------------------------------------------------------
export const STEPS = 1108; //      u32  byte offset of f64[rows], (η·c)·y of each row; 0: STEP_POSITIVE or STEP_NEGATIVE
export const NORMS = 1112; //      u32  byte offset of f64[rows], q = ‖x̃‖² of each row: steps are passive-aggressive; 0: they are not
export const CEILING = 1120; //    f64  the largest τ: C with 'pa1', Infinity with 'pa2'
export const SOFTNESS = 1128; //   f64  what is added to q: 1/(2C) with 'pa2', 0 with 'pa1'
export const STEP = 1136; //       f64  the latest step
export const RECORD_BYTES = 1152;

// ---- the header of several records that are trained in step (many.ts) ----------------------------
export const MANY_COUNT = 0; //    u32  records
export const MANY_LATEST = 4; //   u32  the record with the latest mistake, or with the score that is not finite
export const MANY_RECORDS = 8; //  u32  byte offset of u32[count], the byte offsets of the records
export const MANY_WEIGHTS = 12; // u32  byte offset of u32[count + MANY_PADDING], the byte offsets of their weights; the last one repeated
export const MANY_SCORES = 16; //  u32  byte offset of f64[count + MANY_PADDING]
export const MANY_ROW = 20; //     u32  byte offset of f64[d], scratch for a float32 row
export const MANY_BYTES = 32;
export const MANY_PADDING = 8;

// ---- how values are stored: the lower bits are the bytes of a value -------------------------------
export const FLOAT64 = 8;
export const FLOAT32 = 4;
export const INT16 = 2;
export const UINT8 = 1;
export const INT8 = 17;
export const ELEMENT_BYTES = 15;

// ---- sparse rows (docs/adr/0009): a table with an entry for each row ------------------------------
// The address of a row is that of its entry. Its even columns come first, ascending, then its odd columns: each kind is a lane
// (lanes.ts), so that sums are bit-identical to those of dense rows.
export const SPARSE = 0;
export const ROW_VALUES = 0; //    u32  byte offset of f64[evens + odds], or f32[evens + odds] where the row is narrow
export const ROW_COLUMNS = 4; //   u32  byte offset of u32[evens + odds]
export const ROW_EVENS = 8; //     u32  number of even columns
export const ROW_ODDS = 12; //     u32  number of odd columns; the highest bit is set if the row is narrow
export const ROW_BYTES = 16;
export const NARROW = 0x80000000; // all values are float32 numbers and are stored as such, without loss

/** Scores that are updated together. */
export const BLOCK = 12;

// ---- summation order P (docs/adr/0003) ---------------------------------------------------------
export const PANEL = 512; //       elements after which the lanes are closed into the sum
export const GRAM_BLOCK = 96; //   the most rows of a block of the Gram matrix

// ---- return values ----------------------------------------------------------------------------
export const PAUSED = 0; //        the row budget is used up
export const MISTAKE = 1; //       the mistake budget is used up; INDEX is the latest mistake
export const CLOSED = 2; //        the epoch budget is used up; or `scan` has visited every sample
export const CLEAN = 3; //         the epoch that was just closed had no mistake
export const NON_FINITE = 4; //    the score of row INDEX is not finite; no update was made for it
export const WANTS_ROW = 5; //     row INDEX of the Gram matrix is needed and not in memory; no update was made for it

// ---- kernel functions (SPEC §8) -----------------------------------------------------------------
export const LINEAR = 0;
export const POLYNOMIAL = 1;
export const RBF = 2;
