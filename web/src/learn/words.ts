// What is said: one sentence about what just happened, what to do next, and how it all stands.

import { counted, number } from '../ui/numbers.js';
import { shownPlaneAt, shownStep } from './dust.js';
import { nearScore } from './field.js';
import { colourOf, kindOf } from './pointname.js';
import { presetNamed, presetOf } from './presets.js';
import { isSeparable } from './separable.js';
import {
  epochsAt,
  hasPocket,
  isLearnable,
  isLinear,
  MOST_SAMPLES,
  mistakesAt,
  planeAt,
  scoreOn,
  stepAt,
} from './trace.js';
import type { Plane, Point, PresetName, Setup, Step, Trace } from './types.js';

/** At the end of the opening. */
export const YOUR_TURN = 'Your turn.';

export type Status = 'nothing-to-learn' | 'ready' | 'learning' | 'separated' | 'stuck';

/** Epochs to watch before one says that there is no end to it. */
const PATIENCE = 8;
const LEAST_PATIENCE = 3;

const isZero = ({ w }: Plane): boolean => w[0] === 0 && w[1] === 0;

/** What is known of a trace whatever the moment; asked for again and again. */
interface Known {
  readonly isSeparable: boolean;
  /** The step from which on it is plain that this does not end; Infinity if it does. */
  readonly stuckFrom: number;
  /** Two epochs that ended with the same line: from there on all repeats itself. */
  readonly circle: readonly [first: number, again: number] | undefined;
}

const known = new WeakMap<Trace, Known>();

function knownOf(trace: Trace): Known {
  let facts = known.get(trace);
  if (!facts) {
    facts = knowledgeOf(trace);
    known.set(trace, facts);
  }
  return facts;
}

function knowledgeOf(trace: Trace): Known {
  const { setup, epochs, report, hasSamples, steps } = trace;
  const canBeSplit = isSeparable(setup.points);
  if (report.converged || epochs.length === 0)
    return { isSeparable: canBeSplit, stuckFrom: Infinity, circle: undefined };
  if (!isLinear(setup) || canBeSplit) return { isSeparable: canBeSplit, stuckFrom: steps.length, circle: undefined };
  const seen = new Map<string, number>();
  for (const { epoch, steps: end } of epochs.slice(0, hasSamples ? PATIENCE : 0)) {
    const { w, b } = planeAt(trace, end) as Plane;
    const line = `${w[0]} ${w[1]} ${b}`;
    const first = seen.get(line);
    if (first !== undefined && epoch >= LEAST_PATIENCE) {
      return { isSeparable: false, stuckFrom: end, circle: [first, epoch] };
    }
    if (first === undefined) seen.set(line, epoch);
  }
  return { isSeparable: false, stuckFrom: epochs[PATIENCE - 1]?.steps ?? steps.length, circle: undefined };
}

/** How it stands after so many steps. */
export function statusAt(trace: Trace, steps: number): Status {
  if (!isLearnable(trace.setup.points)) return 'nothing-to-learn';
  if (trace.report.converged && mistakesAt(trace, steps) === trace.report.mistakes) return 'separated';
  if (steps <= 0) return 'ready';
  return steps >= knownOf(trace).stuckFrom ? 'stuck' : 'learning';
}

/** One sentence or two about what just happened. */
export function sentenceAt(trace: Trace, steps: number): string {
  const step = stepAt(trace, steps);
  const status = statusAt(trace, steps);
  if (status === 'nothing-to-learn') return missing(trace.setup.points);
  if (!step) return invitation(trace.setup);
  if (status === 'separated' && (step.isMistake || steps >= trace.steps.length)) return ending(trace);
  if (status === 'stuck' && !step.pocket?.isNew) return noEnd(trace, steps);
  return step.isMistake
    ? mistake(trace, shownStep(trace, step))
    : `Point ${step.index + 1} is on its side: nothing to do.`;
}

function missing(points: readonly Point[]): string {
  if (points.length === 0) return 'No points yet. Click in the plane to place some, of both classes.';
  const label = (points[0] as Point).label;
  return `All points are ${colourOf(label)}. Place at least one ${kindOf(label === 1 ? -1 : 1)} as well.`;
}

function invitation(setup: Setup): string {
  if (!isLinear(setup)) return 'The line may bend now. Can it split these?';
  if (hasPocket(setup)) return 'The best line so far goes into the pocket. How good will it get?';
  return presetOf(setup.points)?.invitation ?? presetNamed('example').invitation;
}

function ending({ report, setup }: Trace): string {
  const after = `Separated after ${counted(report.mistakes, 'mistake')}`;
  return isLinear(setup) ? `${after}.` : `${after}: a line that bends can do it.`;
}

function noEnd(trace: Trace, steps: number): string {
  const { isSeparable: canBeSplit, circle } = knownOf(trace);
  const { setup } = trace;
  const epochs = counted(epochsAt(trace, steps), 'epoch');
  const kept = stepAt(trace, steps)?.pocket;
  if (!isLinear(setup)) return `Not separated in ${epochs}. Another shape of bend, or more epochs, may do it.`;
  if (canBeSplit) return `Not separated in ${epochs}, though a line can: there is little room between the classes.`;
  if (kept) return `No line gets all of them: the pocket keeps the best one, with ${counted(kept.errors, 'mistake')}.`;
  if (presetOf(setup.points)?.name === 'noisy') return `${epochs}, and the line still moves: no line gets all of them.`;
  const why = circle
    ? `Epoch ${circle[1]} ended where epoch ${circle[0]} did: it goes in circles.`
    : `${epochs}, and still mistakes.`;
  return `${why} No line can.`;
}

