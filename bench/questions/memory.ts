// How much memory does training take? The largest a process becomes, less what it was before the rows came: a fresh
// process for each way to hand rows over. Training itself needs a few vectors of N and d numbers beside the rows.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { contestInRounds, ratioOf } from '../harness/measure.js';
import { type Answer, BASELINE, byMode, expectSame, type Findings, tell } from '../harness/question.js';
import type { MemoryUse } from '../harness/results.js';
import { bytesText, shapeText } from '../harness/words.js';

const CHILD = fileURLToPath(new URL('../child/memory.mjs', import.meta.url));
const { rows, cols } = byMode({
  smoke: { rows: 100, cols: 200 },
  quick: { rows: 1000, cols: 4000 },
  full: { rows: 2000, cols: 12_500 },
});
const ROUNDS = byMode({ smoke: 1, quick: 1, full: 3 });

interface Way {
  /** For the process. */
  way: string;
  name: string;
  /** Bytes of the rows as the caller has them. */
  dataBytes: number;
}

const dense = 8 * rows * cols;
const stored = rows * Math.ceil(cols / 100);
const WAYS: readonly Way[] = [
  { way: 'js', name: BASELINE, dataBytes: dense },
  { way: 'matrix', name: 'a DenseMatrix, filled in place', dataBytes: dense },
  { way: 'float32', name: 'a DenseMatrix of float32, filled in place', dataBytes: dense / 2 },
  { way: 'flat', name: 'a Float64Array, copied in', dataBytes: dense },
  { way: 'nested', name: 'an array of arrays, copied in', dataBytes: dense },
  { way: 'sparse', name: 'a SparseMatrix, one value in a hundred', dataBytes: 12 * stored + 4 * (rows + 1) },
  { way: 'dual', name: 'a DenseMatrix, dual form with its Gram matrix', dataBytes: dense },
];

/** Weights and bias of the first process. */
let expected: number[] | undefined;

/** Bytes. */
function peakOf({ way }: Way): number {
  const args = [CHILD, way, ...[rows, cols].map(String)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the process that trains on ${way} failed: ${stderr}`);
  const { peakBytes, plane } = JSON.parse(stdout) as { peakBytes: number; plane: number[] };
  // Sparse rows are other rows; all others are the same, to the bit.
  expected ??= plane;
  if (way !== 'sparse') expectSame(plane, expected, `weights of ${way} and of ${BASELINE}`);
  return peakBytes;
}

function peaks(): Findings {
  const sizes = contestInRounds(
    WAYS.map((way) => ({ name: way.name, measure: () => peakOf(way) })),
    ROUNDS,
  );
  const memory = WAYS.map(({ name, dataBytes }, i): MemoryUse => {
    const peakBytes = sizes[i]?.ms as number; // bytes, for once
    return { what: name, rows, dataBytes, peakBytes, bytesPerSample: peakBytes / rows };
  });
  const [baseline, ...ours] = sizes;
  return {
    memory,
    notes: memory.map(
      ({ what, dataBytes, peakBytes, bytesPerSample }) =>
        `${what}: ${bytesText(peakBytes)} at the peak for ${bytesText(dataBytes)} of rows, ${Math.round(bytesPerSample).toLocaleString('en')} bytes a sample`,
    ),
    answers: ours.map(
      (size): Answer => ({
        what: `memory at the peak, ${shapeText(rows, cols)}: ${size.name}`,
        ...ratioOf(size, baseline as typeof size),
        against: `the same in ${BASELINE}`,
        lowerIsBetter: true,
      }),
    ),
  };
}

tell(`How much memory does training take? (${shapeText(rows, cols)}, ${bytesText(dense)} of rows)`, peaks);
