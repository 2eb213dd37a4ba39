/**
 * Files: readers and writers of data, model files of any size, and models of other programs.
 *
 * @module perceptron-wasm/io
 */

export { readCsv } from './csv.js';
export { readData } from './data.js';
export { DataError, type Place } from './errors.js';
/** For the command line, which looks at the first bytes of a file. @internal */
export { formatOf } from './format.js';
/** For the command line, which writes files in its own way and knows other formats. @internal */
export { jsonChunks } from './jsontext.js';
/** For the command line, which looks at the first line of a file. @internal */
export { uniqueNames } from './layout.js';
export { fromLiblinear, toLiblinear } from './liblinear.js';
export { readLibsvm } from './libsvm.js';
/** For the command line, which also reads models of other programs. @internal */
export { readModelFile } from './modelfile.js';
export { readNpy } from './npy.js';
export { toOnnx } from './onnx.js';
export type { DataFormat, Dataset, ReadOptions, ReadProgress } from './options.js';
export { type ReadModelOptions, readModel } from './readmodel.js';
/** For the command line, which writes other files, too. @internal */
export { missingFor, replaceFile, statOf, targetOf, writeWhole } from './replacefile.js';
export { type ByteSink, type SavableModel, saveModel } from './savemodel.js';
export { fromSklearn, type SklearnModel, toSklearn } from './sklearn.js';
export type { Address, ByteBlob, ByteStream, Source } from './source.js';
export { readTable } from './table.js';
/** For the command line and the cluster. @internal */
export { labelsOf } from './tablelabels.js';
export type {
  ColumnKind,
  ColumnSchema,
  GivenKind,
  Problem,
  TableData,
  TableFormat,
  TableOptions,
} from './tabletypes.js';
export { type CsvOptions, csvLines, libsvmLines, predictionLines, type ScoreRows } from './writers.js';
