// The plane: points, the line and what it says of each side, the best line in the pocket, and the lines of other seeds.

import { setAttribute, svg } from '../ui/dom.js';
import { arrows } from './arrows.js';
import { shownPlaneAt } from './dust.js';
import { field, nearScore } from './field.js';
import { between, distanceTo, endsOf, type Place, type Scale, scaleOf } from './geometry.js';
import { drawGrid } from './grid.js';
import { nameAt, pathOf, shapeOf } from './marks.js';
import { pointName } from './pointname.js';
import { levelPath, paint, type Regions, regionsOf } from './regions.js';
import type { Plane, Point, Trace, Window } from './types.js';

interface Picture {
  readonly trace: Trace;
  /** How many of its steps are done. */
  readonly steps: number;
  readonly window: Window;
  /** The lines of other seeds. */
  readonly others: readonly Plane[];
  readonly selected: number | undefined;
}

export interface PlaneView {
  /** The canvas of the regions, and over it the picture. */
  readonly layers: readonly [HTMLCanvasElement, SVGSVGElement];
  readonly scale: Scale;
  update(picture: Picture, isMoving: boolean): void;
  /** A point on its way, which the trace knows nothing of yet. */
  carry(index: number, place: Place): void;
  focus(index: number): void;
  hasFocus(): boolean;
  resize(width: number, height: number): void;
  close(): void;
}

const TWEEN_MS = 200;

