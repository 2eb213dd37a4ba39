// The Gram matrix as a heat map, with n_i as dots beside its rows (SPEC §7).
// Cells of one shade are one path: forty thousand of them are drawn as fast as forty, and need no canvas, which would not
// follow the colours of the page.

import { setAttribute, svg } from '../../ui/dom.js';
import { number } from '../../ui/numbers.js';
import { isLinear, kernelOf } from '../trace.js';
import type { Point, Setup, Trace } from '../types.js';

/** Shades of each sign. */
const SHADES = 10;

/** With so few points the numbers are written in the cells. */
const FEW = 6;

/** K(x_i, x_j), row by row. */
export function gramOf(setup: Setup): Float64Array {
  const { points } = setup;
  const kernel = kernelOf(setup);
  const n = points.length;
  return Float64Array.from({ length: n * n }, (_, at) => {
    const { x, y } = points[at % n] as Point;
    return kernel(points[Math.floor(at / n)] as Point, x, y);
  });
}

/** Paths by shade: −SHADES … SHADES. Neighbours in a row that are of one shade are one piece. */
function shadesOf(gram: Float64Array, n: number): Map<number, string> {
  const most = gram.reduce((a, b) => Math.max(a, Math.abs(b)), 0) || 1;
  const paths = new Map<number, string>();
  for (let row = 0; row < n; row++) {
    for (let from = 0, to = 0; from < n; from = to) {
      const shade = (column: number) => Math.round((SHADES * (gram[row * n + column] as number)) / most);
      const own = shade(from);
      for (to = from + 1; to < n && shade(to) === own; ) to++;
      paths.set(own, `${paths.get(own) ?? ''}M${from} ${row}h${to - from}v1h${from - to}z`);
    }
  }
  return paths;
}

export interface GramPicture {
  readonly element: SVGSVGElement;
  /** `current`: the row of the point just corrected. */
  update(trace: Trace, counts: Uint32Array, current: number | undefined): void;
}

export function gramPicture(): GramPicture {
  const cells = svg('g');
  const dots = svg('g', { class: 'gram-dots' });
  const marked = svg('rect', { class: 'gram-row', x: 0, height: 1 });
  const element = svg('svg', { class: 'gram', role: 'img' }, cells, dots, marked);
  let drawn: Setup | undefined;

  /** What only points and kernel decide. */
  const draw = (setup: Setup) => {
    drawn = setup;
    const n = setup.points.length;
    const gram = gramOf(setup);
    setAttribute(element, 'viewBox', `0 0 ${n + room(n)} ${n}`);
    cells.replaceChildren(
      ...[...shadesOf(gram, n)].map(([shade, d]) =>
        svg('path', { d, class: shade < 0 ? 'gram-minus' : 'gram-plus', 'fill-opacity': Math.abs(shade) / SHADES }),
      ),
    );
    if (n <= FEW) {
      gram.forEach((value, at) => {
        const place = { x: (at % n) + 0.5, y: Math.floor(at / n) + 0.5, 'font-size': 0.07 * n + 0.05 };
        cells.append(svg('text', { class: 'gram-value', ...place }, number(Math.round(100 * value) / 100, 3)));
      });
    }
    dots.replaceChildren(
      ...setup.points.map(({ label }, i) =>
        svg('circle', { class: label === 1 ? 'gram-plus' : 'gram-minus', cx: n + room(n) / 2, cy: i + 0.5 }),
      ),
    );
    setAttribute(marked, 'width', n + room(n));
  };

  return {
    element,
    update({ setup }, counts, current) {
      if (drawn !== setup) draw(setup);
      const most = counts.reduce((a, b) => Math.max(a, b), 1);
      [...dots.children].forEach((dot, i) => {
        // Areas speak: a dot of twice the size is twice the number.
        setAttribute(dot, 'r', 0.46 * Math.sqrt((counts[i] as number) / most) * Math.max(1, room(setup.points.length)));
      });
      setAttribute(marked, 'visibility', current === undefined ? 'hidden' : 'visible');
      setAttribute(marked, 'y', current ?? 0);
      const what = isLinear(setup) ? 'Inner products' : 'Kernel values';
      const row = current === undefined ? '' : ` Row ${current + 1} is the point just corrected.`;
      const label = `${what} of all pairs of points, as a heat map. Dots show n, how often each was a mistake.${row}`;
      setAttribute(element, 'aria-label', label);
    },
  };
}

/** For the dots, in cells: many points are small, and their dots may overlap. */
const room = (n: number): number => Math.max(1, n / 50);
