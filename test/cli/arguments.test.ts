// What is typed becomes values with their types, or one sentence that names the option.

import { describe, expect, test } from 'vitest';
import { parse } from '../../src/cli/arguments.js';
import { UsageError } from '../../src/cli/errors.js';
import { helpFor } from '../../src/cli/help.js';
import { COMMANDS, TRAIN } from '../../src/cli/options.js';

const read = (...args: string[]) => parse(args, TRAIN.options);

test('reads options of every kind, in any place, and leaves the operands', () => {
  const { values, operands } = read('--eta', '0.5', 'data.txt', '--average', '-o', 'm.json', '--epochs=7', '-q');
  expect(operands).toEqual(['data.txt']);
  expect(values).toEqual({ eta: 0.5, average: true, output: 'm.json', epochs: 7, quiet: true });
});

test('takes - for standard input, negative numbers as values, and all after -- as operands', () => {
  expect(read('-').operands).toEqual(['-']);
  expect(read('x', '--coef0', '-1', '--label', '-1', '-o', '-').values).toEqual({ coef0: -1, label: -1, output: '-' });
  expect(read('--', '--odd-name.csv').operands).toEqual(['--odd-name.csv']);
});

test('reads the label column by number or by name', () => {
  expect(read('--label', '3').values.label).toBe(3);
  expect(read('--label', 'species').values.label).toBe('species');
});

test('reads class weights', () => {
  expect(read('--class-weight', 'balanced').values['class-weight']).toBe('balanced');
  expect(read('--class-weight', 'spam=2,a=b=0.5').values['class-weight']).toEqual({ spam: 2, 'a=b': 0.5 });
});

test('reads how many threads', () => {
  expect(read('--threads', 'auto').values.threads).toBe('auto');
  expect(read('--threads', '1').values.threads).toBe(1);
  expect(read('--threads=16').values.threads).toBe(16);
});

describe('refuses', () => {
  test.each([
    ...['0', '-1', '1.5', 'all', '1e2', '', '9007199254740993'].map((given): [string[], string] => [
      [`--threads=${given}`],
      `--threads takes "auto" or an integer of at least 1, got "${given}"`,
    ]),
    [['--n-jobs', '2'], 'unknown option --n-jobs: do you mean --threads?'],
    [['-j', '2'], 'unknown option -j: do you mean --threads?'],
    [['--epoch', '5'], 'unknown option --epoch: do you mean --epochs?'],
    [['--learning-rate', '5'], 'unknown option --learning-rate: do you mean --eta?'],
    [['--max_cols', '5'], 'unknown option --max_cols: do you mean --max-cols?'],
    [['-v', '5'], 'unknown option -v: do you mean --folds?'],
    [['--zebra'], 'unknown option --zebra'],
    [['--constructor'], 'unknown option --constructor'],
    [['--eta'], '--eta needs a value: --eta X'],
    [['--eta', '--average'], '--eta needs a value: --eta X'],
    [['--eta', 'fast'], '--eta takes a number > 0, got "fast"'],
    [['--eta', '0'], '--eta takes a number > 0, got "0"'],
    [['--eta', ''], '--eta takes a number > 0, got ""'],
    [['--eta=Infinity'], '--eta takes a number > 0, got "Infinity"'],
    [['--epochs', '1.5'], '--epochs takes an integer of at least 1, got "1.5"'],
    [['--seed', '-1'], '--seed takes an integer from 0 to 4294967295, got "-1"'],
    [['--folds', '1'], '--folds takes an integer of at least 2, got "1"'],
    [['--order', 'sorted'], '--order takes one of cyclic, shuffle, random, batch, got "sorted"'],
    [['--average=yes'], '--average takes no value, got "yes"'],
    [['--class-weight', 'a'], '--class-weight takes "balanced" or weights > 0 such as spam=1,ham=2, got "a"'],
    [['--class-weight', 'a=1,b=-2'], '--class-weight takes "balanced" or weights > 0 such as spam=1,ham=2, got "b=-2"'],
  ])('%j', (args, message) => {
    expect(() => read(...args)).toThrow(new UsageError(message));
  });
});

describe.each(COMMANDS.map((info) => [info.name, info] as const))('the help of %s', (_, info) => {
  test('has every option, in one group, and fits a terminal of 100 columns', () => {
    const page = helpFor(info);
    const grouped = info.groups.flatMap(([, options]) => Object.keys(options)).sort();
    expect(grouped).toEqual(Object.keys(info.options).sort());
    for (const name of grouped) expect(page).toContain(`--${name}`);
    for (const line of page.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  test('has examples whose options exist', () => {
    expect(info.examples.length).toBeGreaterThan(1);
    for (const [command] of info.examples) {
      for (const part of command.split(/ \| perceptron-wasm /)) {
        const [name, ...args] = part.split(' > ')[0]!.split(' ');
        const known = COMMANDS.find((one) => one.name === name)!;
        const { operands } = parse(args, known.options);
        expect(operands.length, command).toBeGreaterThanOrEqual(known.operands[0]);
        expect(operands.length, command).toBeLessThanOrEqual(known.operands[1]);
      }
    }
  });
});
