// How training went, in the library's words; what to try next is the page's to say, as it has buttons for it.

import { type Diagnosis, describe, type FitReport } from 'perceptron-wasm';

/** A bound on mistakes is told up to so many times those that were made. */
const TELLING = 100;

export function storyOf(report: FitReport, diagnosis: Diagnosis | undefined, isAveraged: boolean): string {
  const plain = { ...report, advice: [] };
  // A bound far above the mistakes that were made says nothing to anybody: Learn has the same limit.
  const isFar = (diagnosis?.mistakeBound ?? 0) > TELLING * report.mistakes;
  const found = diagnosis && isFar ? { ...diagnosis, mistakeBound: null } : diagnosis;
  const text = describe(plain, found).replace(/^aborted/, 'stopped');
  // describe cannot know that these are the rows that were trained on: it is the mean of the weights that misses some.
  const isMean = diagnosis !== undefined && report.converged && diagnosis.errors > 0 && isAveraged;
  const told = isMean
    ? `${describe(plain).replace(/\.$/, '')}; the mean of the weights is wrong on ${diagnosis.errors.toLocaleString('en')} of ${diagnosis.samples.toLocaleString('en')} rows.`
    : text;
  return `${told.charAt(0).toUpperCase()}${told.slice(1)}`;
}
