// Two sets of colours, for light and for dark, as custom properties. Orange and blue, never red and green, and no
// meaning by colour alone; text and its background differ by 4.5 to 1 or more (the tests count).

type Scheme = 'light' | 'dark';

/** light, dark */
const COLOURS: Record<string, [string, string]> = {
  surface: ['#ffffff', '#15181d'],
  raised: ['#f6f7f9', '#1d2127'],
  text: ['#1a1e24', '#e9ebee'],
  muted: ['#5a636e', '#a5aeb9'],
  shade: ['#cdd3da', '#0a0c0f'],
  grid: ['#e4e7eb', '#2d333b'],
  /** Lines on the map, whose colours are light and dark alike, and the pale line below them. */
  ink: ['#14181d', '#0c0f13'],
  halo: ['#ffffff', '#ffffff'],
  rule: ['#8b949e', '#717a86'],
  primal: ['#b45309', '#f0a35e'],
  dual: ['#1d63b0', '#7fb8f5'],
  ours: ['#0b6b63', '#5ed0c0'],
  loss: ['#b3195f', '#ff8fbd'],
  import: ['#66707d', '#98a2b0'],
  compile: ['#2f6fae', '#6aaae6'],
  copy: ['#8a5a00', '#e8b04e'],
  'on-bar': ['#ffffff', '#0c0f13'],
  train: ['#0b6b63', '#4fc2b2'],
};

/** The ends of the map, and its middle: a tie is white. */
const MAP: Record<Scheme, { primal: string; tie: string; dual: string }> = {
  light: { primal: '#a84400', tie: '#ffffff', dual: '#0f559f' },
  dark: { primal: '#d9721c', tie: '#ffffff', dual: '#3187dd' },
};

/** The map's colour goes from −CLAMP to CLAMP, two steps for each doubling. */
export const CLAMP = 4;
const STEPS = 2;

/** log₂ of primal / dual as a colour; beyond the clamp as at it. */
export function mapColour(doublings: number): string {
  const step = Math.round(STEPS * Math.min(Math.max(doublings, -CLAMP), CLAMP));
  return `var(--map${step < 0 ? '-primal' : step > 0 ? '-dual' : ''}-${Math.abs(step)})`;
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Some of the way from white: quickly at first, so that a small lead shows. */
function mixed(from: string, to: string, share: number): string {
  const end = channels(to);
  const bytes = channels(from).map((byte, i) => Math.round(byte + ((end[i] as number) - byte) * share ** 0.8));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function mapColours(scheme: Scheme): [string, string][] {
  const { primal, tie, dual } = MAP[scheme];
  const steps = Array.from({ length: STEPS * CLAMP }, (_, i) => i + 1);
  const side = (name: string, end: string): [string, string][] =>
    steps.map((step) => [`map-${name}-${step}`, mixed(tie, end, step / steps.length)]);
  return [['map-0', tie], ...side('primal', primal), ...side('dual', dual)];
}

export function coloursOf(scheme: Scheme): Record<string, string> {
  const plain = Object.entries(COLOURS).map(([name, pair]) => [name, pair[scheme === 'light' ? 0 : 1]]);
  return Object.fromEntries([...plain, ...mapColours(scheme)]);
}

const properties = (scheme: Scheme): string =>
  Object.entries(coloursOf(scheme))
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');

/** For a page, or for a picture of its own. On paper it is light. */
export const COLOUR_STYLE = `:root{${properties('light')}}
@media screen and (prefers-color-scheme:dark){:root{${properties('dark')}}}`;
