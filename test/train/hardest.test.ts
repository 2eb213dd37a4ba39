// hardest: the rows that were the mistake most often (SPEC §7), on every trainer.

import { expect, test } from 'vitest';
import {
  DualPerceptron,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  type TrainerOptions,
  type Update,
} from '../../src/index.js';
import { manyClasses, SQUARE_KERNEL } from '../family-samples.js';
import { orders } from '../samples.js';

interface Hardest {
  index: number;
  updates: number;
}
type Maker = (o: Omit<TrainerOptions<number>, 'onEpoch'>) => {
  fit(X: number[][], y: number[]): unknown;
  hardest(count?: number): Hardest[];
  readonly report: { readonly mistakes: number };
};

const makers: [string, Maker, number][] = [
  ['Perceptron', (o) => new Perceptron<number>(o), 2],
  ['DualPerceptron', (o) => new DualPerceptron<number>(o), 2],
  ['DualPerceptron with a pocket', (o) => new DualPerceptron<number>({ ...o, pocket: true }), 2],
  ['PocketPerceptron', (o) => new PocketPerceptron<number>(o), 2],
  ['one against the rest', (o) => new MulticlassPerceptron<number>(o), 4],
  ['one against the rest, kernel', (o) => new MulticlassPerceptron<number>({ ...o, kernel: SQUARE_KERNEL }), 4],
  ['multinomial', (o) => new MulticlassPerceptron<number>({ ...o, strategy: 'multinomial' }), 4],
  [
    'multinomial, kernel',
    (o) => new MulticlassPerceptron<number>({ ...o, strategy: 'multinomial', kernel: SQUARE_KERNEL }),
    4,
  ],
];

for (const [name, make, classes] of makers) {
  test.each(orders)(`${name}, order %s: counts the updates of each row, the most first, then the lowest`, (order) => {
    const { X, y } = manyClasses(30, 3, classes, 4, 20);
    const counts = X.map(() => 0);
    const onUpdate = ({ index }: Update) => {
      counts[index] = (counts[index] as number) + 1;
    };
    const expected = counts.map((_, index) => index);
    for (const more of [{ onUpdate }, {}]) {
      const model = make({ order, seed: 3, maxEpochs: 3, ...more });
      model.fit(X, y);
      const all = expected
        .map((index): Hardest => ({ index, updates: counts[index] as number }))
        .filter(({ updates }) => updates > 0)
        .sort((a, b) => b.updates - a.updates || a.index - b.index);
      expect(model.hardest(X.length)).toEqual(all);
      expect(model.hardest()).toEqual(all.slice(0, 10));
      expect(model.hardest(3)).toEqual(all.slice(0, 3));
      expect(model.hardest(1000)).toEqual(all);
      expect(all.reduce((sum, { updates }) => sum + updates, 0)).toBe(model.report.mistakes);
    }
  });
}

test('the worked example: the third row is the hard one (SPEC §10)', () => {
  const X = [
    [3, 3],
    [4, 3],
    [1, 1],
  ];
  const expected = [
    { index: 2, updates: 5 },
    { index: 0, updates: 2 },
  ];
  expect(new Perceptron<number>().fit(X, [1, 1, -1]).hardest()).toEqual(expected);
  expect(new DualPerceptron<number>().fit(X, [1, 1, -1]).hardest()).toEqual(expected);
});
