// The report says what the run says: on an imagined run whose numbers are known.

import { DOMParser } from 'linkedom';
import { describe, expect, test } from 'vitest';
import type { Findings, Results } from '../../bench/harness/results.js';
import { peersFigure } from '../../bench/report/charts/peers.js';
import { coloursOf, mapColour } from '../../bench/report/colours.js';
import {
  cellsOf,
  consistencyOf,
  groupsOf,
  headlineOf,
  isWithin,
  limitsOf,
  lossesOf,
  placeOf,
  rooflineOf,
  speedUpsOf,
  tasksOf,
} from '../../bench/report/derive.js';
import { page } from '../../bench/report/page.js';
import { fixture } from './fixture.js';
import { CHOSEN_FACTOR, CROSSING, PASS } from './fixture-grid.js';

const documentOf = (html: string) => new DOMParser().parseFromString(html, 'text/html');
const results = fixture();
const html = page(results);
const document = documentOf(html);
const textOf = (html: string) => documentOf(html).body.textContent.replaceAll(/\s+/g, ' ');
const text = textOf(html);

/** The run without some of what it found. */
function without(...keys: (keyof Findings)[]): Results {
  const run = fixture();
  for (const told of run.questions) {
    for (const key of keys) {
      if (key === 'answers') told.answers = [];
      else delete told[key];
    }
  }
  return run;
}

