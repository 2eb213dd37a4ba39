// perceptron-wasm export: writes a model in the format of another program.

import type { Run } from './context.js';
import { EXIT, UsageError } from './errors.js';
import { expectNotRead, expectWritable, writeOutput } from './files.js';
import { type ExportFormat, modelChunks, readModel } from './models.js';
import type { EXPORT } from './options.js';
import { counted, note } from './output.js';
import { openInput } from './source.js';

export const exportModel: Run<typeof EXPORT.options> = async ({ values, operands }, context) => {
  const path = operands[0] as string;
  const { voice, interrupt } = context;
  const { as, output = '-' } = values;
  if (as === undefined) throw new UsageError('--as is missing: onnx, liblinear, sklearn or json');
  expectReadable(as, output);
  await expectNotRead(output, [path]);
  await expectWritable(output);
  const { model, memory, cols } = await readModel(await openInput(path, context), values['max-cols'], context);
  await writeOutput(output, modelChunks(model, as, memory), interrupt.signal);
  note(
    voice,
    `${path}: ${counted(cols, 'column')}, classes ${model.classes.join(', ')}; written as ${as} to ${output}`,
  );
  return EXIT.done;
};

/** Bytes would confuse a terminal. @throws UsageError */
function expectReadable(as: ExportFormat, output: string): void {
  if (as === 'onnx' && output === '-' && process.stdout.isTTY) {
    throw new UsageError('an ONNX file is not text: say with -o where to write it');
  }
}
