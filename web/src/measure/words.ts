// What was measured, in words: sentences, rows of the table, Markdown. Nothing here knows the page.

import { counted, number } from '../ui/numbers.js';
import type { Finding, Measurement, Spread, Timing, Topic } from './results.js';

export const PLAIN = 'Plain JavaScript';

export const engineNames = {
  js: 'This library in JavaScript',
  'wasm-scalar': 'WebAssembly',
  'wasm-simd': 'WebAssembly with SIMD',
} as const;

/** Differences smaller than this are noise on a busy machine. */
const NOTABLE = 1.05;

/** 3.42 → "3.4×", 0.012 → "0.012×". */
export const times = (ratio: number): string => `${number(ratio, ratio >= 100 ? 3 : 2)}×`;

/** 0.0123 → "12 µs". */
export function time(ms: number): string {
  if (ms < 1) return `${number(ms * 1000, 3)} µs`;
  return ms < 1000 ? `${number(ms, 3)} ms` : `${number(ms / 1000, 3)} s`;
}

export const range = ({ low, high }: Spread): string => `${times(low)} to ${times(high)}`;

/** "3.4 times as fast as X", "as fast as X", "1.8 times slower than X"; without an X "3.4 times as fast", "just as fast" … */
export function speed(ratio: number, than?: string): string {
  const as = than === undefined ? '' : ` as ${than}`;
  if (ratio >= NOTABLE) return `${number(ratio, 2)} times as fast${as}`;
  if (ratio > 1 / NOTABLE) return `${than === undefined ? 'just ' : ''}as fast${as}`;
  return `${number(1 / ratio, 2)} times slower${than === undefined ? '' : ` than ${than}`}`;
}

const of = ({ findings }: Measurement, topic: Topic): Finding | undefined =>
  findings.find((finding) => finding.topic === topic);

/** The ratio of the one with this name, else of the last. */
const ratioOf = ({ timings }: Finding, name?: string): number =>
  (timings.find((timing) => timing.name === name) ?? (timings.at(-1) as Timing)).ratio.median;

/** The answer, in a few sentences. */
export function headline(measurement: Measurement): string {
  const [engine = 'js'] = measurement.engines as (keyof typeof engineNames)[];
  const [train, gram, wide, tall, threads] = (['train', 'gram', 'wide', 'tall', 'threads-gram'] as const).map((topic) =>
    of(measurement, topic),
  );
  const sentences: string[] = [];
  if (train && gram) {
    const who = engine === 'js' ? 'this library, without WebAssembly,' : 'WebAssembly';
    const [training, matrix] = [ratioOf(train, engineNames[engine]), ratioOf(gram, engineNames[engine])];
    sentences.push(
      `In this browser ${who} trains ${speed(training, 'plain JavaScript')}, and makes a Gram matrix ${speed(matrix)}.`,
    );
  }
  if (wide && tall) {
    const [long, short] = [speed(ratioOf(wide), 'the primal one'), speed(ratioOf(tall))];
    sentences.push(`The dual form is ${long} on few long rows, and ${short} on many short ones.`);
  }
  if (threads)
    sentences.push(
      `With ${threads.timings[1]?.name} a large Gram matrix is made ${speed(ratioOf(threads), 'with one')}.`,
    );
  return sentences.join(' ');
}

const REASONS: Partial<Record<Topic, string>> = {
  train: 'Rows that are passed as an array are checked and copied first; a DenseMatrix is not.',
  small: 'Checking the input and calling WebAssembly take longer than so little work.',
  tall: 'The dual form compares every row with every other one before it begins.',
  'threads-gram': 'Sharing the work costs more than it saves here; other programs may have the processors.',
  'threads-fit': 'Sharing the work costs more than it saves here; other programs may have the processors.',
};

/** Where the library loses, and why: one sentence each. */
export function losses({ findings }: Measurement): string[] {
  return findings.flatMap(({ topic, what, size, timings }) =>
    timings
      .filter(({ ratio }) => ratio.median < 1 / NOTABLE)
      .map(({ name, ms, ratio }) => {
        const [first] = timings as [Timing];
        const takes = `${name} takes ${time(ms)}, ${first.name} ${time(first.ms)}: ${speed(ratio.median)}.`;
        return [`${what}, ${size}: ${takes}`, REASONS[topic] ?? ''].join(' ').trim();
      }),
  );
}

export const TABLE_HEAD = ['What', 'Rows × columns', 'How', 'Time', 'Times as fast', 'Range of the rounds'] as const;

/** The rows under it: the first of each finding is 1×, and what the others are compared with. */
export function tableRows({ findings }: Measurement): string[][] {
  return findings.flatMap(({ what, size, timings }) =>
    timings.map(({ name, ms, ratio }, k) => [
      what,
      size,
      name,
      time(ms),
      times(ratio.median),
      k === 0 ? '–' : range(ratio),
    ]),
  );
}

/** The machine, in a line. */
export function machineLine({ machine, engines, size, rounds }: Measurement): string {
  const engine = engineNames[engines[0] as keyof typeof engineNames];
  const threads = machine.isIsolated ? 'cross-origin isolated' : 'not cross-origin isolated';
  return `${machine.browser}, ${counted(machine.processors, 'processor')}, ${threads}; fastest engine: ${engine}; size ${size}, ${rounds} rounds`;
}

/** What was not measured, and what spoilt the measurement. */
export function remarks({ absent, wasHidden }: Measurement): string[] {
  return [
    ...absent.map(({ what, reason }) => `Not measured: ${what}, as ${reason}`),
    ...(wasHidden
      ? ['The page was in the background for a while, where browsers slow pages down: better measure again.']
      : []),
  ];
}

/** For an issue, a mail, a chat. */
export function markdown(measurement: Measurement): string {
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const lost = losses(measurement);
  return [
    `**${headline(measurement)}**`,
    `perceptron-wasm ${measurement.library}, ${measurement.date}: ${machineLine(measurement)}.`,
    [row(TABLE_HEAD), '|---|---|---|--:|--:|--:|', ...tableRows(measurement).map(row)].join('\n'),
    ...(lost.length > 0 ? [['Where it loses:', ...lost.map((sentence) => `- ${sentence}`)].join('\n')] : []),
    ...remarks(measurement),
  ].join('\n\n');
}
