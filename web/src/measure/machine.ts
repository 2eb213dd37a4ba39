// What the browser tells of itself to anybody: its name, how many processors it may use, whether it has threads.

import type { Machine } from './results.js';

interface WithBrands {
  readonly userAgentData?: { readonly brands: readonly { readonly brand: string; readonly version: string }[] };
}

/** In the order of asking: Edge and Opera call themselves Chrome too, and all but Firefox call themselves Safari. */
const NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Edg\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Chrome\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).*Safari/, 'Safari'],
];

export function browserName({ userAgent, userAgentData }: { userAgent: string } & WithBrands): string {
  // Brands have a nonsense one among them, so that nobody relies on their order: "Not/A)Brand".
  const known = userAgentData?.brands.filter(({ brand }) => !/not.*brand/i.test(brand)) ?? [];
  const named = known.find(({ brand }) => brand !== 'Chromium') ?? known[0];
  if (named) return `${named.brand} ${named.version}`;
  for (const [pattern, name] of NAMES) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return 'a browser that does not say its name';
}

export const machineHere = (): Machine => ({
  browser: browserName(navigator as Navigator & WithBrands),
  processors: navigator.hardwareConcurrency,
  isIsolated: globalThis.crossOriginIsolated === true,
});
