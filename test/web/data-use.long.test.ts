// The model at work in the page's worker: one row, a second file, probabilities, the picture of two columns.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Choice, defaults } from '../../web/src/data/choice.js';
import { byHeart } from '../../web/src/data/results/evaluation.js';
import type { ReadRequest, Results } from '../../web/src/data/types.js';
import { Session } from '../../web/src/data/work/session.js';
import { example } from './datapage.js';

const session = new Session();
afterAll(() => session.dispose());

async function trained(
  name: string,
  change: Partial<Choice> = {},
  request: Partial<ReadRequest> = {},
): Promise<Results> {
  const file = new File([readFileSync(example(name))], name);
  const { data } = await session.read({ file, ignore: [], ...request });
  return session.train(data, { ...defaults, epochs: 50, ...change });
}

const sum = (values: readonly { value: number }[]): number => values.reduce((total, { value }) => total + value, 0);

describe('one row', () => {
  test.each<[file: string, change: Partial<Choice>, request: Partial<ReadRequest>]>([
    ['fruit.csv', {}, {}],
    ['flowers.csv', {}, {}],
    ['flowers.csv', { trainer: 'dual' }, {}],
    ['moons.csv', { trainer: 'dual', gamma: 4 }, {}],
    ['messages.txt', {}, {}],
    ['messages.csv', {}, {}],
    ['penguins.csv', {}, { label: 0 }],
  ])('of %s, %o: gets the model’s answer, and what decided adds up to its score', async (file, change, request) => {
    const { model, form, classes } = await trained(file, change, request);
    for (const { cells } of form.samples.slice(0, 8)) {
      const answer = session.try(model, cells);
      expect(sum(answer.parts)).toBeCloseTo(answer.score, 9);
      expect(classes).toContain(answer.label);
      if (answer.scores.length > 0) expect(Math.max(...answer.scores.map(({ value }) => value))).toBe(answer.score);
      else expect(answer.score).toBeGreaterThanOrEqual(0);
    }
  });

  test('has fields by its columns: numbers, categories with their values, texts', async () => {
    const penguins = await trained('penguins.csv', {}, { label: 0 });
    expect(penguins.form.fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'island category',
      'beak_length_mm number',
      'beak_depth_mm number',
      'flipper_length_mm number',
      'body_mass_g number',
      'sex category',
    ]);
    expect(penguins.form.fields[0]?.values).toEqual(['Biscoe', 'Dream', 'Torgersen']);
    // A gap is as good a value as any.
    expect(session.try(penguins.model, ['Dream', null, null, 190, null, null]).label).not.toBe('Gentoo');
    expect((await trained('messages.csv')).form.fields).toEqual([{ cell: 0, name: 'text', kind: 'text' }]);
  });

  test('of many columns has fields for the heaviest', async () => {
    const columns = Array.from({ length: 30 }, (_, k) => `c${k}`);
    const lines = Array.from({ length: 60 }, (_, i) => [...columns.map((_, k) => (i * (k + 3)) % 7), i % 7 > 2 ? 'up' : 'down'].join(',')); // biome-ignore format: lines
    const { data } = await session.read({ file: new File([`${columns},kind\n${lines.join('\n')}`], 'wide.csv'), ignore: [] }); // biome-ignore format: one file
    const { form, planes } = await session.train(data, defaults);
    expect([form.fields.length, form.columns]).toEqual([12, 30]);
    expect(form.fields.map(({ name }) => name)).toContain(planes[0]?.heaviest[0]?.name);
  });

  test('of sparse rows is written as index:value, and nonsense is said', async () => {
    const { model, form } = await trained('messages.txt');
    const [sample] = form.samples;
    expect(String(sample?.cells[0])).toMatch(/^(\d+:\d+ ?)+$/);
    expect(() => session.try(model, ['3:x'])).toThrow('“3:x” is no index:value, such as 12:0.5');
    expect(() => session.try(model, ['3:1 3:2'])).toThrow('index 3 is there twice');
    expect(session.try(model, ['99999999:1']).parts.length).toBeLessThanOrEqual(1); // the bias alone
  });
});

describe('a second file', () => {
  const file = (text: string, name = 'new.csv'): File => new File([text], name);

  test('is answered in its order, its columns found by name, and judged where it has the answers', async () => {
    const { model } = await trained('flowers.csv');
    const text = 'leaf_width,species,petal_width,note,leaf_length,petal_length\n3.3,bellflower,1.2,x,5.7,4.2\n2.8,aster,2.4,y,7,5.8\n'; // biome-ignore format: a file
    const found = await session.predict(model, file(text));
    expect((await found.blob.text()).split('\n').map((line) => line.split(',')[0])).toEqual([
      'prediction',
      'bellflower',
      'crocus',
      '',
    ]);
    expect(found).toMatchObject({ rows: 2, right: { right: 1, rows: 2 }, head: ['prediction', 'score_aster', 'score_bellflower', 'score_crocus'] }); // biome-ignore format: one line
  });

  test('gets the answers of all its rows, however the model was trained', async () => {
    for (const [name, request] of [
      ['penguins.csv', { label: 0 }],
      ['messages.csv', {}],
      ['messages.txt', {}],
      ['moons.csv', {}],
    ] as const) {
      // biome-ignore format: files
      const { model, training } = await trained(name, {}, request);
      const found = await session.predict(model, new File([readFileSync(example(name))], name));
      expect([found.rows, found.right], name).toEqual([training.rows, { right: training.right, rows: training.rows }]);
      expect(sum(found.counts)).toBe(training.rows);
      expect(found.first.length).toBe(10);
    }
  });

  test('without names is taken by its places, with and without the answers', async () => {
    const lines = readFileSync(example('moons.csv'), 'utf8').trim().split('\n').slice(1);
    const { data } = await session.read({ file: file(lines.join('\n')), ignore: [], header: false });
    const { model } = await session.train(data, defaults);
    const whole = await session.predict(model, file(lines.slice(0, 20).join('\n')));
    const bare = await session.predict(model, file(lines.slice(0, 20).map((line) => line.split(',').slice(0, 2).join(',')).join('\n'))); // biome-ignore format: one file
    expect(await whole.blob.text()).toBe(await bare.blob.text());
    await expect(session.predict(model, file('1\n2\n'))).rejects.toThrow(
      'it has 1 columns, and the model was trained on 2',
    );
  });

  test('that lacks a column, or has a gap, is refused by naming it', async () => {
    const { model } = await trained('fruit.csv');
    const header = readFileSync(example('fruit.csv'), 'utf8').split('\n', 1)[0] as string;
    const [first = '', second = ''] = header.split(',');
    await expect(session.predict(model, file(`${first}\n1\n`))).rejects.toThrow(`"${second}"`);
    await expect(session.predict(model, file(`${header}\n1,2,3,x\n1,,3,x\n`))).rejects.toThrow(`row 2 has no number in “${second}”`); // biome-ignore format: one line
  });
});

