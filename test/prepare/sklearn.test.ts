// Features are those of scikit-learn: committed ones (fixtures/make.py), and where it is installed those that it makes now.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { TextVectorizer, type TextVectorizerOptions } from '../../src/prepare/index.js';

interface Case {
  options: TextVectorizerOptions;
  cols: number;
  indptr: number[];
  indices: number[];
  values: number[];
  names?: string[];
}

const folder = resolve(import.meta.dirname, 'fixtures');
const fixture = JSON.parse(readFileSync(join(folder, 'sklearn.json'), 'utf8')) as { texts: string[]; cases: Case[] };

/** Counts are equal; what has divisions and logarithms is within 1e-14. */
function expectSame(texts: readonly string[], { options, cols, indptr, indices, values, names }: Case): void {
  const vectorizer = new TextVectorizer(options);
  const X = vectorizer.fitTransform(texts);
  try {
    expect(X.cols).toBe(cols);
    const found = X.toParts();
    expect([...found.indptr]).toEqual(indptr);
    expect([...found.indices]).toEqual(indices);
    expect(vectorizer.featureNames).toEqual(names);
    if (options.norm === 'none' && !options.weighting && !options.sublinear) {
      expect([...found.values]).toEqual(values);
    } else {
      const largest = values.reduce((most, value, k) => Math.max(most, Math.abs(value - found.values[k]!)), 0);
      expect(largest).toBeLessThan(1e-14);
    }
  } finally {
    X.dispose();
  }
}

test.each(fixture.cases.map((each) => [JSON.stringify(each.options), each] as const))(
  'rows are those that scikit-learn made: %s',
  (_title, each) => expectSame(fixture.texts, each),
);

/** Debian's python3, where scikit-learn is; a python3 of pyenv hides it. */
const FIND = 'import importlib.util as u, sys; sys.exit(not (u.find_spec("numpy") and u.find_spec("sklearn")))';
const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['-c', FIND]).status === 0);
const packages = resolve(import.meta.dirname, '../../../shared/data/debian-packages.tsv.gz');

/** What scikit-learn makes of texts, with the options of make.py. */
function askPython(texts: readonly string[]): Case[] {
  const code = 'import json, sys; import make; json.dump(make.cases(json.load(sys.stdin)), sys.stdout)';
  const output = execFileSync(python as string, ['-B', '-W', 'ignore', '-c', code], {
    cwd: folder,
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return JSON.parse(output) as Case[];
}

describe.skipIf(!python)('scikit-learn itself', () => {
  test('makes the rows that are committed', () => {
    expect(askPython(fixture.texts).map(({ indices }) => indices)).toEqual(fixture.cases.map(({ indices }) => indices));
  });

  test.skipIf(!existsSync(packages))('makes the same rows of the Debian descriptions', () => {
    const lines = gunzipSync(readFileSync(packages)).toString().trimEnd().split('\n').slice(1);
    // Some of all, and all that are not ASCII.
    const texts = lines.map((line) => line.split('\t')[2]!).filter((text, i) => i % 16 === 0 || /[^ -~]/.test(text));
    for (const each of askPython(texts)) {
      // Of words that are as frequent scikit-learn keeps any.
      if (each.options.maxFeatures === undefined) expectSame(texts, each);
    }
  });

  test('has the same letters, digits and white space, of all code points that it knows', () => {
    // Kinds of code points as text: u(nknown to this Python), w(ord), s(pace) or n(either).
    const code = `import unicodedata as u, re
kind = lambda c: 'u' if u.category(c) in ('Cn', 'Cs') else 'w' if re.match(r'\\w', c) else 's' if re.match(r'\\s', c) else 'n'
print(''.join(kind(chr(c)) for c in range(0x110000)))`;
    const kinds = execFileSync(python as string, ['-c', code], { encoding: 'utf8', maxBuffer: 2 ** 24 }).trim();
    expect(kinds.length).toBe(0x110000);
    const word = new TextVectorizer({ lowercase: false });
    const character = new TextVectorizer({ tokens: 'characters', lowercase: false });
    const hasFeatures = (vectorizer: TextVectorizer, text: string) => vectorizer.transformOne(text).indices.length > 0;
    const space = String(character.transformOne(' ').indices);
    const isSpace = (text: string) => String(character.transformOne(text).indices) === space;
    const wrong: string[] = [];
    for (let c = 0; c < kinds.length; c++) {
      if (kinds[c] === 'u') continue;
      const twice = String.fromCodePoint(c, c);
      const found = hasFeatures(word, twice) ? 'w' : isSpace(twice) ? 's' : 'n';
      if (found !== kinds[c]) wrong.push(`U+${c.toString(16)}: ${found}, not ${kinds[c]}`);
    }
    expect(wrong).toEqual([]);
  });
});
if (!python) console.log('without python3 and scikit-learn: its own rows are not compared, the committed ones are');
