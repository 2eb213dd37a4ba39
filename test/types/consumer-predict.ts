// A consumer's code of `perceptron-wasm/predict`: every public export once, with no library but es2022's. Compiled by
// test/package.long.test.ts against the packed package, and by `npm run typecheck`; never run.

import { DenseMatrix, SparseMatrix } from 'perceptron-wasm';
import {
  type FlatRows,
  type Input,
  type Label,
  loadPredictor,
  type One,
  type Predictor,
  type PredictorOptions,
  type Row,
  type Rows,
  type ScoreTable,
  type SparseParts,
  type SparseRow,
  type Table,
} from 'perceptron-wasm/predict';

declare const json: unknown;

// rows of every form, matrices of the core too
const flat: FlatRows = { data: new Float32Array(2), rows: 1, cols: 2 };
const parts: SparseParts = { values: [1], indices: [0], indptr: [0, 1], cols: 2 };
const dense = DenseMatrix.from([[1, 2]]);
const sparse = SparseMatrix.from(parts);
const rows: Rows[] = [[[1, 2]], [Float64Array.of(1, 2)], flat, parts, dense, sparse];
// @ts-expect-error: a row is not rows
const wrong: Rows = [1, 2];

// one row
const sparseRow: SparseRow = sparse.row(0);
const row: Row[] = [[1, 2], dense.row(0), sparseRow, { indices: [0], values: [1] }];

// predicting
const predictor: Predictor = loadPredictor(json);
const label: Label | undefined = predictor.predict(rows[0] as Rows)[0];
const { predict, predictOne, classes } = loadPredictor<'yes' | 'no'>(json);
const one: 'yes' | 'no' = predictOne(row[0] as Row);
const all: ('yes' | 'no')[] = predict(dense);
const scores: Float64Array | ScoreTable = predictor.decisionFunction(sparse);
const score = 'cols' in scores ? scores.data[scores.cols] : scores[0];
const probabilities: Float64Array | ScoreTable | undefined = predictor.predictProbability?.(flat);

// pipelines that begin with text or a table
const table: Table = { columns: { age: [41] } };
const inputs: Input[] = [['some text'], table, dense];
const ones: One[] = ['some text', { age: 41 }, [1, 2]];
const options: PredictorOptions = { allowPatterns: true };
const served = [...inputs.map(loadPredictor(json, options).predict), ...ones.map((x) => predictor.predictOne(x))];

export { all, classes, label, one, probabilities, score, served, wrong };
