import { expect, test } from 'vitest';
import { Arena } from '../../src/memory/arena.js';

test('no block ends at 4 GiB, where a 32-bit sum wraps to 0', () => {
  const arena = new Arena(); // nothing is touched: this costs address space, not memory
  const most = 2 ** 32 - 1024;
  expect(() => arena.allocate(most, 'all of it')).toThrow(/^no room for all of it: 4294966272 bytes/);
  const block = arena.allocate(most - 16, 'nearly all of it');
  expect(block.offset + block.bytes).toBe(2 ** 32 - 16);
  expect(() => arena.allocate(16, 'one more')).toThrow(RangeError);
  arena.release(block);
  expect(arena.usage).toMatchObject({ liveBytes: 0, blocks: 0 });
});

test('a block is zero, also where another one was', () => {
  const arena = new Arena();
  const first = arena.allocate(100, 'a');
  expect(first.offset % 16).toBe(0);
  arena.f64(first.offset, 12).fill(7);
  arena.release(first);
  const second = arena.allocate(200, 'b');
  expect(second.offset).toBe(first.offset);
  expect(arena.f64(second.offset, 25).every((v) => v === 0)).toBe(true);
});

test('a large memory is let go of when its last block goes, and taken back zero-filled if it is still there', () => {
  const arena = new Arena();
  const block = arena.allocate(20 * 2 ** 20, 'rows');
  arena.f64(block.offset, 1000).fill(7);
  const before = arena.buffer;
  arena.release(block);
  expect(arena.usage.byteLength).toBe(0);
  const again = arena.allocate(20 * 2 ** 20, 'rows'); // the same turn: the collector has not had it
  expect(arena.buffer).toBe(before);
  expect(arena.f64(again.offset, 1000).every((v) => v === 0)).toBe(true);
});
