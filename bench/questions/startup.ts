// What does WebAssembly cost at the start? A fresh node process imports the package, compiles the kernels, copies its
// rows in and trains: engine 'auto' against engine 'js', which compiles nothing. Where the time goes, job by job.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { contestInRounds, median, ratioOf } from '../harness/measure.js';
import { byMode, expectSame, type Findings, tell, whenFull } from '../harness/question.js';
import type { Start, Timing } from '../harness/results.js';
import { shapeText } from '../harness/words.js';

const CHILD = fileURLToPath(new URL('../child/startup.mjs', import.meta.url));
const ENGINES = ['auto', 'js'] as const;
const ROUNDS = byMode({ smoke: 1, quick: 5, full: 21 });

interface Job {
  name: string;
  rows: number;
  cols: number;
}

const JOBS: readonly Job[] = [
  { name: 'the worked example', rows: 3, cols: 2 },
  { name: 'rows of an array each', rows: 1000, cols: 100 },
];

const PHASES = ['importMs', 'compileMs', 'copyMs', 'trainMs'] as const;
type Phases = Record<(typeof PHASES)[number], number>;

interface Report extends Phases {
  converged: boolean;
  plane: number[];
}

/** Starts a process and waits for its end; its own report, and the time of all that. */
function start({ rows, cols }: Job, engine: string): Report & { processMs: number } {
  const started = performance.now();
  const args = [CHILD, engine, ...[rows, cols].map(String)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const processMs = performance.now() - started;
  if (status !== 0) throw new Error(`a process with engine ${engine} failed: ${stderr}`);
  return { ...(JSON.parse(stdout) as Report), processMs };
}

function startOften(job: Job): Findings {
  const text = `${job.name}, ${shapeText(job.rows, job.cols)}`;
  // Files come into the system's cache, and both engines must give the same model.
  const [first, other] = [start(job, 'auto'), start(job, 'js')];
  if (!first.converged) throw new Error(`${text}: was to be separated`);
  expectSame(other.plane, first.plane, `weights of ${text}, with both engines`);
  const reports = ENGINES.map((): (Report & { processMs: number })[] => []);
  const timings = contestInRounds(
    ENGINES.map((engine, i) => ({
      name: `engine ${engine}`,
      measure: () => {
        const report = start(job, engine);
        reports[i]?.push(report);
        return report.processMs;
      },
    })),
    ROUNDS,
  );
  const [auto, js] = timings as [Timing, Timing];
  const what = `start-up, ${text}: a process`;
  const target = whenFull({ target: { atMost: 1.2 } });
  return {
    timings,
    starts: ENGINES.map((engine, i): Start => ({ job: text, engine, ...mediansOf(reports[i] ?? []) })),
    notes: ENGINES.map((engine, i) => `engine ${engine}: ${phasesText(mediansOf(reports[i] ?? []))}`),
    answers: [{ what, ...ratioOf(auto, js), against: "one with engine 'js'", lowerIsBetter: true, ...target }],
  };
}

const mediansOf = (reports: readonly (Report & { processMs: number })[]): Phases & { processMs: number } => {
  const of = (key: keyof Phases | 'processMs') => median(reports.map((report) => report[key]));
  return {
    importMs: of('importMs'),
    compileMs: of('compileMs'),
    copyMs: of('copyMs'),
    trainMs: of('trainMs'),
    processMs: of('processMs'),
  };
};

const phasesText = (phases: Phases): string =>
  PHASES.map((phase) => `${phase.replace('Ms', '')} ${phases[phase].toFixed(1)} ms`).join(', ');

for (const job of JOBS) {
  tell(`What does WebAssembly cost at the start? (a fresh process, ${job.name})`, () => startOften(job));
}
