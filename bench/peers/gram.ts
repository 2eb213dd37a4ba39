// The Gram matrix X·Xᵀ, for bench/questions/peers.ts. Flops are N(N+1)d: a pair of rows is counted once.

import { DenseMatrix, gram } from 'perceptron-wasm';
import { gramMatrix } from '../baseline/gram.js';
import { fillUniform } from '../data/generate.js';
import { expectSame } from '../harness/question.js';
import type { Target, Timing } from '../harness/results.js';
import { shapeText } from '../harness/words.js';
import { type House, openblas, share, sorted } from './guests.js';
import { mlMatrix, numpyTs, type Skipped } from './javascript.js';
import { openNative } from './native.js';
import { BASELINE, OURS, type Prepared } from './tasks.js';
import { calling, callingChecked, type Played, type Player } from './turns.js';

export interface GramSize {
  rows: number;
  cols: number;
  /** Against OpenBLAS with the kernels it picks itself. */
  target?: Target;
  /** Whether it is to take other kernels too. */
  variants: boolean;
}

/** Kernels of OpenBLAS beside those it picks itself, and what is particular about them. */
const CORE_TYPES = { Haswell: ': 256-bit lanes, FMA', Nehalem: ': 128-bit lanes, no FMA, as ours' };

export async function gramTask(house: House, { rows, cols, target, variants }: GramSize): Promise<Prepared> {
  const X = DenseMatrix.allocate(rows, cols);
  fillUniform(X.data, 7);
  const out = DenseMatrix.allocate(rows, rows);
  const data = new Float64Array(X.data);
  const expected = new Float64Array(gram(X, { out }).data);

  const shared = { name: 'gram', rows, cols, arrays: { x: data } };
  await share(house, shared);
  const work = { flops: rows * (rows + 1) * cols, bytes: 8 * rows * cols, resident: 8 * rows * cols };
  const peer = { data, rows, cols, expected, work };
  const others = variants
    ? await variantsOf(house, async (variant, kernels) => {
        await share(variant, shared);
        return openblas(variant, shared.name, { expected, work, kernels });
      })
    : [];
  const { players, skipped } = sorted([
    {
      name: OURS,
      kind: 'ours',
      measure: calling(() => gram(X, { out }).data[1] as number),
      work,
      note: 'into one matrix that is used again, as OpenBLAS does; the others make a new one each time',
    },
    {
      name: BASELINE,
      kind: 'javascript',
      measure: callingChecked(
        () => gramMatrix(data, rows, cols),
        (G) => expectSame(G, expected, `Gram matrices of ${BASELINE} and ours`),
        (G) => G[1] as number,
      ),
      against: BASELINE,
      work,
    },
    await mlMatrix(peer),
    await numpyTs(peer),
    openblas(house, shared.name, {
      expected,
      work,
      kernels: ', its own choice',
      extra: { ...(target && { target }), note: 'one thread, cblas_dsyrk, by numpy' },
    }),
    ...others.map(({ player }) => player),
  ]);
  return {
    what: `Gram ${shapeText(rows, cols)}, speed`,
    rule: 'all pairs of rows',
    players,
    skipped,
    dispose: async () => {
      X.dispose();
      out.dispose();
      for (const { close } of others) await close();
    },
  };
}

interface Variant {
  player: Player | Skipped;
  close: () => Promise<void>;
}

/** OpenBLAS reads OPENBLAS_CORETYPE when it is loaded: other kernels are in other processes. */
async function variantsOf(
  { native, folder }: House,
  make: (house: House, kernels: string) => Promise<Player | Skipped>,
): Promise<Variant[]> {
  if ('missing' in native || 'missing' in native.openblas) return []; // which is said once
  const variants: Variant[] = [];
  for (const [coreType, kernels] of Object.entries(CORE_TYPES)) {
    const variant = await openNative({ packages: ['numpy'], coreType });
    if ('missing' in variant) {
      variants.push({ player: { name: `OpenBLAS (${coreType})`, why: variant.missing }, close: async () => {} });
    } else {
      variants.push({ player: await make({ native: variant, folder }, kernels), close: () => variant.close() });
    }
  }
  return variants;
}

/** Speeds in words. */
export function gramSpeeds({ task }: Played): string[] {
  const speed = ({ ms, work }: Timing): string => ((work?.flops ?? 0) / ms / 1e6).toFixed(1);
  return task.contenders.map(({ name, timing }) => `${task.what}: ${name} ${speed(timing)} GFLOP/s`);
}
