// The table of docs/runtimes.md: one line for each runtime.

import type { Ran } from './all.js';
import { type Runtime, runtimes } from './all.js';

const START = '<!-- runtimes:start -->';
const END = '<!-- runtimes:end -->';
const HEAD = [
  '| runtime | version | machine | engines | threads | trainings | hash | seconds | date |',
  '|---|---|---|---|---|---|---|---|---|',
];

/** A line of the table. */
function lineOf(runtime: Runtime, ran: Ran, seconds: number): string {
  const used = ran.ways.filter(({ hash }) => hash !== undefined);
  const hashes = [...new Set(used.map(({ hash }) => hash))];
  const engines = [...new Set(used.map(({ how }) => how.engine))];
  const trainings = used.reduce((sum, { runs }) => sum + runs, 0);
  const date = new Date().toISOString().slice(0, 10);
  const cells = [
    runtime.name,
    ran.version,
    runtime.machine,
    engines.join(', '),
    ran.threads,
    trainings,
    hashes.map((hash) => `\`${hash}\``).join(' '),
    seconds,
    date,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The page with the line of a runtime put in its place. */
export function tableWith(page: string, runtime: Runtime, ran: Ran, seconds: number): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`docs/runtimes.md lacks ${START} or ${END}`);
  const known = new Map(
    page
      .slice(start, end)
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => [line.split('|')[1]?.trim(), line]),
  );
  known.set(runtime.name, lineOf(runtime, ran, seconds));
  const lines = runtimes.flatMap(({ name }) => known.get(name) ?? []);
  return `${page.slice(0, start)}${START}\n${[...HEAD, ...lines].join('\n')}\n${page.slice(end)}`;
}
