// How good it is, class by class, beside what always answering the same would reach; and whether it learned its rows by heart.

import { h } from '../../ui/dom.js';
import { counted, number, percent } from '../../ui/numbers.js';
import { table } from '../../ui/table.js';
import { isLinear } from '../choice.js';
import type { Results } from '../types.js';
import { short } from '../words.js';

/** A share in three digits: 0.9333 → "93.3 %". */
const share = (value: number): string => (Number.isFinite(value) ? percent(value) : '–');

export function evaluationView({ training, heldOut, classes }: Results): HTMLElement {
  const judged = heldOut ?? training;
  const { byClass, baseline, balancedAccuracy, rocAuc, rows } = judged;
  const of = heldOut
    ? `Of ${counted(rows, 'row')} held out, answered by a model that was trained without them.`
    : 'Of the rows it was trained on: on new ones it will do worse.';
  const facts = [
    `Always answering “${short(baseline.label)}” would be right on ${share(baseline.accuracy)}.`,
    `With each class counting the same, it is right on ${share(balancedAccuracy)} (balanced accuracy).`,
    ...(rocAuc === undefined ? [] : [`ROC AUC ${number(rocAuc, 3)}.`]),
  ];
  const left =
    classes.length > byClass.length ? ` The first ${byClass.length} classes of ${number(classes.length)}.` : '';
  return h(
    'div',
    { class: 'card' },
    h('h3', {}, 'How good it is'),
    h('p', { class: 'faint' }, of),
    h('p', {}, facts.join(' ')),
    table(
      'Class by class',
      ['class', 'rows', 'recall', 'precision', 'F1'],
      byClass.map(({ label, support, recall, precision, f1 }) => [
        short(label),
        number(support),
        share(recall),
        share(precision),
        number(f1, 3),
      ]),
    ),
    h(
      'p',
      { class: 'faint' },
      `Recall: the share of the rows of a class that it recognises. Precision: how often it is right when it answers with that class.${left}`,
    ),
  );
}

/** From here on it is worth a word, if chance does not explain it. */
const NOTABLE_GAP = 0.1;

/** A sentence where it knows the rows that it was trained on far better than others. */
export function byHeart({
  training,
  heldOut,
  choice,
}: Pick<Results, 'training' | 'heldOut' | 'choice'>): string | undefined {
  if (!heldOut) return undefined;
  const { accuracy, rows } = heldOut;
  const gap = training.accuracy - accuracy;
  const chance = 2 * Math.sqrt((accuracy * (1 - accuracy)) / rows);
  if (gap <= NOTABLE_GAP || gap <= chance) return undefined;
  return `It is right on ${share(training.accuracy)} of the rows it was trained on, and on ${share(accuracy)} of new ones: it has learned some of its rows by heart. What helps: ${isLinear(choice) ? 'more rows, or fewer columns' : 'more rows, fewer columns, or a border that bends less'}.`;
}
