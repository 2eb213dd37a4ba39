// A run of the benchmark that never took place: all sections, by formulas and seeded luck, so that a test knows what a report
// of it must say.

import { median, ratioOf, student } from '../../bench/harness/measure.js';
import {
  type Answer,
  type Contender,
  FORMAT,
  type Growth,
  type Limits,
  type PeerTask,
  type Results,
  type Start,
  type Told,
  type Work,
} from '../../bench/harness/results.js';
import { CASES, type Case } from './fixture-cases.js';
import { cellsOf, luck, timing } from './fixture-grid.js';

const ENGINES = ['auto', 'wasm-scalar', 'js'];

function tell({ name, question, what, kind, target, baselineMs, ratios, work }: Case): Told {
  const baseline = timing('idiomatic JS', baselineMs, work);
  const timings = ratios.map((ratio, i) => timing(ENGINES[i]!, baselineMs / ratio!, work));
  const answers = timings.map(
    (own, i): Answer => ({
      what,
      ...ratioOf(baseline, own),
      against: 'idiomatic JS',
      ...(i > 0 && { engine: ENGINES[i]! }),
      ...(kind && { kind }),
      ...(i === 0 && target && { target }),
    }),
  );
  return { name, question, seconds: 2, answers, timings: [baseline, ...timings] };
}

const LIMITS: Limits = {
  read: [
    { bytes: 16 * 2 ** 10, gigabytesPerSecond: 71, low: 66 },
    { bytes: 2 ** 20, gigabytesPerSecond: 46, low: 41 },
    { bytes: 16 * 2 ** 20, gigabytesPerSecond: 33, low: 30 },
    { bytes: 256 * 2 ** 20, gigabytesPerSecond: 17.5, low: 16 },
  ],
  peak: { gigaflops: 14.6, low: 14.1 },
};

const contender = (
  name: string,
  kind: Contender['kind'],
  ms: number,
  { otherAlgorithm = false, note, work }: { otherAlgorithm?: boolean; note?: string; work?: Work } = {},
): Contender => ({ name, kind, otherAlgorithm, timing: timing(name, ms, work), ...(note !== undefined && { note }) });

function tasksOf(): PeerTask[] {
  const gramWork = { flops: 480 * 481 * 10_000, bytes: 8 * 480 * 10_000, resident: 8 * 480 * 10_000 };
  return [
    {
      what: 'fit 2000 × 1000, dense',
      rule: '20 passes',
      contenders: [
        contender('perceptron-wasm', 'ours', 21),
        contender('wink-perceptron 2.0.0', 'javascript', 2900, { note: 'rows as objects' }),
        contender('scikit-learn 1.2.1', 'native', 64),
        contender('LIBLINEAR 2.3', 'native', 38, { otherAlgorithm: true, note: 'training accuracy 0.95, ours 0.94' }),
        contender('libsvm-js 0.2.1', 'javascript', 5200, {
          otherAlgorithm: true,
          note: 'training accuracy 0.96, ours 0.94',
        }),
      ],
      skipped: [],
    },
    {
      what: 'fit 20,000 × 100,000 at 0.1 %, sparse',
      rule: '20 passes',
      contenders: [
        contender('perceptron-wasm', 'ours', 50),
        contender('scikit-learn 1.2.1', 'native', 40),
        contender('LIBLINEAR 2.3', 'native', 120, { otherAlgorithm: true }),
      ],
      skipped: [{ name: 'wink-perceptron 2.0.0', why: 'rows as objects would take 3 GB' }],
    },
    {
      what: 'Gram matrix 480 × 10,000',
      rule: 'all numbers',
      contenders: [
        contender('perceptron-wasm', 'ours', 183, { work: gramWork }),
        contender('ml-matrix 6.15.1', 'javascript', 2900, { work: gramWork }),
        contender('numpy-ts 1.4.0', 'javascript', 1450, { work: gramWork }),
        contender('NumPy 1.24, OpenBLAS 0.3.21', 'native', 35, { work: gramWork }),
      ],
      skipped: [],
    },
  ];
}

