// The command that does the same on the command line.

import { shellWord } from '../../../src/escape.js';
import { type Choice, constantOf, isMostlyZeros, orderOf, textbook, trainerOf } from './choice.js';
import type { ReadRequest, Summary } from './types.js';

/** A file's name that is not taken for an option. */
const pathTo = (file: string): string => (file.startsWith('-') ? `./${file}` : file);

/** A column as the command line is told: by its name where that is sure to be understood. */
export function columnFor(index: number, columns: readonly (string | undefined)[]): string | number {
  const name = columns[index];
  const isPlain =
    name !== undefined && name.trim() === name && name !== '' && name.length <= 60 && !/^-|^\d+$|,/.test(name);
  return isPlain && columns.filter((other) => other === name).length === 1 ? name : index;
}

/** How the file was to be read, where that was said. */
export interface Asked {
  readonly label?: number | undefined;
  readonly header?: boolean | undefined;
  readonly kinds?: ReadRequest['kinds'];
  readonly fillGaps?: boolean | undefined;
}

/** The arguments behind `train FILE`, not yet quoted. */
export function argumentsFor(choice: Choice, summary: Summary, asked: Asked = {}): string[] {
  const trainer = trainerOf(choice, summary.classes.length);
  // From the textbook's settings on, each other one by name: a command that stays right when recommendations change.
  const isOther = <K extends keyof Choice>(key: K): boolean => choice[key] !== textbook[key];
  const order = orderOf(choice);
  const constant = constantOf(choice, isMostlyZeros(summary));
  const usesKernel = choice.trainer === 'dual';
  const given: (readonly [isGiven: boolean, ...words: (string | number | undefined)[]])[] = [
    [summary.labelsFile !== undefined, '--labels', summary.labelsFile && pathTo(summary.labelsFile)],
    [asked.label !== undefined, '--label', columnFor(asked.label ?? 0, summary.columns)],
    [asked.header !== undefined, '--header', asked.header ? 'yes' : 'no'],
    [summary.ignored.length > 0, '--ignore', summary.ignored.join(',')],
    [asked.fillGaps === true, '--missing', 'median'],
    ...Object.entries(asked.kinds ?? {}).map(
      ([name, kind]) =>
        [kind !== 'number', `--${kind}`, columnFor(summary.columns.indexOf(name), summary.columns)] as const,
    ),
    [true, '--plain', '--trainer', trainer],
    [choice.trainer === 'averaged', '--average'],
    [usesKernel, '--kernel', choice.kernel],
    [usesKernel && choice.kernel !== 'linear' && choice.gamma !== undefined, '--gamma', choice.gamma],
    [usesKernel && choice.kernel === 'polynomial' && isOther('degree'), '--degree', choice.degree],
    [usesKernel && choice.kernel === 'polynomial' && isOther('coef0'), '--coef0', choice.coef0],
    [isOther('scale'), '--scale', choice.scale],
    [order !== textbook.order && order !== undefined, '--order', order],
    [constant !== undefined && constant !== textbook.constant, '--intercept-scaling', constant],
    [isOther('epochs'), '--epochs', choice.epochs],
    [isOther('eta'), '--eta', choice.eta],
    [isOther('seed'), '--seed', choice.seed],
    [isOther('margin'), '--margin', choice.margin],
    [!choice.intercept, '--no-intercept'],
    [choice.balanced, '--class-weight', 'balanced'],
    [trainer === 'pocket' && choice.ratchet, '--ratchet'],
    [trainer === 'multiclass' && isOther('strategy'), '--strategy', choice.strategy],
    [choice.heldout > 0, '--holdout', choice.heldout],
  ];
  return given.flatMap(([isGiven, ...words]) => (isGiven ? words.map(String) : []));
}

export const modelName = (file: string): string =>
  `${file.replace(/(\.(csv|tsv|txt|npy|gz|libsvm|svm|dat))+$/i, '')}.model.json`;

export function commandFor(choice: Choice, summary: Summary, asked: Asked = {}): string {
  const file = pathTo(summary.file);
  const words = [file, ...argumentsFor(choice, summary, asked), '-o', modelName(file)];
  return `npx perceptron-wasm train ${words.map(shellWord).join(' ')}`;
}
