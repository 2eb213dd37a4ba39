// Matrices that were collected without dispose(): their memory is released, if the runtime tells of them.

/** Held with a matrix: what releases its memory. It must not hold the matrix. */
export const forgotten =
  typeof FinalizationRegistry === 'function' ? new FinalizationRegistry<() => void>((release) => release()) : undefined;
