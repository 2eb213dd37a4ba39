// The programs of README.md, of the guides and of the examples in comments.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
export const pages = ['README.md', 'examples/README.md', ...guides.map((name) => `docs/${name}`)].map((name) => ({
  name,
  text: readFileSync(join(root, name), 'utf8'),
}));

interface Program {
  title: string;
  code: string;
}

export const blocksOf = (text: string, languages: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`(?:${languages})\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => code as string);
const firstLine = (code: string) => code.trim().split('\n', 1)[0] as string;

/** The entry of each name that users import, to add the imports which an example in a comment leaves out. */
const entries = ['', '/io', '/prepare', '/select', '/predict'].map((entry) => `perceptron-wasm${entry}`);
const homes = new Map<string, string>();
for (const entry of [...entries].reverse()) {
  const file = `../src${entry.replace('perceptron-wasm', '')}/index.js`;
  for (const name of Object.keys(await import(/* @vite-ignore */ file))) homes.set(name, entry);
}

function withImports(code: string): string {
  const imported = new Set([...code.matchAll(/import \{(.*?)\}/g)].flatMap(([, names]) => names?.match(/\w+/g) ?? []));
  const used = [...new Set(code.match(/\b[A-Za-z]\w*\b/g))].filter((name) => homes.has(name) && !imported.has(name));
  return [...used.map((name) => `import { ${name} } from '${homes.get(name)}';`), code].join('\n');
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const examples = sources.flatMap((file) =>
  [...readFileSync(join(root, 'src', file), 'utf8').matchAll(/@example\n(.*?)(?=\n *\*\/|\n *\* @)/gs)].map(
    ([, text]) => {
      const code = (text as string).replaceAll(/^ *\* ?/gm, '');
      return { title: `src/${file}: ${firstLine(code)}`, code: withImports(code) };
    },
  ),
);

export const programs: { place: string; list: Program[] }[] = [
  ...pages.map(({ name, text }) => ({
    place: name,
    list: blocksOf(text, 'ts|js').map((code, i) => ({ title: `block ${i + 1}, ${firstLine(code)}`, code })),
  })),
  { place: 'comments', list: examples },
].filter(({ list }) => list.length > 0);
