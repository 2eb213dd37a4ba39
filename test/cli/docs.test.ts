// docs/cli.md and README.md show what the command says: every transcript is run, and compared but for times.
// UPDATE_DOCS=1 writes what it says now.

import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cli, hasShared, root, shared, shell, useFolder } from './command.js';

const pages = ['docs/cli.md', 'README.md'].map((name) => join(root, name));
const folder = useFolder();
const updates = process.env.UPDATE_DOCS === '1';

const blocks = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/^```console\n(.*?)^```$/gms)].map(([whole, text]) => ({
    page,
    whole,
    commands: (text as string)
      .split(/^\$ /m)
      .slice(1)
      .map((part) => part.slice(0, part.indexOf('\n'))),
    expected: text as string,
  })),
);

const NEEDED = /agaricus\.txt\.\w+|heart_scale/g;

beforeAll(() => {
  for (const name of ['penguins.csv', 'messages.csv']) copyFileSync(join(root, 'examples', name), folder.at(name));
  symlinkSync(join(root, 'examples'), folder.at('examples'));
  if (!hasShared) return;
  for (const name of ['agaricus.txt.train', 'agaricus.txt.test', 'heart_scale']) {
    if (existsSync(join(shared, name))) symlinkSync(join(shared, name), folder.at(name));
  }
});

/** Times differ from run to run, and with them the widths of columns and whether threads were worth it. */
const masked = (text: string): string =>
  text
    .replaceAll(/\d[\d.]* (µs|ms|s|min)\b/g, 'TIME')
    .replaceAll(/\d[\d.]* [kMG]B\b/g, 'MEMORY')
    .replaceAll(/\d+\.\d\dx/g, 'RATIO')
    .replaceAll(/ with \d+ threads/g, '')
    .replaceAll(/-{3,}/g, '---')
    .replaceAll(/ +/g, ' ');

describe('a transcript of docs/cli.md or README.md', () => {
  test.each(blocks)('$commands.0', async ({ page, whole, commands, expected }) => {
    const missing =
      commands
        .join(' ')
        .match(NEEDED)
        ?.filter((name) => !existsSync(folder.at(name))) ?? [];
    if (missing.length > 0) return;
    let said = '';
    for (const command of commands) {
      const line = `perceptron-wasm() { ${process.execPath} ${cli} "$@"; }; { ${command}\n} 2>&1`;
      said += `$ ${command}\n${(await shell(line, { cwd: folder.path })).stdout}`;
    }
    if (updates) {
      const replaced = readFileSync(page, 'utf8').replace(whole, () => `\`\`\`console\n${said}\`\`\``);
      writeFileSync(page, replaced);
    } else expect(masked(said)).toBe(masked(expected));
  });
});
