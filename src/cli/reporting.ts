// What train knows, for the page of --report.

import type { Label } from '../index.js';
import { innerOf, namesOf, scalerOf, type Trained } from './models.js';
import { probabilitiesFor } from './probabilities.js';
import type { HardRow, ReportData, ReportPlane } from './report/data.js';
import { reportHtml } from './report/report.js';
import type { Outcome } from './story.js';
import { adviceOf, columnNames, trainerWords, trainingInWords } from './story.js';

const MOST_HARD = 10;

/** The page of --report. @throws RangeError as `reportDataOf` does */
export const pageOf = (outcome: Outcome): string => reportHtml(reportDataOf(outcome));

/** @throws RangeError as the library does, if scores of the hardest rows overflow */
function reportDataOf(outcome: Outcome): ReportData {
  const { data, classes, fitted, judged, values } = outcome;
  const { model, trained, report, diagnosis } = fitted;
  const planes = planesOf(trained);
  const weightLength = planes?.length === 1 ? lengthOf((planes[0] as ReportPlane).weights) : undefined;
  const probabilities = judged && probabilitiesFor(judged);
  return {
    file: data.name,
    rows: data.X.rows,
    columns: data.raw?.columns.length ?? data.X.cols,
    ...(data.raw && { features: data.X.cols }),
    classes,
    trainer: trainerWords(outcome),
    ...(judged && {
      judged: {
        kind: judged.kind,
        ...(judged.file !== undefined && { file: judged.file }),
        evaluation: judged.evaluation,
        // The charts of scores need the model's classes in the evaluation's order.
        ...(judged.scores &&
          judged.evaluation.rocAuc !== undefined && {
            labels: judged.labels,
            scores: judged.scores,
            ...(judged.ranking && { ranking: judged.ranking }),
            ...(probabilities && { probabilities }),
          }),
        ...(weightLength !== undefined && judged.kind === 'test' && { weightLength }),
      },
    }),
    report,
    ...(diagnosis && { diagnosis }),
    outcome: trainingInWords(outcome),
    advice: adviceOf(outcome),
    ...(planes && { planes }),
    nameOf: columnNames(data.format, namesOf(model) ?? data.featureNames),
    isScaled: values.scale === 'standardize' ? true : data.raw ? 'numbers' : false,
    hardest: hardestOf(outcome),
  };
}

const lengthOf = (weights: ArrayLike<number>): number => {
  let sum = 0;
  for (let k = 0; k < weights.length; k++) sum += (weights[k] as number) * (weights[k] as number);
  return Math.sqrt(sum);
};

/** The planes of a linear model; undefined with another kernel. */
function planesOf(trained: Trained): ReportPlane[] | undefined {
  const { kernel } = trained.packed().options as { kernel?: { type: string } };
  if (kernel && kernel.type !== 'linear') return undefined;
  const { weights, classes } = trained;
  if (weights instanceof Float64Array) return [{ label: classes[1] as Label, weights }];
  return weights.map((own, k) => ({ label: classes[k] as Label, weights: own }));
}

/** The hardest rows with what the model says of them. */
function hardestOf({ data, fitted }: Outcome): HardRow[] {
  const { X, y } = data;
  const { model } = fitted;
  // X is what the encoder made of a table: only a scaler is between it and the trainer.
  const trainer = innerOf(model);
  const scaler = scalerOf(model);
  return trainer.hardest(MOST_HARD).map(({ index, updates }) => {
    const row = X.take([index]);
    try {
      const Z = scaler ? scaler.transform(row) : row;
      const scores = trainer.decisionFunction(Z);
      const predicted = trainer.predict(Z)[0] as Label;
      if (Z !== row) Z.dispose();
      const label = y[index] as Label;
      return { index, updates, label, predicted, score: leadOf(scores, trainer.classes, label) };
    } finally {
      row.dispose();
    }
  });
}

/** Two classes: the score; more: that of the row's own class minus the best other. */
function leadOf(scores: Float64Array | { data: Float64Array }, classes: readonly Label[], label: Label): number {
  if (scores instanceof Float64Array) return scores[0] as number;
  const own = classes.indexOf(label);
  const others = scores.data.filter((_, k) => k !== own);
  return (scores.data[own] as number) - Math.max(...others);
}
