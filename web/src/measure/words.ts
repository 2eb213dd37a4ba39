// What was measured, in words: sentences, rows of the table, Markdown. Nothing here knows the page.

import { counted, number } from '../ui/numbers.js';
import type { Finding, Measurement, Spread, Timing, Topic } from './results.js';

export const PLAIN = 'plain JavaScript';

export const engineNames = {
  js: 'this library in JavaScript',
  'wasm-scalar': 'WebAssembly',
  'wasm-simd': 'WebAssembly with SIMD',
} as const;

/** Differences smaller than this are noise on a busy machine. */
const NOTABLE = 1.05;

/** Slower in the middle, and in every round: the others may have been somebody else's doing. */
export const isSlower = ({ median, high }: Spread): boolean => median < 1 / NOTABLE && high < 1;

/** Some rounds went one way and some the other. */
const isOpen = ({ median, low, high }: Spread): boolean => isNotable(median) && low < 1 && high > 1;

const isNotable = (ratio: number): boolean => ratio >= NOTABLE || ratio <= 1 / NOTABLE;

/** Rounds that differ so much were disturbed. */
const UNSTEADY = 2;

const isUnsteady = ({ low, high }: Spread): boolean => high > UNSTEADY * low;

/** 3.42 → "3.4×", 0.012 → "0.012×". */
export const times = (ratio: number): string => `${number(ratio, ratio >= 100 ? 3 : 2)}×`;

/** 0.0123 → "12 µs". */
export function time(ms: number): string {
  if (ms < 1) return `${number(ms * 1000, 3)} µs`;
  return ms < 1000 ? `${number(ms, 3)} ms` : `${number(ms / 1000, 3)} s`;
}

const range = ({ low, high }: Spread): string => `${times(low)} to ${times(high)}`;

/**
 * "3.4 times as fast as X", "as fast as X", "1.8 times slower than X"; without an X "3.4 times as fast", "just as fast" …
 * What the rounds do not agree on is not claimed.
 */
export function speed(ratio: Spread, than?: string): string {
  const { median } = ratio;
  const as = than === undefined ? '' : ` as ${than}`;
  const [hedge, doubt] = isOpen(ratio)
    ? ['perhaps ', ` (rounds from ${range(ratio)})`]
    : [isUnsteady(ratio) && isNotable(median) ? 'roughly ' : '', ''];
  if (median >= NOTABLE) return `${hedge}${number(median, 2)} times as fast${as}${doubt}`;
  if (median > 1 / NOTABLE) return `${than === undefined ? 'just ' : ''}as fast${as}`;
  return `${hedge}${number(1 / median, 2)} times slower${than === undefined ? '' : ` than ${than}`}${doubt}`;
}

const of = ({ findings }: Measurement, topic: Topic): Finding | undefined =>
  findings.find((finding) => finding.topic === topic);

/** The ratio of the one with this name, else of the last. */
const ratioOf = ({ timings }: Finding, name?: string): Spread =>
  (timings.find((timing) => timing.name === name) ?? (timings.at(-1) as Timing)).ratio;

/** The answer in a few sentences, the most important one first. */
export function story(measurement: Measurement): string[] {
  const [engine = 'js'] = measurement.engines as (keyof typeof engineNames)[];
  const [train, gram, threads] = (['train', 'gram', 'threads-gram'] as const).map((topic) => of(measurement, topic));
  const sentences: string[] = [];
  if (train) {
    const who = engine === 'js' ? 'Without WebAssembly this library' : 'In this browser WebAssembly';
    // The range of the rounds stands in the picture: this is one sentence.
    const fast = speed(ratioOf(train, engineNames[engine]), 'plain JavaScript').replace(/ \(rounds.*\)$/, '');
    sentences.push(`${who} trains ${fast}.`);
  }
  if (gram) sentences.push(`It makes a Gram matrix ${speed(ratioOf(gram, engineNames[engine]))}.`);
  const crossing = crossingOf(measurement);
  if (crossing !== undefined) sentences.push(crossing);
  if (threads) {
    const many = threads.timings[1]?.name;
    sentences.push(`With ${many} a large Gram matrix is made ${speed(ratioOf(threads), 'with one')}.`);
  }
  return sentences;
}

