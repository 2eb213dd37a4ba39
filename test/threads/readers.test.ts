// Blocks read by worker threads: whatever the blocks and the threads, the data or the error of one thread. The workers are real; most
// tests share three of them, because starting one takes longer than such a test.

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

async function keptThreads(threads: number | 'auto', work: Work): Promise<Reader[]> {
  kept ??= [1, 2, 3].map(() => new Thread({ source, version }, work, undefined, () => {}));
  await Promise.all(kept.map(({ ready }) => ready));
  await Promise.all(kept.map((thread) => thread.runTask(work as never)));
  return kept.slice(0, threads as number);
}

const start = async (threads: number | 'auto', work: Work): Promise<Team> =>
  new KeptTeam(await keptThreads(threads, work));

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

describe.each([1, 2, 3])(
  'whatever chunks and blocks cut in two is read as one thread reads it: threads %i',
  (threads) => {
    const odd = ['-0', '0.1', '-0.0', '5e-324', '1.7976931348623157e308', '-2.5e-3', '123456789.01234567'];
    const values = [-0, 0.1, -0, 5e-324, 1.7976931348623157e308, -0.0025, 123456789.01234567];
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');

    test.each<[string, Format, string, string | unknown[]]>([
      ['a last line without an end', 'LIBSVM', `${rows('1 1:2')}-1 3:4`, [[2, 4]]],
      ['an end within a field', 'LIBSVM', `${rows('1 1:2')}-1 3:`, 'd:1001:6: expected a value'],
      ['an end within a row', 'CSV', `${rows('1,2,a')}3,4`, 'd:1001:3: expected 3 fields'],
      ['an end within a quoted field', 'CSV', `${rows('1,a')}2,"b\n""c`, 'd:1668:3: expected a closing quote'],
      ['a quoted field at the end', 'CSV', `${rows('1,a')}2,"b\n""c"""`, [2]],
      ['CRLF', 'LIBSVM', crlf(`${rows('1 1:2')}-1 2:3 # end\n\n1 4:5\n`), [[3, 5]]],
      ['CRLF within quotes, too', 'CSV', crlf(`${rows('1,a')}2,"b\n\n""c"\n3,"\n"\n`), [3]],
      ['CRLF without its LF at the end', 'CSV', `${crlf(rows('1,a'))}2,b\r`, [2]],
      [
        'numbers of all kinds',
        'LIBSVM',
        `${rows('1 1:2')}-1 ${odd.map((text, i) => `${i + 1}:${text}`).join(' ')}\n`,
        values.map((value, i) => [i, value]),
      ],
      ['numbers of all kinds', 'CSV', `${rows('1,2,3,4,5,6,7,a')}${odd.join(',')},b\n`, values],
    ])('%s, %s', async (_, format, text, wanted) => {
      const bytes = bytesOf(text);
      const expected = await outcome(() => alone(format, bytes));
      if (typeof wanted === 'string') expect(expected).toContain(wanted);
      else expect((expected as ReturnType<typeof plain>).values.at(-1)).toEqual(wanted);
      for (let cut = bytes.length - 30; cut < bytes.length; cut++) {
        const read = () => byBlocks(format, inChunks(bytes, cut, bytes.length), 30 + (cut % 50), { threads });
        expect(await outcome(read), `cut at ${cut}`).toEqual(expected);
      }
    });
  },
);

/** Gives the first block back only when another one was found to be wrong. */
class SlowTeam extends KeptTeam {
  #count = 0;
  #foundWrong = () => {};
  readonly #isWrong = new Promise<void>((resolve) => {
    this.#foundWrong = resolve;
  });

  override async read<Rows>(block: Block): Promise<BlockResult<Rows>> {
    const isFirst = this.#count++ === 0;
    const result = await super.read<Rows>(block);
    if (isFirst) await this.#isWrong;
    else if (!result.rows) this.#foundWrong();
    return result;
  }
}

describe.each([2, 3])('a wrong row in a later block, found while the first is still read: threads %i', (threads) => {
  // Blocks of 2500 bytes: the wrong row is in the third, and a fourth makes sure that a worker gets it.
  const [libsvm, csv] = [rows('1 1:2'), rows('1,2,a')];

  test.each<[string, Format, string, string]>([
    ['it is the only one', 'LIBSVM', `${libsvm}1 0:9\n${libsvm}`, 'd:1001:3: expected an index of at least 1'],
    ['there is one in the first', 'LIBSVM', `1 1:y\n${libsvm}1 0:9\n${libsvm}`, 'd:1:5: expected a value'],
    ['it is the only one', 'CSV', `${csv}1,x,a\n${csv}`, 'd:1001:3: expected a number'],
    ['there is one behind it', 'CSV', `${csv}1,y,a\n${csv}1,x,a\n${csv}`, 'd:1001:3: expected a number'],
  ])('%s, %s', async (_, format, text, message) => {
    const bytes = bytesOf(text);
    expect((await dataErrorOf(() => alone(format, bytes))).message).toContain(message);
    const slow = async (count: number | 'auto', work: Work) => new SlowTeam(await keptThreads(count, work));
    const read = () =>
      reading(
        bytes,
        resolveOptions({ name: 'd', threads }, 'a test'),
        (window) => readers[format](window, { bytes: 2500, start: slow }),
        STEP,
      );
    expect((await dataErrorOf(read)).message).toContain(message);
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
