// What scikit-learn says: the committed cases of make.py, and where it is installed other ones that it makes now.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { python } from '../python.js';

export interface Sample {
  classes: number;
  truth: number[];
  predicted: number[];
  /** One a row for two classes, else row-major. */
  scores: number[];
  probabilities: number[];
  weights?: number[];
}

interface Answers {
  accuracy: number;
  balancedAccuracy: number;
  confusion: number[][];
  /** Precision, recall, F1, support. */
  byClass: number[][];
  macro: number[];
  weighted: number[];
  matthews: number;
  rocAuc: number;
  averagePrecision: number;
  logLoss: number;
  brier: number;
  /** a and b by class. */
  sigmoid: number[][];
  isotonic: { at: number[]; p: number[] }[];
}

export interface Case {
  sample: Sample;
  answers: Answers;
}

const folder = import.meta.dirname;

const made = JSON.parse(readFileSync(join(folder, 'sklearn.json'), 'utf8')) as { cases: Case[] };

/** Cases by where they come from; `seed` is that of the new ones. */
export function sklearnCases(seed: number): [title: string, cases: Case[]][] {
  const committed: [string, Case[]] = ['as it said when the fixtures were made', made.cases];
  if (!python) return [committed];
  const text = execFileSync(python, ['-B', '-W', 'ignore', 'make.py', String(seed)], { cwd: folder, encoding: 'utf8' });
  return [committed, ['as it says now', JSON.parse(text) as Case[]]];
}

/** One number a row, or a table. */
export const perRow = ({ classes, truth }: Sample, data: number[]) =>
  classes === 2 ? Float64Array.from(data) : { data: Float64Array.from(data), rows: truth.length, cols: classes };
