// Data for reports: rows drawn by a seed, and how good the answers are.

import type { Judged, ReportData } from '../../src/cli/report/data.js';
import type { Label } from '../../src/index.js';
import { Random } from '../../src/random.js';
import { evaluate } from '../../src/select/metrics.js';

/** Numbers from 0 to 1. */
function uniform(seed: number): () => number {
  const random = Random.seeded(seed);
  return () => random.next() / 2 ** 32;
}

/** Rows of as many classes as there are names, most of them predicted rightly. */
function judgedRows(classes: readonly Label[], rows: number, seed = 1): Judged {
  const next = uniform(seed);
  const k = classes.length;
  const labels = Array.from({ length: rows }, () => classes[Math.floor(next() * k)]!);
  if (k === 2) {
    const scores = Float64Array.from(labels, (label) => (label === classes[1] ? 1 : -1) + 3 * (next() - 0.5));
    const probabilities = scores.map((s) => Math.min(1, Math.max(0, 0.5 + s / 4)));
    const answers = Array.from(scores, (s) => classes[s >= 0 ? 1 : 0]!);
    const evaluation = evaluate(labels, answers, { classes, scores, probabilities });
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
  return {
    kind: 'folds',
    evaluation: evaluate(labels, answers, { classes, scores, probabilities }),
    labels,
    scores,
    probabilities,
  };
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
