// The definition of a mistake (SPEC §2) in TypeScript; assembly/mistake.ts has the one of the kernels.

/** Whether a margin y·s is right: above μ and finite. */
export const isRight = (m: number, mu: number): boolean => m > mu && m < Infinity;

/** y·s of a score. */
export const marginOf = (score: number, label: number): number => (label < 0 ? -score : score);

/** Whether a sample with this score and label is a mistake: not (y·s > μ). */
export const isMistake = (score: number, label: number, mu: number): boolean => !(marginOf(score, label) > mu);
