// Describes a model file: its weights, its diagnosis, its training.

import { visible } from '../escape.js';
import type { AnyModel, Label } from '../index.js';
import { TextVectorizer } from '../prepare/index.js';
import { columnsLine } from './columnsline.js';
import type { Context } from './context.js';
import { encoderOf, innerOf, namesOf, optionsOf, type SavedModel, scalerOf, stepsOf, type Trained } from './models.js';
import { count, counted, label, percent, print, printJSON, short } from './output.js';
import { columnNames, inWords } from './story.js';
import { sheet, table } from './tables.js';

interface Plane {
  /** The class of positive scores. */
  readonly label: Label;
  readonly weights: Float64Array;
  readonly bias: number;
}

export async function inspectModel(saved: SavedModel, name: string, top: number, context: Context): Promise<void> {
  const { model, memory, cols, format } = saved;
  const trained = innerOf(model);
  const options = optionsOf(trained);
  const planes = planesOf(trained);
  const supports = supportsOf(trained);
  const nameOf = columnNames(memory.format ?? format, namesOf(model));
  const { version, voice } = context;
  const encoder = encoderOf(model);
  if (voice.json) {
    return printJSON({
      command: 'inspect',
      version,
      kind: 'model',
      file: name,
      format,
      type: trained.packed().type,
      scaler: scalerOf(model)?.kind ?? null,
      ...(encoder && { columns: encoder.columns }),
      cols,
      classes: model.classes,
      options,
      ...(supports !== undefined && { supports }),
      ...(planes && {
        planes: planes.map((plane) => ({ label: plane.label, bias: plane.bias, largest: largest(plane, top, nameOf) })),
      }),
      report: storyOf(trained, format),
      data: memory,
    });
  }
  const facts = sheet([
    ['model', `${visible(name)}: ${kindOf(model, format)}`],
    ...(encoder ? [['columns', columnsLine(encoder.columns)] as const] : []),
    [stepsOf(model).length > 0 && namesOf(model) ? 'features' : 'columns', count(cols)],
    ['classes', model.classes.map(label).join(', ')],
    ...(supports === undefined ? [] : [['support', counted(supports, 'vector')] as const]),
    // Models of other programs have no options of ours.
    ...(format === 'json'
      ? ([
          ['options', visible(optionsLine(options))],
          ['training', sentence(inWords(trained.report, undefined))],
        ] as const)
      : []),
    ...proofOf(saved),
  ]);
  const weights = planes?.map((plane) => planeTable(plane, planes.length > 1, top, nameOf)) ?? [];
  await print(`${[facts, ...weights].join('\n\n')}\n`);
}

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

const FORMATS = { json: '', liblinear: " in LIBLINEAR's format", sklearn: ' from scikit-learn' };

const TYPES: Record<string, string> = {
  perceptron: 'a perceptron',
  'pocket-perceptron': 'a pocket perceptron',
  'dual-perceptron': 'a perceptron in dual form',
  'multiclass-perceptron': 'a perceptron for many classes',
};

function kindOf(model: AnyModel, format: SavedModel['format']): string {
  const scaler = scalerOf(model);
  const scaled = scaler ? `, its rows scaled first (${scaler.kind})` : '';
  const [first] = stepsOf(model);
  const input = encoderOf(model) ? ' of tables' : first instanceof TextVectorizer ? ' of texts' : '';
  const { type } = innerOf(model).packed();
  return `${TYPES[type] ?? type}${input}${FORMATS[format]}${scaled}`;
}

/** The planes of a linear model; undefined if the kernel is not linear. */
function planesOf(model: Trained): Plane[] | undefined {
  const options = optionsOf(model);
  const kernel = options.kernel as { type: string } | undefined;
  if (kernel && kernel.type !== 'linear') return undefined;
  if ('biases' in model) {
    const { weights, biases } = model;
    return model.classes.map((one, k) => ({
      label: one,
      weights: weights[k] ?? new Float64Array(),
      bias: biases[k] ?? 0,
    }));
  }
  const [, positive = ''] = model.classes;
  return [{ label: positive, weights: model.weights, bias: model.bias }];
}

