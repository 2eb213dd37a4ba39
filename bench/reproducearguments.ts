// The arguments of npm run reproduce, checked: a wrong one is a sentence.

import { parseArgs } from 'node:util';

export interface ReproduceArguments {
  /** How many digits to train and to test on, the first of each part. */
  train: number;
  test: number;
  degrees: number[];
  seed: number;
  /** Whether to time the obvious JavaScript loop too. */
  js: boolean;
}

const USAGE = 'npm run reproduce -- [--train 60000] [--test 10000] [--degrees 1,2,3,4] [--seed 0] [--js]';

/** @throws Error whose message is for the user */
export function reproduceArguments(args: readonly string[]): ReproduceArguments {
  const values = parse(args);
  return {
    train: integer('--train', values.train, 100, 60_000),
    test: integer('--test', values.test, 1, 10_000),
    degrees: values.degrees.split(',').map((degree) => integer('--degrees', degree, 1, 20)),
    seed: integer('--seed', values.seed, 0, 2 ** 32 - 1),
    js: values.js,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        train: { type: 'string', default: '60000' },
        test: { type: 'string', default: '10000' },
        degrees: { type: 'string', default: '1,2,3,4' },
        seed: { type: 'string', default: '0' },
        js: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    // node's message goes on with advice about positional arguments that start with a dash.
    const [sentence] = (error as Error).message.split('. ');
    throw new Error(`${sentence}; usage: ${USAGE}`, { cause: error });
  }
}

function integer(name: string, text: string, low: number, high: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  throw new Error(`${name} takes integers from ${low} to ${high}, got '${text}'; usage: ${USAGE}`);
}
