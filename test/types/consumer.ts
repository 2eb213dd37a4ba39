// A consumer's code: every public export once, with no library but es2022's. Compiled by test/package.slow.test.ts
// against the packed package, and by `npm run typecheck`; never run.

import {
  type Advice,
  type AnyModel,
  type CompareOptions,
  type Comparison,
  type ComparisonRow,
  type Contribution,
  compare,
  createEngine,
  DenseMatrix,
  type DenseMatrixOptions,
  type DiagnoseOptions,
  type Diagnosis,
  type Dtype,
  describe,
  type Engine,
  type EngineKind,
  type EngineOptions,
  type Epoch,
  type ExactNumber,
  type FitAsyncOptions,
  type FitReport,
  type FlatRows,
  type Label,
  type Labels,
  loadModel,
  type Model,
  NotFittedError,
  type Order,
  Perceptron,
  type PerceptronJSON,
  type PerceptronOptions,
  type PlaneJSON,
  prepareEngine,
  type Rows,
  type StopReason,
  type TrainerOptions,
  type Update,
} from 'perceptron-wasm';

// data: every form of rows and labels
const flat: FlatRows = { data: new Float32Array([3, 3, 4, 3, 1, 1]), rows: 3, cols: 2 };
const dtype: Dtype = 'float32';
const matrixOptions: DenseMatrixOptions = { dtype, engine: 'auto' };
const matrix = DenseMatrix.from(flat, matrixOptions);
const forms: Rows[] = [
  [
    [3, 3],
    [1, 1],
  ],
  [new Float64Array(2)],
  flat,
  matrix,
  DenseMatrix.allocate(2, 2),
];
const labels: Labels[] = [['yes', 'no'], [true, false], new Int8Array([1, -1])];
const label: Label | undefined = labels[0]?.[0];
const view: Float64Array | Float32Array = matrix.row(0);
matrix[Symbol.dispose]();

// engines
const kind: EngineKind = 'wasm-scalar';
const engineOptions: EngineOptions = { kind, maxMemoryBytes: 2 ** 20 };
const engine: Engine = createEngine(engineOptions);
export const prepared: Promise<Engine> = prepareEngine();

// training: the labels' type goes all the way through
const order: Order = 'shuffle';
const stop: StopReason = 'separated';
const shared: TrainerOptions<'yes' | 'no'> = {
  order,
  engine,
  classWeight: { yes: 2 },
  onUpdate: ({ index, weights, bias }: Update) => void [index, weights, bias],
  onEpoch: ({ mistakes, snapshot }: Epoch<'yes' | 'no'>) => mistakes > 0 || snapshot().bias > 0,
};
const options: PerceptronOptions<'yes' | 'no'> = { ...shared, initialWeights: new Float64Array(2), warmStart: true };
const trained = new Perceptron(options).fit(flat, ['yes', 'yes', 'no']);
const answer: 'yes' | 'no' = trained.predictOne([4, 4]);
const asModel: Model<'yes' | 'no'> = trained;
const why: Contribution[] = asModel.explain([4, 4]);
const asyncOptions: FitAsyncOptions<'yes' | 'no'> = { keepPartial: true, threads: 'auto', onEpoch: () => {} };
export const later: Promise<Perceptron<'yes' | 'no'>> = trained.fitAsync(flat, ['yes', 'yes', 'no'], asyncOptions);
// @ts-expect-error: a label that is not of the trainer's type
trained.partialFit(flat, [1, 1, 2]);

// what came of it
const report: FitReport = trained.report;
const advice: readonly Advice[] = report.advice;
const known: DiagnoseOptions = { reference: [1, 1], referenceBias: -3 };
const diagnosis: Diagnosis = trained.diagnose(flat, ['yes', 'yes', 'no'], known);
const story: string = describe(report, diagnosis);
const compareOptions: CompareOptions<number> = { engines: ['js'], budgetMs: 1 };
const comparison: Comparison = compare(flat, [1, 1, -1], compareOptions);
const fastest: ComparisonRow | undefined = comparison.results[0];

// saved and loaded
const json: PerceptronJSON = trained.toJSON();
const plane: PlaneJSON = json;
const bias: ExactNumber = plane.bias;
const loaded: AnyModel = loadModel(json);
const isNotFitted = (error: unknown): boolean => error instanceof NotFittedError && error.message !== '';

export const all = [forms, label, view, stop, answer, why, advice, story, fastest, bias, loaded, isNotFitted];