test('of data that was given back, the model still answers', async () => {
  const other = new Session();
  const file = new File([readFileSync(example('penguins.csv'))], 'p.csv');
  const { data } = await other.read({ file, ignore: [], label: 0 });
  const { model, form } = await other.train(data, defaults);
  other.keep({ data: -1 });
  expect(other.try(model, form.samples[0]?.cells ?? []).label).toBe('Adelie');
  expect((await other.predict(model, file)).rows).toBe(344);
  await expect(other.calibrate(model)).rejects.toThrow('no such data');
  other.dispose();
});

describe('probabilities', () => {
  let results: Results;
  beforeAll(async () => {
    results = await trained('penguins.csv', {}, { label: 0 });
    await session.calibrate(results.model);
  });

  test('come with every answer, and add up to 1', async () => {
    const { probabilities = [], label } = session.try(results.model, results.form.samples[0]?.cells ?? []);
    expect(sum(probabilities)).toBeCloseTo(1, 12);
    expect([...probabilities].sort((a, b) => b.value - a.value)[0]?.name).toBe(label);
    const found = await session.predict(results.model, new File([readFileSync(example('penguins.csv'))], 'p.csv'));
    expect(found.head).toEqual(['prediction', 'probability_Adelie', 'probability_Chinstrap', 'probability_Gentoo']);
  });

  test('of two classes are those of both', async () => {
    const { model } = await trained('fruit.csv');
    await session.calibrate(model);
    const found = await session.predict(model, new File([readFileSync(example('fruit.csv'))], 'f.csv'));
    const [, one, other] = (found.first[0] ?? []).map(Number);
    expect((one ?? 0) + (other ?? 0)).toBeCloseTo(1, 12);
  });

  test('that are not waited for leave the model as it was', async () => {
    const { model, form } = await trained('fruit.csv');
    await expect(session.calibrate(model, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    expect(session.try(model, form.samples[0]?.cells ?? []).probabilities).toBeUndefined();
  });

  test('need two rows of each class', async () => {
    const { data } = await session.read({ file: new File(['a,b,k\n1,2,x\n3,4,y\n5,6,x\n'], 'few.csv'), ignore: [] });
    const { model, notHeldOut } = await session.train(data, defaults);
    expect(notHeldOut).toBe('there are only 3 rows');
    await expect(session.calibrate(model)).rejects.toThrow('two rows of each class');
  });
});

describe('the picture', () => {
  test('of two columns has the score of every place', async () => {
    const { view, model } = await trained('moons.csv', { trainer: 'dual', gamma: 4 });
    if (!view) throw new Error('there is no picture');
    const { x, y, size, scores } = view;
    const place = (axis: typeof x, k: number): number => axis.low + ((axis.high - axis.low) * k) / (size - 1);
    const { score, label } = session.try(model, [place(x, 7), place(y, 40)]);
    expect(Math.abs(scores[40 * size + 7] as number)).toBeCloseTo(score, 5);
    expect((scores[40 * size + 7] as number) >= 0).toBe(label === '1');
    expect([view.others, view.of.length, view.points.length]).toEqual([0, 400, 800]);
  });

  test('of more columns is of the two heaviest, and of none where the border is bent', async () => {
    const { view, planes } = await trained('fruit.csv');
    const heaviest = planes[0]?.heaviest.slice(0, 2).map(({ name }) => name);
    expect(new Set([view?.x.name, view?.y.name])).toEqual(new Set(heaviest));
    expect((await trained('fruit.csv', { trainer: 'dual' })).view).toBeUndefined();
    expect((await trained('messages.txt')).view).toBeUndefined();
    expect((await trained('messages.csv')).view).toBeUndefined();
  });
});

test('who knows the training rows far better than new ones is told, unless chance explains it', () => {
  const judged = (right: number, rows: number) => ({ right, rows, accuracy: right / rows });
  const note = (training: object, heldOut: object, trainer = 'averaged') =>
    byHeart({ training, heldOut, choice: { ...defaults, trainer } } as Results);
  expect(note(judged(400, 400), judged(70, 100))).toMatch(/learned some of its rows by heart.* fewer columns\.$/);
  expect(note(judged(400, 400), judged(70, 100), 'dual')).toMatch(/a border that bends less\.$/);
  expect(note(judged(20, 20), judged(4, 5))).toBeUndefined();
  expect(note(judged(400, 400), judged(95, 100))).toBeUndefined();
});