function growth(
  what: string,
  of: Growth['of'],
  at: string,
  xs: readonly number[],
  msAtOne: number,
  power: number,
): Growth {
  const points = xs.map((x) => ({ x, timing: timing(`${what}, ${of} = ${x}`, msAtOne * x ** power) }));
  const logs = points.map(({ x, timing }) => [Math.log(x), Math.log(timing.ms)] as const);
  const [mx, my] = [0, 1].map((k) => logs.reduce((sum, pair) => sum + pair[k]!, 0) / logs.length) as [number, number];
  const xx = logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  const exponent = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / xx;
  const rest = logs.reduce((sum, [x, y]) => sum + (y - my - exponent * (x - mx)) ** 2, 0);
  const degrees = logs.length - 2;
  return {
    what,
    of,
    at,
    points,
    exponent,
    margin: student(degrees) * Math.sqrt(rest / degrees / xx) + 0.02,
    expected: Math.round(power),
  };
}

const STARTS: readonly Start[] = [
  {
    job: 'worked example, 3 × 2',
    engine: 'auto',
    importMs: 5.2,
    compileMs: 2.1,
    copyMs: 0.02,
    trainMs: 0.6,
    processMs: 48,
  },
  {
    job: 'worked example, 3 × 2',
    engine: 'js',
    importMs: 5.1,
    compileMs: 0,
    copyMs: 0.01,
    trainMs: 0.9,
    processMs: 46,
  },
  { job: 'iris, 150 × 4', engine: 'auto', importMs: 5.2, compileMs: 2.2, copyMs: 0.05, trainMs: 1.4, processMs: 49 },
  { job: 'sonar, 208 × 60', engine: 'auto', importMs: 5.3, compileMs: 2.1, copyMs: 0.4, trainMs: 9.8, processMs: 58 },
  { job: 'sonar, 208 × 60', engine: 'js', importMs: 5.2, compileMs: 0, copyMs: 0.3, trainMs: 21, processMs: 68 },
];

const asked = (name: string, question: string, found: Partial<Told>): Told => ({
  name,
  question,
  seconds: 3,
  answers: [],
  ...found,
});

/** A fresh one each time, so that a test may spoil it. */
export function fixture(): Results {
  const next = luck('io');
  const made = Array.from({ length: 5 }, () => 1 + next() * 0.2);
  return structuredClone({
    ...RUN,
    questions: [
      ...RUN.questions,
      asked('io', 'How fast is a file read?', {
        answers: [
          {
            what: 'reading a file of 100 MB',
            ratio: median(made),
            low: Math.min(...made),
            high: Math.max(...made),
            rounds: 5,
            against: 'split and Number',
            target: { atLeast: 1 },
          },
        ],
        notes: ['the file was in the cache'],
      }),
    ],
  });
}

const RUN: Results = {
  format: FORMAT,
  version: '0.1.0',
  commit: '0123456789abcdef0123456789abcdef01234567',
  dirty: false,
  date: '2026-01-02T03:04:05.000Z',
  command: 'npm run bench -- --full',
  mode: 'full',
  complete: true,
  interrupted: false,
  seconds: 431,
  machine: {
    cpu: 'Imagined CPU @ 2.80GHz',
    cores: 2,
    memoryGB: 25,
    node: 'v20.20.2',
    platform: 'linux x64',
    load: 0.1,
  },
  questions: [
    asked('limits', 'What can this machine do?', { limits: LIMITS }),
    asked('crossover', 'From how many passes on is the dual form faster?', { cells: cellsOf() }),
    ...CASES.map(tell),
    asked('startup', 'What does a small job cost?', { starts: [...STARTS] }),
    asked('memory', 'How much memory does a fit take?', {
      memory: [
        { what: 'primal fit 500 × 100,000', rows: 500, dataBytes: 400e6, peakBytes: 407e6, bytesPerSample: 814_000 },
        { what: 'dual fit 2000 × 1000', rows: 2000, dataBytes: 16e6, peakBytes: 49e6, bytesPerSample: 24_500 },
        {
          what: 'sparse fit 20,000 × 100,000 at 0.1 %',
          rows: 20_000,
          dataBytes: 24.2e6,
          peakBytes: 27e6,
          bytesPerSample: 1350,
        },
      ],
    }),
    asked('growth', 'How does time grow?', {
      growth: [
        growth('primal fit, 20 passes', 'N', 'd = 1000', [500, 1000, 2000, 4000], 0.009, 1.02),
        growth('primal fit, 20 passes', 'd', 'N = 1000', [500, 1000, 2000, 4000], 0.0091, 1.01),
        growth('Gram matrix', 'N', 'd = 2000', [100, 200, 400, 800], 1.6e-4, 1.97),
        growth('sparse fit, 20 passes', 'non-zeros', 'N = 20,000', [5e5, 1e6, 2e6, 4e6], 2.1e-5, 1.04),
      ],
    }),
    asked('peers', 'How fast are others?', { tasks: tasksOf() }),
  ],
};
