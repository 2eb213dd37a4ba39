// How results are told in a line of text.

import type { Answer, Target, Timing } from './results.js';

/** Three digits, or two below 1: 154, 11.9, 6.34, 0.071. */
export const short = (x: number): string =>
  x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x >= 1 ? x.toFixed(2) : x.toPrecision(2);

/** 1000 × 100,000. */
export const shapeText = (rows: number, cols: number): string => `${grouped(rows)} × ${grouped(cols)}`;

export const grouped = (n: number): string => (n < 10_000 ? String(n) : n.toLocaleString('en'));

/** 8_000_000 → '8 MB'. */
export const bytesText = (bytes: number): string =>
  bytes >= 1e9
    ? `${(bytes / 1e9).toPrecision(2)} GB`
    : bytes >= 1e6
      ? `${Math.round(bytes / 1e6)} MB`
      : `${Math.round(bytes / 1e3)} kB`;

export const milliseconds = (ms: number): string => (ms >= 100 ? ms.toFixed(0) : ms.toPrecision(3));

export const isMet = ({ ratio, target }: Answer): boolean | undefined =>
  target && ('atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost);

export const targetText = (target: Target): string =>
  'atLeast' in target ? `≥ ${target.atLeast}x` : `≤ ${target.atMost}x`;

export function answerLine(answer: Answer): string {
  const { what, ratio, low, high, against, target } = answer;
  const verdict = target ? `, target ${targetText(target)}: ${isMet(answer) ? 'met' : 'MISSED'}` : '';
  const spread = low === high ? '' : ` (${short(low)}–${short(high)})`;
  return `${what}: ${short(ratio)}x ${against}${spread}${verdict}`;
}

export function timingLine({ name, ms, meanMs, rounds, marginPercent, samples }: Timing, width: number): string {
  const range = `${milliseconds(Math.min(...rounds))}–${milliseconds(Math.max(...rounds))}`;
  const middle = `${milliseconds(ms).padStart(7)} ms, mean ${milliseconds(meanMs)} ± ${marginPercent.toFixed(1)} %`;
  return `${name.padEnd(width)}  ${middle}  (${rounds.length} rounds ${range}, ${samples} samples)`;
}
