// README.md, the guides of docs/ and the examples in comments do what they say: every program runs on the built package and prints what
// its `// →` comments promise, every command exists. The transcripts of the command: test/cli/docs.test.ts.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, pages, programs } from './programs.js';

const root = resolve(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('there are programs to run', () => {
  const count = (place: string) => programs.find((one) => one.place === place)?.list.length ?? 0;
  expect(count('README.md')).toBeGreaterThan(2);
  expect(count('docs/choosing.md')).toBeGreaterThan(5);
  expect(count('comments')).toBeGreaterThan(20);
});

describe.each(programs)('a program in $place', ({ place, list }) => {
  const mark = (i: number) => `---- program ${i} ----\n`;
  let folder: string;
  let printed: string[];

  // The programs of a page are modules of one process: a process each would take most of the time.
  beforeAll(() => {
    if (!existsSync(join(root, 'dist/index.js'))) throw new Error('there is no dist/: run `npm run build` first');
    folder = mkdtempSync(join(tmpdir(), 'perceptron-readme-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/perceptron-wasm'), 'junction');
    symlinkSync(join(root, 'node_modules/onnxruntime-web'), join(folder, 'node_modules/onnxruntime-web'), 'junction');
    const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
    for (const [i, { code }] of list.entries()) {
      writeFileSync(join(folder, `${i}.mjs`), transpileModule(code, { compilerOptions }).outputText);
    }
    const main = list.map(
      (_, i) =>
        `console.log(${JSON.stringify(mark(i).trimEnd())}); await import('./${i}.mjs').catch((error) => console.log('FAILED', error));`,
    );
    writeFileSync(join(folder, 'main.mjs'), main.join('\n'));
    let rest = execFileSync(process.execPath, ['main.mjs'], { cwd: folder, encoding: 'utf8' });
    printed = list.map((_, i) => {
      const start = rest.indexOf(mark(i)) + mark(i).length;
      const end = i + 1 < list.length ? rest.indexOf(mark(i + 1)) : rest.length;
      const part = rest.slice(start, end);
      rest = rest.slice(end);
      return part;
    });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(list.map((program, i) => ({ ...program, i })))(
    'runs and prints what it promises: $title',
    ({ code, i }) => {
      let rest = printed[i] as string;
      expect(rest, place).not.toMatch(/^FAILED/m);
      for (const [, promised] of code.matchAll(/\/\/ → (.*)$/gm)) {
        const value = (promised as string).trim();
        expect(rest, 'in this order').toContain(value);
        rest = rest.slice(rest.indexOf(value) + value.length);
      }
    },
  );
});

const commands = [
  ...new Set(
    pages
      .flatMap(({ text }) => blocksOf(text, 'bash'))
      .flatMap((code) => code.split(/\n|&&/))
      .map((line) => line.replace(/#.*/, '').trim())
      .filter((line) => line !== ''),
  ),
];

describe('a command in README.md or docs', () => {
  const npmItself = ['npm ci', `npm install ${manifest.name}`];
  const ours = `npx ${manifest.name} `;

  test.each(commands)('is there to be run: %s', (command) => {
    const script = command.match(/^npm (?:run )?([\w:-]+)/)?.[1];
    const file = command.match(/^(?:node |npx tsx )?(\.?[\w./-]+)/)?.[1];
    const known =
      npmItself.includes(command) ||
      command.startsWith(ours) ||
      (command.startsWith('npm ')
        ? script !== undefined && script in manifest.scripts
        : existsSync(join(root, file ?? '?')));
    expect(known, `"${command}" is no script of package.json, no file, and not one of: ${npmItself.join(', ')}`).toBe(
      true,
    );
  });
});
