// A consumer's code: every public export once, with no library but es2022's. Compiled by test/package.long.test.ts
// against the packed package, and by `npm run typecheck`; never run.

import {
  type Advice,
  type AnyModel,
  type Block,
  type Blocks,
  type ChooseFormOptions,
  type ClassPlaneJSON,
  type CompareOptions,
  type Comparison,
  type ComparisonRow,
  type Contribution,
  chooseForm,
  compare,
  createEngine,
  DenseMatrix,
  type DenseMatrixOptions,
  type DiagnoseOptions,
  type Diagnosis,
  type Dtype,
  type DualFitOptions,
  DualPerceptron,
  type DualPerceptronJSON,
  type DualPerceptronOptions,
  describe,
  type Engine,
  type EngineKind,
  type EngineOptions,
  type Epoch,
  type ExactNumber,
  type ExplainOptions,
  type FitAsyncOptions,
  type FitOptions,
  type FitReport,
  type FitStreamOptions,
  type FlatRows,
  type FormChoice,
  type GramAsyncOptions,
  type GramMode,
  type GramOptions,
  gram,
  gramAsync,
  type HardSample,
  type Kernel,
  type Label,
  type Labels,
  loadModel,
  type Model,
  type MulticlassDiagnosis,
  type MulticlassModel,
  MulticlassPerceptron,
  type MulticlassPerceptronJSON,
  type MulticlassPerceptronOptions,
  NotFittedError,
  type Order,
  type PartialFitOptions,
  Perceptron,
  type PerceptronForm,
  type PerceptronJSON,
  type PerceptronOptions,
  Pipeline,
  type PipelineBlocks,
  type PipelineJSON,
  type PlaneJSON,
  PocketPerceptron,
  type PocketPerceptronOptions,
  type PocketReport,
  type PolynomialKernel,
  type PredictOptions,
  type Progress,
  prepareEngine,
  type RbfKernel,
  type Row,
  type RowJSON,
  type Rows,
  Scaler,
  type ScalerJSON,
  type ScalerKind,
  type ScalerOptions,
  type ScoreTable,
  type SeparabilityProof,
  SparseBuilder,
  type SparseBuilderOptions,
  SparseMatrix,
  type SparseMatrixOptions,
  type SparseParts,
  type SparseRow,
  type Step,
  type StopReason,
  type Strategy,
  stopThreads,
  type Timings,
  type TrainerOptions,
  type TrainingJSON,
  type Update,
  verifyProof,
} from 'perceptron-wasm';
import 'perceptron-wasm/prove';
import 'perceptron-wasm/scalar';

// data: every form of rows and labels
const flat: FlatRows = { data: new Float32Array([3, 3, 4, 3, 1, 1]), rows: 3, cols: 2 };
const dtype: Dtype = 'float32';
const sparseOptions: SparseMatrixOptions = { engine: 'js' };
const builderOptions: SparseBuilderOptions = { cols: 9, ...sparseOptions };
const sparse: SparseMatrix = new SparseBuilder(builderOptions).add([1, 5], [2, 3]).finish();
const parts: SparseParts = sparse.toParts();
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
  SparseMatrix.from(parts, sparseOptions),
  parts,
];
const labels: Labels[] = [['yes', 'no'], [true, false], new Int8Array([1, -1])];
const label: Label | undefined = labels[0]?.[0];
const view: Float64Array | Float32Array = matrix.row(0);
const some: [DenseMatrix, SparseMatrix] = [matrix.take([0]), sparse.slice(0, 1)];
matrix[Symbol.dispose]();

// engines; the import of perceptron-wasm/scalar makes one of them available
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
const sparseRow: SparseRow = sparse.row(0);
const row: Row[] = [[4, 4], matrix.row(0), sparseRow, { indices: [0], values: [1] }];
const top: ExplainOptions = { top: 3 };
const why: Contribution[] = asModel.explain(row[0] as Row, top);
const whyRight: Contribution[] = new MulticlassPerceptron()
  .fit(flat, [1, 2, 3])
  .explain(sparseRow, { label: 2, top: Infinity });
export const weighed: [FitOptions, PartialFitOptions<'yes' | 'no'>] = [
  { sampleWeight: [1, 2] },
  { classes: ['yes', 'no'] },
];
const asyncOptions: FitAsyncOptions<'yes' | 'no'> = { keepPartial: true, threads: 'auto', onEpoch: () => {} };
export const later: Promise<Perceptron<'yes' | 'no'>> = trained.fitAsync(flat, ['yes', 'yes', 'no'], asyncOptions);
// @ts-expect-error: a label that is not of the trainer's type
trained.partialFit(flat, [1, 1, 2]);

