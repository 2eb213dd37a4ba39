// The model as a file: what `perceptron-wasm train -o` writes, to the byte.

import type { AnyModel, Diagnosis } from 'perceptron-wasm';

/** The text of the file. `memory`: what it says of its data. */
export function modelText(model: AnyModel, memory: object, diagnosis: Diagnosis | undefined): string {
  const data = {
    ...memory,
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
