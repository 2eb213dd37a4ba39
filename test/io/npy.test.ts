import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type DenseMatrix, Perceptron } from '../../src/index.js';
import { type ReadOptions, readNpy } from '../../src/io/index.js';
import { bytesOf, dataErrorOf, folder, inChunks, plain, withoutLeak } from './helpers.js';

const files = folder();

/** What np.save writes. */
function npy(descr: string, shape: string, data: ArrayBuffer | Uint8Array, { version = 1, order = 'False' } = {}) {
  const isQuoted = !descr.startsWith('[');
  const dictionary = `{'descr': ${isQuoted ? `'${descr}'` : descr}, 'fortran_order': ${order}, 'shape': ${shape}, }`;
  return withHeader(dictionary, data, version);
}

function withHeader(dictionary: string, data: ArrayBuffer | Uint8Array, version = 1) {
  const lengthBytes = version === 1 ? 2 : 4;
  const text = `${dictionary}${' '.repeat(63 - ((8 + lengthBytes + dictionary.length) % 64))}\n`;
  const body = data instanceof Uint8Array ? data : new Uint8Array(data);
  const bytes = new Uint8Array(8 + lengthBytes + text.length + body.length);
  bytes.set([0x93, ...bytesOf('NUMPY'), version, 0]);
  const view = new DataView(bytes.buffer);
  if (lengthBytes === 2) view.setUint16(8, text.length, true);
  else view.setUint32(8, text.length, true);
  bytes.set(bytesOf(text), 8 + lengthBytes);
  bytes.set(body, 8 + lengthBytes + text.length);
  return bytes;
}

const swapped = (data: ArrayBuffer, size: number): Uint8Array => {
  const bytes = new Uint8Array(data.slice(0));
  for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
  return bytes;
};

const read = async (bytes: Uint8Array, options?: ReadOptions) => plain(await readNpy(bytes, options));
const failure = async (bytes: Uint8Array, options?: ReadOptions) => {
  const { message } = await dataErrorOf(() => readNpy(bytes, { name: 'X.npy', ...options }));
  return message;
};

const doubles = Float64Array.of(1, -2.5, 3e300, -0, 5e-324, 6);
const six = npy('<f8', '(3, 2)', doubles.buffer);
const rows = [
  [1, -2.5],
  [3e300, -0],
  [5e-324, 6],
];