function mistake({ setup }: Trace, step: Step): string {
  const { x, y, label } = setup.points[step.index] as Point;
  const { before, after } = step;
  if (step.pocket?.isNew) {
    const errors = step.pocket.errors === 0 ? 'no mistake' : `only ${counted(step.pocket.errors, 'mistake')}`;
    return `Point ${step.index + 1} is corrected. The new line makes ${errors}: the best so far, into the pocket with it.`;
  }
  const where = whereIs(setup, step);
  if (!before || !after) return `${where} Its weight grows, and the boundary bends its way.`;
  if (isZero(after)) return `${where} The correction takes all of w away: no line for a moment.`;
  if (isZero(before)) return `${where} Its arrow is ${label === 1 ? 'added to' : 'taken from'} w, and a line appears.`;
  const isRight = label * scoreOn(after, x, y) > setup.margin;
  return `${where} The line gives way${isRight ? ': now it is right.' : ', but not far enough yet.'}`;
}

function whereIs({ points }: Setup, { index, mistakes, before, score }: Step): string {
  const { label } = points[index] as Point;
  if (mistakes === 1 || (score === 0 && before && isZero(before))) {
    return `There is no ${before ? 'line' : 'boundary'}${mistakes === 1 ? ' yet' : ''}, so point ${index + 1} counts as a mistake.`;
  }
  const [own, other] = [colourOf(label), colourOf(label === 1 ? -1 : 1)];
  if (before && isZero(before) && score * label < 0)
    return `Without a line all is ${other}, and point ${index + 1} is ${own}.`;
  const name = `Point ${index + 1}, ${label === 1 ? 'a' : 'an'} ${kindOf(label)},`;
  if (score === 0) return `${name} lies exactly on the line: that counts as a mistake.`;
  return score * label > 0 ? `${name} is on its side, but too near to the line.` : `${name} is on the ${other} side.`;
}

/** How far the nearest point is from a line that is right, or how far it should be: what the dashed lines beside it show. */
export function nearWords(trace: Trace, steps: number): string {
  const near = nearScore(trace, steps);
  const plane = shownPlaneAt(trace, steps);
  if (near === undefined || !plane || isZero(plane)) return '';
  const distance = number(near / Math.hypot(...plane.w), 3);
  return trace.setup.margin > 0
    ? `margin asked for reaches ${distance} from the line`
    : `nearest point is ${distance} from the line`;
}

/** The same for those who hear it: with the numbers that others see beside it. */
export function spokenAt(trace: Trace, steps: number): string {
  const plane = shownPlaneAt(trace, steps);
  const said = sentenceAt(trace, steps);
  if (!stepAt(trace, steps) || !plane) return said;
  const near = nearWords(trace, steps);
  return `${said} w is ${number(plane.w[0])}, ${number(plane.w[1])}; b is ${number(plane.b)}.${near && ` The ${near}.`}`;
}

/** For those who hear it, while it plays: totals only. */
export const totalsAt = (trace: Trace, steps: number): string =>
  `Epoch ${stepAt(trace, steps)?.epoch ?? 1}, ${counted(mistakesAt(trace, steps), 'mistake')} so far.`;

/** The next thing to try. */
export interface Offer {
  /** On its button. */
  readonly text: string;
  /** What it changes: these settings … */
  readonly setup?: Partial<Setup>;
  /** … or the points. */
  readonly preset?: PresetName;
}

export function offerAt(trace: Trace, steps: number): Offer | undefined {
  const status = statusAt(trace, steps);
  const { setup } = trace;
  const preset = presetOf(setup.points)?.name;
  const isBent = !isLinear(setup);
  if (status === 'separated') {
    if (preset === 'example' && !isBent) return { text: 'Try XOR', preset: 'xor' };
    if (preset === 'xor') return { text: 'Try the moons', preset: 'moons' };
    if (preset === 'moons') return { text: 'Try the circles', preset: 'circles' };
    if (preset === 'separable' && !isBent) return { text: 'Add some noise', preset: 'noisy' };
    return undefined;
  }
  if (status !== 'stuck' || isBent) return undefined;
  if (knownOf(trace).isSeparable) {
    // There is more to give only where the epochs have run out, and not what can be watched.
    const { maxEpochs, points } = setup;
    const canGoOn = trace.report.stopReason === 'max-epochs' && maxEpochs < 1000;
    const isWatched = maxEpochs * points.length < MOST_SAMPLES;
    return canGoOn && isWatched ? { text: 'Give it more time', setup: { maxEpochs: 1000 } } : undefined;
  }
  if (preset === 'noisy' && !hasPocket(setup)) return { text: 'Keep the best line', setup: { trainer: 'pocket' } };
  const kernel = preset === 'circles' ? 'polynomial' : 'rbf';
  return { text: 'Bend it', setup: { kernel, trainer: 'perceptron' } };
}
