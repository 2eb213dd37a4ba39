// What must hold for every text that is given as a model file.

import { readdirSync, readFileSync } from 'node:fs';
import { loadModel } from '../../src/index.js';
import { DataError, readModel } from '../../src/io/index.js';
import { loadPredictor } from '../../src/predict/index.js';
import type { Target } from './fuzzer.js';

const folder = new URL('../released/0.1.0/', import.meta.url);
const seeds = readdirSync(folder)
  .filter((name) => !name.startsWith('scaler-'))
  .map((name) => JSON.stringify(JSON.parse(readFileSync(new URL(name, folder), 'utf8')).model))
  .map((text) => new Uint8Array(Buffer.from(text)));

type Loaded = {
  decisionFunction(X: number[][]): Float64Array | { data: Float64Array };
  predict(X: number[][]): unknown;
};

/** The result of a call, or its error; anything but TypeError and RangeError is a fault. */
function tried<T>(call: () => T): { value?: T; error?: Error } {
  try {
    return { value: call() };
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return { error };
  }
}

/** V8's own errors: whoever sees one of a bad file was told nothing about the file. */
const INTERNAL =
  /Cannot (read|destructure|convert|mix|assign|set)|is not (a function|iterable|defined|a constructor|extensible)|Invalid (array|string|typed array|count)|Maximum call stack|out of bounds|allocation failed|undefined \(/;

function expectHelpful({ message }: Error): void {
  if (INTERNAL.test(message)) throw new Error(`the message does not say what is wrong with the file: ${message}`);
}

/** Scores, or the class of error, of a model on two rows of its own width. */
function scoresOf(model: Loaded, cols: number): string {
  const rows = [Array.from({ length: cols }, (_, k) => k - 1), Array.from({ length: cols }, (_, k) => 0.1 * k)];
  const { value, error } = tried(() => model.decisionFunction(rows));
  if (!value) return (error as Error).constructor.name;
  const data = ArrayBuffer.isView(value) ? value : value.data;
  return new BigUint64Array(data.slice().buffer).join();
}

function colsOf(json: Record<string, unknown>): number {
  const model = (json.type === 'pipeline' ? json.model : json) as Record<string, unknown>;
  const { weights, cols, planes } = model as { weights?: unknown[]; cols?: number; planes?: { weights: unknown[] }[] };
  return cols ?? weights?.length ?? planes?.[0]?.weights.length ?? 3;
}

/** Whether bytes are text in UTF-8 without a byte order mark: what both ways of reading take alike. */
function isPlainText(input: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
    return !text.startsWith('\ufeff');
  } catch {
    return false;
  }
}

/** readModel reads what JSON.parse and loadModel read, to the same model, and refuses the rest with a DataError. */
async function expectReadAlike(input: Uint8Array, text: string | undefined): Promise<void> {
  let read: string | undefined;
  try {
    read = JSON.stringify(await readModel(input));
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    expectHelpful(error);
  }
  // readModel takes "-0" for a number in any list of numbers, loadModel only where a number may be negative.
  const isAllowed = text === undefined && Buffer.from(input).includes('"-0"');
  if (read !== text && !isAllowed && (read !== undefined || isPlainText(input))) {
    throw new Error(`readModel gives ${read}, JSON.parse and loadModel ${text}`);
  }
}

/** loadModel and loadPredictor accept the same JSON and give the same bits; what they refuse, they refuse with a sentence. */
function expectLoadedAlike(json: Record<string, unknown>): string | undefined {
  const full = tried(() => loadModel(json));
  const light = tried(() => loadPredictor(json));
  if (full.error) expectHelpful(full.error);
  if (light.error) expectHelpful(light.error);
  if (!full.value) return undefined;
  const cols = colsOf(json);
  const scores = scoresOf(full.value as Loaded, cols);
  // The predictor checks at once what the trainer checks when it first predicts: rows too large for their kernel.
  if (!light.value && !/Error$/.test(scores)) throw new Error(`loadPredictor refuses it: ${light.error?.message}`);
  const lightScores = light.value && scoresOf(light.value as Loaded, cols);
  if (lightScores !== undefined && lightScores !== scores) {
    throw new Error(`scores differ: ${scores} and ${lightScores}`);
  }
  const text = JSON.stringify(full.value);
  const again = JSON.stringify(loadModel(JSON.parse(text)));
  if (again !== text) throw new Error(`saved and loaded again it differs: ${text}`);
  return text;
}

/** Whatever the bytes: every way of reading a model agrees, to the bit, or refuses them with a sentence. */
export const models: Target = {
  name: 'models',
  seeds,
  async run(input) {
    let json: Record<string, unknown> | undefined;
    try {
      json = JSON.parse(Buffer.from(input).toString());
    } catch {
      // Not JSON: nothing to load.
    }
    await expectReadAlike(input, json === undefined ? undefined : expectLoadedAlike(json));
  },
};
