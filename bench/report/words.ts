// How a report says numbers. What is not a number is a dash, whatever went wrong.

import type { Results } from '../harness/results.js';
import { grouped, short } from '../harness/words.js';

const DASH = '–';
/** Keeps a unit on the line of its number. */
const SPACE = '\u00a0';

const told =
  (say: (x: number) => string) =>
  (x: number | null | undefined): string =>
    typeof x === 'number' && Number.isFinite(x) ? say(x) : DASH;

const digits = (x: number, n: number): string => (x === 0 ? '0' : String(Number(x.toPrecision(n))));

/** '6.3×'. */
export const times = told((x) => `${short(x)}×`);

/** '4.8–7.6×', or nothing where there is no spread. */
export const spread = ({ low, high }: { low: number; high: number }): string =>
  low === high ? '' : `${told(short)(low)}–${times(high)}`;

/** '12.3 µs', '1.85 ms', '2.21 s'. */
export const duration = told((ms) => {
  const [value, unit] = ms >= 1000 ? [ms / 1000, 's'] : ms >= 1 || ms === 0 ? [ms, 'ms'] : [ms * 1000, 'µs'];
  return `${digits(value, 3)}${SPACE}${unit}`;
});

/** '407 MB'. */
export const size = told((bytes) => {
  const [value, unit] =
    bytes >= 1e9
      ? [bytes / 1e9, 'GB']
      : bytes >= 1e6
        ? [bytes / 1e6, 'MB']
        : bytes >= 1e3
          ? [bytes / 1e3, 'kB']
          : [bytes, 'bytes'];
  return `${digits(value, 3)} ${unit}`;
});

/** '16 MiB': what caches and blocks are counted in. */
export const blockSize = told((bytes) =>
  bytes >= 2 ** 20 ? `${digits(bytes / 2 ** 20, 3)} MiB` : `${digits(bytes / 2 ** 10, 3)} KiB`,
);

export const percent = told((share) => `${(100 * share).toFixed(0)}${SPACE}%`);
export const count = told(grouped);
/** Three digits, as few zeros as can be. */
export const plain = told((x) => (x >= 10_000 ? grouped(Math.round(x)) : digits(x, 3)));
export const twoDigits = told((x) => digits(x, 2));
export const fixed = (n: number) => told((x) => x.toFixed(n));

/** '1 case', '3 cases'. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`;

/** How many times have a share of a limit, and why not all of them. */
export const sharesText = (told: number, all: number): string =>
  `${grouped(told)} of ${counted(all, 'time')} ${told === 1 ? 'has' : 'have'} a share; for the rest the least work, or what several threads can do, cannot be told.`;

/** Less than this share of a run's processor time is nothing to speak of. */
const STOLEN = 0.005;

/** What the machine's host gave to others, where it counts that and it was worth mentioning. */
export function stolenText({ stolenSeconds = 0, seconds, machine }: Results): string {
  const share = stolenSeconds / (seconds * machine.cores);
  return share > STOLEN ? `The machine’s host gave ${percent(share)} of its processors’ time to others meanwhile.` : '';
}
