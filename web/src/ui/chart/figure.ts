// What all charts have in common: the figure, its legend, its table, and drawing again when the width has changed.

// Here and not in chart.ts: that only passes names on, and is dropped with all that it imports.
import '../chart.css';
import { h, svg } from '../dom.js';
import { table } from '../table.js';

export interface Chart<O> {
  /** A <figure>. */
  readonly element: HTMLElement;
  /** Shows other numbers; cheap enough for every frame. */
  update(options: O): void;
}

/** An entry of the legend: a swatch (20 × 12 px) and its name. */
interface Key {
  readonly name: string;
  readonly class: string;
  swatch(): readonly SVGElement[];
}

interface Numbers {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** How a kind of chart is drawn. */
export interface Kind<O> {
  /** What stands in the picture, for those who do not see it. */
  describe(options: O): string;
  legend(options: O): readonly Key[];
  /** Nodes for a picture of this width, and its height, in px. */
  draw(options: O, width: number): { height: number; nodes: readonly SVGElement[] };
  numbers(options: O): Numbers;
}

/** Beyond these, the table shows every second, third … row: nobody reads more. */
const MAX_ROWS = 200;
/** While a chart moves, its words and its table, if open, follow this often: they cost more than the picture. */
const WORDS_EVERY_MS = 250;

export function chart<O extends { readonly label: string }>(kind: Kind<O>, first: O): Chart<O> {
  let options = first;
  let width = 0;
  let legend = '';
  let isWaiting = false;

  const title = h('span', { class: 'chart-title' });
  const keys = h('span', { class: 'chart-legend' });
  const picture = svg('svg', { class: 'chart-picture', role: 'img' });
  const details = h('details', {}, h('summary', {}, 'As a table'));
  const element = h('figure', { class: 'chart' }, h('figcaption', {}, title, keys), picture, details);

  function showLegend(): void {
    const entries = kind.legend(options);
    const text = JSON.stringify(entries.map(({ name, class: class_ }) => [name, class_]));
    if (text === legend) return;
    legend = text;
    const items = entries.map(({ name, class: class_, swatch }) =>
      h(
        'span',
        { class: `chart-key ${class_}` },
        svg('svg', { width: 20, height: 12, 'aria-hidden': 'true' }, ...swatch()),
        h('span', {}, name),
      ),
    );
    keys.replaceChildren(...items);
  }

  function draw(): void {
    showLegend();
    if (width < 1) return; // not on the page yet
    const { height, nodes } = kind.draw(options, width);
    picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    picture.setAttribute('height', String(height));
    picture.replaceChildren(...nodes);
  }

  function showWords(): void {
    isWaiting = false;
    title.textContent = options.label;
    picture.setAttribute('aria-label', `${options.label}. ${kind.describe(options)}`);
    if (details.open) showTable();
  }

  function showTable(): void {
    const { head, rows } = kind.numbers(options);
    const every = Math.ceil(rows.length / MAX_ROWS);
    const shown = rows.filter((_, i) => i % every === 0 || i === rows.length - 1);
    const caption = every > 1 ? `${options.label} (one row of ${every}, and the last)` : options.label;
    const made = table(caption, head, shown);
    const before = details.querySelector('.scroll');
    // In its place, not instead of it: somebody's focus may be there.
    if (before) before.replaceChildren(...made.childNodes);
    else details.append(made);
  }

  // Only when it is looked at.
  details.addEventListener('toggle', () => {
    if (details.open) showTable();
  });

  // In a frame of its own: what is drawn may change the height, hence the scroll bar, hence the width.
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry?.contentRect.width ?? 0);
    if (now === width) return;
    width = now;
    requestAnimationFrame(draw);
  }).observe(element);

  draw();
  showWords();
  return {
    element,
    update(next) {
      options = next;
      draw();
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(showWords, WORDS_EVERY_MS);
    },
  };
}
