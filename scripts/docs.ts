// `npm run docs`: one folder of files, site/, with the API reference (TypeDoc, from the comments of the sources), the guides (the
// Markdown files) and the playground. TypeDoc's search covers all but the playground. Fails where a public export lacks its comment,
// and where a link or an anchor leads nowhere.

import { cpSync, existsSync, readdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Application, Converter, type DocumentReflection, JSX, ReflectionKind, type TypeDocOptions } from 'typedoc';
import { brokenLinks } from './docs/links.js';
import { betterSearch } from './docs/search.js';
import { undocumented } from './docs/undocumented.js';

const root = resolve(import.meta.dirname, '..');
const at = (path: string) => resolve(root, path);

/** The entries, in the order of the site. */
const ENTRIES = [
  'index',
  'io/index',
  'prepare/index',
  'select/index',
  'predict/index',
  'cluster/index',
  'prove',
  'scalar',
];

/** The documents of each group, in the order of the site; a guide that is not named comes after the others. */
const FIRST = ['choosing', 'rows', 'options', 'real-data', 'prepare', 'select', 'models', 'serving', 'cli', 'formats'];
const PROJECT = ['guarantees', 'runtimes', 'reproduction', 'spec', 'memory'];
const LATER = readdirSync(at('docs')).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []));
const guide = (name: string) => `docs/${name}.md`;
const GROUPS: Record<string, readonly string[]> = {
  Guides: [...new Set([...FIRST, ...LATER.filter((name) => !PROJECT.includes(name))].map(guide)), 'examples/README.md'],
  Project: [
    'CHANGELOG.md',
    ...PROJECT.map(guide),
    'CONTRIBUTING.md',
    'SECURITY.md',
    'bench/README.md',
    'bench/results/README.md',
  ],
  Decisions: ['docs/adr/*.md'],
};

const options: TypeDocOptions = {
  name: 'perceptron-wasm',
  tsconfig: at('tsconfig.json'),
  entryPoints: ENTRIES.map((entry) => at(`src/${entry}.ts`)),
  projectDocuments: Object.values(GROUPS).flatMap((globs) => globs.map(at)),
  readme: at('README.md'),
  out: at('site'),
  customCss: at('scripts/docs/site.css'),
  favicon: at('web/public/icon.svg'),
  skipErrorChecking: true, // npm run typecheck
  includeVersion: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeExternals: true,
  disableSources: true,
  sortEntryPoints: false,
  searchInComments: true,
  searchInDocuments: true,
  // A question is answered by a guide or a function first; what a field of an option is called comes after.
  searchGroupBoosts: { Guides: 6, Functions: 2, Classes: 1.5, Decisions: 0.5 },
  groupOrder: ['Guides', 'Modules', 'Project', 'Decisions', '*'],
  navigation: { includeGroups: true },
  highlightLanguages: [
    ...[
      'bash',
      'console',
      'css',
      'html',
      'ini',
      'javascript',
      'json',
      'nginx',
      'python',
      'sql',
      'tsx',
      'typescript',
      'yaml',
    ],
  ],
  hideGenerator: true,
  cacheBust: true,
  // Names that a signature mentions and that users never write.
  validation: { notExported: false, invalidLink: true, invalidPath: true, rewrittenLink: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};

const text = (document: DocumentReflection) => document.content.map((part) => part.text).join('');

/** A document has the name of its heading, and a group. */
function title(document: DocumentReflection, path: string): void {
  const heading = text(document).match(/^# (.*)$/m)?.[1];
  if (heading !== undefined) document.name = heading.replaceAll('`', '');
  document.frontmatter.group = Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(path)) ?? 'Decisions';
}

const app = await Application.bootstrap(options);
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
  title(document, relative(root, document.project.files.getReflectionPath(document) ?? '').replaceAll('\\', '/'));
});
app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
  // Users ask for an option before they ask how a file stores it.
  for (const one of project.getReflectionsByKind(ReflectionKind.All)) {
    if (one.isDeclaration() && /JSON\b/.test(one.getFullName())) one.relevanceBoost = 0.2;
  }
});
app.renderer.hooks.on('pageSidebar.begin', (context) =>
  JSX.createElement(
    'a',
    { class: 'to-playground', href: context.relativeURL('playground/index.html') },
    'Open the playground',
  ),
);

const project = await app.convert();
if (!project) process.exit(1);
app.validate(project);
await app.generateOutputs(project);
betterSearch(at('site/assets/main.js'));
if (!existsSync(at('web/dist/index.html'))) throw new Error('there is no web/dist: run `npm run build:web` first');
cpSync(at('web/dist'), at('site/playground'), { recursive: true });

const faults = [...undocumented(project), ...brokenLinks(at('site'))];
for (const fault of faults) console.error(fault);
if (faults.length > 0 || app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);
console.log('site/: open site/index.html, or put the folder on any static host');
