// What does WebAssembly cost at the start? A fresh node process imports the package, compiles the kernels, copies its
// rows in and trains: engine 'auto' against engine 'js', which compiles nothing. Where the time goes, job by job. And what does the
// command take above a process of node that does nothing?

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadModel } from 'perceptron-wasm';
import { contestInRounds, median, ratioOf, spreadOf } from '../harness/measure.js';
import { type Answer, byMode, expectSame, type Findings, tell, whenFull } from '../harness/question.js';
import type { Start, Timing } from '../harness/results.js';
import { withTemporaryFolder } from '../harness/temporary.js';
import { shapeText } from '../harness/words.js';
import { HOME, runProcess } from '../peers/processes.js';

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

/** Rows that a plane separates, and what the command took above bare Node before it was to take half of that (version 0.1). */
const ROWS = '1 1:1 2:2\n1 1:2 2:1\n-1 1:-1 2:-2\n-1 1:-2 2:-1\n';
const VERSION_MS = 60;
const TRAIN_MS = 120;

function startCommand(): Findings {
  return withTemporaryFolder((folder) => {
    const [path, model] = [join(folder, 'rows.svm'), join(folder, 'model.json')];
    writeFileSync(path, ROWS);
    const command = (...args: string[]) => runProcess(process.execPath, [join(HOME, 'dist/cli.js'), ...args]);
    const train = () => command('train', path, '--quiet', '-o', model);
    if (!/^\d+\.\d+\.\d+/.test(command('--version').stdout)) throw new Error('--version prints no version');
    train();
    const trained = loadModel(JSON.parse(readFileSync(model, 'utf8')));
    if (trained.predict([[3, 3]])[0] !== 1)
      throw new Error('the command trained a model that does not separate its rows');
    const timings = contestInRounds(
      [
        { name: 'node alone', measure: () => runProcess(process.execPath, ['-e', '']).ms },
        { name: 'the command, --version', measure: () => command('--version').ms },
        { name: 'the command, train of four rows', measure: () => train().ms },
      ],
      ROUNDS,
    );
    const [bare, version, tiny] = timings as [Timing, Timing, Timing];
    const above = ({ name, rounds }: Timing, once: number): Answer => ({
      what: `${name}: time above bare Node`,
      // In a round that was disturbed it may look as if bare Node took longer.
      ...spreadOf(rounds.map((ms, round) => Math.max(ms - (bare.rounds[round] as number), 1) / once)),
      against: `${once} ms, what 0.1 took when the target was set`,
      lowerIsBetter: true,
      ...whenFull({ target: { atMost: 0.5 } }),
    });
    return {
      answers: [above(version, VERSION_MS), above(tiny, TRAIN_MS)],
      timings,
      notes: [`bare Node takes ${bare.ms.toFixed(0)} ms`],
    };
  });
}

for (const job of JOBS) {
  tell(`What does WebAssembly cost at the start? (a fresh process, ${job.name})`, () => startOften(job));
}
tell('What does the command cost at the start? (a fresh process, --version and a tiny train)', startCommand);
