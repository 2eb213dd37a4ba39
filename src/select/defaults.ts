// Numbers of the recommended settings, which the command line uses too.

/** The constant feature for sparse rows: these are short vectors, beside which a constant of 1 is long and drowns them. */
export const SPARSE_INTERCEPT = 0.1;

/** Epochs after which the mean hardly changes; a thousand on rows that never separate only take longer. */
export const RECOMMENDED_EPOCHS = 100;
