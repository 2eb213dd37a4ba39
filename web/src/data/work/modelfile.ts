// The model as a file: what `perceptron-wasm train -o` writes, to the byte.

import type { AnyModel, Diagnosis } from 'perceptron-wasm';
import type { Summary } from '../types.js';

/** The text of the file. `rows`: how many were trained on. */
export function modelText(model: AnyModel, summary: Summary, rows: number, diagnosis: Diagnosis | undefined): string {
  const { format, delimiter, label, ignored } = summary;
  const data = {
    format,
    ...(delimiter !== undefined && { delimiter }),
    ...(label && { label: { index: label.index, ...(label.name !== undefined && { name: label.name }) } }),
    ...(ignored.length > 0 && { ignored }),
    rows,
    ...(diagnosis && {
      margin: {
        lower: diagnosis.margin.lower,
        upper: Number.isFinite(diagnosis.margin.upper) ? diagnosis.margin.upper : null,
      },
      mistakeBound: diagnosis.mistakeBound,
      accuracy: diagnosis.accuracy,
    }),
  };
  return `${JSON.stringify({ ...model.toJSON(), data })}\n`;
}