describe('.npy', () => {
  test('of float64 becomes the same numbers, to the bit', async () => {
    expect(await read(six)).toEqual({ rows: 3, cols: 2, values: rows, y: [], format: 'npy' });
  });

  test('of float32 stays float32', async () => {
    const values = Float32Array.of(0.1, 2, 3, 4);
    const { X } = await readNpy(npy('<f4', '(2, 2)', values.buffer));
    expect(X).toMatchObject({ dtype: 'float32', rows: 2, cols: 2 });
    expect((X as DenseMatrix).data).toEqual(values);
    X.dispose();
  });

  test.each([
    ['|u1', 'uint8', Uint8Array.of(0, 255, 1, 128, 7, 2)],
    ['|i1', 'int8', Int8Array.of(-128, 127, -1, 0, 7, 2)],
    ['<i2', 'int16', Int16Array.of(-32768, 32767, -1, 0, 7, 256)],
    ['>i2', 'int16', Int16Array.of(-32768, 32767, -1, 0, 7, 256)],
  ] as const)('of %s stays %s: in rows or columns, from bytes, gzip or chunks', async (descr, dtype, values) => {
    const inRows = values.slice();
    const turned = [0, 1, 2, 3, 4, 5].map((k) => values[3 * (k % 2) + Math.floor(k / 2)] as number);
    for (const order of ['False', 'True']) {
      const stored = order === 'True' ? Array.from(inRows, (_, k) => turned[k] as number) : Array.from(inRows);
      const array = inRows.slice();
      array.set(stored);
      const data = descr === '>i2' ? swapped(array.buffer, 2) : array.buffer;
      const bytes = npy(descr, '(2, 3)', data, { order });
      for (const source of [bytes, gzipSync(bytes), inChunks(bytes, 3)]) {
        const { X } = await readNpy(source);
        expect(X).toMatchObject({ dtype, rows: 2, cols: 3 });
        expect((X as DenseMatrix<typeof dtype>).data).toEqual(inRows);
        X.dispose();
      }
    }
  });

  test.each([
    ['<u2', Uint16Array.of(1, 65535)],
    ['<i4', Int32Array.of(1, -2)],
    ['<u4', Uint32Array.of(1, 2)],
    ['<i8', BigInt64Array.of(1n, -2n)],
    ['|b1', Uint8Array.of(1, 0)],
  ])('of %s becomes float64, since no integer matrix holds it', async (descr, values) => {
    const { X } = await readNpy(npy(descr, '(1, 2)', values.buffer));
    expect(X).toMatchObject({ dtype: 'float64' });
    X.dispose();
  });

  test('of u1 trains and predicts as the same values in float64 do', async () => {
    const pixels = Uint8Array.from({ length: 40 * 9 }, (_, k) => (k * k * 7 + 3 * k) % 256);
    const labels = Uint8Array.from({ length: 40 }, (_, i) => ((pixels[9 * i] as number) > 100 ? 1 : 0));
    const trained = async (bytes: Uint8Array) => {
      const { X, y } = await readNpy(bytes, { labels: npy('|u1', '(40,)', labels) });
      const model = new Perceptron({ maxEpochs: 5 }).fit(X, y as number[]);
      const outcome = [JSON.stringify(model), Array.from(model.decisionFunction(X)), y];
      X.dispose();
      return outcome;
    };
    const narrow = await trained(npy('|u1', '(40, 9)', pixels));
    expect(narrow).toEqual(await trained(npy('<f8', '(40, 9)', Float64Array.from(pixels).buffer)));
    expect(narrow[2]).toEqual(Array.from(labels)); // labels are labels, whatever their type
  });

  test.each([
    ['|i1', Int8Array.of(-128, 127, 0, 1)],
    ['<i2', Int16Array.of(-32768, 32767, 0, 1)],
    ['<i4', Int32Array.of(-(2 ** 31), 2 ** 31 - 1, 0, 1)],
    ['<i8', BigInt64Array.of(-(2n ** 53n), 2n ** 53n - 1n, -1n, 2n ** 32n)],
    ['|u1', Uint8Array.of(255, 127, 0, 1)],
    ['<u2', Uint16Array.of(65535, 2, 0, 1)],
    ['<u4', Uint32Array.of(2 ** 32 - 1, 2, 0, 1)],
    ['<u8', BigUint64Array.of(2n ** 53n - 1n, 2n, 0n, 2n ** 32n + 1n)],
    ['<f4', Float32Array.of(1.5, -2, 0, 1)],
    ['<f8', Float64Array.of(1.5, -2, 0, 1)],
    ['|b1', Uint8Array.of(1, 0, 0, 1)],
  ])('of type %s is read, little or big endian', async (descr, values) => {
    const expected = Array.from(values as ArrayLike<number | bigint>, Number);
    const { buffer, BYTES_PER_ELEMENT: size } = values;
    expect((await read(npy(descr, '(1, 4)', buffer))).values).toEqual([expected]);
    const big = npy(descr.replace('<', '>'), '(1, 4)', swapped(buffer, size));
    expect((await read(big)).values).toEqual([expected]);
  });

  test.each([1, 2, 3])(
    'of version %i is read, with keys in any order and shapes as Python 2 wrote them',
    async (version) => {
      expect((await read(npy('<f8', '(3L, 2L)', doubles.buffer, { version }))).values).toEqual(rows);
      const turned = withHeader("{'shape': (3,2), 'fortran_order':False,'descr': '<f8'}", doubles.buffer, version);
      expect((await read(turned)).values).toEqual(rows);
    },
  );

  test('in chunks of any length, packed, or from a file is the same', async () => {
    for (const length of [1, 7, 64, 100]) expect(plain(await readNpy(inChunks(six, length))).values).toEqual(rows);
    expect((await read(gzipSync(six))).values).toEqual(rows);
    expect(plain(await readNpy(files.file('six.npy', six))).values).toEqual(rows);
    expect(plain(await readNpy(files.file('six-packed.npy', gzipSync(six)))).values).toEqual(rows);
  });

  describe('in Fortran order', () => {
    const byColumns = npy('<f8', '(3, 2)', Float64Array.of(1, 3e300, 5e-324, -2.5, -0, 6).buffer, { order: 'True' });

    test('is the same matrix, whether its size is known or not', async () => {
      expect((await read(byColumns)).values).toEqual(rows);
      expect((await read(gzipSync(byColumns))).values).toEqual(rows);
      for (const length of [1, 7, 64, 100]) {
        expect(plain(await readNpy(inChunks(byColumns, length))).values).toEqual(rows);
      }
      const single = npy('<f4', '(2, 3)', Float32Array.of(1, 4, 2, 5, 3, 6).buffer, { order: 'True' });
      const { X } = await readNpy(single);
      expect(X).toMatchObject({ dtype: 'float32', rows: 2, cols: 3 });
      expect((X as DenseMatrix).data).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
      X.dispose();
    });

    test('and larger than a piece of memory is whole', async () => {
      const [n, d] = [500_009, 3];
      const many = Float64Array.from({ length: n * d }, (_, k) => (k % n) * d + Math.floor(k / n));
      const bytes = npy('<f8', `(${n}, ${d})`, many.buffer, { order: 'True' });
      for (const source of [bytes, inChunks(bytes, 1_000_000)]) {
        const told: number[] = [];
        const { X } = await readNpy(source, { onProgress: (progress) => told.push(progress.rows) });
        expect((X as DenseMatrix).data.every((value, k) => value === k)).toBe(true);
        expect([X.rows, X.cols, told.at(-1)]).toEqual([n, d, n]);
        X.dispose();
      }
    });

    test('names the place of a value that is none, and is not believed before its bytes have come', async () => {
      const bad = npy('<f8', '(3, 2)', Float64Array.of(1, 2, 3, 4, NaN, 6).buffer, { order: 'True' });
      for (const bytes of [bad, gzipSync(bad)]) {
        expect(await failure(bytes)).toBe('X.npy: [1][1] is NaN, expected a finite number');
      }
      const huge = npy('<f8', '(62500000, 16000000)', doubles.buffer, { order: 'True' });
      expect(await failure(gzipSync(huge))).toBe(
        'X.npy: this .npy file is cut off: its header says 1000000000000000 values, but 6 came',
      );
    });

    test('of three dimensions is refused, and labels of one column are read', async () => {
      expect(await failure(npy('<f8', '(3, 2, 1)', doubles.buffer, { order: 'True' }))).toBe(
        'X.npy: expected an array of two dimensions, got 3',
      );
      const labels = npy('<f8', '(3, 1)', Float64Array.of(1, 2, 3).buffer, { order: 'True' });
      expect((await read(byColumns, { labels })).y).toEqual([1, 2, 3]);
    });
  });

  test('larger than a piece of memory is whole', async () => {
    const many = Float64Array.from({ length: 1_000_003 * 2 }, (_, k) => k);
    const bytes = npy('<f8', '(1000003, 2)', many.buffer);
    for (const source of [bytes, inChunks(bytes, 1_000_000)]) {
      const { X } = await readNpy(source);
      expect((X as DenseMatrix).data.every((value, k) => value === k)).toBe(true);
      expect([X.rows, X.cols]).toEqual([1_000_003, 2]);
      X.dispose();
    }
  });
});

