// The crossover map as a picture of its own, for README: it brings its colours along, for light and for dark.

import type { Results } from '../harness/results.js';
import { mapPanels, scaleLegend } from './charts/map.js';
import { COLOUR_STYLE } from './colours.js';
import { cellsOf, groupsOf } from './derive.js';
import type { Html } from './html.js';
import { CHART_STYLE } from './style.js';

const PER_ROW = 3;
/** Three of them are about as wide as README. */
const PANEL = 284;
const GAP = 16;
const PADDING = 14;
/** The height of what the lines mean. */
const KEY = 68;
const TITLE = 'Which form trains faster, by passes and columns in terms of the rows: primal or dual?';

/** Undefined where the run has no cells. */
export function crossoverPicture(results: Results): string | undefined {
  const cells = cellsOf(results);
  if (groupsOf(cells).length === 0) return undefined;
  const panels = mapPanels(cells, PANEL).map((panel) => ({ svg: panel, ...sizeOf(panel) }));
  const legend = scaleLegend();
  const top = sizeOf(legend).height + 8;
  const height = Math.max(...panels.map((panel) => panel.height));
  const perRow = Math.min(PER_ROW, panels.length);
  const width = Math.max(perRow * PANEL + (perRow - 1) * GAP, sizeOf(legend).width);
  const rows = Math.ceil(panels.length / perRow);
  // There is no room beside the colours above two panels.
  const isBeside = perRow > 2;
  const full = {
    width: width + 2 * PADDING,
    height: top + rows * (height + GAP) - GAP + 2 * PADDING + (isBeside ? 0 : KEY),
  };
  const placed = panels.map(({ svg }, i) =>
    at(svg, PADDING + (i % perRow) * (PANEL + GAP), PADDING + top + Math.floor(i / perRow) * (height + GAP)),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${full.width}" height="${full.height}" viewBox="0 0 ${full.width} ${full.height}" role="img" aria-label="${TITLE}">
<title>${TITLE}</title>
<style>${COLOUR_STYLE}
${CHART_STYLE}
.small{font:11.5px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--muted)}</style>
<rect width="100%" height="100%" rx="8" fill="var(--surface)"/>
${at(legend, PADDING, PADDING)}
${isBeside ? keyAt(PADDING + sizeOf(legend).width + 3 * GAP, PADDING) : keyAt(PADDING, full.height - KEY)}
${placed.join('\n')}
</svg>
`;
}

/** What the lines and rings are. */
function keyAt(x: number, top: number): string {
  const tile = (y: number): string =>
    `<rect x="${x}" y="${y - 7}" width="26" height="14" rx="2" fill="var(--map-dual-2)"/>`;
  const line = (y: number, dash: string): string =>
    `${tile(y)}<path d="M${x},${y}h26" stroke="var(--ink)" stroke-width="2"${dash && ` stroke-dasharray="${dash}"`}/>`;
  const word = (y: number, text: string): string => `<text class="small" x="${x + 34}" y="${y + 4}">${text}</text>`;
  const [first, second, third] = [top + 10, top + 29, top + 48];
  return `${line(first, '')}${word(first, 'measured crossing')}
${line(second, '5 4')}${word(second, 'the crossing that chooseForm expects')}
${tile(third)}<circle cx="${x + 13}" cy="${third}" r="5" fill="none" stroke="var(--ink)" stroke-width="1.5"/>${word(third, 'a fit of separable rows, which stopped by itself')}`;
}

const at = ({ text }: Html, x: number, y: number): string => text.replace('<svg ', `<svg x="${x}" y="${y}" `);

function sizeOf({ text }: Html): { width: number; height: number } {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(text) ?? [];
  return { width: Number(width), height: Number(height) };
}
