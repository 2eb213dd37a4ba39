// The plane: points, the line and what it says of each side, w standing on the line, and what the last step did to it.

import { setAttribute, svg } from '../ui/dom.js';
import {
  between,
  distanceTo,
  foot,
  type Halves,
  halves,
  inside,
  lengthOf,
  type Place,
  type Scale,
  scaleOf,
} from './geometry.js';
import { drawGrid } from './grid.js';
import { arrowOf, pathOf, shapeOf } from './marks.js';
import { pointName } from './pointname.js';
import { borderPath, paint, regionsOf } from './regions.js';
import { planeAt } from './trace.js';
import type { Plane, Point, Trace, Window } from './types.js';

export interface Picture {
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

const TWEEN_MS = 220;
/** The longest w of a trace, as a share of the picture. */
const LONGEST = 0.3;
/** Pixels between w and the points: more is not better. */
const ROOM = 44;
/** Shares of the picture: w stands where the line is nearest to one of these. */
const ANCHORS: readonly Place[] = [
  [0.5, 0.5],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.25, 0.25],
  [0.75, 0.75],
];

export function planeView(helpId: string): PlaneView {
  const canvas = document.createElement('canvas');
  canvas.className = 'regions';
  canvas.setAttribute('aria-hidden', 'true');
  const layer = (name: string) => svg('g', { class: name, 'aria-hidden': true });
  const path = (name: string) => svg('path', { class: name });
  const grid = layer('grid');
  const [positive, negative] = [path('half plus'), path('half minus')];
  const others = path('other-lines');
  const [bent, lineCasing, line] = [path('border'), path('line casing'), path('line')];
  const kept = path('best-line');
  const [ghost, arrow, change] = [path('ghost'), path('arrow'), path('change')];
  const ring = svg('circle', { class: 'ring', r: 17 });
  const chosen = svg('circle', { class: 'chosen', r: 14 });
  const points = svg('g', { class: 'points' });
  const text = (name: string) => svg('text', { class: name, 'text-anchor': 'middle' });
  const [arrowName, changeName, bestName] = [text('arrow-name'), text('change-name'), text('best-name')];
  const under = layer('under');
  under.append(positive, negative, grid, others, kept, bent, lineCasing, line, ring, chosen);
  const over = layer('over');
  over.append(ghost, arrow, change, arrowName, changeName, bestName);
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
  /** The longest w of all steps, so that lengths can be compared from step to step. */
  let longest = 1;
  let anchor = 0;
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => picture && draw(picture);
  scheme.addEventListener('change', redraw);

  const pixels = (places: readonly Place[]) => places.map((place) => scale.at(place));

  function drawPoints(all: readonly Point[]): void {
    while (points.childElementCount > all.length) points.lastElementChild?.remove();
    all.forEach((point, i) => {
      let node = points.children[i];
      if (!node) {
        node = svg('g', { role: 'button' }, svg('circle', { class: 'hit', r: 20 }), svg('path'));
        points.append(node);
      }
      const [x, y] = scale.at([point.x, point.y]);
      node.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      node.setAttribute('class', point.label === 1 ? 'point plus' : 'point minus');
      node.setAttribute('aria-label', pointName(point, i));
      node.setAttribute('tabindex', i === Math.min(picture?.selected ?? 0, all.length - 1) ? '0' : '-1');
      node.lastElementChild?.setAttribute('d', shapeOf(point.label, all.length > 40 ? 5.5 : 8));
    });
  }

  /** How much of its length w is drawn with: the longest of a trace still fits. */
  function arrowFactor(): number {
    const { left, right } = scale.window;
    return Math.min(1, (LONGEST * (right - left)) / longest);
  }

  /** Where on the line w stands: where it hides no points, but not elsewhere without need. */
  function chooseAnchor({ trace, steps }: Picture): void {
    const plane = planeAt(trace, steps);
    const step = trace.steps[steps - 1];
    const before = step?.isMistake ? step.before : undefined;
    const holder = holderOf(plane, before);
    if (!plane || !holder) return;
    const factor = arrowFactor();
    const roomAt = (each: number): number => {
      const base = baseOn(holder, each, scale.window);
      if (!base) return 0;
      const start = scale.at(base);
      const tips = [plane, before ?? plane].map(({ w }): Place => [base[0] + w[0] * factor, base[1] + w[1] * factor]);
      const nearest = trace.setup.points.reduce(
        (least, { x, y }) => Math.min(least, ...tips.map((tip) => distanceTo(scale.at([x, y]), start, scale.at(tip)))),
        ROOM,
      );
      const isOutside = tips.some((tip) => inside(tip, scale.window, 0.05).some((value, i) => value !== tip[i]));
      return nearest - (isOutside ? ROOM : 0) + (each === anchor ? ROOM / 5 : 0);
    };
    anchor = ANCHORS.reduce((best, _, each) => (roomAt(each) > roomAt(best) ? each : best), anchor);
  }

  /** The line, both sides and w, as they are on the way from one plane to the next. */
  function drawPlane(plane: Plane | undefined, { trace, steps }: Picture): void {
    shown = plane;
    const sides: Halves = plane ? halves(plane, scale.window) : { positive: [], negative: [], line: [] };
    positive.setAttribute('d', pathOf(pixels(sides.positive), true));
    negative.setAttribute('d', pathOf(pixels(sides.negative), true));
    for (const each of [lineCasing, line]) each.setAttribute('d', pathOf(pixels(sides.line), false));
    const step = trace.steps[steps - 1];
    const before = step?.isMistake ? step.before : undefined;
    for (const each of [ghost, arrow, change]) each.setAttribute('d', '');
    for (const each of [arrowName, changeName]) each.textContent = '';
    const holder = holderOf(plane, before);
    const base = holder && baseOn(holder, anchor, scale.window);
    if (!plane || !base) return;

    const factor = arrowFactor();
    const tipOf = ({ w }: Plane): Place => scale.at([base[0] + w[0] * factor, base[1] + w[1] * factor]);
    const [start, tip] = [scale.at(base), tipOf(plane)];
    arrow.setAttribute('d', arrowOf(start, tip, 4));
    if (lengthOf(plane.w) > 0) name(arrowName, 'w', besides(start, tip, -15));
    if (!before || !step) return;

    const old = tipOf(before);
    const [dx, dy] = [tip[0] - old[0], tip[1] - old[1]];
    const length = Math.hypot(dx, dy);
    if (length < 2) return;
    // Beside w, where it would lie upon it.
    const main = [tip[0] - start[0] || old[0] - start[0], tip[1] - start[1] || old[1] - start[1]] as const;
    const sine = Math.abs(dx * main[1] - dy * main[0]) / (length * (Math.hypot(...main) || 1));
    const isAlong = sine < 0.25;
    const aside = isAlong ? 11 : 0;
    const size = Math.hypot(...main) || 1;
    const [ax, ay] = [(main[1] / size) * aside, (-main[0] / size) * aside];
    if (!isAlong) ghost.setAttribute('d', pathOf([start, old], false));
    change.setAttribute('d', arrowOf([old[0] + ax, old[1] + ay], [tip[0] + ax, tip[1] + ay], 3.4));
    const label = trace.setup.points[step.index]?.label ?? 1;
    setAttribute(change, 'class', `change ${label === 1 ? 'plus' : 'minus'}`);
    setAttribute(changeName, 'class', `change-name ${label === 1 ? 'plus' : 'minus'}`);
    const middle: Place = [(old[0] + tip[0]) / 2 + ax, (old[1] + tip[1]) / 2 + ay];
    const [nx, ny] = isAlong ? [ax / aside, ay / aside] : sideOf(start, middle, [dx / length, dy / length]);
    name(changeName, label === 1 ? '+ x' : '− x', [middle[0] + nx * 23, middle[1] + ny * 18]);
  }

  function name(node: SVGTextElement, words: string, [x, y]: Place): void {
    node.textContent = words;
    node.setAttribute('x', Math.min(scale.width - 20, Math.max(20, x)).toFixed(1));
    node.setAttribute('y', (Math.min(scale.height - 12, Math.max(12, y)) + 5).toFixed(1));
  }

  function drawPocket({ trace, steps }: Picture): void {
    const pocket = trace.steps[steps - 1]?.pocket;
    const ends = pocket ? pixels(halves(pocket.plane, scale.window).line) : [];
    kept.setAttribute('d', pathOf(ends, false));
    bestName.textContent = '';
    const [first, second] = ends;
    if (!pocket || !first || !second) return;
    // Near one of its ends, on one of its sides: where it covers the least.
    const obstacles = trace.setup.points.map(({ x, y }) => scale.at([x, y]));
    const running = pixels(halves(planeAt(trace, steps) ?? pocket.plane, scale.window).line);
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
    name(bestName, `best: ${pocket.errors} wrong`, best);
  }

  function draw(now: Picture): void {
    const { trace, steps } = now;
    drawGrid(grid, scale);
    others.setAttribute(
      'd',
      now.others.map((plane) => pathOf(pixels(halves(plane, scale.window).line), false)).join(''),
    );
    const isBent = trace.setup.kernel !== 'linear';
    const regions = isBent && steps > 0 ? regionsOf((x, y) => trace.scoreAt(steps, x, y), scale) : undefined;
    canvas.hidden = !regions;
    if (regions) paint(canvas, regions);
    bent.setAttribute('d', regions ? borderPath(regions, scale) : '');
    drawPoints(trace.setup.points);
    const step = trace.steps[steps - 1];
    place(ring, step && trace.setup.points[step.index]);
    setAttribute(ring, 'class', step?.isMistake ? 'ring mistake' : 'ring right');
    place(chosen, now.selected === undefined ? undefined : trace.setup.points[now.selected]);
    drawPocket(now);
    chooseAnchor(now);
    drawPlane(planeAt(trace, steps), now);
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
      if (picture?.trace !== next.trace) longest = longestOf(next.trace);
      picture = next;
      scale = scaleOf(next.window, scale.width, scale.height);
      draw(next);
      const to = planeAt(next.trace, next.steps);
      if (!isMoving || !from || !to) return;
      const begin = performance.now();
      const move = () => {
        const share = Math.min(1, (performance.now() - begin) / TWEEN_MS);
        drawPlane(between(from, to, share), next);
        if (share < 1) frame = requestAnimationFrame(move);
      };
      move();
    },
    carry(index, to) {
      const node = points.children[index];
      const [x, y] = scale.at(to);
      node?.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      chosen.setAttribute('cx', x.toFixed(1));
      chosen.setAttribute('cy', y.toFixed(1));
    },
    focus(index) {
      (points.children[index] as SVGElement | undefined)?.focus({ preventScroll: true });
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

/** Where the correction took all of w away, the line that was there holds what is left to show. */
const holderOf = (plane: Plane | undefined, before: Plane | undefined): Plane | undefined =>
  plane && lengthOf(plane.w) > 0 ? plane : before;

/** On the part of the line that is seen, not too near to its ends; with none to be seen, at the edge that is nearest to it. */
function baseOn(plane: Plane, anchor: number, window: Window): Place | undefined {
  const { left, right, bottom, top } = window;
  const [across, up] = ANCHORS[anchor] ?? [0.5, 0.5];
  const place = foot(plane, [left + across * (right - left), bottom + up * (top - bottom)]);
  const [from, to] = halves(plane, window).line;
  if (!place || !from || !to) return place && inside(place, window, 0.06);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const share = ((place[0] - from[0]) * dx + (place[1] - from[1]) * dy) / (dx * dx + dy * dy);
  const kept = Math.min(0.85, Math.max(0.15, share));
  return [from[0] + kept * dx, from[1] + kept * dy];
}

/** Beside the middle of an arrow, so many pixels to its right. */
function besides(from: Place, to: Place, distance: number): Place {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  return [(from[0] + to[0]) / 2 + (dy / length) * distance, (from[1] + to[1]) / 2 - (dx / length) * distance];
}

/** Of both directions across, the one that leads away from where w stands. */
function sideOf(start: Place, middle: Place, [dx, dy]: Place): Place {
  const away = (middle[0] - start[0]) * -dy + (middle[1] - start[1]) * dx;
  return away >= 0 ? [-dy, dx] : [dy, -dx];
}

const longestOf = ({ steps }: Trace): number =>
  steps.reduce((most, { after }) => Math.max(most, after ? lengthOf(after.w) : 0), 0);