describe('.npy that is wrong is refused:', () => {
  const empty = new ArrayBuffer(0);

  test.each([
    ['nothing', new Uint8Array(), 'this is empty: there is nothing in it'],
    [
      'other magic',
      bytesOf('1,2,3\n4,5,6\n'),
      'expected NumPy .npy, which begins with "\\u0093NUMPY", got "1,2,3\\n4,"',
    ],
    ['cut in its magic', six.slice(0, 9), 'this .npy file is cut off: it ends within its header'],
    ['cut in its header', six.slice(0, 40), 'this .npy file is cut off: it ends within its header'],
    ['a version to come', npy('<f8', '(3, 2)', empty, { version: 4 }), 'expected version 1, 2 or 3 of .npy, got 4'],
    [
      'one dimension',
      npy('<f8', '(6,)', doubles.buffer),
      'expected an array of two dimensions, got 1: save X.reshape(-1, 1) if it is a column',
    ],
    ['three dimensions', npy('<f8', '(3, 2, 1)', doubles.buffer), 'expected an array of two dimensions, got 3'],
    ['no dimensions', npy('<f8', '()', doubles.buffer), 'expected an array of two dimensions, got 0'],
    ['no rows', npy('<f8', '(0, 2)', empty), 'there is nothing in it: its shape is 0 × 2'],
    ['no columns', npy('<f8', '(2, 0)', empty), 'there is nothing in it: its shape is 2 × 0'],
    ['a negative shape', npy('<f8', '(-3, 2)', doubles.buffer), 'the shape in its .npy header is not valid: [-3,2]'],
    ['a shape that is a number', npy('<f8', '3', doubles.buffer), 'the shape in its .npy header is not valid: 3'],
    [
      'no shape',
      withHeader("{'descr': '<f8', 'fortran_order': False, }", empty),
      'its .npy header must have descr, fortran_order and shape, and nothing else',
    ],
    [
      'no dictionary',
      withHeader('import os', empty),
      'its .npy header is not a dictionary of descr, fortran_order and shape',
    ],
    [
      'half precision',
      npy('<f2', '(3, 2)', empty),
      'expected f4, f8, i1 to i8, u1 to u8 or bool, got "<f2": save X.astype(float)',
    ],
    [
      'complex numbers',
      npy('<c16', '(3, 2)', empty),
      'expected f4, f8, i1 to i8, u1 to u8 or bool, got "<c16": save X.astype(float)',
    ],
    [
      'text',
      npy('<U10', '(3, 2)', empty),
      'expected f4, f8, i1 to i8, u1 to u8 or bool, got "<U10": features are numbers',
    ],
    [
      'objects',
      npy('|O', '(3, 2)', empty),
      'expected f4, f8, i1 to i8, u1 to u8 or bool, got "|O": features are numbers',
    ],
    [
      'records',
      npy("[('a', '<f8'), ('b', '<f8')]", '(3,)', empty),
      'expected f4, f8, i1 to i8, u1 to u8 or bool, got [["a","<f8"],["b","<f8"]]: features are numbers',
    ],
    ['no byte order', npy('|f8', '(3, 2)', doubles.buffer), 'its .npy header gives |f8 no byte order'],
  ])('%s', async (_, bytes, message) => {
    expect(await failure(bytes)).toBe(`X.npy: ${message}`);
  });

  test('a header that lies, before anything of that size is taken: with the size of the source, or as it comes', async () => {
    const more = npy('<f8', '(4, 2)', doubles.buffer);
    expect(await failure(more)).toBe('X.npy: its header says 4 × 2 values of <f8, 64 bytes, but 48 bytes follow');
    const less = npy('<f8', '(2, 2)', doubles.buffer);
    expect(await failure(less)).toBe('X.npy: its header says 2 × 2 values of <f8, 32 bytes, but 48 bytes follow');
    expect(await failure(gzipSync(more))).toBe(
      'X.npy: this .npy file is cut off: its header says 8 values, but 6 came',
    );
    expect(await failure(gzipSync(less))).toBe('X.npy: its header says 4 values, but more bytes follow');
    const huge = npy('<f8', '(1000000000, 1000000)', doubles.buffer);
    expect(await failure(huge)).toBe(
      'X.npy: its header says 1000000000 × 1000000 values of <f8, 8000000000000000 bytes, but 48 bytes follow',
    );
    const stream = npy('<f8', '(62500000, 16000000)', doubles.buffer);
    expect(await failure(gzipSync(stream))).toBe(
      'X.npy: this .npy file is cut off: its header says 1000000000000000 values, but 6 came',
    );
    const endless = npy('<f8', '(99999999999999999999, 1000000)', doubles.buffer);
    expect(await failure(endless)).toBe(
      'X.npy: the shape in its .npy header is not valid: [100000000000000000000,1000000]',
    );
    const far = npy('<f8', '(9007199254740991, 1000000)', doubles.buffer);
    expect(await failure(gzipSync(far))).toContain('which is more than any file has');
    const wide = npy('<f8', '(1, 100000000)', doubles.buffer);
    expect(await failure(gzipSync(wide))).toBe('X.npy: it has 100000000 columns, and "maxCols" allows 16777216');
    const long = six.slice();
    new DataView(long.buffer).setUint16(8, 65535, true);
    expect(await failure(long)).toBe('X.npy: this .npy file is cut off: it ends within its header');
    const longer = npy('<f8', '(3, 2)', doubles.buffer, { version: 2 });
    new DataView(longer.buffer).setUint32(8, 2 ** 32 - 1, true);
    expect(await failure(longer)).toBe('X.npy: expected a header of at most 65536 bytes, got 4294967295');
  });

  test('values that are no numbers, or that float64 cannot hold, with their place', async () => {
    const bad = npy('<f8', '(2, 2)', Float64Array.of(1, 2, 3, NaN).buffer);
    expect(await failure(bad)).toBe('X.npy: [1][1] is NaN, expected a finite number');
    const infinite = npy('<f4', '(2, 2)', Float32Array.of(1, 2, -Infinity, 3).buffer);
    expect(await failure(infinite)).toBe('X.npy: [1][0] is -Infinity, expected a finite number');
    const wide = npy('<i8', '(2, 2)', BigInt64Array.of(1n, 2n ** 53n + 1n, 3n, 4n).buffer);
    expect(await failure(wide)).toBe('X.npy: [0][1] is an integer (<i8) beyond 2⁵³, which float64 cannot hold exactly');
    const wider = npy('<u8', '(2, 2)', BigUint64Array.of(1n, 2n, 2n ** 63n, 4n).buffer);
    expect(await failure(wider)).toBe(
      'X.npy: [1][0] is an integer (<u8) beyond 2⁵³, which float64 cannot hold exactly',
    );
    expect(await failure(npy('|b1', '(2, 1)', Uint8Array.of(1, 2)))).toBe('X.npy: [1][0] is 2, expected 0 or 1 (bool)');
  });

  test('other columns than the model has', async () => {
    expect(await failure(six, { cols: 3 })).toBe('X.npy: expected 3 columns, got 2');
  });
});

