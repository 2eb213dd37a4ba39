// Data for reports: an evaluation counted plainly, and rows drawn by a seed.

import type { Judged, ReportData, ReportEvaluation } from '../../src/cli/report/data.js';
import type { Label } from '../../src/index.js';
import { Random } from '../../src/random.js';

/** Numbers from 0 to 1. */
function uniform(seed: number): () => number {
  const random = Random.seeded(seed);
  return () => random.next() / 2 ** 32;
}

/** The definitions of scikit-learn, without weights and scores. */
export function evaluated(
  labels: readonly Label[],
  answers: readonly Label[],
  classes: readonly Label[],
): ReportEvaluation {
  const place = new Map(classes.map((label, k) => [label, k]));
  const confusion = classes.map(() => classes.map(() => 0));
  for (const [i, label] of labels.entries()) confusion[place.get(label)!]![place.get(answers[i]!)!]!++;
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const share = (part: number, all: number) => (all === 0 ? 0 : part / all);
  const byClass = classes.map((label, k) => {
    const hits = confusion[k]![k]!;
    const support = sum(confusion[k]!);
    const [precision, recall] = [share(hits, sum(confusion.map((row) => row[k]!))), share(hits, support)];
    return { label, precision, recall, f1: share(2 * precision * recall, precision + recall), support };
  });
  const rows = labels.length;
  const averages = (weight: (one: (typeof byClass)[number]) => number) => ({
    precision: sum(byClass.map((one) => one.precision * weight(one))),
    recall: sum(byClass.map((one) => one.recall * weight(one))),
    f1: sum(byClass.map((one) => one.f1 * weight(one))),
  });
  const macro = averages(() => 1 / classes.length);
  const most = byClass.reduce((a, b) => (b.support > a.support ? b : a));
  return {
    rows,
    accuracy: sum(confusion.map((row, k) => row[k]!)) / rows,
    baseline: { label: most.label, accuracy: most.support / rows },
    balancedAccuracy: macro.recall,
    classes,
    confusion,
    byClass,
    macro,
    weighted: averages(({ support }) => support / rows),
    matthews: 0.5,
  };
}

/** Rows of as many classes as there are names, most of them predicted rightly. */
export function judgedRows(classes: readonly Label[], rows: number, seed = 1): Judged {
  const next = uniform(seed);
  const k = classes.length;
  const labels = Array.from({ length: rows }, () => classes[Math.floor(next() * k)]!);
  if (k === 2) {
    const scores = Float64Array.from(labels, (label) => (label === classes[1] ? 1 : -1) + 3 * (next() - 0.5));
    const probabilities = scores.map((s) => Math.min(1, Math.max(0, 0.5 + s / 4)));
    const answers = Array.from(scores, (s) => classes[s >= 0 ? 1 : 0]!);
    const evaluation = evaluated(labels, answers, classes);
    return { kind: 'held-out', evaluation, labels, scores, probabilities, weightLength: 2 };
  }
  const data = new Float64Array(rows * k);
  const answers = labels.map((label, i) => {
    let best = 0;
    for (let c = 0; c < k; c++) {
      data[i * k + c] = next() + (label === classes[c] ? 0.6 : 0);
      if (data[i * k + c]! > data[i * k + best]!) best = c;
    }
    return classes[best]!;
  });
  const scores = { data, rows, cols: k };
  const probabilities = { data: data.map((s) => s / 1.6), rows, cols: k };
  return { kind: 'folds', evaluation: evaluated(labels, answers, classes), labels, scores, probabilities };
}

/** A report with all its parts. */
export function reportOf(classes: readonly Label[], rows = 300, features = 20): ReportData {
  const next = uniform(7);
  const planes = (classes.length === 2 ? classes.slice(1) : classes).map((label) => ({
    label,
    weights: Float64Array.from({ length: features }, () => next() - 0.5),
  }));
  return {
    file: '/home/somebody/data/rows.csv',
    rows,
    columns: features,
    classes: classes.map((label) => ({ label, rows: Math.ceil(rows / classes.length) })),
    trainer: 'perceptron (primal form), shuffled order, averaged',
    outcome: 'Separated after 5 epochs and 70 mistakes.',
    judged: judgedRows(classes, rows),
    report: { converged: true, epochs: 5, mistakes: 70, mistakesByEpoch: [40, 20, 8, 2, 0] },
    diagnosis: { samples: rows, errors: 0, accuracy: 1 },
    planes,
    nameOf: (index) => `feature ${index}`,
    hardest: [
      { index: 11, updates: 9, label: classes[0]!, predicted: classes[1]!, score: 0.25 },
      { index: 3, updates: 4, label: classes[1]!, predicted: classes[1]!, score: -1.5 },
    ],
    advice: ['Try more epochs.'],
  };
}
