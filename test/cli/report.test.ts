// The report page: its parts, what it does with names from files, and that equal data give equal pages.

import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { ticks } from '../../src/cli/report/axes.js';
import { heaviest } from '../../src/cli/report/charts/weights.js';
import { binsOf, intervalOf, rocOf } from '../../src/cli/report/curves.js';
import type { ReportData } from '../../src/cli/report/data.js';
import { countsOf, marginsOf } from '../../src/cli/report/margins.js';
import { reportHtml } from '../../src/cli/report/report.js';
import { measure, named } from '../../src/cli/report/words.js';
import { reportOf } from './report-samples.js';

const pageOf = (data: ReportData) => parseHTML(reportHtml(data)).document;
const idsOf = (data: ReportData) => [...pageOf(data).querySelectorAll('section[id]')].map(({ id }) => id);
const ALL = ['confusion', 'classes', 'margins', 'epochs', 'roc', 'reliability', 'weights', 'hardest'];
const TEN = Array.from({ length: 10 }, (_, k) => k);

describe('the page', () => {
  test.each([['two classes', ['ham', 'spam']] as const, ['ten classes', TEN] as const])(
    '%s: has all its parts',
    (_, classes) => {
      const data = reportOf(classes);
      expect(idsOf(data)).toEqual(ALL);
      expect(reportHtml(data)).not.toMatch(/NaN|undefined|Infinity|\[object/);
    },
  );

  test('says the answer first: accuracy, baseline and balanced accuracy in one sentence', () => {
    const data = reportOf(['ham', 'spam']);
    const lead = pageOf(data).querySelector('.lead')?.textContent;
    expect(lead).toMatch(
      /^Of 300 rows held out of training, the model predicts \d\d\.\d\d % rightly, where always answering (h|sp)am would be right for 5\d\.\d\d %; its balanced accuracy is \d\d\.\d\d %\.$/,
    );
  });

  test('says so if a model is no better than its baseline, and if rows were not held out', () => {
    const data = reportOf(['ham', 'spam']);
    const judged = data.judged!;
    const evaluation = { ...judged.evaluation, accuracy: judged.evaluation.baseline.accuracy };
    const lead = (kind: 'test' | 'training') =>
      pageOf({ ...data, judged: { ...judged, kind, file: '../secret/test.csv', evaluation } }).querySelector('.lead')
        ?.textContent;
    expect(lead('test')).toMatch(/^Of 300 rows of test\.csv, .* It is no better than giving always the same answer\.$/);
    expect(lead('training')).toMatch(/^Of the 300 rows that it was trained on, .* No rows were held out/);
  });

  test('gives every chart a title, a description and its numbers', () => {
    const document = pageOf(reportOf(TEN));
    const charts = [...document.querySelectorAll('svg.chart')];
    expect(charts).toHaveLength(4 + 10);
    for (const chart of charts) {
      const described = chart.getAttribute('aria-labelledby')!.split(' ');
      expect(described.map((id) => document.getElementById(id)?.textContent).filter(Boolean)).toHaveLength(2);
      expect(chart.closest('figure')).not.toBeNull();
      expect(chart.closest('section')!.querySelector('details table')).not.toBeNull();
    }
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('fetches nothing and runs nothing', () => {
    const text = reportHtml(reportOf(['ham', 'spam']));
    expect(text).not.toMatch(/<(script|img|link|iframe|object)|url\(|@import|\son\w+=/i);
    expect(text.match(/https?:\/\/[^"]*/g)?.filter((address) => address !== 'http://www.w3.org/2000/svg')).toEqual([]);
    expect(text).toContain('default-src &#39;none&#39;');
  });

  test('is identical for equal data, and tells no folder', () => {
    const text = reportHtml(reportOf(TEN));
    expect(reportHtml(reportOf(TEN))).toBe(text);
    expect(text).not.toContain('somebody');
    expect(text).toContain('<bdi>rows.csv</bdi>');
  });
});

describe('names from files', () => {
  const NASTY = ['<script>alert(1)</script>', '"\'&\u202Eevil\u0007', '</title></style><b>', ' ', 'שלום'];

  test('are text, with escapes for characters that are not seen', () => {
    const data = {
      ...reportOf(NASTY),
      file: '/x/<img src=x>.csv',
      trainer: '<i>',
      outcome: '<u>',
      advice: ['<s> --x"'],
    };
    const text = reportHtml({ ...data, nameOf: () => '<b onclick="x">\u2066' });
    expect(text).not.toMatch(/<(script|b|i|u|s|img)[ >]/);
    for (const unseen of ['\u202E', '\u2066', '\u0007']) expect(text).not.toContain(unseen);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('\\u202eevil\\u0007');
    expect([...parseHTML(text).document.querySelectorAll('section[id]')]).toHaveLength(ALL.length);
  });

  test('are cut if they are long, and quoted if they are blank', () => {
    expect(named('x'.repeat(1e6))).toHaveLength(80);
    expect(named('')).toBe('""');
    expect(named(' a')).toBe('" a"');
    expect(named('Iris setosa')).toBe('Iris setosa');
    expect(named(-1)).toBe('-1');
    expect(reportHtml(reportOf(['a'.repeat(1e6), 'b'.repeat(1e6)])).length).toBeLessThan(100_000);
  });
});

describe('parts that are absent', () => {
  const { file, rows, columns, classes, trainer, judged, ...rest } = reportOf(['ham', 'spam']);
  const bare: ReportData = { file, rows, columns, classes, trainer };

  test('leave the page whole', () => {
    expect(idsOf(bare)).toEqual([]);
    expect(pageOf(bare).querySelector('.lead')?.textContent).toMatch(/^No rows were judged/);
    expect(pageOf({ ...bare, diagnosis: rest.diagnosis! }).querySelector('.lead')?.textContent).toBe(
      'The model predicts 100.00 % of the rows that it was trained on rightly (300 of 300). No rows were held out: it may do worse on others.',
    );
  });

  test('are named at the end with the reason', () => {
    const { scores, probabilities, labels, ...plain } = judged!;
    expect(idsOf({ ...bare, judged: plain })).toEqual(['confusion', 'classes']);
    expect(pageOf({ ...bare, judged: plain }).querySelector('footer')?.textContent).toMatch(
      /Left out: margins and ROC curves \(no scores\); reliability .*; weights \(with a kernel/,
    );
    expect(idsOf({ ...bare, judged: { ...plain, labels: labels!, scores: scores! } })).toEqual([
      'confusion',
      'classes',
      'margins',
      'roc',
    ]);
    expect(probabilities).toBeDefined();
  });

  test('may be single: one feature, one row, one epoch, no mistake, weights of zero', () => {
    const one = reportOf(['ham', 'spam'], 1, 1);
    const data = {
      ...one,
      report: { converged: true, epochs: 1, mistakes: 0, mistakesByEpoch: [0] },
      planes: [{ label: 'spam', weights: [0] }],
      hardest: [{ index: 0, updates: 1 }],
    };
    expect(reportHtml(data)).not.toMatch(/NaN|undefined|Infinity/);
    expect(reportHtml(data)).toContain('All weights are zero.');
    expect(reportHtml({ ...one, planes: [{ label: 'spam', weights: [-3] }] })).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('scores that are not finite, or all equal, draw a page too', () => {
    const with_ = (score: number) => ({ ...judged!, scores: new Float64Array(300).fill(score) });
    for (const score of [NaN, Infinity, 0, 1e300, 1e-300, -5]) {
      expect(reportHtml({ ...bare, judged: with_(score) }), String(score)).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
});

describe('many', () => {
  test('a million scores take little room', () => {
    const few = reportOf(['ham', 'spam']);
    const labels = Array.from({ length: 1e6 }, (_, i) => (i % 2 === 0 ? 'ham' : 'spam'));
    const scores = new Float64Array(1e6).map((_, i) => ((i * 7919) % 1000003) - 500_000 + (i % 2) * 3e5);
    const probabilities = scores.map((score) => Math.min(1, Math.max(0, 0.5 + score / 2e6)));
    const data = { ...few, judged: { ...few.judged!, labels, scores, probabilities } };
    expect(reportHtml(data).length).toBeLessThan(100_000);
  });

  test('epochs and classes are thinned, and the page says so', () => {
    const classes = Array.from({ length: 200 }, (_, k) => `class ${k}`);
    const mistakesByEpoch = Array.from({ length: 100_000 }, (_, k) => 1 + (k % 7));
    const report = { converged: false, epochs: 200_000, mistakes: 8e5, mistakesByEpoch };
    const text = reportHtml({ ...reportOf(classes, 1000), report });
    expect(text.length).toBeLessThan(250_000);
    for (const sentence of [
      'the first 100,000 epochs are shown',
      'The 12 largest of 200 classes are shown.',
      'The 50 largest classes; 150 smaller ones are left out',
      'Only the 6 largest classes of 200 have a curve here.',
      'The first 12 classes; 188 more are left out.',
    ]) {
      expect(text).toContain(sentence);
    }
  });
});

describe('what is drawn', () => {
  test('ROC: equal scores are one step, and the area is exact', () => {
    const roc = rocOf(Float64Array.of(0.8, 0.4, 0.35, 0.1, 0.4, NaN, 9), Int8Array.of(1, 1, 1, 0, 0, 1, -1))!;
    expect(roc.points).toEqual([
      [0, 0],
      [0, 1 / 3],
      [0.5, 2 / 3],
      [0.5, 1],
      [1, 1],
    ]);
    // 2 + 1½ + 1 of 6 pairs are in order.
    expect(roc.area).toBe(0.75);
    expect(rocOf(Float64Array.of(1, 2, 0), Int8Array.of(1, 1, 0))!.area).toBe(1);
    expect(rocOf(new Float64Array(4), Int8Array.of(1, 1, 0, 0))).toEqual({
      points: [
        [0, 0],
        [1, 1],
      ],
      area: 0.5,
    });
  });

  test('reliability: ten intervals, 1 in the last, what is no probability in none', () => {
    const bins = binsOf(Float64Array.of(0, 0.05, 0.95, 1, NaN, 2), (row) => row >= 2);
    expect(
      bins.map(({ from, rows, sharePositive, meanPredicted }) => [from, rows, sharePositive, meanPredicted]),
    ).toEqual([
      [0, 2, 0, 0.025],
      [0.9, 2, 1, 0.975],
    ]);
    const [low, high] = intervalOf({ sharePositive: 0.5, rows: 10 });
    expect([low, high]).toEqual([expect.closeTo(0.2366, 4), expect.closeTo(0.7634, 4)]);
  });

  test('margins: y·s/‖w‖ with two classes, the lead over the best other class with more', () => {
    expect(
      marginsOf(Float64Array.of(2, 3, -1, NaN), ['a', 'b', 'b', 'a'], ['a', 'b'], 2).map((each) => [...each]),
    ).toEqual([[-1], [1.5, -0.5]]);
    const scores = { data: Float64Array.of(1, 5, 2, 0, 0, 4), rows: 2, cols: 3 };
    expect(marginsOf(scores, [0, 2], [0, 1, 2]).map((each) => [...each])).toEqual([[-4], [], [4]]);
  });

  test('histograms: 0 is a border, far rows are counted at the end, nobody is lost', () => {
    const near = Float64Array.from({ length: 1000 }, (_, i) => (i - 200) / 100);
    const { step, first, counts, isFar, beyond } = countsOf([near, Float64Array.of(1e6, -1e6, 0)]);
    expect(isFar).toEqual([true, true]);
    expect(step).toBe(0.5);
    // From −2 to 8, and one interval more at each end.
    expect([first, counts[0]!.length]).toEqual([-5, 22]);
    expect([...counts[0]!]).toEqual([0, ...new Array(20).fill(50), 0]);
    expect(counts[1]!.map((n, k) => n * (k + 1)).filter((n) => n > 0)).toEqual(Uint32Array.of(1, 6, 22));
    expect(beyond).toBe(2);
  });

  test('weights: the largest first, the first among equals, no zeros', () => {
    expect(heaviest([1, 0, -3, NaN, 3, 0.5], 3)).toEqual([
      { index: 2, weight: -3 },
      { index: 4, weight: 3 },
      { index: 0, weight: 1 },
    ]);
  });

  test('round numbers on axes, and no rounding to 1', () => {
    expect(ticks(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(ticks(-0.3, 0.3, 6)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
    expect(measure(0.99999)).toBe('0.9999');
    expect(measure(1)).toBe('1.0000');
  });
});
