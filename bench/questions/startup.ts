// What does WebAssembly cost at the start? A fresh node process imports the package and trains the worked
// example (three samples, seven mistakes): engine 'auto' against engine 'js', which compiles nothing.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { contestInRounds, median, ratioOf } from '../harness/measure.js';
import { expectSame, type Findings, tell } from '../harness/question.js';
import type { Timing } from '../harness/results.js';

const CHILD = fileURLToPath(new URL('../child/startup.mjs', import.meta.url));
const ROUNDS = 21;
const NAMES = ['auto', 'js'] as const;

interface Report {
  importMs: number;
  fitMs: number;
  plane: number[];
}

const reports: Record<string, Report[]> = { auto: [], js: [] };

/** Starts a process and waits for its end; the time of all that. */
function start(engine: string): number {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHILD, engine], { encoding: 'utf8' });
  const elapsed = performance.now() - started;
  if (status !== 0) throw new Error(`a process with engine ${engine} failed: ${stderr}`);
  const report = JSON.parse(stdout) as Report;
  expectSame(report.plane, [1, 1, -3], `weights of the worked example with engine ${engine}`);
  reports[engine]?.push(report);
  return elapsed;
}

function startOften(): Findings {
  for (const name of NAMES) start(name); // files come into the system's cache
  for (const name of NAMES) reports[name] = [];
  const timings = contestInRounds(
    NAMES.map((name) => ({ name: `engine ${name}`, measure: () => start(name) })),
    ROUNDS,
  );
  const [auto, js] = timings as [Timing, Timing];
  const inside = NAMES.map((name) => {
    const of = (key: 'importMs' | 'fitMs') => median((reports[name] ?? []).map((report) => report[key])).toFixed(1);
    return `engine ${name}: import ${of('importMs')} ms, first fit ${of('fitMs')} ms`;
  });
  return {
    timings,
    notes: [`of that, inside the process (medians): ${inside.join('; ')}`],
    answers: [
      { what: 'start-up, import and first fit', ...ratioOf(auto, js), against: "engine 'js'", target: { atMost: 1.2 } },
    ],
  };
}

tell('What does WebAssembly cost at the start? (fresh process, worked example)', startOften);