/** Where the dual form stops to pay on this device, as rows get shorter and more. */
function crossingOf({ findings }: Measurement): string | undefined {
  const shapes = findings.filter(({ topic }) => topic === 'shape');
  const wins = shapes.filter((shape) => ratioOf(shape).median >= 1);
  const [first, last] = [wins[0], wins.at(-1)];
  if (shapes.length === 0) return undefined;
  if (!first || !last) return 'The dual form is slower than the primal one in all shapes of the data.';
  const lost = shapes[shapes.indexOf(last) + 1];
  const best = `The dual form is ${speed(ratioOf(first), 'the primal one')} on ${shapeOf(first)} values`;
  return lost
    ? `${best}, pays up to ${shapeOf(last)}, and no longer at ${shapeOf(lost)}.`
    : `${best}, and pays in all shapes.`;
}

/** "15 × 2,000". */
export const shapeOf = ({ size }: Finding): string => size.split(', ', 1)[0] ?? size;

/** Why the library loses where it does. */
function reasonFor(topic: Topic, name: string): string {
  if (name.includes('copied')) return 'Rows that come as an array are checked and copied first; a DenseMatrix is not.';
  if (topic === 'small') return 'Checking the input and the call itself take longer than so little work.';
  if (topic === 'shape') return 'The dual form compares every row with every other one before it begins.';
  if (topic === 'threads-gram' || topic === 'threads-fit')
    return 'Sharing the work cost more than it saved; perhaps other programs had the processors.';
  return name === engineNames.js
    ? 'It adds in the order of the SIMD kernels, so that all engines agree to the bit.'
    : 'This browser makes better code of the plain loop.';
}

/** Where the library loses, and why: a line each. Times stand in the table, where their rounds are others than a ratio's. */
export function losses({ findings }: Measurement): string[] {
  return findings.flatMap(({ topic, what, size, timings }) => {
    const [first] = timings as [Timing];
    const lost = timings.filter(({ ratio }) => isSlower(ratio));
    return lost.map(
      ({ name, ratio }) =>
        `${what} (${size}): ${name} is ${speed(ratio, first.name)} (${range(ratio)}). ${reasonFor(topic, name)}`,
    );
  });
}

export const TABLE_HEAD = ['What', 'Times as fast', 'Range of rounds', 'Time of a call', 'Rows × columns'] as const;

/** The rows under it: the first of each finding is 1×, and what the others are compared with. */
export const tableRows = ({ findings }: Measurement): string[][] =>
  findings.flatMap(({ what, size, timings }) =>
    timings.map(({ name, ms, ratio }, k) => [
      `${what}: ${name}`,
      times(ratio.median),
      k === 0 ? '–' : range(ratio),
      time(ms),
      size,
    ]),
  );

/** The machine, in a line. */
export function machineLine({ machine, engines, size, rounds }: Measurement): string {
  const threads = machine.isIsolated ? 'cross-origin isolated' : 'not cross-origin isolated';
  return `${machine.browser}, ${counted(machine.processors, 'processor')}, ${threads}, fastest engine ${engines[0]}; size ${size}, ${rounds} rounds`;
}

/** What was not measured, and what spoilt the measurement. */
export function remarks({ absent, wasHidden, findings }: Measurement): string[] {
  const ratios = findings.flatMap(({ timings }) => timings.slice(1).map(({ ratio }) => ratio));
  const unsteady = ratios.filter(isUnsteady).length;
  return [
    ...absent.map(({ what, reason }) => `Not measured: ${what}, as ${reason}`),
    ...(wasHidden
      ? ['The page was in the background for a while, where browsers slow pages down: better measure again.']
      : []),
    ...(unsteady > ratios.length / 3
      ? ['The rounds differ a lot: something else kept this machine busy. Close other programs, and measure again.']
      : []),
  ];
}

/** For an issue, a mail, a chat. */
export function markdown(measurement: Measurement): string {
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const lost = losses(measurement);
  return [
    story(measurement).join(' '),
    `perceptron-wasm ${measurement.library}, ${measurement.date}: ${machineLine(measurement)}.`,
    [row(TABLE_HEAD), '|---|--:|--:|--:|---|', ...tableRows(measurement).map(row)].join('\n'),
    ...(lost.length > 0 ? [['Where it loses:', ...lost.map((sentence) => `- ${sentence}`)].join('\n')] : []),
    ...remarks(measurement),
  ].join('\n\n');
}
