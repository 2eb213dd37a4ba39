// How much memory does a file of 1 GB take? LIBSVM text, read and trained on in a process of its own, whose memory at the
// peak is compared with the rows as CSR: float64 values, 32-bit columns, a 32-bit pointer a row. Asked on request only:
// npm run bench:bigfile

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Perceptron } from 'perceptron-wasm';
import { readLibsvm } from 'perceptron-wasm/io';
import { writeLibsvm } from '../data/text.js';
import { once } from '../harness/measure.js';
import { type Findings, tell } from '../harness/question.js';
import { withTemporaryFolder } from '../harness/temporary.js';
import { shapeText } from '../harness/words.js';

const BYTES = 1e9;
const MAX_EPOCHS = 10;

/** What the process that read the file says. Bytes are its memory at the peak until then. */
interface Report {
  rows: number;
  cols: number;
  nonZeros: number;
  epochs: number;
  mistakes: number;
  readMs: number;
  fitMs: number;
  startBytes: number;
  readBytes: number;
  fitBytes: number;
}

/** In the child. */
async function readAndTrain(path: string): Promise<Report> {
  const peak = () => process.resourceUsage().maxRSS * 1024;
  const startBytes = peak();
  const started = performance.now();
  const { X, y } = await readLibsvm(path);
  const readMs = performance.now() - started;
  const readBytes = peak();
  const { report } = new Perceptron({ maxEpochs: MAX_EPOCHS }).fit(X, y);
  const fitMs = performance.now() - started - readMs;
  if (!('nonZeros' in X)) throw new Error('LIBSVM rows were to be sparse');
  const { rows, cols, nonZeros } = X;
  const { epochs, mistakes } = report;
  return { rows, cols, nonZeros, epochs, mistakes, readMs, fitMs, startBytes, readBytes, fitBytes: peak() };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function big(): Findings {
  return withTemporaryFolder((folder) => {
    const path = join(folder, 'rows.txt');
    const written = writeLibsvm(path, { seed: 21, bytes: BYTES, cols: 50_000, density: 0.0015, digits: 'short' });
    const args = [...process.execArgv, fileURLToPath(import.meta.url), path];
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the process that reads the file ended with ${signal ?? stderr}`);
    const told = JSON.parse(stdout) as Report;
    if (told.rows !== written.rows || told.nonZeros !== written.values) {
      throw new Error(
        `${written.values} values in ${written.rows} rows were written, not all of them were read: ${stdout}`,
      );
    }

    const csrBytes = 12 * told.nonZeros + 4 * (told.rows + 1);
    return {
      answers: [
        {
          what: `memory of a process that reads and trains on ${megabytes(written.bytes)} of LIBSVM text, at the peak`,
          ...once(told.fitBytes / csrBytes),
          against: 'its rows as CSR',
          target: { atMost: 1.25 },
        },
      ],
      notes: [
        `${shapeText(told.rows, told.cols)}, ${told.nonZeros.toLocaleString('en')} values: ${megabytes(csrBytes)} as CSR`,
        `memory at the peak: ${megabytes(told.startBytes)} before reading, ${megabytes(told.readBytes)} when all was read, ${megabytes(told.fitBytes)} after training`,
        `read in ${seconds(told.readMs)}, ${(written.bytes / 1000 / told.readMs).toFixed(0)} MB/s; ${told.epochs} passes in ${seconds(told.fitMs)}, ${told.mistakes.toLocaleString('en')} mistakes`,
      ],
    };
  });
}

const path = process.argv[2];
if (path === undefined) tell('How much memory does a large file take? (1 GB of LIBSVM text, read and trained on)', big);
else console.log(JSON.stringify(await readAndTrain(path)));
