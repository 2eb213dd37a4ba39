import { expect, test } from 'vitest';
import { Arena } from '../../src/memory/arena.js';

test('128 bytes behind any block may be read, also behind the last: no block ends at 4 GiB, where a 32-bit sum wraps', () => {
  const arena = new Arena(); // nothing is touched: this costs address space, not memory
  const most = 2 ** 32 - 1024;
  expect(() => arena.allocate(most, 'all of it')).toThrow(/^no room for all of it: 4294966272 bytes/);
  expect(() => arena.allocate(most - 112, 'nearly all of it')).toThrow(RangeError);
  const block = arena.allocate(most - 128, 'what there is');
  expect(block.offset + block.bytes).toBe(2 ** 32 - 128);
  expect(() => arena.allocate(16, 'one more')).toThrow(RangeError);
  arena.release(block);
  expect(arena.usage).toMatchObject({ liveBytes: 0, blocks: 0 });
});

test('memory grows with a block that would end at its end', () => {
  const arena = new Arena();
  const page = arena.buffer.byteLength;
  const block = arena.allocate(page - 1024, 'a page but for what nobody has');
  expect(arena.buffer.byteLength).toBeGreaterThanOrEqual(block.offset + block.bytes + 128);
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
