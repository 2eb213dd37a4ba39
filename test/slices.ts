// A fit that pauses as often as it can: after every few rows of a kernel, and after every piece of other work.

import type { ClassLimit } from '../src/data/labels.js';
import type { BoundEngine } from '../src/engine/contract.js';
import { resolveEngine } from '../src/engine/engine.js';
import type { Label, Labels, Rows } from '../src/index.js';
import type { Training } from '../src/train/loop.js';
import { type FitRequest, type Problem, takeIn } from '../src/train/problem.js';
import type { Settings } from '../src/train/settings.js';

interface Inside<S extends { cols: number }> {
  readonly settings: Settings;
  readonly limit: ClassLimit;
  wholeRequest(sampleWeight?: Float64Array): FitRequest<Label, S>;
  learnerFor(problem: Problem, request: FitRequest<Label, S>, engine: BoundEngine): Training<S>;
  adopt(state: S): void;
}

/** Trains a model so, `rows` samples in a call of a kernel; returns how often it paused. */
export function fitInSlices(model: object, X: Rows, y: Labels, rows: number, sampleWeight?: Float64Array): number {
  const inside = model as Inside<{ cols: number }>;
  const { settings } = inside;
  const request = inside.wholeRequest(sampleWeight);
  const engine = resolveEngine(settings.engine);
  const problem = takeIn(X, y, settings, request, inside.limit, engine.arena);
  try {
    const learner = inside.learnerFor(problem, request, engine);
    try {
      const clock = { due: () => true, rows };
      const work = learner.train({ clock, threads: undefined, maxEpochs: request.maxEpochs });
      let slices = 0;
      let step = work.next();
      for (; !step.done; step = work.next()) slices++;
      inside.adopt(learner.modelState(step.value));
      return slices;
    } finally {
      learner.release();
    }
  } finally {
    problem.X.release();
  }
}
