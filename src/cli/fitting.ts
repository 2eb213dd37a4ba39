// One fit: scales rows if asked for, and trains in slices or on threads, so that the progress bar moves and Ctrl-C works.

import { type AnyModel, type Diagnosis, type FitReport, type Label, Pipeline, Scaler } from '../index.js';
import type { TableEncoder } from '../prepare/index.js';
import type { Context } from './context.js';
import type { Trained } from './models.js';
import { count, counted, rough } from './output.js';
import type { Progress } from './progress.js';
import { expectScale } from './prototype.js';
import type { Matrix } from './rows.js';
import { makeTrainer, type TrainerName, type TrainValues } from './trainers.js';

export interface Fitted {
  /** The model: the trainer, or a pipeline of an encoder, a scaler, or both, and the trainer. */
  readonly model: AnyModel;
  readonly trained: Trained;
  readonly report: FitReport;
  /** The diagnosis on the training rows; undefined if training was interrupted. */
  readonly diagnosis: Diagnosis | undefined;
  readonly fitMs: number;
}

export interface FitRequest {
  readonly X: Matrix;
  /** What made X of a table; the model begins with it. */
  readonly encoder?: TableEncoder | undefined;
  readonly y: readonly Label[];
  readonly name: TrainerName;
  readonly values: TrainValues;
  readonly featureNames?: readonly string[] | undefined;
  /** Shows the epochs; ends with the fit. */
  readonly bar: Progress;
  /** Whether to diagnose the training rows. */
  readonly proves: boolean;
  /** Whether to keep the model so far on Ctrl-C. */
  readonly keepsPartial: boolean;
}

export async function fitModel(request: FitRequest, context: Context): Promise<Fitted> {
  const { X, y, name, values, featureNames, encoder } = request;
  const scaler = values.scale && values.scale !== 'none' ? scalerFor(values.scale, X) : undefined;
  const Z = scaler ? scaler.transform(X) : X;
  try {
    const trained = makeTrainer(name, values, {
      featureNames,
      ...(scaler && { interceptScaling: scaler.interceptScaling }),
    });
    const started = performance.now();
    await fitWithBar(trained, Z, request, context);
    const fitMs = performance.now() - started;
    const isPartial = trained.report.stopReason === 'aborted';
    return {
      model: withSteps(trained, encoder, scaler),
      trained,
      report: trained.report,
      diagnosis: request.proves && !isPartial ? trained.diagnose(Z, y) : undefined,
      fitMs,
    };
  } finally {
    if (Z !== X) Z.dispose();
  }
}

/** The model with what was done to its rows before. */
function withSteps(trained: Trained, encoder: TableEncoder | undefined, scaler: Scaler | undefined): AnyModel {
  // Every pipeline is an AnyModel, whatever it takes: predictAll gives each what it takes.
  if (encoder) return (scaler ? new Pipeline(encoder, scaler, trained) : new Pipeline(encoder, trained)) as never;
  return scaler ? new Pipeline(scaler, trained) : trained;
}

function scalerFor(kind: Exclude<NonNullable<TrainValues['scale']>, 'none'>, X: Matrix): Scaler {
  return new Scaler({ kind: expectScale(kind, X) }).fit(X);
}

async function fitWithBar(trained: Trained, Z: Matrix, request: FitRequest, { interrupt }: Context) {
  const { y, values, bar, keepsPartial } = request;
  const limit = values.epochs ?? 1000;
  const started = performance.now();
  let mistakes: number | undefined;
  try {
    await trained.fitAsync(Z, y, {
      signal: interrupt.signal,
      keepPartial: keepsPartial,
      threads: values.threads ?? 'auto',
      onEpoch(epoch) {
        mistakes = epoch.mistakes;
      },
      onProgress({ epoch, done, total }) {
        const passed = epoch - 1 + done / total;
        bar.update(passed, limit, () => {
          const rate = rough((passed * Z.rows * 1000) / (performance.now() - started));
          const last = mistakes === undefined ? '' : ` | ${counted(mistakes, 'mistake')} in the last`;
          return `epoch ${count(epoch)}${last} | ${rate} rows/s`;
        });
      },
    });
  } finally {
    bar.end();
  }
}
