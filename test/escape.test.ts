// Text from files is shown, not obeyed: by a terminal, by a shell, in a message.

import { execFileSync } from 'node:child_process';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, describe as group, test } from 'vitest';
import { quoted, shellWord, visible, visibleLines } from '../src/escape.js';
import { describe, Perceptron } from '../src/index.js';
import { readCsv } from '../src/io/index.js';

/** Colours, a title of the window, a line that looks like ours, text from right to left, C1 controls, nothing at all. */
const HOSTILE = 'a\u001b[31m\u001b]0;x\u0007\r\nmodel saved\u202e\u2066\u009b2J\u200b\u2028\u{e0041}\ufeff\u007f\ud800';
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

test('characters that are not seen are shown as escapes, and others stay', () => {
  expect(visible('spam\n\t\u001b[1m\u202e\u{e0041}')).toBe('spam\\u000a\\u0009\\u001b[1m\\u202e\\udb40\\udc41');
  expect(visible('Größe, 日本, שלום, 🙂 "x" \\n')).toBe('Größe, 日本, שלום, 🙂 "x" \\n');
  expect(visibleLines('a\u001b\nb\r\n')).toBe('a\\u001b\nb\\u000d\n');
  expect(visible(HOSTILE)).not.toMatch(UNSEEN);
});

test('JSON with escapes has the same value', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => JSON.parse(quoted(text)) === text));
  expect(JSON.parse(quoted(HOSTILE))).toBe(HOSTILE);
});

test.skipIf(process.platform === 'win32')('a shell takes any name as the one word that it is', () => {
  const names = [
    "it's.csv",
    '$(touch x)',
    '`x`',
    'a b',
    '',
    '=ls',
    '~',
    '!x',
    '\\',
    "\\'",
    'a\nb',
    '\u001b[201~;x',
    'ü\u202e',
    'plain-1.csv',
  ];
  for (const name of names) {
    const word = shellWord(name);
    expect(word).not.toMatch(UNSEEN);
    expect(execFileSync('bash', ['--norc', '-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(name);
  }
  expect(shellWord('plain-1.csv')).toBe('plain-1.csv');
});

group('nothing unseen is in the library’s texts', () => {
  const X = [[3, 3], [4, 3], [1, 1]]; // biome-ignore format: three points
  const y = [HOSTILE, HOSTILE, 'other'];
  const messageOf = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('nothing was thrown');
  };

  test('errors that show labels and names', () => {
    const messages = [
      messageOf(() => new Perceptron().fit(X, [HOSTILE, HOSTILE, HOSTILE])),
      messageOf(() => new Perceptron().fit(X, [HOSTILE, 'b', 'c'])),
      messageOf(() => new Perceptron({ classWeight: { [HOSTILE]: -1 } })),
      messageOf(() => new Perceptron({ [HOSTILE]: 1 } as object)),
      messageOf(() => new Perceptron({ order: HOSTILE as 'cyclic' })),
    ];
    for (const message of messages) {
      expect(message).toContain('\\u001b[31m');
      expect(message).not.toMatch(UNSEEN);
    }
  });

  test('describe, and a model as text', () => {
    const model = new Perceptron().fit(X, y);
    expect(inspect(model)).toContain('\\u001b[31m');
    expect(inspect(model)).not.toMatch(UNSEEN);
    const advice = [{ code: 'unscaled', message: HOSTILE }] as const;
    expect(describe({ ...model.report, advice })).toContain('\\u001b[31m');
    expect(describe({ ...model.report, advice }).replaceAll('\n', '')).not.toMatch(UNSEEN);
  });

  test('errors of readers, which show names of files and columns', async () => {
    const csv = new TextEncoder().encode(`"${HOSTILE}",b,k\n1,x,y\n`);
    for (const options of [{ name: HOSTILE }, { name: HOSTILE, label: HOSTILE.slice(0, 4) }]) {
      const error = await readCsv(csv, options).then(
        () => new Error('nothing was thrown'),
        (reason: Error) => reason,
      );
      expect(error.message).toContain('\\u001b[31m');
      expect(error.message).not.toMatch(UNSEEN);
    }
  });
});
