// How do others do? The same rows, the same stopping rule, everybody in turn: packages of npm in this process,
// scikit-learn, LIBLINEAR and OpenBLAS in one of Python. Whoever is absent is left out, with the reason (peers/README.md).

import { basename } from 'node:path';
import { byMode, type Findings, isFull, tellLater, whenFull } from '../harness/question.js';
import { withFolderLater } from '../harness/temporary.js';
import { denseTask, wideTask } from '../peers/dense.js';
import { type GramSize, gramSpeeds, gramTask } from '../peers/gram.js';
import type { House } from '../peers/guests.js';
import { importAll } from '../peers/javascript.js';
import { kernelTask } from '../peers/kernel.js';
import { type Missing, type Native, openNative } from '../peers/native.js';
import { passesAlone, type SparseSize, sparseTasks } from '../peers/sparse.js';
import type { Prepared, Size } from '../peers/tasks.js';
import { type Pace, type Played, play } from '../peers/turns.js';

const PACE = byMode<Pace>({
  smoke: { rounds: 5, turnMs: 0 },
  quick: { rounds: 5, turnMs: 10 },
  full: { rounds: 5, turnMs: 200 },
});

/** wink-perceptron takes a microsecond for each number of each pass, so this is no large set. */
const DENSE = byMode<Size>({
  smoke: { rows: 40, cols: 20, passes: 3 },
  quick: { rows: 240, cols: 100, passes: 10 },
  full: { rows: 800, cols: 200, passes: 10 },
});

const WIDE = byMode({
  smoke: { rows: 20, cols: 200 },
  quick: { rows: 60, cols: 5000 },
  full: { rows: 60, cols: 20_000 },
});

const SPARSE = byMode<SparseSize>({
  smoke: { rows: 100, cols: 500, density: 0.02, passes: 5, onePass: false },
  quick: { rows: 3000, cols: 20_000, density: 0.002, passes: 20, onePass: false },
  full: {
    rows: 20_000,
    cols: 100_000,
    density: 0.001,
    passes: 20,
    onePass: true,
    ...whenFull({ target: { atLeast: 1.5 } }),
  },
});

/** The peer evaluates a kernel for every earlier mistake at each look at a row, so this is no large set either. */
const KERNEL = byMode<Size>({
  smoke: { rows: 30, cols: 5, passes: 3 },
  quick: { rows: 120, cols: 20, passes: 5 },
  full: { rows: 400, cols: 50, passes: 5 },
});

/** Newer compilers make faster code of our kernels; OpenBLAS stays as it is. */
const atLeast = Number(process.versions.node.split('.')[0]) < 24 ? 0.38 : 0.42;

const GRAM = byMode<GramSize>({
  smoke: { rows: 20, cols: 100, variants: false },
  quick: { rows: 120, cols: 2000, variants: false },
  full: { rows: 480, cols: 10_000, variants: true, ...whenFull({ target: { atLeast } }) },
});

/** One task after the other, so that only one needs its memory, and what is answered stays whatever comes next. */
async function askAll(): Promise<void> {
  await withFolderLater(async (folder) => {
    // Python takes a second to import what it needs: meanwhile we do the same.
    const [native] = await Promise.all([openNative(), importAll()]);
    const house: House = { native, folder };
    try {
      await ask(
        'dense rows',
        () => denseTask(house, DENSE),
        () => aboutNative(native),
      );
      await ask('few rows and many columns', () => wideTask(house, WIDE));
      let sparse: Prepared[] = [];
      const nth = (i: number) => async () => {
        if (i === 0) sparse = await sparseTasks(house, SPARSE);
        return sparse[i] as Prepared;
      };
      await ask('sparse rows, without intercept', nth(0), passesAlone);
      await ask('sparse rows, with intercept', nth(1), passesAlone);
      await ask('a curved border', () => kernelTask(KERNEL));
      await ask('the Gram matrix', () => gramTask(house, GRAM), isFull() ? gramSpeeds : undefined);
    } finally {
      if (!('missing' in native)) await native.close();
    }
  });
}

const ask = (name: string, prepare: () => Promise<Prepared>, notes?: (played: Played) => string[]): Promise<void> =>
  tellLater(`How do others do? (${name}: same rows, same stopping rule, in turn)`, async (): Promise<Findings> => {
    const played = await over(await prepare());
    return { tasks: [played.task], answers: played.answers, ...(notes && { notes: notes(played) }) };
  });

async function over(task: Prepared): Promise<Played> {
  try {
    return await play(task, PACE);
  } finally {
    await task.dispose?.();
  }
}

function aboutNative(native: Native | Missing): string[] {
  if ('missing' in native) return [`without scikit-learn and OpenBLAS, see bench/peers/README.md: ${native.missing}`];
  const { versions, missing } = native.about;
  const { openblas } = native;
  return [
    ...Object.values(missing).map((why) => `see bench/peers/README.md: ${why}`),
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    'missing' in openblas
      ? openblas.missing
      : `${openblas.config}; ${basename(openblas.path)}, ${openblas.threads} thread`,
    'native peers are timed inside their process, rows already in memory; checks of the input are part of a fit',
  ];
}

await askAll();
