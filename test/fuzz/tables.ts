// What must hold for every file that is given as a table.

import { gzipSync } from 'node:zlib';
import { DataError, readTable, type Source } from '../../src/io/index.js';
import type { Target } from './fuzzer.js';
import { inPieces } from './pieces.js';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const csv = bytes(
  'a,"b ""c""",a\r\n1,2.50,x\r\n,-,"y, z"\r\n007,some words of text,NA\n3,é\n4,"5",6,7\n1e999,?,"never',
);
const lines = bytes('{"a":1,"b":"x"}\n{"a":null,"c":[1]}\n{"b":true,"é":"\\u00e9"}\nno\n');
const list = bytes('[{"a":1,"b":"]"},\n {"a":"2.50"} , {"a":{}} 7 ]\n[');

/** The table as text, or 'refused'; any other error is a fault, and so is a table that does not agree with itself. */
async function outcomeOf(source: Source): Promise<string> {
  try {
    const table = await readTable(source);
    const { columns, names, schema, rows, problems, problemCount } = table;
    for (const { name, missing } of schema) {
      const values = Array.from(columns[name] as ArrayLike<unknown>);
      const gaps = values.filter((value) => value === null || Number.isNaN(value)).length;
      if (values.length !== rows || gaps !== missing)
        throw new Error(`column ${name} has ${values.length} values, ${gaps} missing`);
      if (values.some((value) => value === undefined)) throw new Error(`column ${name} has holes`);
    }
    if (new Set(names).size !== schema.length || problems.length !== Math.min(1000, problemCount)) {
      throw new Error('names or problems do not agree');
    }
    return JSON.stringify(table, (_, value) =>
      typeof value === 'number' && !Number.isFinite(value) ? `${value}` : value,
    );
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return 'refused';
  }
}

/** Whatever the bytes: a table or a DataError, the same in one piece and in many. */
export const tables: Target = {
  name: 'tables',
  seeds: [csv, lines, list, gzipSync(csv), bytes('a\tb\n1\tx\n2\ty\n'), bytes('x;y\n1,5;a\n2;b\n')],
  async run(input) {
    const whole = await outcomeOf(input);
    const pieces = await outcomeOf(inPieces(input, 7));
    if (whole !== pieces) throw new Error(`in pieces it differs: ${whole}\n${pieces}`);
  },
};
