// What is shown, in the address: #/learn?preset=xor&step=7. All of it stands behind the #, which no server ever sees.

export const PARTS = ['learn', 'data', 'measure'] as const;
export type PartName = (typeof PARTS)[number];

export const titles: Record<PartName, string> = { learn: 'Learn', data: 'Your data', measure: 'Measure' };

export const addressOf = (name: PartName, params?: URLSearchParams): string => {
  // Commas and semicolons may stand as they are, and lists of points are full of them.
  const query = (params?.toString() ?? '').replaceAll('%2C', ',').replaceAll('%3B', ';');
  return `#/${name}${query === '' ? '' : `?${query}`}`;
};

/** The address that the page follows now. */
let known = location.hash;

export function readAddress(): { name: PartName; params: URLSearchParams } {
  known = location.hash;
  const [path = '', query = ''] = known.replace(/^#\/?/, '').split('?', 2);
  return { name: PARTS.find((name) => name === path) ?? 'learn', params: new URLSearchParams(query) };
}

/** Has the links to a part lead to where it is now: who goes elsewhere and comes back finds it as it was. */
export function linkTo(name: PartName, hash: string): void {
  for (const link of document.querySelectorAll(`[data-part=${name}]`)) link.setAttribute('href', hash);
}

/** Has the address say what is shown now, without a new entry in the history. */
export function writeAddress(name: PartName, params: URLSearchParams): void {
  // A link was followed, or something typed, that is about to be read: it must not be lost.
  if (location.hash !== known) return;
  if (readAddress().name !== name) return; // another part is shown by now
  const hash = addressOf(name, params);
  if (location.hash !== hash) history.replaceState(null, '', hash);
  known = hash;
  linkTo(name, hash);
}

/** `?embed=1`: the part alone, without the page around it, for a frame in somebody's lecture notes. */
export const embedded = new URLSearchParams(location.search).get('embed') === '1';
