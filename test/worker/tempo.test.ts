// Alone or together: which orders a sweep gives, by what earlier ones came to.

import { expect, test } from 'vitest';
import { Tempo } from '../../src/worker/tempo.js';

/** The ways of so many orders, 'a'lone or 't'ogether: each takes what `msOf` says for 1,000 samples. */
function ways(orders: number, msOf: (isTogether: boolean, order: number) => number, tempo = new Tempo()): string {
  let text = '';
  for (let order = 0; order < orders; order++) {
    const { isTogether } = tempo;
    tempo.note(isTogether, 1000, msOf(isTogether, order));
    text += isTogether ? 't' : 'a';
  }
  return text;
}

test('all go together once one has gone alone for comparison, and stay so where it is faster', () => {
  expect(ways(12, (isTogether) => (isTogether ? 6 : 10))).toBe('attttttttttt');
});

test('where it is slower one goes alone, and tries again ever more seldom', () => {
  const text = ways(1000, (isTogether) => (isTogether ? 12 : 10));
  expect(text.slice(0, 20)).toBe('atataatataaaatataaaa');
  expect(text.match(/t/g)?.length).toBeLessThan(50);
  expect(text.match(/a+/g)?.map(({ length }) => length)).toContain(64);
});

test('one order that was held up decides nothing', () => {
  expect(ways(12, (isTogether, order) => (order === 1 ? 100 : isTogether ? 6 : 10))).toBe('atattttttttt');
  expect(ways(12, (isTogether, order) => (order === 5 ? 100 : isTogether ? 6 : 10))).toBe('attttttttttt');
});

test('a time alone that was held up is measured again, and found out', () => {
  const text = ways(200, (isTogether, order) => (order === 0 ? 100 : isTogether ? 12 : 10));
  expect(text.indexOf('a', 1)).toBe(65);
  expect(text.slice(65, 75)).toBe('atataatata');
});

test('going together comes back when mistakes have become rare', () => {
  const text = ways(200, (isTogether, order) => (isTogether && order > 60 ? 6 : isTogether ? 12 : 10));
  expect(text.slice(-30)).toBe('t'.repeat(30));
});

test('orders are short while it is to be found out, and not when it is known', () => {
  const tempo = new Tempo();
  expect(tempo.isTrial(false)).toBe(true);
  tempo.note(false, 1000, 10);
  expect([tempo.isTrial(false), tempo.isTrial(true)]).toEqual([false, true]);
  tempo.note(true, 1000, 12);
  expect([tempo.isTrial(false), tempo.isTrial(true)]).toEqual([true, true]);
  tempo.note(false, 1000, 10);
  tempo.note(true, 1000, 6);
  expect([tempo.isTrial(false), tempo.isTrial(true)]).toEqual([false, false]);
});
