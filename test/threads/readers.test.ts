// Blocks read by worker threads: whatever the blocks and the threads, the data or the error of one thread. The workers are real; most
// tests share two of them, because starting one takes longer than such a test.

import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Block, BlockResult, Work } from '../../src/io/block.js';
import { source, version } from '../../src/io/blocksource.js';
import { readCsvFrom } from '../../src/io/csv.js';
import { type Dataset, type ReadOptions, readCsv, readData, readLibsvm } from '../../src/io/index.js';
import { readLibsvmFrom } from '../../src/io/libsvm.js';
import { resolveOptions } from '../../src/io/options.js';
import { reading } from '../../src/io/reading.js';
import type { Source } from '../../src/io/source.js';
import { startTeam, Team } from '../../src/io/team.js';
import type { ByteWindow } from '../../src/io/window.js';
import { Thread } from '../../src/worker/handle.js';
import { runs } from '../effort.js';
import { bytesOf, dataErrorOf, inChunks, plain, withoutLeak } from '../io/helpers.js';
import { libsvmText, longCsv, longLibsvm, outcome } from '../io/texts.js';

type Reader = Thread<Work, Block, BlockResult<never>>;

/** Threads that outlive a call, and how many blocks they have read. */
let kept: Reader[] | undefined;
let blocksRead = 0;

class KeptTeam extends Team {
  override read<Rows>(block: Block): Promise<BlockResult<Rows>> {
    blocksRead++;
    return super.read(block);
  }
  override end(): void {}
}

async function start(_: number | 'auto', work: Work): Promise<Team> {
  kept ??= [1, 2].map(() => new Thread({ source, version }, work, undefined, () => {}));
  await Promise.all(kept.map(({ ready }) => ready));
  await Promise.all(kept.map((thread) => thread.runTask(work as never)));
  return new KeptTeam(kept);
}

afterAll(() => Promise.all((kept ?? []).map((thread) => thread.terminate())));

const readers = { LIBSVM: readLibsvmFrom, CSV: readCsvFrom };
type Format = keyof typeof readers;

/** Bytes that come before there are blocks: with as many as usual all texts here would be read at once. */
const STEP = 64;

/** Reads with so many bytes in a block. */
const byBlocks = (format: Format, source: Source, bytes: number, options: ReadOptions = {}): Promise<Dataset> =>
  reading(
    source,
    resolveOptions({ name: 'd', threads: 2, ...options }, 'a test'),
    (window) => readers[format](window, { bytes, start }),
    STEP,
  );

const alone = (format: Format, source: Source, options: ReadOptions = {}): Promise<Dataset> =>
  (format === 'CSV' ? readCsv : readLibsvm)(source, { name: 'd', threads: 1, ...options });

/** More than readers look at before they begin, so that blocks can end anywhere behind it. */
const comments = `${'#'.repeat(99)}\n`.repeat(50);
const rows = (row: string) => `${row}\n`.repeat(Math.ceil(5000 / row.length));

