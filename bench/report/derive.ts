// What a report shows, from what a run wrote down: pure functions, nothing is measured or drawn here.

export * from './derive/collect.js';
export * from './derive/consistency.js';
export * from './derive/crossover.js';
export * from './derive/roofline.js';
export * from './derive/speedups.js';
