// perceptron-wasm export: a model for another program.

import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-web';
import { beforeAll, expect, test } from 'vitest';
import { expectError, run, useFolder } from './command.js';

const folder = useFolder();
const here = (args: string[]) => run(args, { cwd: folder.path });

beforeAll(async () => {
  ort.env.wasm.numThreads = 1;
  folder.write('rows.csv', 'a,b,kind\n1,2,ham\n2,1,spam\n3,5,ham\n5,3,spam\n1,4,ham\n4,2,spam\n');
  folder.write(
    'words.csv',
    'body,kind\nfree money now,spam\nhello my friend,ham\nwin free money,spam\nsee you soon,ham\n',
  );
  const made = await Promise.all([
    here(['train', 'rows.csv', '--label', 'kind', '--scale', 'standardize', '-q', '-o', 'rows.json']),
    here(['train', 'words.csv', '--label', 'kind', '--text', 'body', '-q', '-o', 'words.json']),
  ]);
  expect(made.map(({ status }) => status)).toEqual([0, 0]);
});

test('an ONNX file predicts what the model predicts', async () => {
  const { status, stderr, stdout } = await here(['export', 'rows.json', '--as', 'onnx', '-o', 'rows.onnx']);
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  expect(stderr).toBe('rows.json: 2 columns, classes ham, spam; written as onnx to rows.onnx\n');
  const session = await ort.InferenceSession.create(readFileSync(folder.at('rows.onnx')));
  const X = new ort.Tensor('float64', Float64Array.of(1, 2, 2, 1, 3, 5), [3, 2]);
  expect((await session.run({ X })).label?.data).toEqual(['ham', 'spam', 'ham']);
});

test('LIBLINEAR refuses labels that are no integers, in a sentence', async () => {
  expectError(
    await here(['export', 'rows.json', '--as', 'liblinear']),
    1,
    /^perceptron-wasm export: the model cannot be saved --as liblinear: .*"ham"/,
  );
});

test("scikit-learn's JSON goes to standard output", async () => {
  const { status, stdout } = await here(['export', 'rows.json', '--as', 'sklearn', '-q']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).classes_).toEqual(['ham', 'spam']);
});

test('a model of tables has steps that ONNX lacks', async () => {
  expectError(
    await here(['export', 'words.json', '--as', 'onnx', '-o', 'words.onnx']),
    1,
    /the model cannot be saved --as onnx: the model has a step TableEncoder, which ONNX does not have$/m,
  );
});

test('--as must be given, and the model is not overwritten', async () => {
  expectError(await here(['export', 'rows.json']), 2, /--as is missing: onnx, liblinear, sklearn or json/);
  expectError(
    await here(['export', 'rows.json', '--as', 'onnx', '-o', 'rows.json']),
    2,
    /-o rows.json is also an input/,
  );
});