describe('any blocks give what one thread gives', () => {
  test.each([
    ['LIBSVM', fc.tuple(fc.constantFrom('', comments, rows('1 3:4')), libsvmText).map((parts) => parts.join(''))],
    ['LIBSVM', longLibsvm],
    ['CSV', longCsv],
  ] as const)('%s %#', async (format, texts) => {
    blocksRead = 0;
    let data = 0;
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 300 }), fc.boolean(), async (text, bytes, isPacked) => {
        const source = isPacked ? gzipSync(bytesOf(text)) : bytesOf(text);
        const expected = await outcome(() => alone(format, source));
        if (typeof expected === 'object') data++;
        expect(await outcome(() => byBlocks(format, source, bytes))).toEqual(expected);
        expect(await outcome(() => byBlocks(format, inChunks(source, bytes, 3000), 2 * bytes))).toEqual(expected);
      }),
      { numRuns: runs(150) },
    );
    expect(data, 'texts that were right').toBeGreaterThan(runs(20));
    expect(blocksRead).toBeGreaterThan(runs(150));
  });

  test('every size of blocks, at the border of CRLF, comments, blank lines and quoted line breaks', async () => {
    const texts = {
      LIBSVM: `${comments}1 1:2 3:4\r\n\r\n-1 2:3 # end\r\n#\n   \n2 qid:7 1:1\n+3\n4 9:0.25`,
      CSV: `a,b,"c ""d""",label\n${rows('1,2,3,x')}\r\n4,"5",6," y, ""z""\n new\r\nline"\r\n\n7,8,9,é\n10,11,12,x`,
    };
    for (const [format, text] of Object.entries(texts) as [Format, string][]) {
      const expected = plain(await alone(format, bytesOf(text)));
      expect(expected.y.length).toBeGreaterThan(3);
      for (let bytes = 1; bytes < 60; bytes++) {
        expect(plain(await byBlocks(format, bytesOf(text), bytes)), `${format}, ${bytes}`).toEqual(expected);
      }
    }
  });

  test('labels are numbered in the order of the file; they are numbers only if those of all blocks are', async () => {
    const text = `${rows('1,7')}2,8\n3,9\n`;
    const { y, X } = await byBlocks('CSV', bytesOf(text), 64);
    X.dispose();
    expect([...new Set(y)]).toEqual([7, 8, 9]);
    const words = await byBlocks('CSV', bytesOf(`${text}4,last\n5,7\n`), 64, { label: -1, header: false });
    words.X.dispose();
    expect([...new Set(words.y)]).toEqual(['7', '8', '9', 'last']);
  });

  test('rows beyond the columns of a model are counted over all blocks', async () => {
    const text = `${rows('1 2:1 5:1 6:1')}1 9:1\n`;
    const expected = plain(await alone('LIBSVM', bytesOf(text), { cols: 4 }));
    expect(expected.ignored).toBeGreaterThan(500);
    expect(plain(await byBlocks('LIBSVM', bytesOf(text), 100, { cols: 4 }))).toEqual(expected);
  });

  test('a quote within a field misleads where rows end, not what is read', async () => {
    const text = `${rows('1,2,a')}1,2,5" x\n1,2,"b\n3,4,c\n"\n${rows('5,6,7" y')}`;
    const expected = plain(await alone('CSV', bytesOf(text)));
    expect(expected.y).toContain('b\n3,4,c\n');
    for (const bytes of [5, 17, 60, 1000]) {
      expect(plain(await byBlocks('CSV', bytesOf(text), bytes))).toEqual(expected);
    }
  });
});

describe('the first error of the file is reported, as by one thread', () => {
  test.each<[string, Format, string, string]>([
    [
      'in the last block',
      'LIBSVM',
      `${rows('1 1:2')}1 1:x\n`,
      'd:1001:5: expected a value that is a finite number, got "x"',
    ],
    [
      'of two, the first',
      'LIBSVM',
      `${rows('1 1:2')}1 0:3\n${rows('1 1:2')}bad\n`,
      'd:1001:3: expected an index of at least 1, got 0: indices count from 1',
    ],
    [
      'behind quoted line breaks',
      'CSV',
      `${rows('1,"a\nb"')}1,\n`,
      'd:1431:3: expected a label in field 2, got an empty field',
    ],
    [
      'a quote that is never closed',
      'CSV',
      `${rows('1,a')}1,"b\n2,c\n`,
      'd:1668:3: expected a closing quote before the end',
    ],
    [
      'a carriage return alone',
      'CSV',
      `${rows('1,a')}1,b\r2,c\n`,
      'd:1668:4: expected a line feed behind the carriage return',
    ],
  ])('%s', async (_, format, text, message) => {
    const expected = (await dataErrorOf(() => alone(format, bytesOf(text)))).message;
    expect(expected).toContain(message);
    for (const bytes of [9, 100, 3000]) {
      expect((await dataErrorOf(() => byBlocks(format, bytesOf(text), bytes))).message).toBe(expected);
    }
  });

  test('before an error of the source: what came is read to its end', async () => {
    async function* broken(text: string) {
      yield* inChunks(bytesOf(text), 1000);
      throw new Error('the line is dead');
    }
    const many = rows('1 1:2').repeat(60); // more than one thread reads at once
    for (const [text, message] of [
      [`${many}1 1:x\n1 1:2\n1 1:`, 'd:60001:5: expected a value that is a finite number, got "x"'],
      [`${many}1 1:`, 'the line is dead'],
    ] as const) {
      expect((await dataErrorOf(() => alone('LIBSVM', broken(text)))).message).toContain(message);
      expect((await dataErrorOf(() => byBlocks('LIBSVM', broken(text), 2000))).message).toContain(message);
    }
  });

  test('more bytes than maxBytes', async () => {
    const text = rows('1 1:2').repeat(60);
    const options = { maxBytes: 300_000 };
    const source = () => inChunks(bytesOf(text), 1000);
    const expected = await dataErrorOf(() => alone('LIBSVM', source(), options));
    expect(expected.message).toContain('"maxBytes" allows no more');
    expect((await dataErrorOf(() => byBlocks('LIBSVM', source(), 2000, options))).message).toBe(expected.message);
  });
});

