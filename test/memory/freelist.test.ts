import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALIGNMENT, FreeList } from '../../src/memory/freelist.js';

test('blocks never overlap, never pass the limit, and everything merges back to nothing', () => {
  const sizes = fc.array(fc.record({ size: fc.integer({ min: 1, max: 20 }), keep: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(sizes, (steps) => {
      const list = new FreeList(1024);
      const limit = 1024 + 4096;
      const taken: { offset: number; bytes: number }[] = [];
      for (const { size, keep } of steps) {
        const bytes = size * ALIGNMENT;
        const offset = list.take(bytes, limit);
        if (offset >= 0) {
          expect(offset % ALIGNMENT).toBe(0);
          expect(offset).toBeGreaterThanOrEqual(1024);
          expect(offset + bytes).toBeLessThanOrEqual(limit);
          for (const other of taken)
            expect(offset + bytes <= other.offset || other.offset + other.bytes <= offset).toBe(true);
          taken.push({ offset, bytes });
        }
        if (!keep && taken.length > 0) {
          const [gone] = taken.splice(taken.length >> 1, 1) as [{ offset: number; bytes: number }];
          list.give(gone.offset, gone.bytes);
        }
      }
      for (const { offset, bytes } of taken) list.give(offset, bytes);
      expect(list.top).toBe(1024);
      expect(list.take(4096, limit)).toBe(1024);
    }),
  );
});

test('a hole is taken before the top, the smallest that fits first', () => {
  const list = new FreeList(0);
  const [a, , c] = [64, 16, 32, 16].map((bytes) => list.take(bytes, 1e6)) as [number, number, number];
  list.give(a, 64);
  list.give(c, 32);
  expect(list.take(32, 1e6)).toBe(c);
  expect(list.take(48, 1e6)).toBe(a);
  expect(list.take(16, 1e6)).toBe(a + 48);
});
