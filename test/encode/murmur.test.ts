// MurmurHash3 and UTF-8, against published values and the platform's own encoder.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { murmur } from '../../src/encode/murmur.js';
import { utf8Of } from '../../src/encode/utf8.js';
import { textOfBytes } from '../../src/prepare/names.js';

const hash = (text: string): number => {
  const bytes = utf8Of(text);
  return murmur(bytes, 0, bytes.length) >>> 0;
};

/** As they are in Wikipedia, in the reference implementation's tests and in scikit-learn's test_murmurhash.py (seed 0). */
test.each([
  ['', 0],
  ['test', 0xba6bd213],
  ['Hello, world!', 0xc0363e43],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
  ['foo', 4138058784],
])('the hash of %j is the published one', (text, expected) => {
  expect(hash(text)).toBe(expected);
});

test('the hash is of a range, wherever it is in the buffer', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(9), (bytes, at) => {
      const wide = new Uint8Array(bytes.length + 20).fill(255);
      wide.set(bytes, at);
      expect(murmur(wide, at, at + bytes.length)).toBe(murmur(bytes, 0, bytes.length));
    }),
  );
});

test('UTF-8 is what TextEncoder makes, U+FFFD for lone surrogates', () => {
  const units = fc.array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe010 })));
  fc.assert(
    fc.property(units, (list) => {
      const text = String.fromCharCode(...list);
      const bytes = utf8Of(text);
      expect([...bytes]).toEqual([...new TextEncoder().encode(text)]);
      expect(textOfBytes(bytes)).toBe(Buffer.from(bytes).toString());
    }),
  );
  expect([...utf8Of('\ud800')]).toEqual([0xef, 0xbf, 0xbd]);
});