describe('labels beside .npy', () => {
  const labelled = async (labels: NonNullable<ReadOptions['labels']>) => (await read(six, { labels })).y;

  test('come from another .npy, as numbers or booleans', async () => {
    expect(await labelled(npy('<i8', '(3,)', BigInt64Array.of(1n, -1n, 0n).buffer))).toEqual([1, -1, 0]);
    expect(await labelled(npy('|b1', '(3,)', Uint8Array.of(1, 0, 1)))).toEqual([true, false, true]);
    expect(await labelled(npy('<f8', '(3, 1)', Float64Array.of(1, 2, -0).buffer))).toEqual([1, 2, 0]);
    expect(await labelled(npy('>u2', '(3,)', swapped(Uint16Array.of(5, 6, 7).buffer, 2)))).toEqual([5, 6, 7]);
  });

  test('come from text, one a line', async () => {
    expect(await labelled(bytesOf('1\n2\n3\n'))).toEqual([1, 2, 3]);
    expect(await labelled(files.file('y.txt', 'cat\r\n"a ""dog"""\r\n3\r\n\r\n'))).toEqual(['cat', 'a "dog"', '3']);
    expect(await labelled(inChunks(gzipSync('a\nb\nc'), 1))).toEqual(['a', 'b', 'c']);
  });

  test('are an array, or any list', async () => {
    expect(await labelled(['a', 'b', 'a'])).toEqual(['a', 'b', 'a']);
    expect(await labelled(Int8Array.of(1, -1, 1))).toEqual([1, -1, 1]);
    expect(await labelled(Uint8Array.of(1, 0, 1))).toEqual([1, 0, 1]);
  });

  test.each([
    [bytesOf('1\n2\n'), '<labels>: expected 3 labels, one for each row, got 2'],
    [npy('<f8', '(6,)', doubles.buffer), '<labels>: expected 3 labels, one for each row, got 6'],
    [npy('<f8', '(3, 2)', doubles.buffer), '<labels>: expected labels of one dimension, got shape 3 × 2'],
    [npy('<f8', '()', doubles.buffer), '<labels>: expected labels of one dimension, got shape ()'],
    [npy('<f8', '(3,)', Float64Array.of(1, NaN, 2).buffer), '<labels>: [1] is NaN, expected a finite number'],
    [
      npy('<U3', '(3,)', new ArrayBuffer(36)),
      '<labels>: expected f4, f8, i1 to i8, u1 to u8 or bool, got "<U3": labels that are words can be text: np.savetxt(file, y, fmt="%s")',
    ],
    [bytesOf('1\n\n2\n3\n'), '<labels>:2: expected a label, got an empty line'],
    [bytesOf('1\n2\nnan\n'), '<labels>:3: expected a label, got nan'],
    [bytesOf('\n\n\n\n'), '<labels>: there are no labels in it: only blank lines'],
    ['/nowhere/y.txt', '/nowhere/y.txt: there is no such file'],
  ])('that do not fit are refused, and the matrix is given back (%#)', async (labels, message) => {
    expect(await failure(six, { labels })).toBe(message);
  });

  test('that are no labels at all are refused as such', async () => {
    await withoutLeak(async () => {
      await expect(readNpy(six, { labels: ['a'] })).rejects.toThrow(
        new RangeError('"labels" has 1 labels, X has 3 rows'),
      );
      const number = 7 as unknown as string;
      await expect(readNpy(six, { labels: number })).rejects.toThrow(
        new TypeError('"labels" must be a source or an array of labels, got 7'),
      );
    });
  });
});
