// A consumer's code of `perceptron-wasm/prepare`: every public export once, with no library but es2022's. Compiled by
// test/package.long.test.ts against the packed package, and by `npm run typecheck`; never run.

import { type Contribution, MulticlassPerceptron, Perceptron, Scaler, type Step } from 'perceptron-wasm';
import {
  type ArrowLikeColumn,
  type ArrowLikeTable,
  type CategoryColumnOptions,
  type ColumnKind,
  type ColumnOptions,
  type EncodedColumn,
  type InferredColumn,
  type Input,
  type inferColumns,
  type LoadedModel,
  type LoadModelOptions,
  loadModel,
  type MissingRule,
  type NumberColumnOptions,
  type NumberTable,
  Pipeline,
  type rowsOf,
  type Table,
  type TableColumnJSON,
  TableEncoder,
  type TableEncoderJSON,
  type TableEncoderOptions,
  type TextColumnOptions,
  type TextTokens,
  TextVectorizer,
  type TextVectorizerJSON,
  type TextVectorizerOptions,
  type UnknownRule,
} from 'perceptron-wasm/prepare';

declare const json: unknown;
declare const table: Table;
declare const arrow: ArrowLikeTable;
export type Names = [
  ArrowLikeColumn,
  CategoryColumnOptions,
  ColumnKind,
  ColumnOptions,
  EncodedColumn,
  InferredColumn,
  MissingRule,
  NumberColumnOptions,
  NumberTable,
  TableColumnJSON,
  TableEncoderJSON,
  TextColumnOptions,
  TextTokens,
  TextVectorizerJSON,
  UnknownRule,
  typeof inferColumns,
  typeof rowsOf,
];

// texts: the pipeline takes what its first step takes, and infers its labels
const words: TextVectorizerOptions = { method: 'vocabulary', ngrams: [1, 2] };
const byText = new Pipeline(new TextVectorizer(words), new Perceptron()).fit(['a b', 'c d'], ['yes', 'no']);
const one: 'yes' | 'no' = byText.predictOne('a');
const why: Contribution[] = byText.explain('a b', { top: 3 });
// @ts-expect-error: rows of numbers are not texts
byText.predict([[1, 2]]);

// tables, and several steps
const columns: TableEncoderOptions = { missing: 'median' };
const byTable = new Pipeline(
  new TableEncoder(columns),
  new Scaler({ kind: 'unit-ball' }),
  new MulticlassPerceptron<string>(),
);
const classes: string[] = [...byTable.fit(table, ['a']).predict(arrow), byTable.predictOne({ age: 41 })];
export const streamed = (): Promise<unknown> => byTable.fitStream([{ X: table, y: ['a'] }]);
// @ts-expect-error: a step of texts cannot come second
new Pipeline(new Scaler({ kind: 'centre' }), new TextVectorizer(), new Perceptron());

// a step of one's own
const step: Step<readonly string[]> = {
  fit() {},
  transform: (X) => X.map(({ length }) => [length]),
  toJSON: () => ({ type: 'length' }),
};
const own: string = new Pipeline(step, new Perceptron<string>()).predictOne('a');

// loading: only the file says what the first step takes
const options: LoadModelOptions = { allowPatterns: true, steps: { length: () => step } };
const loaded: LoadedModel<string> = loadModel<string>(json, options);
const input: Input = ['some text'];
const labels: string[] = [...loaded.predict(input), ...loaded.predict([[1, 2]]), loaded.predictOne('text')];

export { classes, labels, one, own, why };

// records of an interface, which has no index signature
interface Car {
  name: string;
  horsepower: number | null;
}
declare const cars: Car[];
const carModel = new Pipeline(new TableEncoder({ missing: 'median' }), new Perceptron()).fit(cars, ['a', 'b']);
export const carAnswers = [
  carModel.predict(cars),
  carModel.predictOne(cars[0] as Car),
  carModel.explain(cars[0] as Car),
];
