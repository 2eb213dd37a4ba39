// A consumer's code of `perceptron-wasm/io`: every public export once, with no library but es2022's. Compiled by
// test/package.long.test.ts against the packed package, and by `npm run typecheck`; never run.

import { type AnyModel, Perceptron, type ScoreTable } from 'perceptron-wasm';
import {
  type Address,
  type ByteBlob,
  type ByteSink,
  type ByteStream,
  type ColumnKind,
  type ColumnSchema,
  type CsvOptions,
  csvLines,
  DataError,
  type DataFormat,
  type Dataset,
  fromLiblinear,
  fromSklearn,
  type GivenKind,
  libsvmLines,
  type Place,
  type Problem,
  predictionLines,
  type ReadModelOptions,
  type ReadOptions,
  type ReadProgress,
  readCsv,
  readData,
  readLibsvm,
  readModel,
  readNpy,
  readTable,
  type SavableModel,
  type ScoreRows,
  type SklearnModel,
  type Source,
  saveModel,
  type TableData,
  type TableFormat,
  type TableOptions,
  toLiblinear,
  toOnnx,
  toSklearn,
} from 'perceptron-wasm/io';

// sources of every kind
declare const address: Address;
declare const blob: ByteBlob;
declare const stream: ByteStream;
declare const chunks: AsyncIterable<Uint8Array>;
const sources: Source[] = ['data.csv', address, blob, stream, chunks, new Uint8Array(3)];
// @ts-expect-error: numbers are not bytes
const wrong: Source = new Float64Array(3);

// reading
const onProgress = ({ bytes, totalBytes, rows }: ReadProgress) => void [bytes, totalBytes, rows];
const options: ReadOptions = {
  cols: 3,
  label: null,
  header: true,
  ignore: ['id', -1],
  labels: ['a', 'b'],
  maxCols: 10,
  maxBytes: 1e9,
  name: 'x',
  onProgress,
};
const format: DataFormat = 'npy';
const numbers: Promise<Dataset<number>> = readLibsvm('data.txt', { cols: 126 });
const datasets: Promise<Dataset>[] = [readCsv(blob, { label: 'species' }), readNpy(stream, options)];
const any: Promise<Dataset> = readData(chunks, { ...options, format });
export async function train(): Promise<number> {
  const { X, y, featureNames, ignored, label, delimiter, notes } = await numbers;
  const model = new Perceptron<number>({ ...(featureNames && { featureNames }) }).fit(X, y);
  const table: ScoreTable = { data: new Float64Array(2), rows: 2, cols: 1 };
  const rows: ScoreRows = table;
  for (const chunk of predictionLines(model.predict(X), rows, model.classes)) chunk.length;
  return (ignored ?? 0) + (label?.index ?? 0) + (delimiter?.length ?? 0) + (notes?.length ?? 0);
}

// writing
const names: CsvOptions = { featureNames: ['a', 'b'], label: 'kind' };
const texts: Generator<string, void, undefined>[] = [libsvmLines([[1, 2]], [1]), csvLines([[1, 2]], ['x'], names)];

// models of any size
declare const sink: ByteSink;
const limits: ReadModelOptions = { maxBytes: 2 ** 20 };
const read: Promise<AnyModel> = readModel(blob, limits);
const savable: SavableModel = new Perceptron<number>();
const saved: Promise<void>[] = [saveModel(savable, 'model.json'), saveModel(savable, sink)];

// models of other programs
const elsewhere: SklearnModel = toSklearn(new Perceptron<number>());
const onnx: Uint8Array = toOnnx(new Perceptron<number>());
const models = [fromSklearn(elsewhere), fromLiblinear(toLiblinear(new Perceptron<number>()))];

// what went wrong
const place: Place = { source: 'data.csv', line: 1, column: 2 };
const error = new DataError('expected a number, got "x"', place);
const where: [string, number | undefined, number | undefined] = [error.source, error.line, error.column];

// raw tables
const given: GivenKind = 'category';
const tableFormat: TableFormat = 'csv';
const tableOptions: TableOptions = { kinds: { plan: given }, format: tableFormat };
const told = readTable(blob, tableOptions).then((table: TableData) => {
  const [column]: readonly ColumnSchema[] = table.schema;
  const [problem]: readonly Problem[] = table.problems;
  const kind: ColumnKind | undefined = column?.kind;
  return [kind, problem?.line, table.columns.plan];
});

export const all = [told, sources, wrong, datasets, any, texts, read, saved, models, onnx, where];