const supportsOf = (model: Trained): number | undefined =>
  'supportIndices' in model ? model.supportIndices.length : undefined;

/** The report of a model; models of other programs have none. */
const storyOf = ({ report }: Trained, format: SavedModel['format']) => {
  if (format !== 'json') return null;
  const { engine: _engine, engineReason: _reason, threads: _threads, timings: _timings, ...history } = report;
  return history;
};

function optionsLine(options: Record<string, unknown>): string {
  const { featureNames: _names, classes: _classes, initialWeights: _start, kernel, ...rest } = options;
  const parts = Object.entries(rest).filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== 0,
  );
  const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  return [
    ...(typeof kernel === 'object' && kernel ? [kernelWords({ ...kernel })] : []),
    ...parts.map(([key, value]) => (value === true ? key : `${key} ${shown(value)}`)),
  ].join(', ');
}

/** `rbf kernel (gamma 2)` */
function kernelWords({ type, ...details }: Record<string, unknown>): string {
  const given = Object.entries(details).flatMap(([key, value]) =>
    typeof value === 'number' ? [`${key} ${short(value)}`] : [],
  );
  return `${type} kernel${given.length > 0 ? ` (${given.join(', ')})` : ''}`;
}

function proofOf({ memory: { margin, mistakeBound, accuracy, rows } }: SavedModel): [string, string][] {
  const facts: [string, string][] = [];
  if (margin) {
    const bracket = margin.lower > 0 ? `between ${short(margin.lower)} and ` : 'below ';
    facts.push(['margin', `the best margin is ${bracket}${short(margin.upper ?? Infinity)}`]);
  }
  if (typeof mistakeBound === 'number' && mistakeBound <= 1e9) {
    facts.push([
      'bound',
      `no run with these options can make more than ${counted(Math.floor(mistakeBound), 'mistake')} on its training rows`,
    ]);
  }
  if (accuracy !== undefined) {
    facts.push([
      'accuracy',
      `${percent(accuracy)} of ${rows === undefined ? 'its' : `its ${count(rows)}`} training rows`,
    ]);
  }
  return facts;
}

interface Weight {
  readonly index: number;
  readonly name: string;
  readonly weight: number;
}

/** The largest weights that are not 0. There may be millions of columns: only these become objects. */
function largest({ weights }: Plane, top: number, nameOf: (index: number) => string): Weight[] {
  const used: number[] = [];
  weights.forEach((weight, index) => {
    if (weight !== 0) used.push(index);
  });
  const sizeOf = (index: number) => Math.abs(weights[index] as number);
  return used
    .sort((a, b) => sizeOf(b) - sizeOf(a) || a - b)
    .slice(0, top)
    .map((index) => ({ index, name: nameOf(index), weight: weights[index] as number }));
}

function planeTable(plane: Plane, isMany: boolean, top: number, nameOf: (index: number) => string): string {
  const found = largest(plane, top, nameOf);
  const others = plane.weights.reduce((n, w) => n + (w !== 0 ? 1 : 0), 0) - found.length;
  const rows = found.map(({ name, weight }) => [visible(name), String(Number(weight.toPrecision(6)))]);
  const rest = others > 0 ? `\n  and ${counted(others, 'other')} that ${others === 1 ? 'is' : 'are'} not 0` : '';
  const title = isMany
    ? `Class ${label(plane.label)}: what speaks for it (+) and against it (-)`
    : `What speaks for ${label(plane.label)} (+) and against it (-)`;
  return `${title}\n${table(['column', 'weight'], [['(bias)', String(Number(plane.bias.toPrecision(6)))], ...rows])}${rest}`;
}