// the dual form
const rbf: RbfKernel = { type: 'rbf', gamma: 0.5 };
const polynomial: PolynomialKernel = { type: 'polynomial', degree: 2, coef0: 1 };
const kernel: Kernel = Math.random() < 0.5 ? rbf : polynomial;
const gramOptions: GramOptions = { kernel, engine: 'auto', out: DenseMatrix.allocate(3, 3) };
const gramAsyncOptions: GramAsyncOptions = { ...gramOptions, threads: 2, workerUrl: '/worker.js' };
const gramLater: Promise<DenseMatrix> = gramAsync(flat, gramAsyncOptions);
const stopped: Promise<void> = stopThreads();
const mode: GramMode = 'rows';
const dualOptions: DualPerceptronOptions<'yes' | 'no'> = { ...shared, kernel, gram: mode, maxGramBytes: 2 ** 20 };
const dualFit: DualFitOptions = { precomputed: gram(flat, gramOptions) };
const dual = new DualPerceptron(dualOptions).fit(flat, ['yes', 'yes', 'no'], dualFit);
const supports: [Float64Array, Uint32Array, Uint32Array] = [dual.alphas, dual.updateCounts, dual.supportIndices];
const dualJSON: DualPerceptronJSON = dual.toJSON();
const standing: TrainingJSON = dualJSON.training;
const expected: ChooseFormOptions = { epochs: 10 };
const choice: FormChoice = chooseForm(flat, expected);
const form: PerceptronForm = choice.form;

// the family
const pocketOptions: PocketPerceptronOptions<'yes' | 'no'> = { ratchet: true, seed: 1 };
const pocket = new PocketPerceptron(pocketOptions).fit(flat, ['yes', 'yes', 'no']);
const kept: PocketReport | undefined = pocket.report.pocket;
const fromLast: PredictOptions = { last: true };
const lastScores: Float64Array = pocket.decisionFunction(flat, fromLast);
const hard: HardSample[] = pocket.hardest(3);
const strategy: Strategy = 'multinomial';
const manyOptions: MulticlassPerceptronOptions<number> = {
  strategy,
  onEpoch: ({ snapshot }) => snapshot().biases.length > 0,
};
const many = new MulticlassPerceptron(manyOptions).fit(flat, [1, 2, 3]);
const table: ScoreTable = many.decisionFunction(flat);
const manyModel: MulticlassModel<number> = many;
const manyDiagnosis: MulticlassDiagnosis = manyModel.diagnose(flat, [1, 2, 3]);
const manyJSON: MulticlassPerceptronJSON = many.toJSON();
const classPlanes: ClassPlaneJSON[] | undefined = manyJSON.planes;
const blocks: Blocks<number> = [{ X: flat, y: [1, 2, 3] } satisfies Block<number>];
const streamOptions: FitStreamOptions<number> = { classes: [1, 2, 3], onBlock: ({ rows }) => rows };
const streamed: Promise<MulticlassPerceptron<number>> = many.fitStream(blocks, streamOptions);
const onProgress = ({ done, total }: Progress) => done / total;
const watched: Promise<MulticlassPerceptron<number>> = many.fitAsync(flat, [1, 2, 3], { onProgress });

// scaling
const kindOfScaler: ScalerKind = 'standardize';
const scalerOptions: ScalerOptions = { kind: kindOfScaler };
const scaler = new Scaler(scalerOptions).fit(flat);
const scaled: DenseMatrix = scaler.transform(flat);
const scaledSparse: SparseMatrix = new Scaler({ kind: 'unit-ball' }).fitTransform(parts);
const scalerJSON: ScalerJSON = scaler.toJSON();

// what came of it
const report: FitReport = trained.report;
const advice: readonly Advice[] = report.advice;
const timings: Timings = report.timings;
const known: DiagnoseOptions = { reference: [1, 1], referenceBias: -3 };
const diagnosis: Diagnosis = trained.diagnose(flat, ['yes', 'yes', 'no'], known);
const proof: SeparabilityProof | undefined = trained.diagnose(flat, ['yes', 'yes', 'no'], { prove: true }).proof;
const isProven: boolean = verifyProof(flat, ['yes', 'yes', 'no'], proof);
const story: string = describe(report, diagnosis);
const compareOptions: CompareOptions<number> = { engines: ['js'], forms: [form], budgetMs: 1 };
const comparison: Comparison = compare(flat, [1, 1, -1], compareOptions);
const fastest: ComparisonRow | undefined = comparison.results[0];

// saved and loaded
const json: PerceptronJSON = trained.toJSON();
const plane: PlaneJSON = json;
const rowJSON: RowJSON = { columns: [1], values: ['-0'] };
const bias: ExactNumber = plane.bias;
const loaded: AnyModel = loadModel(json);
const pipeline: Pipeline<string, Perceptron<string>> = new Pipeline(
  new Scaler({ kind: 'centre' }),
  new Perceptron<string>(),
);
const pipelineScores: Float64Array = pipeline.fit([[1], [2]], ['a', 'b']).decisionFunction([[3]]);
const pipelineJSON: PipelineJSON = pipeline.toJSON();
const anyPipeline: AnyModel<string> = pipeline;
const pipelineBlocks: PipelineBlocks<Rows, string> = [{ X: [[1, 2]], y: ['a'] }];
const steps: readonly Step<Rows>[] = [pipeline.steps[0], new Scaler({ kind: 'centre' })];
const isNotFitted = (error: unknown): boolean => error instanceof NotFittedError && error.message !== '';

export const all = [
  pipelineScores,
  pipelineJSON,
  anyPipeline,
  pipelineBlocks,
  steps,
  scaled,
  scaledSparse,
  rowJSON,
  scalerJSON,
  kept,
  lastScores,
  hard,
  table,
  manyDiagnosis,
  isProven,
  classPlanes,
  streamed,
  watched,
  timings,
  supports,
  gramLater,
  stopped,
  standing,
  forms,
  label,
  view,
  some,
  stop,
  answer,
  why,
  whyRight,
  advice,
  story,
  fastest,
  bias,
  loaded,
  isNotFitted,
];
