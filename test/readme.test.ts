// README.md and the guide do what they say: every code block runs and prints what its `// →` comments promise, every command
// exists; and so do the examples in comments.

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as library from '../src/index.js';
import * as prepare from '../src/prepare/index.js';
import * as select from '../src/select/index.js';
import { someOf } from './effort.js';

const root = resolve(import.meta.dirname, '..');
const readme = existsSync(join(root, 'README.md')) ? readFileSync(join(root, 'README.md'), 'utf8') : '';
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const blocksOf = (name: string, page: string) =>
  [...page.matchAll(/^```(ts|js|bash)\n(.*?)^```$/gms)].map(([, language, text], i) => {
    const code = text as string;
    return { language, code, title: `${name}, block ${i + 1}, \`${code.trim().split('\n', 1)[0]}\`` };
  });
const blocks = [
  ...blocksOf('README.md', readme),
  ...['docs/choosing.md', 'docs/prepare.md', 'docs/proofs.md', 'docs/select.md', 'docs/threads.md'].flatMap((page) =>
    blocksOf(page, readFileSync(join(root, page), 'utf8')),
  ),
];
/** Examples in the sources' own comments are programs too; what they need, they import. */
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const examples = sources.flatMap((file) => {
  const source = readFileSync(join(root, 'src', file), 'utf8');
  return [...source.matchAll(/@example\n(.*?)\*\//gs)].map(([, text]) => {
    const code = (text as string).replaceAll(/^ *\* ?/gm, '');
    // What both entries export, such as Pipeline, comes from the core.
    const used = (names: string[]) =>
      names.filter((name) => new RegExp(`\\b${name}\\b`).test(code) && !code.includes(`import { ${name}`));
    const names = used(Object.keys(library));
    const others = used(Object.keys(prepare)).filter((name) => !(name in library));
    const selected = used(Object.keys(select)).filter((name) => !(name in library) && !(name in prepare));
    return {
      title: `an example in src/${file}`,
      code: `import { ${names.join(', ')} } from 'perceptron-wasm';\nimport { ${others.join(', ')} } from 'perceptron-wasm/prepare';\nimport { ${selected.join(', ')} } from 'perceptron-wasm/select';\n${code}`,
    };
  });
});
const programs = [...blocks.filter(({ language }) => language !== 'bash'), ...examples];
const commands = blocks
  .filter(({ language }) => language === 'bash')
  .flatMap(({ code }) => code.split(/\n|&&/))
  .map((line) => line.replace(/#.*/, '').trim())
  .filter((line) => line !== '');

test('README.md has code to try', () => {
  expect(programs.length - examples.length, 'README.md has no ```ts or ```js block').toBeGreaterThan(0);
  expect(examples.length, 'the sources have fewer @examples than trainers').toBeGreaterThan(3);
  expect(commands.length, 'README.md has no ```bash block').toBeGreaterThan(0);
});

describe.runIf(programs.length > 0)('a program in README.md or in a comment', () => {
  let folder: string;

  beforeAll(() => {
    if (!existsSync(join(root, 'dist/index.js'))) throw new Error('there is no dist/: run `npm run build` first');
    folder = mkdtempSync(join(tmpdir(), 'perceptron-readme-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/perceptron-wasm'), 'junction');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const inReadme = programs.filter(({ title }) => title.startsWith('README.md'));
  test.each(someOf(programs, inReadme))('runs and prints what it promises: $title', ({ code }) => {
    const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
    writeFileSync(join(folder, 'main.mjs'), transpileModule(code, { compilerOptions }).outputText);
    let rest = execFileSync(process.execPath, ['main.mjs'], { cwd: folder, encoding: 'utf8' });
    for (const [, promised] of code.matchAll(/\/\/ → (.*)$/gm)) {
      const value = (promised as string).trim();
      expect(rest, 'in this order').toContain(value);
      rest = rest.slice(rest.indexOf(value) + value.length);
    }
  });
});

describe.runIf(commands.length > 0)('a command in README.md', () => {
  const npmItself = ['npm ci', `npm install ${manifest.name}`];

  test.each(commands)('is there to be run: %s', (command) => {
    const script = command.match(/^npm (?:run )?([\w:-]+)/)?.[1];
    const file = command.match(/^(?:node |npx tsx )?(\.?[\w./-]+)/)?.[1];
    const known =
      npmItself.includes(command) ||
      (command.startsWith('npm ')
        ? script !== undefined && script in manifest.scripts
        : existsSync(join(root, file ?? '?')));
    expect(known, `"${command}" is no script of package.json, no file, and not one of: ${npmItself.join(', ')}`).toBe(
      true,
    );
  });
});
