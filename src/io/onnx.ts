// Writes a model as ONNX, for other runtimes: operators of float64 alone (opset 17), ties and labels as here. The operators of
// ai.onnx.ml are not used: their coefficients are float32.

import { show } from '../errors.js';
import { type AnyModel, type DualPerceptronJSON, type Label, type MulticlassPerceptronJSON, Scaler } from '../index.js';
import { has } from '../own.js';
import { expansionsOf } from './expansions.js';
import { bytes, concat, type Field, integer, message, text } from './protobuf.js';

/** Numbers of the types of tensors (onnx.proto). */
const TYPES = { int64: 7, string: 8, bool: 9, double: 11 } as const;
type Type = keyof typeof TYPES;

const IR_VERSION = 8;
const OPSET = 17;

/** protobuf messages are smaller than 2 GiB; numbers take most of a model. */
const MOST_BYTES = 2 ** 31 - 2 ** 20;

/** The nodes and constants of a graph under construction. */
class Graph {
  readonly #nodes: Field[] = [];
  readonly #constants: Field[] = [];
  #bytes = 0;

  /** Adds a node with one output; returns the output's name. */
  node(type: string, inputs: readonly string[], attributes: Readonly<Record<string, number>> = {}, output?: string) {
    const name = output ?? `${type}_${this.#nodes.length}`;
    this.#nodes.push(
      message(1, [
        ...inputs.map((input) => text(1, input)),
        text(2, name),
        text(3, `make_${name}`),
        text(4, type),
        ...Object.entries(attributes).map(([key, value]) =>
          message(5, [text(1, key), integer(3, value), integer(20, INT)]),
        ),
      ]),
    );
    return name;
  }

  /** Adds a constant; returns its name. `shape`: [] for a single number. */
  constant(type: Type, values: ArrayLike<number | string | boolean>, shape = [values.length]): string {
    const name = `constant_${this.#constants.length}`;
    this.#bytes += 8 * values.length;
    if (this.#bytes > MOST_BYTES) {
      throw new RangeError(`the model has more than ${MOST_BYTES} bytes of numbers, and an ONNX file less than 2 GiB`);
    }
    this.#constants.push(
      message(5, [
        ...shape.map((length) => integer(1, length)),
        integer(2, TYPES[type]),
        ...dataOf(type, values),
        text(8, name),
      ]),
    );
    return name;
  }

  numbers(values: ArrayLike<number>, shape?: number[]): string {
    return this.constant('double', values, shape);
  }

  encoded(inputs: readonly Field[], outputs: readonly Field[]): Uint8Array<ArrayBuffer> {
    const graph = [...this.#nodes, text(2, 'perceptron'), ...this.#constants, ...inputs, ...outputs];
    return concat([
      integer(1, IR_VERSION),
      text(2, 'perceptron-wasm'),
      message(7, graph),
      message(8, [text(1, ''), integer(2, OPSET)]),
    ]);
  }
}

/** The number of the type of an attribute that is an integer. */
const INT = 2;

/** The values of a constant: little-endian bytes, or strings. */
function dataOf(type: Type, values: ArrayLike<number | string | boolean>): Field[] {
  if (type === 'string') return Array.from(values, (value) => text(6, String(value)));
  const width = type === 'bool' ? 1 : 8;
  const raw = new DataView(new ArrayBuffer(width * values.length));
  for (let k = 0; k < values.length; k++) {
    if (type === 'bool') raw.setUint8(k, Number(values[k]));
    else if (type === 'int64') raw.setBigInt64(8 * k, BigInt(values[k] as number), true);
    else raw.setFloat64(8 * k, values[k] as number, true);
  }
  return [bytes(9, new Uint8Array(raw.buffer))];
}

/** An input or output: dimensions are numbers or names. */
const tensor = (field: number, name: string, type: Type, shape: readonly (number | string)[]): Field =>
  message(field, [
    text(1, name),
    message(2, [
      message(1, [
        integer(1, TYPES[type]),
        message(
          2,
          shape.map((d) => message(1, [typeof d === 'number' ? integer(1, d) : text(2, d)])),
        ),
      ]),
    ]),
  ]);

/** The type of a tensor of these labels: numbers are int64 if all are exact integers. */
function typeOf(labels: readonly Label[]): Type {
  if (typeof labels[0] === 'string') return 'string';
  if (typeof labels[0] === 'boolean') return 'bool';
  return labels.every(Number.isSafeInteger) ? 'int64' : 'double';
}

/**
 * The model as the bytes of an ONNX file. Its input `X` is a float64 tensor of rows; its outputs are `label`, the class of each row,
 * and `scores`, the scores of `decisionFunction`. The scalers of a pipeline are part of it.
 * @throws RangeError if the model has a step that is not a Scaler, is calibrated, or is too large for a file
 * @example
 * import { toOnnx } from 'perceptron-wasm/io';
 * const model = new Perceptron().fit([[3, 3], [4, 3], [1, 1]], ['yes', 'yes', 'no']);
 * console.log(toOnnx(model).length > 100); // → true
 */