export function planeView(helpId: string): PlaneView {
  const canvas = document.createElement('canvas');
  canvas.className = 'regions';
  canvas.setAttribute('aria-hidden', 'true');
  const layer = (name: string) => svg('g', { class: name, 'aria-hidden': true });
  const path = (name: string) => svg('path', { class: name });
  const grid = layer('grid');
  const shading = field();
  const others = path('other-lines');
  const [bentNear, bent, lineCasing, line] = [path('contour bent'), path('border'), path('line casing'), path('line')];
  const kept = path('best-line');
  const arrow = arrows();
  const ring = svg('circle', { class: 'ring', r: 17 });
  const chosen = svg('circle', { class: 'chosen', r: 14 });
  const points = svg('g', { class: 'points', role: 'list' });
  const bestName = svg('text', { class: 'best-name', 'text-anchor': 'middle' });
  const under = layer('under');
  under.append(...shading.under, grid, others, ...shading.over, kept, bentNear, bent, lineCasing, line, ring, chosen);
  const over = layer('over');
  over.append(...arrow.nodes, bestName);
  const root = svg(
    'svg',
    { class: 'plane-picture', role: 'application', 'aria-label': 'Points in the plane', 'aria-describedby': helpId },
    under,
    points,
    over,
  );

  let picture: Picture | undefined;
  let scale = scaleOf({ left: 0, right: 1, bottom: 0, top: 1 }, 100, 100);
  let shown: Plane | undefined;
  let frame = 0;
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => picture && draw(picture);
  scheme.addEventListener('change', redraw);

  const pixels = (places: readonly Place[]) => places.map((place) => scale.at(place));

  /** A point, in its item of the list. */
  const nodeOf = (index: number) => points.children[index]?.firstElementChild as SVGGElement | null | undefined;

  function drawPoints(all: readonly Point[]): void {
    while (points.childElementCount > all.length) points.lastElementChild?.remove();
    all.forEach((point, i) => {
      let node = nodeOf(i);
      if (!node) {
        node = svg('g', { role: 'button' }, svg('circle', { class: 'hit', r: 20 }), svg('path'));
        points.append(svg('g', { role: 'listitem' }, node));
      }
      const [x, y] = scale.at([point.x, point.y]);
      node.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      node.setAttribute('class', point.label === 1 ? 'point plus' : 'point minus');
      node.setAttribute('aria-label', pointName(point, i, all.length));
      node.setAttribute('tabindex', i === Math.min(picture?.selected ?? 0, all.length - 1) ? '0' : '-1');
      node.lastElementChild?.setAttribute('d', shapeOf(point.label, all.length > 40 ? 5.5 : 8));
    });
  }

  /** The line, both sides and w, as they are on the way from one plane to the next. */
  function drawPlane(plane: Plane | undefined): void {
    shown = plane;
    const ends = plane ? pixels(endsOf(plane, scale.window)) : [];
    for (const each of [lineCasing, line]) each.setAttribute('d', pathOf(ends, false));
    shading.draw(plane, scale);
    arrow.draw(plane, scale);
  }

  function drawPocket({ trace, steps }: Picture): void {
    const pocket = trace.steps[steps - 1]?.pocket;
    const ends = pocket ? pixels(endsOf(pocket.plane, scale.window)) : [];
    kept.setAttribute('d', pathOf(ends, false));
    bestName.textContent = '';
    const [first, second] = ends;
    if (!pocket || !first || !second) return;
    // Near one of its ends, on one of its sides: where it covers the least.
    const obstacles = trace.setup.points.map(({ x, y }) => scale.at([x, y]));
    const running = pixels(endsOf(shownPlaneAt(trace, steps) ?? pocket.plane, scale.window));
    const roomAt = (at: Place): number =>
      Math.min(
        ...obstacles.map((obstacle) => Math.hypot((obstacle[0] - at[0]) / 3, obstacle[1] - at[1])),
        ...(running[0] && running[1] ? [distanceTo(at, running[0], running[1]) / 3] : []),
        ...(Math.abs(at[0] - scale.width / 2) > scale.width / 2 - 58 ? [0] : []),
      );
    const along = (share: number): Place => [
      first[0] + share * (second[0] - first[0]),
      first[1] + share * (second[1] - first[1]),
    ];
    const places = [0.06, 0.15, 0.85, 0.94].map(along).flatMap(([x, y]): Place[] => [
      [x - 66, y],
      [x + 66, y],
      [x, y - 18],
      [x, y + 18],
    ]);
    const best = places.reduce((most, each) => (roomAt(each) > roomAt(most) ? each : most));
    nameAt(bestName, `best: ${pocket.errors} wrong`, best, scale);
  }

  function draw(now: Picture): void {
    const { trace, steps } = now;
    drawGrid(grid, scale);
    others.setAttribute('d', now.others.map((plane) => pathOf(pixels(endsOf(plane, scale.window)), false)).join(''));
    const isBent = trace.setup.kernel !== 'linear';
    const regions = isBent && steps > 0 ? regionsOf((x, y) => trace.scoreAt(steps, x, y), scale) : undefined;
    canvas.hidden = !regions;
    if (regions) paint(canvas, regions);
    bent.setAttribute('d', regions ? levelPath(regions, 0, scale) : '');
    const near = regions && nearScore(trace, steps);
    const levels = regions && near !== undefined ? [near, -near] : [];
    bentNear.setAttribute('d', levels.map((level) => levelPath(regions as Regions, level, scale)).join(''));
    drawPoints(trace.setup.points);
    const step = trace.steps[steps - 1];
    place(ring, step && trace.setup.points[step.index]);
    setAttribute(ring, 'class', step?.isMistake ? 'ring mistake' : 'ring right');
    place(chosen, now.selected === undefined ? undefined : trace.setup.points[now.selected]);
    drawPocket(now);
    arrow.settle(trace, steps, scale);
    shading.settle(trace, steps, scale);
    drawPlane(shownPlaneAt(trace, steps));
  }

  function place(circle: SVGCircleElement, point: Point | undefined): void {
    setAttribute(circle, 'visibility', point ? undefined : 'hidden');
    if (!point) return;
    const [x, y] = scale.at([point.x, point.y]);
    circle.setAttribute('cx', x.toFixed(1));
    circle.setAttribute('cy', y.toFixed(1));
  }

  return {
    layers: [canvas, root],
    get scale() {
      return scale;
    },
    update(next, isMoving) {
      cancelAnimationFrame(frame);
      const from = shown;
      picture = next;
      scale = scaleOf(next.window, scale.width, scale.height);
      draw(next);
      const to = shownPlaneAt(next.trace, next.steps);
      if (!isMoving || !from || !to) return;
      const begin = performance.now();
      const move = () => {
        const share = Math.min(1, (performance.now() - begin) / TWEEN_MS);
        drawPlane(between(from, to, share));
        if (share < 1) frame = requestAnimationFrame(move);
      };
      move();
    },
    carry(index, to) {
      const node = nodeOf(index);
      const [x, y] = scale.at(to);
      node?.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      chosen.setAttribute('cx', x.toFixed(1));
      chosen.setAttribute('cy', y.toFixed(1));
    },
    focus(index) {
      nodeOf(index)?.focus({ preventScroll: true });
    },
    hasFocus: () => root.contains(document.activeElement),
    resize(width, height) {
      if (width <= 0 || height <= 0) return;
      root.setAttribute('viewBox', `0 0 ${width} ${height}`);
      cancelAnimationFrame(frame);
      scale = scaleOf(picture?.window ?? scale.window, width, height);
      redraw();
    },
    close() {
      cancelAnimationFrame(frame);
      scheme.removeEventListener('change', redraw);
    },
  };
}
