// What must hold for every file that is given as data.

import { gzipSync } from 'node:zlib';
import { defaultArena } from '../../src/engine/engine.js';
import { DataError, readData } from '../../src/io/index.js';
import type { Target } from './fuzzer.js';
import { inPieces } from './pieces.js';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }".padEnd(117);
const npy = Uint8Array.from([
  ...[0x93, ...bytes('NUMPY'), 1, 0, 118, 0],
  ...bytes(header),
  10,
  ...new Uint8Array(Float64Array.of(1, 2, 3, 4).buffer),
]);
const libsvm = bytes('# header\n1 qid:1 1:2.5 7:1e-3\n-1 2:3 # end\r\n+1 3:-0\n');
const csv = bytes('a,"b ""c""",class\r\n1,2.5,x\r\n-3e2,4,"y, z"\r\n0,0,x\n');

/** The data as text, or 'refused'; any other error is a fault, and so is a block that is left. */
async function outcomeOf(source: Uint8Array | ReadableStream<Uint8Array>): Promise<string> {
  const { blocks } = defaultArena.usage;
  let outcome: string;
  try {
    const { X, y } = await readData(source);
    outcome = `${X.rows} x ${X.cols} ${JSON.stringify(y)} ${Array.from({ length: X.rows }, (_, i) => JSON.stringify(X.row(i)))}`;
    X.dispose();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    outcome = 'refused'; // a file whose length is known may be refused with other words
  }
  if (defaultArena.usage.blocks !== blocks) throw new Error('blocks of the arena are left');
  return outcome;
}

/** Whatever the bytes: a dataset or a DataError, the same in one piece and in many. */
export const data: Target = {
  name: 'data',
  seeds: [npy, libsvm, csv, gzipSync(libsvm), bytes('1\t2\t3\n4\t5\t6\n'), bytes('x;y\n1;a\n2;b\n')],
  async run(input) {
    const whole = await outcomeOf(input);
    const pieces = await outcomeOf(inPieces(input, 7));
    if (whole !== pieces) throw new Error(`in pieces it differs: ${whole}\n${pieces}`);
  },
};
