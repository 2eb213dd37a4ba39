import { createReadStream, readdirSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { DataError, type ReadProgress, readCsv, readData, readLibsvm, type Source } from '../../src/io/index.js';
import { bytesOf, dataErrorOf, folder, inChunks, plain, withoutLeak } from './helpers.js';

const files = folder();
const text = '1 1:2 3:4\n-1 2:5\n';
const y = [1, -1];
const path = files.file('data.txt', text);
const packed = gzipSync(text);

/** Many rows: some megabytes of text. */
const many = bytesOf('+1 3:0.123456 5:7.5 9:1\n-1 1:3 7:0.25 8:1e-3\n'.repeat(100_000));
const large = files.file('large.txt', many);

const streamOf = (bytes: Uint8Array, cancelled?: (reason: unknown) => void) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes.slice(0, 5));
      controller.enqueue(bytes.slice(5));
      if (!cancelled) controller.close();
    },
    ...(cancelled && { cancel: cancelled }),
  });

/** A source that gives some bytes and then never anything. */
const silent = (bytes = bytesOf('1 1:2\n')) =>
  new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes) });

describe('data is read from', () => {
  test.each<[string, () => Source]>([
    ['a path', () => path],
    ['a file: URL', () => pathToFileURL(path)],
    ['bytes', () => bytesOf(text)],
    ['a Buffer', () => Buffer.from(text)],
    ['shared bytes', () => new Uint8Array(new SharedArrayBuffer(text.length)).map((_, k) => text.charCodeAt(k))],
    ['a Blob', () => new Blob([text])],
    ['a File', () => new File([text], 'data.txt')],
    ['a ReadableStream', () => streamOf(bytesOf(text))],
    ['a stream of Node’s', () => createReadStream(path)],
    ['an async iterable', () => inChunks(bytesOf(text), 1)],
    ['an async iterable with empty chunks', () => inChunks(bytesOf(text), 0, 3, 0, 2)],
    ['a data: URL', () => new URL(`data:,${encodeURIComponent(text)}`)],
  ])('%s, packed or not', async (_, source) => {
    expect(plain(await readData(source())).y).toEqual(y);
  });

  test.each<[string, () => Source]>([
    ['a path, whatever its name', () => files.file('data.csv', packed)],
    ['bytes', () => packed],
    ['a Blob', () => new Blob([new Uint8Array(packed)])],
    ['a stream', () => streamOf(packed)],
    ['single bytes', () => inChunks(packed, 1)],
  ])('%s, with gzip', async (_, source) => {
    expect(plain(await readData(source())).y).toEqual(y);
  });

  test('an address, packed or not, and what the server says is told', async () => {
    const server = createServer(({ url }, response) => {
      if (url === '/gone') response.writeHead(404).end();
      else if (url === '/sent-packed') response.setHeader('content-encoding', 'gzip').end(packed);
      else response.end(url === '/data.gz' ? packed : text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const base = `http://127.0.0.1:${port}`;
    try {
      expect(plain(await readData(`${base}/data.txt`)).y).toEqual(y);
      expect(plain(await readData(new URL(`${base}/data.gz`))).y).toEqual(y);
      expect(plain(await readData(`${base}/sent-packed`)).y).toEqual(y);
      const { message } = await dataErrorOf(() => readData(`${base}/gone`));
      expect(message).toBe(`${base}/gone: cannot be fetched: 404 Not Found`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    expect((await dataErrorOf(() => readData(`${base}/data.txt`))).message).toContain('cannot be fetched: ');
  });
});

describe('the format is told by the content:', () => {
  test.each([
    ['1 1:2\n', 'libsvm'],
    ['# comment\n\n 1 qid:2 1:2\n', 'libsvm'],
    ['1\n1 3:4\n', 'libsvm'],
    ['1,2\n3,4\n', 'csv'],
    ['a\tb\n1\t2\n', 'csv'],
    ['when,x,label\n12,3,a 5:30\n', 'csv'],
  ])('%j is %s', async (content, format) => {
    expect(plain(await readData(bytesOf(content))).format).toBe(format);
  });

  test('or by who knows it', async () => {
    expect(plain(await readData(bytesOf('1\n2\n'), { format: 'libsvm' })).y).toEqual([1, 2]);
    expect((await dataErrorOf(() => readData(bytesOf(text), { format: 'csv' }))).line).toBe(1);
    expect((await dataErrorOf(() => readData(bytesOf(text), { format: 'npy' }))).message).toContain('expected NumPy');
    await expect(readData(path, { format: 'arff' as 'csv' })).rejects.toThrow(
      new RangeError("\"format\" must be 'libsvm', 'csv' or 'npy', got \"arff\""),
    );
  });

  test('words for labels, several labels and nothing but comments get the errors of LIBSVM', async () => {
    for (const [content, message] of [
      ['spam 1:2 3:4\n', '<input>:1:1: expected a label that is a number, got "spam"'],
      ['1,2 3:4\n', '<input>:1:1: expected a label that is a number, got "1,2"'],
      ['# one\n#two', '<input>: there are no rows in it: only comments and blank lines'],
    ] as const) {
      expect((await dataErrorOf(() => readData(bytesOf(content)))).message).toContain(message);
    }
  });
});

describe('what cannot be opened is told in a sentence:', () => {
  test('a missing file, a folder, a file that is no folder', async () => {
    await mkdir(files.path('folder'));
    for (const [name, sentence] of [
      ['missing.txt', 'there is no such file'],
      ['folder', 'this is a directory, expected a file'],
      ['data.txt/x', 'there is no such file'],
      ['data:,1', 'there is no such file'],
    ] as const) {
      const where = files.path(name);
      expect((await dataErrorOf(() => readData(where))).message).toBe(`${where}: ${sentence}`);
    }
  });

  test.skipIf(process.getuid?.() === 0)('a file one may not read', async () => {
    const secret = files.file('secret.txt', text);
    await chmod(secret, 0);
    expect((await dataErrorOf(() => readData(secret))).message).toBe(`${secret}: you have no permission to read it`);
  });

  test('a stream that fails, with its error as the cause', async () => {
    const cause = new Error('the line is dead');
    async function* failing() {
      yield bytesOf('1 1:2\n');
      throw cause;
    }
    for (const source of [failing(), new ReadableStream({ pull: (controller) => controller.error(cause) })]) {
      const error = await dataErrorOf(() => readLibsvm(source, { name: 'stdin' }));
      expect(error).toMatchObject({ message: 'stdin: cannot be read: the line is dead', cause });
    }
    const broken = inChunks(packed, 4);
    async function* packedAndFailing() {
      yield* [(await broken.next()).value as Uint8Array, (await broken.next()).value as Uint8Array];
      throw cause;
    }
    const error = await dataErrorOf(() => readLibsvm(packedAndFailing()));
    expect(error).toMatchObject({ message: '<input>: cannot be read: the line is dead', cause });
  });

  test('sources and options that are none are TypeErrors and RangeErrors', async () => {
    const wrong = async (source: unknown, options: unknown) =>
      withoutLeak(() =>
        readLibsvm(source as Source, options as object).then(undefined, (error: unknown) => String(error)),
      );
    const expected = 'a path, a URL, a Blob or File, a ReadableStream, an AsyncIterable or a Uint8Array';
    expect(await wrong(7, {})).toBe(`TypeError: the source must be ${expected}, got 7`);
    expect(await wrong(undefined, {})).toBe(`TypeError: the source must be ${expected}, got undefined`);
    expect(await wrong('1 1:2\n-1 2:3\n', {})).toBe(
      'TypeError: the source is text, expected a path or a URL; pass new TextEncoder().encode(text)',
    );
    expect(await wrong(new Float64Array(2), {})).toBe(
      `TypeError: the source must be ${expected}, got a Float64Array of 2`,
    );
    expect(await wrong(path, { maxcols: 3 })).toMatch(
      /^RangeError: readLibsvm has no option "maxcols": do you mean "maxCols"\?/,
    );
    expect(await wrong(path, { cols: 0 })).toBe('RangeError: "cols" must be an integer of at least 1, got 0');
    expect(await wrong(path, { maxBytes: '1' })).toBe('TypeError: "maxBytes" must be a number of at least 1, got "1"');
    expect(await wrong(path, { label: {} })).toBe(
      'TypeError: "label" must be a column\'s name or index, or null, got an object',
    );
    expect(await wrong(path, { header: 1 })).toBe('TypeError: "header" must be true or false, got 1');
    expect(await wrong(path, { ignore: 'id' })).toBe(
      'TypeError: "ignore" must be an array of columns\' names or indices, got "id"',
    );
    expect(await wrong(path, { ignore: ['id', 1.5] })).toBe(
      'TypeError: "ignore"[1] must be a column\'s name or index, got 1.5',
    );
    expect(await wrong(path, { name: 3 })).toBe('TypeError: "name" must be a string, got 3');
    expect(await wrong(path, { onProgress: 3 })).toBe('TypeError: "onProgress" must be a function, got 3');
    expect(await wrong(path, { signal: {} })).toBe('TypeError: "signal" must be an AbortSignal, got an object');
    expect(await wrong(path, { labels: [1, 2] })).toBe(
      'RangeError: "labels" is for .npy only: LIBSVM text has its labels at the beginning of each line',
    );
    async function* strings() {
      yield '1 1:2\n';
    }
    expect(await wrong(strings(), {})).toBe('TypeError: <input> must give bytes (Uint8Array), got "1 1:2\\n"');
  });
});

describe('gzip', () => {
  test('may have several members, wherever chunks end', async () => {
    const members = Buffer.concat([gzipSync('1 1:2'), gzipSync(''), gzipSync(' 3:4\n-1 '), gzipSync('2:5\n')]);
    expect(plain(await readData(members)).y).toEqual(y);
    for (const length of [1, 3, 17]) expect(plain(await readData(inChunks(members, length))).y).toEqual(y);
  });

  test('that is cut off anywhere is refused', async () => {
    for (let length = 2; length < packed.length; length++) {
      const { message } = await dataErrorOf(() => readLibsvm(packed.subarray(0, length), { name: 'x.gz' }));
      expect(message).toBe('x.gz: this gzip file is cut off: it ends too early');
    }
    const cut = gzipSync(many).subarray(0, 10_000);
    expect((await dataErrorOf(() => readLibsvm(cut))).message).toContain('it ends too early');
  });

  test('with a byte changed is refused, or gives the same', async () => {
    for (let at = 2; at < packed.length; at++) {
      const changed = Uint8Array.from(packed, (byte, k) => (k === at ? byte ^ 0x55 : byte));
      const result = await readLibsvm(changed).then(plain, (error: unknown) => error);
      if (result instanceof DataError) expect(result.message).toContain('<input>: this gzip file is ');
      else expect(result).toMatchObject({ y });
    }
  });

  test('in gzip is not text, and neither is what follows a member', async () => {
    expect((await dataErrorOf(() => readData(gzipSync(packed)))).message).toContain('this is binary data');
    const junk = Buffer.concat([packed, Buffer.from('junk')]);
    expect((await dataErrorOf(() => readData(junk))).message).toContain('this gzip file is broken');
  });

  test('that holds more than `maxBytes` is refused when that much has come', async () => {
    const bomb = gzipSync(new Uint8Array(50_000_000).fill(32));
    const { message } = await dataErrorOf(() => readLibsvm(bomb, { maxBytes: 1_000_000, name: 'bomb.gz' }));
    expect(message).toBe('bomb.gz: more than 1000000 bytes came, and "maxBytes" allows no more');
    expect((await dataErrorOf(() => readLibsvm(bytesOf(text), { maxBytes: 5 }))).message).toContain(
      'more than 5 bytes',
    );
    expect(plain(await readLibsvm(bytesOf(text), { maxBytes: text.length })).y).toEqual(y);
  });
});

describe('a signal', () => {
  test('that is aborted already ends it before anything is opened', async () => {
    const reason = new Error('no');
    await expect(readLibsvm(files.path('nowhere'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test.skipIf(process.platform !== 'linux')(
    'ends reading with its reason, closes the file and gives the memory back',
    async () => {
      const open = () => readdirSync('/proc/self/fd').length;
      const before = open();
      for (const file of [large, files.file('large.gz', gzipSync(many))]) {
        const controller = new AbortController();
        const reason = new Error('enough');
        await withoutLeak(async () => {
          const reading = readLibsvm(file, { signal: controller.signal });
          setImmediate(() => controller.abort(reason));
          await expect(reading).rejects.toBe(reason);
        });
      }
      await expect.poll(open).toBe(before);
    },
  );

  test('gets its turn while bytes in memory are read, and so do timers', async () => {
    // Time flies: every chance to let others have their turn is taken.
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 100));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1);
    await withoutLeak(() => expect(readLibsvm(many, { signal: controller.signal })).rejects.toThrow('aborted'));
    now.mockRestore();
  });

  test.each<[string, () => Source]>([
    ['a stream', () => silent()],
    ['a packed stream', () => silent(packed.subarray(0, 30))],
    ['a stream before its first byte', () => silent(new Uint8Array())],
    ['a stream of Node’s', () => new PassThrough()],
    ['an async iterable', () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) })],
  ])('ends waiting for %s that gives nothing more', async (_, source) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 5);
    await withoutLeak(() => expect(readLibsvm(source(), { signal: controller.signal })).rejects.toThrow('enough'));
  });
});

test('a source is let go of when data is wrong', async () => {
  let cancelled = 0;
  const wrong = bytesOf('1 1:2\nx\n');
  await dataErrorOf(() =>
    readLibsvm(
      streamOf(wrong, () => cancelled++),
      { maxBytes: 6 },
    ),
  );
  expect(cancelled).toBe(1);
  let returned = 0;
  async function* source() {
    try {
      for (;;) yield wrong.slice();
    } finally {
      returned++;
    }
  }
  await dataErrorOf(() => readLibsvm(source()));
  await dataErrorOf(() => readCsv(source()));
  expect(returned).toBe(2);
});

describe('onProgress', () => {
  test('tells bytes as stored and rows, at most 20 times a second and at the end', async () => {
    const gz = gzipSync(many);
    for (const [source, totalBytes] of [
      [large, many.length],
      [gz, gz.length],
      [inChunks(many, 50_000), undefined],
    ] as const) {
      const told: ReadProgress[] = [];
      let clock = 0;
      const now = vi.spyOn(performance, 'now').mockImplementation(() => clock++); // ms
      const { X } = await readLibsvm(source, { onProgress: (progress) => told.push(progress) });
      now.mockRestore();
      X.dispose();
      expect(told.at(-1)).toEqual({
        bytes: totalBytes ?? many.length,
        rows: 200_000,
        ...(totalBytes !== undefined && { totalBytes }),
      });
      expect(told.length).toBeLessThanOrEqual(clock / 50 + 1);
      expect(told.every(({ bytes }, k) => k === 0 || bytes >= (told[k - 1]?.bytes ?? 0))).toBe(true);
    }
  });
});

test('errors call a source by its name: the path, the file’s, the one given, or <input>', async () => {
  const wrong = files.file('wrong.txt', 'x');
  for (const [source, options, name] of [
    [wrong, {}, wrong],
    [pathToFileURL(wrong), {}, wrong],
    [new File(['x'], 'my.txt'), {}, 'my.txt'],
    [bytesOf('x'), {}, '<input>'],
    [wrong, { name: 'stdin' }, 'stdin'],
    [new URL('file:///nowhere/%zz'), {}, 'file:///nowhere/%zz'],
  ] as const) {
    expect(await dataErrorOf(() => readLibsvm(source, options))).toMatchObject({ source: name });
  }
});