describe('threads of a call', () => {
  const large = rows('-1 1:0.25 2:1.5 7:-3').repeat(40);
  const started: Team[] = [];
  const spied = async (threads: number | 'auto', work: Work) => {
    const team = await startTeam(threads, work);
    if (team) started.push(team);
    return team;
  };
  const withOwn = (options: ReadOptions, source: Source = bytesOf(large)) =>
    reading(
      source,
      resolveOptions({ name: 'd', ...options }, 'a test'),
      (window) => readLibsvmFrom(window, { bytes: 1000, start: spied }),
      STEP,
    );

  test('three that start for it, and end with it', async () => {
    const expected = plain(await alone('LIBSVM', bytesOf(large)));
    expect(plain(await withOwn({ threads: 3 }))).toEqual(expected);
    expect(started.at(-1)?.size).toBe(3);
    expect(plain(await readLibsvm(bytesOf(large), { name: 'd', threads: 2 }))).toEqual(expected);
  });

  test('an abort ends them, with the signal’s reason', async () => {
    const control = new AbortController();
    async function* endless() {
      for (let k = 0; ; k++) {
        if (k === 50) control.abort(new Error('enough'));
        yield bytesOf(large.slice(0, 2000 - (2000 % 21)));
      }
    }
    await withoutLeak(() =>
      expect(withOwn({ threads: 2, signal: control.signal }, endless())).rejects.toThrow('enough'),
    );
    const block = { bytes: new Uint8Array(1), start: 0, end: 0 };
    for (const thread of started.at(-1)?.threads ?? []) {
      await expect(thread.runTask(block)).rejects.toThrow('a worker thread ended: it was stopped');
    }
  });

  test('one that dies fails the call with an error that says so', async () => {
    async function* dying() {
      for (let k = 0; k < 40; k++) {
        if (k === 20) await Promise.all((started.at(-1)?.threads ?? []).map((thread) => thread.kill()));
        yield bytesOf(large.slice(0, 21).repeat(100));
      }
    }
    await withoutLeak(() => expect(withOwn({ threads: 2 }, dying())).rejects.toThrow('a worker thread ended: '));
    await withOwn({ threads: 2 }).then(({ X }) => X.dispose());
  });

  test('none can start: one thread reads', async () => {
    const expected = plain(await alone('LIBSVM', bytesOf(large)));
    const failing = [async () => undefined, () => Promise.reject(new Error('no workers'))];
    for (const start of failing) {
      const settings = resolveOptions({ name: 'd', threads: 2 }, 'a test');
      const from = (window: ByteWindow) => readLibsvmFrom(window, { bytes: 1000, start });
      const read = await reading(bytesOf(large), settings, from, STEP);
      expect(plain(read)).toEqual(expected);
    }
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => undefined);
    try {
      expect(plain(await readLibsvm(bytesOf(large), { name: 'd', threads: 2 }))).toEqual(expected);
    } finally {
      vi.restoreAllMocks();
    }
  });

  test("'auto' starts none for less than 16 MiB, whether the size is known or not", async () => {
    let asked = 0;
    const counted = async () => {
      asked++;
      return undefined;
    };
    const text = bytesOf(`1 1:0.5 #${'x'.repeat(989)}\n`.repeat(16_777));
    const more = bytesOf(`1 1:0.5 #${'x'.repeat(989)}\n`.repeat(1100));
    const read = async (source: Source) => {
      asked = 0;
      const settings = resolveOptions({ name: 'd' }, 'a test');
      const { X } = await reading(source, settings, (window) => readLibsvmFrom(window, { start: counted }));
      X.dispose();
      return asked;
    };
    const joined = Buffer.concat([text, more]);
    expect(await read(text)).toBe(0);
    expect(await read(inChunks(text, 2 ** 20))).toBe(0);
    expect(await read(new Uint8Array(joined))).toBe(1);
    expect(await read(inChunks(joined, 2 ** 20))).toBe(1);
  });

  test.each([0, 1.5, '2', NaN, null])('threads: %s is refused', async (threads) => {
    const options = { threads } as unknown as ReadOptions;
    await expect(readLibsvm(bytesOf('1 1:1'), options)).rejects.toThrow(
      `"threads" must be 'auto' or an integer of at least 1, got ${typeof threads === 'string' ? '"2"' : threads}`,
    );
  });
});

const agaricus = new URL('../../../shared/data/agaricus.txt.train', import.meta.url);

test.skipIf(!existsSync(agaricus))('agaricus', async () => {
  const expected = plain(await readData(agaricus));
  expect(plain(await byBlocks('LIBSVM', agaricus, 5000))).toEqual(expected);
});