export function toOnnx<L extends Label>(model: AnyModel<L>): Uint8Array<ArrayBuffer> {
  if (typeof model?.predict !== 'function') throw new TypeError(`"model" must be a fitted model, got ${show(model)}`);
  if (has(model, 'reliability')) throw new RangeError('toOnnx writes no probabilities; give calibrated.model');
  const graph = new Graph();
  const [steps, inner] = has(model, 'steps') ? [model.steps as readonly object[], model.model] : [[], model];
  const json = inner.toJSON();
  const cols = 'cols' in json ? json.cols : json.weights.length;
  let rows = 'X';
  for (const step of steps) {
    if (!(step instanceof Scaler)) {
      throw new RangeError(
        `the model has a step ${step.constructor.name}, which ONNX does not have; give pipeline.model, which takes the rows that the step makes`,
      );
    }
    rows = graph.node('Sub', [rows, graph.numbers(step.means)]);
    rows = graph.node('Div', [rows, graph.numbers(step.scales)]);
    // onnxruntime fuses a factor of all columns into the MatMul that follows, as a float32. This changes nothing, and stands between.
    if (cols === 1) rows = graph.node('Max', [rows, graph.numbers([-Infinity])]);
  }
  const isMany = has(inner, 'biases');
  const kernel = kernelIn(json);
  if (kernel.type === 'linear') {
    const planes = has(inner, 'biases') ? inner.weights : [inner.weights];
    addScores(graph, rows, planes, has(inner, 'biases') ? inner.biases : [inner.bias], isMany);
  } else {
    const { supports, coefficients, biases } = expansionsOf(json as KernelJSON);
    addScores(graph, addKernel(graph, rows, kernel, supports, cols), coefficients, biases, isMany);
  }
  const labels = inner.classes;
  const type = typeOf(labels);
  // Several classes: the first of equal scores. Two: a score of 0 is the second class.
  const chosen = isMany
    ? graph.node('ArgMax', ['scores'], { axis: 1, keepdims: 0 })
    : graph.node('Cast', [graph.node('GreaterOrEqual', ['scores', graph.numbers([0], [])])], { to: TYPES.int64 });
  graph.node('Gather', [graph.constant(type, labels), chosen], {}, 'label');
  return graph.encoded(
    [tensor(11, 'X', 'double', ['rows', cols])],
    [tensor(12, 'label', type, ['rows']), tensor(12, 'scores', 'double', isMany ? ['rows', labels.length] : ['rows'])],
  );
}

type KernelJSON = DualPerceptronJSON | MulticlassPerceptronJSON;
type KernelOption = { type?: unknown; gamma?: number; coef0?: number; degree?: number };

/** The kernel of a model; models without one are linear. */
const kernelIn = ({ options }: { options: Record<string, unknown> }): KernelOption =>
  (options.kernel as KernelOption | undefined) ?? { type: 'linear' };

/** Adds `scores`: features · coefficients + biases; a list of numbers if there is one score a row, else a table. */
function addScores(
  graph: Graph,
  features: string,
  coefficients: readonly Float64Array[],
  biases: ArrayLike<number>,
  isMany: boolean,
): void {
  const [{ length }] = coefficients as [Float64Array];
  // A column for each score.
  const matrix = new Float64Array(length * coefficients.length);
  coefficients.forEach((list, k) => {
    for (let at = 0; at < length; at++) matrix[at * coefficients.length + k] = list[at] as number;
  });
  const shape = isMany ? [length, coefficients.length] : [length];
  const products = graph.node('MatMul', [features, graph.numbers(matrix, shape)]);
  graph.node('Add', [products, graph.numbers(biases, isMany ? undefined : [])], {}, 'scores');
}

/** Adds K(x, z) of each row and each support vector (SPEC §8); returns its name. */
function addKernel(graph: Graph, rows: string, kernel: KernelOption, supports: Float64Array, cols: number): string {
  const count = supports.length / cols;
  const { type, gamma = 1 / cols, coef0 = 0, degree = 3 } = kernel;
  const columns = new Float64Array(supports.length);
  // γ is multiplied into z: as a factor after the MatMul it would become a float32, too.
  const factor = type === 'polynomial' ? gamma : 1;
  for (let s = 0; s < count; s++) {
    for (let k = 0; k < cols; k++) columns[k * count + s] = factor * (supports[s * cols + k] as number);
  }
  const number = (value: number) => graph.numbers([value], []);
  const node = (operator: string, inputs: string[], attributes?: Record<string, number>) =>
    graph.node(operator, inputs, attributes);
  const products = node('MatMul', [rows, graph.numbers(columns, [cols, count])]);
  if (type === 'polynomial') {
    return node('Pow', [node('Add', [products, number(coef0)]), number(degree)]);
  }
  // ‖x‖² + ‖z‖² − 2 x·z, which rounding may make negative.
  const squares = node('ReduceSum', [node('Mul', [rows, rows]), graph.constant('int64', [1])], { keepdims: 1 });
  const norms = Float64Array.from({ length: count }, (_, s) =>
    supports.subarray(s * cols, (s + 1) * cols).reduce((sum, value) => sum + value * value, 0),
  );
  const both = node('Add', [squares, graph.numbers(norms)]);
  const distances = node('Sub', [both, node('Mul', [products, number(2)])]);
  return node('Exp', [node('Mul', [node('Max', [distances, number(0)]), number(-gamma)])]);
}