const ALL = ['answers', 'timings', 'cells', 'tasks', 'limits', 'growth', 'starts', 'memory'] as const;
/** Words that appear where a number is missing, with what is around them. */
const brokenIn = (html: string) =>
  html.match(/.{0,60}(NaN|undefined|Infinity|\bnull\b|\[object|function ?\().{0,30}/g) ?? [];
/** Of a page's text, which is too long for a message. */
const found = (html: string, what: RegExp) => html.match(what) ?? [];

describe('the headline', () => {
  const { training, crossover, losses } = headlineOf(results);

  test('is the median of whole fits on the default engine', () => {
    expect(training?.cases).toBe(9);
    const ratios = results.questions.flatMap(({ answers }) =>
      answers.filter(({ kind, engine }) => kind === 'train' && engine === undefined).map(({ ratio }) => ratio),
    );
    const sorted = ratios.sort((a, b) => a - b);
    expect([training?.low, training?.median, training?.high]).toEqual([sorted[0], sorted[4], sorted[8]]);
  });

  test('finds the crossing that the times were made with', () => {
    expect(crossover?.groups).toBe(12);
    expect(crossover?.without).toBe(1);
    expect(crossover!.perRow).toBeCloseTo(CROSSING, 6);
    expect(crossover!.factor).toBeCloseTo(CHOSEN_FACTOR, 6);
    expect(crossover!.factorOf).toBe(11);
  });

  test('is among the five lines that a report opens with, and those that were not measured say so', () => {
    expect(text).toMatch(
      /Training, against plain JavaScript: [\d.]+× as fast \(median of 9 tasks, from 0\.\d+× to [\d.]+×\)\./,
    );
    expect(text).toMatch(
      /The dual form, with 200 rows, pays after about 6\d epochs, where about one sample in ten is a mistake\./,
    );
    expect(text).toMatch(
      /From a LIBSVM file to a saved model: not in this run; npm run bench -- --only libsvmfile would tell\./,
    );
  });

  test('is followed by where we lose', () => {
    expect(text).toContain('We lose in 5 cases, listed first.');
    expect(losses).toHaveLength(5);
  });
});

test('a crossing is where both forms take the same time', () => {
  const crossings = groupsOf(cellsOf(results)).flatMap(({ rows, cols, crossing }) =>
    isWithin(crossing) ? [{ rows, cols, ...crossing }] : [],
  );
  expect(crossings).toHaveLength(11);
  for (const { rows, cols, epochs, ms } of crossings) expect(ms).toBeCloseTo(PASS * rows * cols * epochs, 6);
});

test('a dual that is faster from the first epoch on, or never, has no crossing', () => {
  const [group] = groupsOf(cellsOf(results));
  const slow = group!.cells.map((cell) => ({ ...cell, dual: { ...cell.dual, ms: cell.primal.ms * 2 } }));
  const fast = group!.cells.map((cell) => ({ ...cell, dual: { ...cell.dual, ms: cell.primal.ms / 2 } }));
  expect(groupsOf(slow)[0]?.crossing).toBe('after');
  expect(groupsOf(fast)[0]?.crossing).toBe('before');
});

describe('losses', () => {
  test('are what others do faster, another algorithm apart', () => {
    const losses = lossesOf(results);
    expect(losses.map(({ against }) => against).sort()).toEqual(
      ['NumPy 1.24, OpenBLAS 0.3.21', 'idiomatic JS', 'idiomatic JS', 'idiomatic JS', 'scikit-learn 1.2.1'].sort(),
    );
    for (const { ratio } of losses) expect(ratio).toBeLessThan(1);
  });

  test('have a colour of their own in the chart of peers where every round says so, as the table counts them', () => {
    const marksOf = (rounds: number[]) => {
      const contender = (name: string, kind: 'ours' | 'native', all: number[]) => {
        const timing = { name, ms: 2, rounds: all, meanMs: 2, marginPercent: 1, samples: 3 };
        return { name, kind, otherAlgorithm: false, timing };
      };
      const contenders = [contender('perceptron-wasm', 'ours', [2, 2, 2]), contender('peer', 'native', rounds)];
      const figure = peersFigure([{ what: 'a task', rule: 'one pass', contenders, skipped: [] }]);
      return String(figure.panels).match(/var\(--loss\)/g) ?? [];
    };
    expect(marksOf([1, 1.5, 1.9])).not.toEqual([]);
    expect(marksOf([1, 1.5, 2.1])).toEqual([]);
  });

  test('are none where some rounds say otherwise: that is within noise, and said to be', () => {
    const run = fixture();
    const lost = lossesOf(run).find(({ against }) => against === 'idiomatic JS');
    const answer = run.questions.flatMap(({ answers }) => answers).find(({ ratio }) => ratio === lost!.ratio)!;
    answer.high = 1.02;
    const { losses, ties } = headlineOf(run);
    expect(losses).toHaveLength(4);
    expect(ties!.map(({ ratio }) => ratio)).toEqual([answer.ratio]);
    expect(lossesOf(run).at(-1)).toMatchObject({ ratio: answer.ratio });
    const told = textOf(page(run));
    expect(told).toContain('We lose in 4 cases, listed first; 1 more is within noise.');
    expect(told).toContain('within noise: not counted');
  });

  test('come first: before all figures, and on top of the speed-ups', () => {
    expect(document.querySelector('main section')?.id).toBe('losses');
    const order = speedUpsOf(results).map(({ isLost }) => isLost);
    expect(order).toEqual([...order].sort((a, b) => Number(b) - Number(a)));
    expect(order.filter(Boolean)).toHaveLength(3);
  });
});

test('the imagined run holds together', () => {
  const { checked, odd } = consistencyOf(results);
  expect(odd).toEqual([]);
  expect(checked).toBeGreaterThan(300);
});

describe('what does not fit is told', () => {
  /** What is odd about the run once it is spoilt. */
  const oddOf = (spoil: (run: Results) => void) => {
    const run = fixture();
    spoil(run);
    return consistencyOf(run).odd;
  };
  const answers = (run: Results) => run.questions.flatMap((told) => told.answers);

  test('on the page too', () => {
    const run = fixture();
    answers(run)[0]!.ratio = 1000;
    expect(textOf(page(run))).toContain('scoring 1000 × 1000: the ratio is not within its spread');
  });

  test('a ratio beyond its rounds, or not their median', () => {
    expect(
      oddOf((run) => {
        answers(run)[0]!.ratio = 1000;
      }),
    ).toEqual([
      'scoring 1000 × 1000: the ratio is not within its spread',
      'scoring 1000 × 1000: the ratio is not that of its rounds',
    ]);
    expect(
      oddOf((run) => {
        const [first] = answers(run);
        first!.ratio = first!.high;
      }),
    ).toEqual(['scoring 1000 × 1000: the ratio is not that of its rounds']);
  });

  test('nothing is a ratio where less is better, and none elsewhere', () => {
    const nothing = { ratio: 0, low: 0, high: 0, rounds: 1, byRound: [0] };
    expect(oddOf((run) => Object.assign(answers(run)[0]!, nothing, { lowerIsBetter: true }))).toEqual([]);
    expect(oddOf((run) => Object.assign(answers(run)[0]!, nothing))).toHaveLength(1);
  });

  test('more passes in less time', () => {
    const [primal, dual] = (['primal', 'dual'] as const).map((form) =>
      oddOf((run) => {
        const { rows, cols } = cellsOf(run)[0]!;
        const cells = cellsOf(run).filter((cell) => cell.rows === rows && cell.cols === cols);
        cells[0]![form] = { ...cells[5]![form] };
      }),
    );
    expect(primal).toEqual(['primal fit 50 × 25: 3 passes took less time than 1']);
    expect(dual).toEqual(['dual fit 50 × 25: 3 passes took less time than 1']);
  });

  test('more rows in less time', () => {
    expect(
      oddOf((run) => {
        const [growth] = run.questions.flatMap((told) => told.growth ?? []);
        growth!.points[3]!.timing = { ...growth!.points[1]!.timing };
      }),
    ).toEqual(['primal fit, 20 passes, d = 1000: 4000 N took less time than 2000']);
  });

  test('more than the machine can do, in a cell too', () => {
    const [odd, ...others] = oddOf((run) => {
      const [cell] = cellsOf(run);
      cell!.primal.work!.bytes *= 10;
      cell!.primal.work!.flops *= 10;
    });
    expect(odd).toMatch(/^primal: \d+\s% of a limit/);
    expect(others).toEqual([]);
  });
});

describe('a share of the limits', () => {
  const limits = limitsOf(results)!;
  const work = { flops: 2e9, bytes: 8e9, resident: 0 };

  test('is of the block that holds what is read', () => {
    for (const { bytes, gigabytesPerSecond } of limits.read) {
      const place = placeOf({ ms: 1000, work: { ...work, resident: bytes } }, limits)!;
      expect(place.limit).toBeCloseTo(Math.min(limits.peak.gigaflops, gigabytesPerSecond / 4), 9);
      expect(place.share).toBeCloseTo(2 / place.limit, 9);
    }
    const beyond = placeOf({ ms: 1000, work: { ...work, resident: 1e12 } }, limits)!;
    expect(beyond.limit).toBeCloseTo(limits.read.at(-1)!.gigabytesPerSecond / 4, 9);
    expect(beyond.bound).toBe('memory');
  });

  test('is between those of two blocks where what is read is', () => {
    const [small, large] = limits.read.slice(-2) as [(typeof limits.read)[0], (typeof limits.read)[0]];
    const readingOf = (resident: number) => placeOf({ ms: 1000, work: { ...work, resident } }, limits)!;
    const between = readingOf(Math.sqrt(small.bytes * large.bytes));
    expect(between.limit).toBeCloseTo(Math.sqrt(small.gigabytesPerSecond * large.gigabytesPerSecond) / 4, 9);
    expect(readingOf(1.01 * small.bytes).bound).toBe('cache');
    expect(readingOf(0.99 * large.bytes).bound).toBe('memory');
  });

  test('is of the peak where there is much to compute', () => {
    const place = placeOf({ ms: 1000, work: { ...work, flops: 7.3e9, bytes: 1e6 } }, limits)!;
    expect([place.bound, place.limit]).toEqual(['peak', limits.peak.gigaflops]);
    expect(place.share).toBeCloseTo(7.3 / 14.6, 9);
  });

  test('is unknown without work or limits', () => {
    expect(placeOf({ ms: 1 }, limits)).toBeUndefined();
    expect(placeOf({ ms: 1, work }, undefined)).toBeUndefined();
    expect(rooflineOf(without('limits'))).toEqual([]);
  });
});

describe('a figure', () => {
  const POINTS = 'g.points';
  /** Marks in a figure, of its picture for wide windows. */
  const marks = (id: string) =>
    [...document.querySelectorAll(`#${id} .panel ${POINTS}, #${id} .wide ${POINTS}`)].reduce(
      (sum, group) => sum + [...group.children].length,
      0,
    );
  const rows = (id: string) => document.querySelectorAll(`#${id} tbody tr`).length;

  // Marks a row of the table: both forms in the first figure, four parts in the last.
  test.each([
    ['epochs', 2],
    ['map', 1],
    ['speed-ups', 1],
    ['peers', 1],
    ['roofline', 1],
    ['start', 4],
  ])('has its numbers in a table: %s', (id, marksARow) => {
    expect(rows(id)).toBeGreaterThan(3);
    expect(marks(id)).toBe(rows(id) * marksARow);
  });

  test('has a title, and so has its picture', () => {
    for (const svg of document.querySelectorAll('svg')) {
      expect(svg.getAttribute('role')).toBe('img');
      expect(svg.getAttribute('aria-label')).toBe(svg.querySelector('title')?.textContent);
    }
    expect(document.querySelectorAll('svg').length).toBeGreaterThan(12);
    for (const section of document.querySelectorAll('section')) {
      expect(section.querySelector('h2')?.textContent).not.toBe('');
      for (const table of section.querySelectorAll('table')) {
        expect(table.querySelector('caption')?.textContent).not.toBe('');
        for (const cell of table.querySelectorAll('th')) expect(cell.getAttribute('scope')).toMatch(/^(row|col)$/);
      }
    }
  });

  test('is well-formed on its own', () => {
    const pictures = html.match(/<svg .*?<\/svg>/gs)!;
    for (const picture of pictures) {
      const tags = [...picture.matchAll(/<(\/?)([a-zA-Z]+)[^<>]*?(\/?)>/g)];
      const open: string[] = [];
      for (const [, end, name, alone] of tags) {
        if (end) expect(open.pop()).toBe(name);
        else if (!alone) open.push(name!);
      }
      expect(open).toEqual([]);
    }
  });
});

test('the numbers in the narrow roofline are those of the list below it', () => {
  const list = [...document.querySelectorAll('#roofline ol.key li')].map((item) => item.textContent ?? '');
  expect(list.length).toBeGreaterThan(5);
  const numbers = [...document.querySelectorAll('#roofline .narrow svg text')]
    .map((text) => text.textContent ?? '')
    .filter((text) => /^\d+$/.test(text) && !['1', '10', '100'].includes(text))
    .map(Number);
  expect(numbers.length).toBeGreaterThan(3);
  for (const number of numbers) expect(number).toBeLessThanOrEqual(list.length);
  // One name for each question, ours before those of others.
  const ours = list.filter((item) => /(auto|wasm-simd|perceptron-wasm)/.test(item));
  expect(list.slice(0, ours.length)).toEqual(ours);
});

test('another algorithm has a time beside ours, and no ratio to it', () => {
  const rows = [...document.querySelectorAll('#peers tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent),
  );
  const others = rows.filter((row) => row[5] === 'another');
  expect(others.map((row) => row[1])).toEqual(['LIBLINEAR 2.3', 'libsvm-js 0.2.1', 'LIBLINEAR 2.3']);
  for (const [, , time, ratio, range] of others) expect([time !== '', ratio, range]).toEqual([true, '', '']);
  const rivals = rows.filter((row) => row[5] === 'the same' && row[1] !== 'perceptron-wasm');
  expect(rivals.length).toBeGreaterThan(3);
  for (const [, , , ratio] of rivals) expect(ratio).toMatch(/^[\d.]+×$/);
});

test('the page has no number that is none, and nothing to fetch', () => {
  expect(brokenIn(html)).toEqual([]);
  expect(found(html, /<script|<link(?! rel="icon" href="data:,")|src=|@import|url\(/i)).toEqual([]);
  const policy = document.querySelector('meta[http-equiv]')?.getAttribute('content');
  expect(policy).toBe("default-src 'none'; style-src 'unsafe-inline'; img-src data:");
});

describe('a run that is not whole', () => {
  test.each(ALL)('is a page without %s', (key) => {
    const other = page(without(key));
    expect(brokenIn(other)).toEqual([]);
    expect(textOf(other).length).toBeGreaterThan(2000);
  });

  test('says which questions would tell, for every figure', () => {
    const empty = page(without(...ALL));
    expect(brokenIn(empty)).toEqual([]);
    expect(found(empty, /<svg/)).toEqual([]);
    const nothing = documentOf(empty);
    for (const id of ['epochs', 'map', 'speed-ups', 'peers', 'roofline', 'start', 'growth', 'memory', 'limits']) {
      expect(nothing.querySelector(`#${id}`)?.textContent, id).toContain('npm run bench -- --only');
    }
    expect(textOf(empty)).toContain(
      'Training, against plain JavaScript: not in this run; npm run bench -- --only fit would tell.',
    );
  });

  test('may have put no question at all', () => {
    expect(brokenIn(page({ ...fixture(), questions: [] }))).toEqual([]);
  });

  test('says so at the top', () => {
    const top = (run: Partial<Results>) =>
      documentOf(page({ ...fixture(), ...run })).querySelector('.warning')?.textContent;
    expect(top({})).toBeUndefined();
    expect(top({ interrupted: true, complete: false })).toMatch(/^This run was interrupted/);
    expect(top({ complete: false, command: 'npm run bench -- --only fit' })).toMatch(/incomplete: .*--only fit/);
    expect(top({ mode: 'smoke' })).toMatch(/smoke run/);
    expect(top({ seconds: 50, stolenSeconds: 10 })).toMatch(
      /^The machine’s host gave 10\s% of its processors’ time to others/,
    );
    expect(top({ seconds: 50, stolenSeconds: 0.1 })).toBeUndefined();
    const failed = [{ name: 'scan', why: 'scores of js differ at 3' }];
    expect(top({ complete: false, failed })).toBe('1 question failed: scan (scores of js differ at 3).');
    expect(top({ machine: { ...results.machine, load: 3 } })).toMatch(/not idle \(3 processors busy/);
  });

  test('may have one cell only, or numbers that JSON lost', () => {
    const run = fixture();
    for (const told of run.questions) {
      if (told.cells) told.cells = told.cells.slice(0, 1);
      if (told.tasks)
        told.tasks = told.tasks.slice(0, 1).map((task) => ({ ...task, contenders: task.contenders.slice(0, 1) }));
      if (told.starts) told.starts = told.starts.slice(0, 1);
      for (const growth of told.growth ?? []) growth.exponent = null as unknown as number;
      for (const answer of told.answers.slice(0, 1)) answer.high = null as unknown as number;
    }
    expect(brokenIn(page(run))).toEqual([]);
  });
});

test('names are text, whatever is in them', () => {
  const run = fixture();
  const bad = `<img src=x onerror=alert(1)>"'&</title></style><b>`;
  run.machine.cpu = bad;
  run.command = bad;
  run.commit = bad;
  run.date = bad;
  run.version = bad;
  for (const told of run.questions) {
    told.name += bad;
    told.question += bad;
    told.notes = [bad];
    for (const answer of told.answers) answer.what += bad;
    for (const timing of told.timings ?? []) timing.name += bad;
    for (const start of told.starts ?? []) start.job += bad;
    for (const use of told.memory ?? []) use.what += bad;
    for (const growth of told.growth ?? []) growth.what += bad;
  }
  for (const task of tasksOf(run)) {
    task.what += bad;
    task.rule += bad;
    task.skipped.push({ name: bad, why: bad });
    for (const contender of task.contenders) contender.name += bad;
  }
  const html = page(run);
  expect(found(html, /.{0,40}<(img|b)\b.{0,20}/g)).toEqual([]);
  expect(html.match(/<\/style>/g)).toHaveLength(1);
  expect(found(html, /&lt;img src=x onerror=alert\(1\)&gt;/g).length).toBeGreaterThan(100);
});

describe('colours', () => {
  const channel = (byte: number) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = (colour: string) => {
    const [r, g, b] = [1, 3, 5].map((at) => channel(Number.parseInt(colour.slice(at, at + 2), 16)));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const contrast = (one: string, other: string) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light! + 0.05) / (dark! + 0.05);
  };

  test.each(['light', 'dark'] as const)('of text differ from what is behind it: %s', (scheme) => {
    const colours = coloursOf(scheme);
    for (const name of ['text', 'muted', 'primal', 'dual', 'ours', 'loss']) {
      expect(contrast(colours[name]!, colours.surface!), name).toBeGreaterThanOrEqual(4.5);
    }
    for (const name of ['text', 'muted']) {
      expect(contrast(colours[name]!, colours.raised!), name).toBeGreaterThanOrEqual(4.5);
    }
    for (const name of ['import', 'compile', 'copy', 'train']) {
      expect(contrast(colours[name]!, colours['on-bar']!), name).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('of the map: white is a tie, and beyond the clamp nothing changes', () => {
    expect(coloursOf('light')[mapColour(0).slice(6, -1)]).toBe('#ffffff');
    expect(coloursOf('dark')[mapColour(0.1).slice(6, -1)]).toBe('#ffffff');
    expect(mapColour(9)).toBe(mapColour(4));
    expect(mapColour(-9)).toBe(mapColour(-4));
    expect(mapColour(1)).not.toBe(mapColour(-1));
    for (let step = -8; step <= 8; step++) expect(coloursOf('dark')).toHaveProperty(mapColour(step / 2).slice(6, -1));
  });
});
